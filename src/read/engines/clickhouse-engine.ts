import {randomUUID} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import {AdfaError, checkOptions, type Rules, throwIfCancelled, whole} from '../../base/checks/index.ts'
import {sqlDialects} from '../sql/index.ts'
import {type ClickHouseAddress, type ClickHouseCredentials, parseClickHouseAddress} from './clickhouse-address.ts'
import type {CountingEngine} from './counting-engine.ts'
import {sqlEngine} from './sql-engine.ts'

export interface ClickHouseOptions {
  /** The column with the list of ready-made words, if the table has it. */
  readonly tokensColumn: string
  /** Columns that must be there. */
  readonly required: readonly string[]
  readonly credentials: ClickHouseCredentials
  /** Seconds for one query, 0 for the server's own limit. */
  readonly timeLimit: number
  /** Bytes for one query on each server, 0 for the server's own limit; beyond half of it, groups go to its disk. */
  readonly memory: number
  /** Called with notes for the user, such as limits that are not in force. */
  readonly onNote: ((note: string) => void) | undefined
}

export const clickHouseDefaults: ClickHouseOptions = {
  tokensColumn: 'features',
  required: [],
  credentials: {},
  timeLimit: 0,
  memory: 0,
  onNote: undefined
}

const rules: Rules<ClickHouseOptions> = {
  timeLimit: [whole(0)[0], "a whole number of seconds, 0 for the server's own limit"],
  memory: [whole(0)[0], "a whole number of bytes, 0 for the server's own limit"]
}

const text = '(?:LowCardinality\\()?(?:Nullable\\()?String\\)*'
const wholeNumber = '(?:Nullable\\()?U?Int\\d+\\)?'
const types = {
  text: new RegExp(`^${text}$`),
  category: new RegExp(`^(?:${text}|${wholeNumber})$`),
  number: new RegExp(`^(?:${wholeNumber}|(?:Nullable\\()?Float64\\)?)$`),
  list: new RegExp(`^Array\\(${text}\\)$`)
}

/** Counts documents in a ClickHouse table on the server, which groups them by the anchor features that they have. */
export async function openClickHouse(address: string, options?: Partial<ClickHouseOptions>): Promise<CountingEngine> {
  const {tokensColumn, required, credentials, onNote, ...limits} = checkOptions<ClickHouseOptions>(
    'ClickHouse',
    clickHouseDefaults,
    rules,
    options
  )
  const place = parseClickHouseAddress(address)
  const server = new ClickHouseServer(place, credentials, limits.timeLimit)
  const {querySize, refused} = await server.chooseSettings(limits)
  for (const option of refused)
    onNote?.(`${place.name}: this user may not change settings on the server, so \`${option}\` is not in force there`)
  const {identifier} = sqlDialects.clickhouse
  const from = `${identifier(place.database)}.${identifier(place.table)}`
  const columns = new Map<string, string>()
  for await (const [names, kinds] of server.columns(`DESCRIBE TABLE ${from}`))
    names.forEach((name, at) => {
      columns.set(name, kinds[at])
    })
  return sqlEngine({
    name: 'clickhouse',
    where: place.name,
    from,
    columns,
    ready: tokensColumn,
    types,
    required: [...required, ...(tokensColumn === clickHouseDefaults.tokensColumn ? [] : [tokensColumn])],
    // The servers behind a Distributed table get the query in a longer form.
    room: Math.floor(querySize / 4),
    rows: (query, signal) => server.columns(query, signal),
    close: async () => {}
  })
}

/** Milliseconds for a question that has a short answer, and for stopping a query. */
const SHORT_WAIT = 60_000
const STOP_WAIT = 3000
/** How much longer than its limit a server may take to say that it was met. */
const GRACE = 2000
const STOP_ATTEMPTS = 50
/** The longest that a timer can wait, 24 days. */
const LONGEST_WAIT = 2 ** 31 - 1
/** The length of one query where the server gives none. */
const USUAL_QUERY = 2 ** 18

/** Values without which a server omits rows, groups or shards silently; what it does when a limit is met is `throw`. */
const EXACT: Readonly<Record<string, string>> = {
  skip_unavailable_shards: '0',
  distributed_group_by_no_merge: '0',
  limit: '0',
  offset: '0',
  additional_table_filters: '{}',
  additional_result_filter: ''
}
/** How servers show a list without entries. */
const NO_FILTERS: readonly string[] = ['', '[]', '{}']

/**
 * Queries over HTTP to one server, which answers only when it has the whole answer, so that an error comes instead of it. Each
 * query has its own id, by which it is stopped on the server when the caller cancels or no longer listens. Nothing is retried.
 */
export class ClickHouseServer {
  readonly #address: ClickHouseAddress
  readonly #credentials: ClickHouseCredentials
  readonly #timeLimit: number
  readonly #run = randomUUID()
  #queries = 0
  /** Sent with every query. */
  #settings: Readonly<Record<string, string>> = {}

  constructor(address: ClickHouseAddress, credentials: ClickHouseCredentials, timeLimit: number) {
    this.#address = address
    this.#credentials = credentials
    this.#timeLimit = timeLimit
  }

  /** The rows of an answer, some at a time, as one list of cells per column. */
  async *columns(query: string, signal?: AbortSignal): AsyncGenerator<readonly (readonly string[])[]> {
    throwIfCancelled(signal)
    const id = `adfa-${this.#run}-${++this.#queries}`
    const limit = this.#limit(LONGEST_WAIT)
    let isRunning = true
    try {
      const abort = signal === undefined ? limit : AbortSignal.any([signal, limit])
      const answer = await this.#ask(query, {query_id: id, ...this.#settings}, abort)
      let rest = Buffer.alloc(0)
      for await (const chunk of answer) {
        const bytes = Buffer.concat([rest, chunk])
        const end = bytes.lastIndexOf('\n') + 1
        rest = bytes.subarray(end)
        if (end > 0) yield columnsOf(this.#decode(bytes.subarray(0, end)))
      }
      if (rest.length > 0 || !answer.complete) throw new Error('the answer ends early')
      isRunning = false
    } catch (error) {
      throwIfCancelled(signal)
      throw this.#failure(error, limit)
    } finally {
      if (isRunning) await this.#stop(id)
    }
  }

  /**
   * Makes the server refuse what would make counts incomplete, and sets limits, 0 for the server's own. Returns how long a query
   * may be, and the limits that this user may not set.
   */
  async chooseSettings(limits: {readonly timeLimit: number; readonly memory: number}) {
    const {timeLimit, memory} = limits
    const wanted: Readonly<Record<string, readonly [value: number, option?: keyof typeof limits]>> = {
      cancel_http_readonly_queries_on_client_close: [1],
      max_execution_time: [timeLimit, 'timeLimit'],
      max_memory_usage: [memory, 'memory'],
      max_bytes_before_external_group_by: [Math.floor(memory / 2), 'memory']
    }
    const names = [...Object.keys(EXACT), ...Object.keys(wanted), 'readonly', 'max_query_size']
    const list = names.map(sqlDialects.clickhouse.text).join(', ')
    const query = `SELECT * FROM system.settings WHERE name LIKE '%overflow_mode%' OR name IN (${list}) FORMAT JSON`
    const {data}: {readonly data: readonly Readonly<Record<string, unknown>>[]} = JSON.parse(await this.#short(query))
    const settingOf = (name: string) => data.find(each => each.name === name)?.value
    const settings: Record<string, string> = {}
    const refused = new Set<keyof typeof limits>()
    for (const {name: key, value: current, readonly} of data) {
      const [name, value] = [String(key), String(current)]
      // Newer servers say of each setting whether it may be changed, older ones of all at once.
      const isFixed = String(settingOf('readonly')) === '1' || Number(readonly ?? 0) !== 0
      const exact = name.includes('overflow_mode') ? 'throw' : EXACT[name]
      if (exact !== undefined && value !== exact && !(exact === '{}' && NO_FILTERS.includes(value))) {
        if (isFixed)
          throw new AdfaError(
            'bad-option',
            `${this.#address.name}: for this user the server omits parts of an answer silently (${name} = ${value}), and counts must be ` +
              `complete; ask the administrator to set ${name} = ${exact} in the user's profile`
          )
        settings[name] = exact
      }
      const [limit, option] = wanted[name] ?? [0]
      if (limit > 0 && !isFixed) settings[name] = String(limit)
      if (limit > 0 && isFixed && option !== undefined) refused.add(option)
    }
    this.#settings = settings
    return {querySize: Number(settingOf('max_query_size') ?? USUAL_QUERY), refused}
  }

  async #short(query: string, wait = SHORT_WAIT): Promise<string> {
    const limit = this.#limit(wait)
    try {
      const answer = await this.#ask(query, {}, limit)
      return Buffer.concat(await answer.toArray()).toString()
    } catch (error) {
      throw this.#failure(error, limit)
    }
  }

  /** Aborted when the server should have answered. */
  #limit(wait: number): AbortSignal {
    return AbortSignal.timeout(this.#timeLimit === 0 ? wait : Math.min(wait, 1000 * this.#timeLimit + GRACE))
  }

  /** The answer to a query; an error that the server reports is thrown. */
  async #ask(query: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    const {url} = this.#address
    const {user = 'default', password = '', certificate} = this.#credentials
    const {request} = url.startsWith('https:') ? await import('node:https') : await import('node:http')
    const search = new URLSearchParams({...params, wait_end_of_query: '1'})
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    // A connection of its own cannot be stale.
    const options = {
      method: 'POST',
      agent: false,
      signal,
      headers: {authorization},
      ...(certificate && {ca: Buffer.from(certificate)})
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}/?${search}`, options, resolve)
      sent.on('error', reject)
      sent.end(query)
    })
    if (answer.statusCode === 200) return answer
    throw new Error(Buffer.concat(await answer.toArray()).toString())
  }

  #decode(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
    } catch {
      throw new AdfaError(
        'bad-document',
        `${this.#address.name}: a word or tag is not text in UTF-8, and a model could not name it; ` +
          'find it by isValidUTF8, and correct it in the table, or make a view without it'
      )
    }
  }

  /** The error of a failed query: what happened, where, and the way out. */
  #failure(error: unknown, limit: AbortSignal): AdfaError {
    if (error instanceof AdfaError) return error
    const fail = (what: string) => new AdfaError('bad-file', `${this.#address.name}: ${what}`, {cause: error})
    if (limit.aborted)
      return fail('the server did not answer in time; nothing was counted; check that it is well, or raise `timeLimit`')
    const text = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error)
    // The first number of a report with several: the others are of other servers.
    const code = /Code: (\d+)/.exec(text)?.[1]
    if (code === undefined && !text.includes('DB::Exception'))
      return fail(
        'the ClickHouse server cannot be reached, or went away; nothing was counted; ' +
          `check that it runs and that the address is right, and repeat the command (${text})`
      )
    const meaning = Object.keys(MEANINGS).find(each => MEANINGS[each].includes(Number(code)))
    return fail(
      `${meaning ?? 'the server could not answer; nothing was counted'} (the server says: ${serverWords(text)})`
    )
  }

  /** Stops a query on the server and waits until it has ended; a server that cannot be reached is left alone. */
  async #stop(id: string): Promise<void> {
    try {
      for (let attempt = 0; attempt < STOP_ATTEMPTS; attempt++) {
        const found = await this.#short(
          `KILL QUERY WHERE query_id = ${sqlDialects.clickhouse.text(id)} SYNC`,
          STOP_WAIT
        )
        // A query that was just sent may still be on its way.
        if (found === '' && attempt > 0) return
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    } catch {
      return
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = {b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', '0': '\0'}

/** Lines of cells between tabs, as lists of cells by column. */
function columnsOf(text: string): string[][] {
  const columns: string[][] = []
  for (const line of text.slice(0, -1).split('\n'))
    line.split('\t').forEach((cell, at) => {
      const plain = cell.includes('\\') ? cell.replace(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign) : cell
      if (columns[at] === undefined) columns[at] = []
      columns[at].push(plain)
    })
  return columns
}

/** What the numbers of the server's errors mean, and the way out. */
const MEANINGS: Readonly<Record<string, readonly number[]>> = {
  'the server does not know this user and password; check ADFA_CLICKHOUSE_USER and ADFA_CLICKHOUSE_PASSWORD, or the file in `credentials`':
    [192, 193, 194, 516],
  'the server has no such table; check the names of the database and the table': [60, 81],
  'this user may not do that; ask the administrator for the right to read the table (GRANT SELECT)': [164, 291, 497],
  'a server that holds a part of this table is down or went away; nothing was counted; start it again and repeat the command':
    [32, 33, 101, 102, 198, 209, 210, 279, 519],
  'the query took longer than allowed; raise `timeLimit` or max_execution_time on the server': [159, 160],
  'the query needs more memory than allowed; raise `memory` or max_memory_usage on the server, or count fewer words (`vocabulary`)':
    [241]
}

/** What the server says, without stack traces, on one line. */
function serverWords(text: string): string {
  const words = text.slice(text.search(/Code: \d|DB::Exception/)).replace(/, e\.what\(\).*$|Stack trace:.*$/s, '')
  return words.replace(/\s+/g, ' ').slice(0, 300).trim()
}
