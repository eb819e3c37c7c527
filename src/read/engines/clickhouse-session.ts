import {randomUUID} from 'node:crypto'
import type {ClickHouseClient, ClickHouseSettings} from '@clickhouse/client'
import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {ClickHouseAddress, ClickHouseCredentials} from './clickhouse-address.ts'

import {clickHouseFailure, hasServerFailure} from './clickhouse-failure.ts'
import {quoteText} from './clickhouse-literals.ts'

/** How a query is run. */
export interface QueryControl {
  readonly signal?: AbortSignal | undefined
  /** Called now and then with how many rows the server has read. */
  readonly onRows?: ((rows: number) => void) | undefined
}

/** Milliseconds between checks on a running query. */
const WATCH_EVERY = 1000
/** How many of them in a row may go unanswered until the server counts as gone. */
const PATIENCE = 60
const SHORT_WAIT = 60_000
const LONGEST_WAIT = 2 ** 31 - 1
const STOP_ATTEMPTS = 250

/**
 * Queries to one server. Each has its own id, by which it is stopped on the server when the caller cancels, no longer
 * listens, or fails; closing the connection does not stop it on older versions. Nothing is retried.
 */
export class ClickHouseSession {
  readonly #client: ClickHouseClient
  readonly #name: string
  readonly #run = randomUUID()
  #queries = 0
  /** Sent with every query. */
  settings: ClickHouseSettings = {}

  private constructor(client: ClickHouseClient, name: string) {
    this.#client = client
    this.#name = name
  }

  static async open({url, name}: ClickHouseAddress, credentials: ClickHouseCredentials): Promise<ClickHouseSession> {
    const {user = 'default', password = '', certificate} = credentials
    const {createClient, ClickHouseLogLevel} = await loadPackage()
    const client = createClient({
      url,
      username: user,
      password,
      application: 'adfa',
      // Long queries are watched (see below), and a new connection for each cannot be stale.
      request_timeout: LONGEST_WAIT,
      keep_alive: {enabled: false},
      log: {level: ClickHouseLogLevel.OFF},
      ...(certificate === undefined ? {} : {tls: {ca_cert: Buffer.from(certificate)}})
    })
    return new ClickHouseSession(client, name)
  }

  /** The rows of a short answer. */
  async rows(sql: string): Promise<Readonly<Record<string, unknown>>[]> {
    try {
      const abort_signal = AbortSignal.timeout(SHORT_WAIT)
      const result = await this.#client.query({query: sql, format: 'JSON', abort_signal, ...this.#request()})
      return (await result.json<Record<string, unknown>>()).data
    } catch (error) {
      throw clickHouseFailure(error, this.#name)
    }
  }

  /** The rows of a long answer as they arrive, a few at a time: lines of ASCII cells separated by tabs. */
  async *lines(sql: string, {signal, onRows}: QueryControl = {}): AsyncGenerator<readonly string[]> {
    throwIfCancelled(signal)
    const request = this.#request()
    const abort = new AbortController()
    const stop = () => abort.abort()
    signal?.addEventListener('abort', stop)
    const watch = this.#watch(request.query_id, stop, onRows)
    let isRunning = true
    try {
      const query = `${sql} FORMAT TabSeparated`
      const {stream} = await this.#client.exec({query, ...request, abort_signal: abort.signal})
      // The client listens to the signal only until the answer begins.
      abort.signal.addEventListener('abort', () => stream.destroy(new Error('the connection was closed')))
      let rest = ''
      for await (const chunk of stream) {
        const text = rest + Buffer.from(chunk).toString('latin1')
        if (hasServerFailure(text)) throw new Error(text)
        const lines = text.split('\n')
        rest = lines.pop() ?? ''
        if (lines.length > 0) yield lines
      }
      isRunning = false
      if (rest !== '') throw new Error('the answer ends in the middle of a row')
    } catch (error) {
      throwIfCancelled(signal)
      const failure = clickHouseFailure(error, this.#name)
      // A query that the server reports as failed no longer runs there.
      isRunning &&= !('serverCode' in failure.details)
      throw failure
    } finally {
      watch.end()
      signal?.removeEventListener('abort', stop)
      abort.abort()
      if (isRunning) await this.#stop(request.query_id, signal)
    }
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  #request() {
    return {query_id: `adfa-${this.#run}-${++this.#queries}`, clickhouse_settings: this.settings}
  }

  /** Ask regularly for the progress of a query; a server that no longer answers is gone, which a silent connection does not show. */
  #watch(id: string, giveUp: () => void, onRows?: (rows: number) => void): {end(): void} {
    let unanswered = 0
    const ask = async () => {
      try {
        unanswered++
        const [process] = await this.rows(`SELECT read_rows FROM system.processes WHERE query_id = ${quoteText(id)}`)
        unanswered = 0
        if (process !== undefined) onRows?.(Number(process.read_rows))
      } catch (error) {
        // Even an error is an answer; the query itself will report what is wrong.
        if (error instanceof AdfaError && 'serverCode' in error.details) unanswered = 0
      }
      if (unanswered >= PATIENCE) giveUp()
    }
    const timer = setInterval(ask, WATCH_EVERY)
    timer.unref()
    return {end: () => clearInterval(timer)}
  }

  /** Stop a query on the server and wait until it has ended; a server that cannot be reached is left alone. */
  async #stop(id: string, signal: AbortSignal | undefined): Promise<void> {
    const isIt = `query_id = ${quoteText(id)}`
    try {
      for (let attempt = 0; attempt < STOP_ATTEMPTS; attempt++) {
        await this.#client.command({
          query: `KILL QUERY WHERE ${isIt} ASYNC`,
          abort_signal: AbortSignal.timeout(SHORT_WAIT)
        })
        const [{found}] = await this.rows(`SELECT count() AS found FROM system.processes WHERE ${isIt}`)
        // A query that was just sent may still be on its way.
        if (Number(found) === 0 && attempt > 0) return
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    } catch (error) {
      if (!signal?.aborted) return
      throw new AdfaError(
        'cancelled',
        `${this.#name}: cancelled, but the server did not confirm that it stopped; look there for the query ${id}`,
        {cause: error}
      )
    }
    if (signal?.aborted)
      throw new AdfaError(
        'cancelled',
        `${this.#name}: cancelled, but the server still runs the query ${id}; ask its administrator to stop it`
      )
  }
}

async function loadPackage() {
  try {
    return await import('@clickhouse/client')
  } catch (cause) {
    throw new AdfaError(
      'bad-option',
      'tables of ClickHouse are read with the package @clickhouse/client, which is not installed; npm install @clickhouse/client',
      {cause}
    )
  }
}
