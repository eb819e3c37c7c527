import {AdfaError} from '../../base/checks/index.ts'

/** Where a table of documents lies. */
export interface ClickHouseAddress {
  /** The server, as HTTP knows it. */
  readonly url: string
  readonly database: string
  readonly table: string
  /** The address as the user wrote it, for messages. */
  readonly name: string
}

const FORM = 'clickhouse://host:8123/database/table (clickhouses:// for an encrypted connection)'
const PORTS: ReadonlyMap<string, string> = new Map([
  ['clickhouse:', '8123'],
  ['clickhouses:', '8443']
])

/** Whether this is meant as the address of a ClickHouse table, and not as a file. */
export function isClickHouseAddress(text: string): boolean {
  return /^clickhouses?:/i.test(text)
}

/** Read `clickhouse://host:8123/database/table`; a user or password in it is refused, and not shown. */
export function parseClickHouseAddress(text: string): ClickHouseAddress {
  // A password may itself hold a slash; the name of a table writes this sign as %40.
  if (text.includes('@'))
    throw new AdfaError(
      'bad-option',
      'the address of a ClickHouse table has a user or password in it, which anyone on this computer could read; ' +
        'set ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD, or name a file with --credentials'
    )
  const refuse = (fault: string) => new AdfaError('bad-option', `${text}: ${fault}; a table is written ${FORM}`)
  if (!URL.canParse(text)) throw refuse('this is no address')
  const {protocol, hostname, port, pathname, search, hash} = new URL(text)
  const usual = PORTS.get(protocol)
  if (usual === undefined || hostname === '') throw refuse('this is no address of a ClickHouse server')
  if (search !== '' || hash !== '') throw refuse(`"${search}${hash}" has no meaning here`)
  const parts = pathname.split('/').slice(1).map(decode)
  if (parts.length !== 2 || parts.some(part => part === undefined || part === ''))
    throw refuse('it needs a database and a table')
  const [database = '', table = ''] = parts
  const url = `${protocol === 'clickhouses:' ? 'https' : 'http'}://${hostname}:${port || usual}`
  if (!URL.canParse(url)) throw refuse(`"${hostname}" is no name of a server`)
  return {url, database, table, name: text}
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
