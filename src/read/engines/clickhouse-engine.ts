import {randomUUID} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {AdfaError, checkOptions, type Rules, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {withoutPasswords} from '../../base/text/index.ts'
import {sqlDialects} from '../sql/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

/** User and password; never taken from an address or a command line, which others can read. */
export interface ClickHouseCredentials {
  readonly user?: string
  readonly password?: string
}

export interface ClickHouseOptions {
  readonly required: readonly string[]
  readonly credentials: ClickHouseCredentials
  /** Seconds for one query, 0 for the server's own limit. */
  readonly timeLimit: number
  /** Bytes for one query on each server, 0 for the server's own limit; beyond half of it, groups go to its disk. */
  readonly memory: number
}

const defaults: ClickHouseOptions = {required: [], credentials: {}, timeLimit: 0, memory: 0}

const rules: Rules<ClickHouseOptions> = {
  timeLimit: [whole(0)[0], "a whole number of seconds, 0 for the server's own limit"],
  memory: [whole(0)[0], "a whole number of bytes, 0 for the server's own limit"]
}

const PARTS = /^clickhouse(s?):\/\/([^/:?#]+|\[[^/?#]+\])(?::(\d+))?\/([^/?#]+)\/([^/?#]+)$/i

/** Whether this is the address of a ClickHouse table rather than a file. */
export function isClickHouseAddress(text: string): boolean {
  return /^clickhouses?:/i.test(text)
}

/** Parse `clickhouse://host:8123/database/table`; a user or password in it is refused, and not shown. */
export function parseClickHouseAddress(text: string) {
  // A password may contain a slash; the name of a table writes @ as %40.
  if (text.includes('@'))
    throw new AdfaError(
      'bad-option',
      'the address of a ClickHouse table has a user or password in it, which anyone on this computer could read; ' +
        'set ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD'
    )
  const [, secure, host, port, ...names] = PARTS.exec(text) ?? []
  const url = `http${secure?.toLowerCase()}://${host}:${port ?? (secure ? 8443 : 8123)}`
  try {
    const [database, table] = names.map(decodeURIComponent)
    if (names.length === 2 && URL.canParse(url)) return {url, database, table}
  } catch {
    // A name that is not in UTF-8.
  }
  throw new AdfaError(
    'bad-option',
    `${withoutPasswords(text)}: this is not the address of a ClickHouse table; a table is written ` +
      'clickhouse://host:8123/database/table (clickhouses:// for an encrypted connection)'
  )
}

/** The credentials in ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD. */
export function readClickHouseCredentials(
  environment: Readonly<Record<string, string | undefined>> = process.env
): ClickHouseCredentials {
  const {ADFA_CLICKHOUSE_USER: user, ADFA_CLICKHOUSE_PASSWORD: password} = environment
  return {...(user && {user}), ...(password && {password})}
}

const text = '(?:LowCardinality\\()?(?:Nullable\\()?String\\)*'
const wholeNumber = '(?:Nullable\\()?U?Int\\d+\\)?'
const types = {
  text: new RegExp(`^${text}$`),
  category: new RegExp(`^(?:${text}|${wholeNumber})$`),
  number: new RegExp(`^(?:${wholeNumber}|(?:Nullable\\()?Float64\\)?)$`),
  list: new RegExp(`^Array\\(${text}\\)$`)
}

/** Bytes of literals in one statement: servers take 2^18, and those behind a Distributed table get a longer form of it. */
const ROOM = 2 ** 16

/** Counts documents in a ClickHouse table on the server, which groups them by the anchor features that they have. */
export async function openClickHouse(address: string, options?: Partial<ClickHouseOptions>): Promise<CountingEngine> {
  const checked = checkOptions<ClickHouseOptions>('ClickHouse', defaults, rules, options)
  const {required, credentials, timeLimit, memory} = checked
  const {url, database, table} = parseClickHouseAddress(address)
  const ask = clickHouseServer(address, url, credentials, timeLimit)
  const settings: Record<string, string | number> = {
    ...(timeLimit > 0 && {max_execution_time: timeLimit}),
    ...(memory > 0 && {max_memory_usage: memory, max_bytes_before_external_group_by: Math.floor(memory / 2)})
  }
  // Users who may only read cannot send a setting, even with the value that it has.
  for await (const gaps of ask(FIND_GAPS)) for (const [name, exact] of gaps) settings[name] = exact
  const from = [database, table].map(sqlDialects.clickhouse.identifier).join('.')
  return sqlEngine({
    name: 'clickhouse',
    where: address,
    from,
    describe: `DESCRIBE TABLE ${from}`,
    types,
    required,
    room: ROOM,
    rows: (query, signal) => ask(query, signal, settings),
    close: async () => {}
  })
}

/** How long a server may take to stop a query, and how much longer than its limit to say that it was met. */
const STOP_WAIT = 3000
const GRACE = 2000
/** The longest that a timer can wait, 24 days. */
const LONGEST_WAIT = 2 ** 31 - 1

/** Settings by which a server omits rows, groups or shards silently, unless they are 0; what it does when a limit is met is `throw`. */
const GAPS = "'skip_unavailable_shards', 'distributed_group_by_no_merge', 'limit', 'offset'"
const FIND_GAPS = `SELECT name, name LIKE '%overflow_mode%' ? 'throw' : '0' AS exact FROM system.settings
WHERE (name LIKE '%overflow_mode%' OR name IN (${GAPS})) AND value != exact`

type Settings = Readonly<Record<string, string | number>>

/**
 * Sends queries over HTTP to one server and gives the rows of the answers, some at a time. The server
 * answers only when it has the whole answer, so that an error comes instead of it. Each query has its own id, by which it is stopped on the server when the caller cancels or no longer listens. Nothing is retried.
 */
export function clickHouseServer(
  name: string,
  url: string,
  {user = 'default', password = ''}: ClickHouseCredentials,
  timeLimit: number
) {
  const run = randomUUID()
  let queries = 0

  /** The answer to a query; an error that the server reports is thrown. */
  const ask = async (query: string, params: Settings, signal: AbortSignal): Promise<IncomingMessage> => {
    const {request} = url.startsWith('https:') ? await import('node:https') : await import('node:http')
    const search = Object.entries({...params, wait_end_of_query: 1}).map(pair => pair.map(encodeURIComponent).join('='))
    // A connection of its own cannot be stale.
    const options = {
      method: 'POST',
      agent: false,
      signal,
      headers: {authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`}
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}/?${search.join('&')}`, options, resolve)
      sent.on('error', reject)
      sent.end(query)
    })
    if (answer.statusCode === 200) return answer
    throw new Error(Buffer.concat(await answer.toArray()).toString())
  }

  /** Stops a query on the server and waits until it has ended; a server that cannot be reached is left alone. */
  const stop = async (id: string): Promise<void> => {
    const query = `KILL QUERY WHERE query_id = ${sqlDialects.clickhouse.text(id)} SYNC`
    try {
      for (const wait of [0, 100]) {
        // A query that was just sent may still be on its way.
        await setTimeout(wait)
        const answer = await ask(query, {}, AbortSignal.timeout(STOP_WAIT))
        if ((await answer.toArray()).length > 0) return
      }
    } catch {
      return
    }
  }

  return async function* rows(
    query: string,
    signal?: AbortSignal,
    settings: Settings = {}
  ): AsyncGenerator<string[][]> {
    throwIfCancelled(signal)
    const id = `adfa-${run}-${++queries}`
    const limit = AbortSignal.timeout(timeLimit === 0 ? LONGEST_WAIT : 1000 * timeLimit + GRACE)
    const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
    let isRunning = true
    try {
      const answer = await ask(query, {query_id: id, ...settings}, AbortSignal.any(signal ? [signal, limit] : [limit]))
      let rest = ''
      for await (const chunk of answer) {
        const lines = (rest + decoder.decode(chunk, {stream: true})).split('\n')
        rest = lines.pop() ?? ''
        yield lines.map(cellsOf)
      }
      if (rest !== '' || !answer.complete) throw new Error('the answer ends early')
      isRunning = false
    } catch (error) {
      throwIfCancelled(signal)
      throw failureOf(error, name, limit)
    } finally {
      if (isRunning) await stop(id)
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = {b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0'}

function cellsOf(line: string): string[] {
  const cells = line.split('\t')
  return line.includes('\\')
    ? cells.map(cell => cell.replace(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign))
    : cells
}

function failureOf(error: unknown, name: string, limit: AbortSignal): AdfaError {
  const fail = (what: string) => new AdfaError('bad-file', `${name}: ${what}`, {cause: error})
  if (limit.aborted)
    return fail('the server did not answer in time; nothing was counted; check that it is well, or raise `timeLimit`')
  if (error instanceof TypeError)
    return new AdfaError(
      'bad-document',
      `${name}: a word is not text in UTF-8, and a model could not name it; ` +
        'find it by isValidUTF8, and correct it in the table, or make a view without it',
      {cause: error}
    )
  const text = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error)
  const code = codeOf(text)
  if (code === undefined && !text.includes('DB::Exception'))
    return fail(
      'the ClickHouse server cannot be reached, or went away; nothing was counted; ' +
        `check that it runs and that the address is right, and repeat the command (${text})`
    )
  const meaning = Object.keys(MEANINGS).find(each => code !== undefined && MEANINGS[each].includes(code))
  const words = text.slice(text.search(/Code: \d|DB::Exception/)).replace(/, e\.what\(\).*$|Stack trace:.*$/s, '')
  const said = words.replace(/\s+/g, ' ').slice(0, 300).trim()
  return fail(`${meaning ?? 'the server could not answer; nothing was counted'} (the server says: ${said})`)
}

const MEANINGS: Readonly<Record<string, readonly number[]>> = {
  'the server does not know this user and password; check ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD': [
    192, 193, 194, 516
  ],
  'the server has no such table; check the names of the database and the table': [60, 81],
  'a server that holds a part of this table is down or went away; nothing was counted; start it again and repeat the command':
    [32, 33, 101, 102, 198, 209, 210, 279, 519],
  'the query took longer than allowed; raise `timeLimit` or max_execution_time on the server': [159, 160],
  'the query needs more memory than allowed; raise `memory` or max_memory_usage on the server, or count fewer words (`vocabulary`)':
    [241],
  "this user may not change a setting on the server, and counts must be complete; leave `timeLimit` and `memory` out, or ask the administrator to set it in the user's profile":
    [115, 164, 452]
}

/** The first number of a report with several: the others are of other servers. */
function codeOf(text: string): number | undefined {
  const code = /Code: (\d+)/.exec(text)?.[1]
  return code === undefined ? undefined : Number(code)
}
