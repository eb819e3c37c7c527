import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {type AddressInfo, createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {sqlDialects} from '../sql/index.ts'
import type {TestRow} from './test-corpora.ts'

const SERVER = ['/usr/sbin', '/usr/bin', ...(process.env.PATH ?? '').split(':')]
  .map(folder => join(folder, 'clickhouse-server'))
  .find(path => existsSync(path))

/** Why tests with a real server cannot run here, or undefined when they can; where they must, this throws. */
export function whyNoClickHouse(): string | undefined {
  if (SERVER !== undefined) return undefined
  if (process.env.ADFA_REQUIRE_CLICKHOUSE)
    throw new Error(
      'ADFA_REQUIRE_CLICKHOUSE is set, and there is no clickhouse-server; apt-get install clickhouse-server'
    )
  return 'there is no clickhouse-server here; apt-get install clickhouse-server'
}

/** Two servers that know each other, with data of their own in a temporary folder. */
export interface TestCluster {
  readonly shards: readonly TestServer[]
  /** Run a query on both. */
  onBoth(sql: string): Promise<void>
  /** Stop both, and remove their folder. */
  close(): Promise<void>
}

export interface TestServer {
  readonly port: number
  readonly pid: number | undefined
  run(sql: string): Promise<string>
  address(table: string): string
  start(): Promise<void>
  /** As a power failure would. */
  kill(): Promise<void>
}

/** Start both servers; when that fails, nothing is left of them. */
export async function startCluster(): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'adfa-clickhouse-'))
  const ports = await freePorts(4)
  const shards = [0, 1].map(number => {
    const home = join(folder, `shard${number}`)
    writeConfig(home, ports[number], ports.slice(2), number)
    return testServer(home, ports[number])
  })
  const close = async () => {
    await Promise.all(shards.map(shard => shard.kill()))
    rmSync(folder, {recursive: true, force: true})
  }
  try {
    await Promise.all(shards.map(shard => shard.start()))
  } catch (error) {
    await close()
    throw error
  }
  return {
    shards,
    async onBoth(sql) {
      await Promise.all(shards.map(shard => shard.run(sql)))
    },
    close
  }
}

function testServer(home: string, port: number): TestServer {
  let server: ChildProcess | undefined
  const exited = () => new Promise(resolve => server?.once('exit', resolve))
  const killNow = () => server?.kill('SIGKILL')
  const run = async (sql: string) => {
    // The server ends connections that wait for seconds.
    const request = {method: 'POST', headers: {connection: 'close'}, body: sql}
    const answer = await fetch(`http://127.0.0.1:${port}/?insert_distributed_sync=1`, request)
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text
  }
  return {
    port,
    get pid() {
      return server?.pid
    },
    run,
    address: table => `clickhouse://127.0.0.1:${port}/test/${table}`,
    async start() {
      if (SERVER === undefined) throw new Error(whyNoClickHouse())
      server = spawn(SERVER, [`--config-file=${join(home, 'config.xml')}`], {stdio: 'ignore'})
      process.once('exit', killNow)
      for (let attempt = 0; attempt < 200; attempt++) {
        if (server.exitCode !== null) throw new Error(`the server ended at once, see ${home}/server.log`)
        if (await run('SELECT 1').catch(() => '')) return
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      throw new Error('the server does not answer')
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
      const end = exited()
      killNow()
      process.removeListener('exit', killNow)
      await end
    }
  }
}

/** `tcp` are the ports by which the servers talk, of which this one has that at `own`. */
function writeConfig(home: string, port: number, tcp: readonly number[], own: number): void {
  for (const name of ['data', 'tmp', 'files', 'schemas']) mkdirSync(join(home, name), {recursive: true})
  const shards = tcp.map(tcpPort => `<shard><replica><host>127.0.0.1</host><port>${tcpPort}</port></replica></shard>`)
  writeFileSync(
    join(home, 'config.xml'),
    `<yandex>
      <logger><level>warning</level><log>${home}/server.log</log><errorlog>${home}/error.log</errorlog></logger>
      <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port><tcp_port>${tcp[own]}</tcp_port>
      <path>${home}/data/</path><tmp_path>${home}/tmp/</tmp_path><user_files_path>${home}/files/</user_files_path>
      <format_schema_path>${home}/schemas/</format_schema_path><users_config>users.xml</users_config>
      <default_profile>default</default_profile><default_database>default</default_database>
      <mark_cache_size>67108864</mark_cache_size>
      <remote_servers><both>${shards.join('')}</both></remote_servers>
    </yandex>`
  )
  writeFileSync(join(home, 'users.xml'), usersConfig())
}

/** What each user's profile says beside the defaults; the password of each is its name, but `default` has none. */
const PROFILES: Readonly<Record<string, string>> = {
  default: '',
  // May read, and change no setting; as administrators like to give out.
  fixed: '<readonly>1</readonly>',
  reader: '<readonly>2</readonly>',
  // Small blocks, between which a query looks whether it is to stop.
  slow: '<readonly>2</readonly><max_block_size>10</max_block_size>',
  sloppy:
    '<readonly>2</readonly><max_rows_to_group_by>3</max_rows_to_group_by><group_by_overflow_mode>any</group_by_overflow_mode>',
  fixedsloppy: '<readonly>1</readonly><skip_unavailable_shards>1</skip_unavailable_shards>'
}

function usersConfig(): string {
  const names = Object.keys(PROFILES)
  const users = names.map(
    name => `<${name}><password>${name === 'default' ? '' : name}</password><networks><ip>127.0.0.1</ip></networks>
      <profile>${name}</profile><quota>default</quota></${name}>`
  )
  const profiles = names.map(name => `<${name}><max_threads>1</max_threads>${PROFILES[name]}</${name}>`)
  return `<yandex><profiles>${profiles.join('')}</profiles><users>${users.join('')}</users>
    <quotas><default></default></quotas></yandex>`
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({length: count}, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}

/** Rows of a table with the column features, or with title and text. */
export function tableRows(rows: readonly TestRow[], isText = false): string {
  const {text} = sqlDialects.clickhouse
  const cells = ({features, title = '', text: content = ''}: TestRow) =>
    isText ? `${text(title)},${text(content)}` : `[${features.map(text).join()}]`
  return rows.map(row => `(${cells(row)})`).join()
}
