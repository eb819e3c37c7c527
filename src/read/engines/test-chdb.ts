import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {join} from 'node:path'

const FOLDER = process.env.ADFA_CHDB

/** Why tests with a current ClickHouse cannot run here, or undefined when they can; where they must, this throws. */
export function whyNoChdb(): string | undefined {
  if (FOLDER !== undefined && existsSync(join(FOLDER, 'node_modules', 'chdb'))) return undefined
  const wayOut = 'npm install --prefix FOLDER chdb, and let ADFA_CHDB name this folder'
  if (process.env.ADFA_REQUIRE_CLICKHOUSE)
    throw new Error(`ADFA_REQUIRE_CLICKHOUSE is set, and there is no chdb; ${wayOut}`)
  return `there is no chdb here; ${wayOut}`
}

/** Answers queries as a server would; a library that ends with a signal must not end the tests. */
const SERVER = `
import {createServer} from 'node:http'
import {createRequire} from 'node:module'
const {Session} = createRequire(process.argv[1] + '/here.cjs')('chdb')
const session = new Session()
const server = createServer(async (request, response) => {
  let query = ''
  for await (const chunk of request) query += chunk
  try {
    response.end(session.query(query, 'TabSeparated'))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.on('end', () => process.exit()).resume()
`

export interface TestChdb {
  run(sql: string): Promise<string>
  address(table: string): string
  close(): Promise<void>
}

export async function startChdb(): Promise<TestChdb> {
  const args = ['--input-type=module', '-e', SERVER, String(FOLDER)]
  const child = spawn(process.execPath, args, {stdio: ['pipe', 'pipe', 'inherit']})
  const [port] = await once(child.stdout, 'data')
  const url = `127.0.0.1:${String(port).trim()}`
  return {
    async run(sql) {
      const answer = await fetch(`http://${url}`, {method: 'POST', headers: {connection: 'close'}, body: sql})
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
    },
    address: table => `clickhouse://${url}/default/${table}`,
    async close() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}
