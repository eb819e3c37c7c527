import {stat} from 'node:fs/promises'
import {AdfaError, objectAt} from '../../base/checks/index.ts'
import {withoutPasswords} from '../../base/text/index.ts'
import {readBinaryFile, readTextFile} from '../files/index.ts'

export interface ClickHouseAddress {
  /** The server's HTTP address. */
  readonly url: string
  readonly database: string
  readonly table: string
  /** The address as the user wrote it, for messages. */
  readonly name: string
}

const FORM = 'clickhouse://host:8123/database/table (clickhouses:// for an encrypted connection)'
const PARTS = /^clickhouse(s?):\/\/([^/:?#]+|\[[^/?#]+\])(?::(\d+))?\/([^/?#]+)\/([^/?#]+)$/i

/** Whether this is the address of a ClickHouse table rather than a file. */
export function isClickHouseAddress(text: string): boolean {
  return /^clickhouses?:/i.test(text)
}

/** Parse `clickhouse://host:8123/database/table`; a user or password in it is refused, and not shown. */
export function parseClickHouseAddress(text: string): ClickHouseAddress {
  // A password may contain a slash; the name of a table writes @ as %40.
  if (text.includes('@'))
    throw new AdfaError(
      'bad-option',
      'the address of a ClickHouse table has a user or password in it, which anyone on this computer could read; ' +
        'set ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD, or name a file in `credentials`'
    )
  const [, secure, host, port, ...names] = PARTS.exec(text) ?? []
  const url = `http${secure?.toLowerCase()}://${host}:${port ?? (secure ? 8443 : 8123)}`
  try {
    const [database, table] = names.map(decodeURIComponent)
    if (names.length === 2 && URL.canParse(url)) return {url, database, table, name: text}
  } catch {
    // A name that is not in UTF-8.
  }
  throw new AdfaError(
    'bad-option',
    `${withoutPasswords(text)}: this is not the address of a ClickHouse table; a table is written ${FORM}`
  )
}

/** User and password; never taken from an address or a command line, which others can read. */
export interface ClickHouseCredentials {
  readonly user?: string
  readonly password?: string
  /** The certificate (PEM) that must have signed the server's own; by default the usual authorities. */
  readonly certificate?: Uint8Array
}

/**
 * The credentials in a JSON file, `{"user": "...", "password": "...", "ca": "certificate file"}`, which must be readable
 * only by its owner; without a file, those in ADFA_CLICKHOUSE_USER, ADFA_CLICKHOUSE_PASSWORD and ADFA_CLICKHOUSE_CA.
 */
export async function readClickHouseCredentials(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env
): Promise<ClickHouseCredentials> {
  const {ADFA_CLICKHOUSE_USER, ADFA_CLICKHOUSE_PASSWORD, ADFA_CLICKHOUSE_CA} = environment
  const given =
    file === undefined
      ? {user: ADFA_CLICKHOUSE_USER, password: ADFA_CLICKHOUSE_PASSWORD, ca: ADFA_CLICKHOUSE_CA}
      : await readFile(file)
  return {
    ...(given.user && {user: given.user}),
    ...(given.password && {password: given.password}),
    ...(given.ca && {certificate: await readBinaryFile(given.ca)})
  }
}

async function readFile(file: string): Promise<Readonly<Partial<Record<string, string>>>> {
  const text = await readTextFile(file)
  // Windows has other permissions than these three digits.
  const rights = process.platform === 'win32' ? 0 : (await stat(file)).mode & 0o077
  const fail = (fault: string) => new AdfaError('bad-file', `${file}: ${fault}`)
  if (rights !== 0)
    throw fail(
      `other users of this computer can read or change this file of credentials; keep it to yourself: chmod 600 ${file}`
    )
  try {
    const known = ['user', 'password', 'ca']
    const entries = Object.entries(objectAt(JSON.parse(text), 'it'))
    if (entries.every((entry): entry is [string, string] => known.includes(entry[0]) && typeof entry[1] === 'string'))
      return Object.fromEntries(entries)
  } catch {
    // The message of JSON.parse may quote the password.
  }
  throw fail(
    'these are not credentials; they are one JSON object with text, {"user": "...", "password": "...", "ca": "..."}'
  )
}
