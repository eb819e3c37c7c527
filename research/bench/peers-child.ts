/** One of the programs in JavaScript that research/bench/peers.ts compares, in a process of its own. Takes and prints JSON. */
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {DuckDBInstance} from '@duckdb/node-api'
import {parseAnchors, textDefaults} from '../../src/read/data/index.ts'
import {printCountSql} from '../../src/read/sql/index.ts'
import {type Measured, startClock} from './bench.ts'
import {PairCounts, peerAnchors} from './peers-corpus.ts'

export interface PeerJob {
  readonly kind: 'parse' | 'numbers' | 'duckdb'
  readonly path: string
  readonly isText: boolean
  readonly threads: number
  /** Where results are written. */
  readonly folder: string
}

export interface PeerResult extends Measured {
  /** Of {@link PairCounts}; undefined where nothing is counted. */
  readonly digest: string | undefined
}

/** Runs since the imports: loading TypeScript is no part of the program. */
const clock = startClock()
const job = JSON.parse(process.argv[2]) as PeerJob
const pairs = await {parse, numbers, duckdb}[job.kind]()
console.log(JSON.stringify({...pairs.measured, digest: pairs.digest?.()} satisfies PeerResult))

interface Counted {
  readonly measured: Measured
  readonly digest?: () => string
}

function* rows(): Generator<{readonly features: readonly string[]; readonly text: string}> {
  const text = readFileSync(job.path, 'utf8')
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from)
    yield JSON.parse(text.slice(from, to))
    from = to + 1
  }
}

/** The floor: every line is parsed, and nothing else happens. */
async function parse(): Promise<Counted> {
  let documents = 0
  for (const _ of rows()) documents++
  if (documents === 0) throw new Error('no documents')
  return {measured: clock()}
}

/**
 * The plain program for what `adfa count` does, in 40 lines: number the names of a document with one Map, keep the numbers, group
 * the documents by anchor pattern and count names by pattern. It checks no row, chooses no vocabulary and writes nothing.
 */
async function numbers(): Promise<Counted> {
  const members = new Map(peerAnchors.map((name, i) => [name, i]))
  const numberOf = new Map<string, number>()
  const names: string[] = []
  const documents: Uint32Array[] = []
  const groups = new Map<string, number[]>()
  for (const {features, text} of rows()) {
    const found = new Set<number>()
    const pattern = new Set<number>()
    for (const name of job.isText ? (text.toLowerCase().match(/\w\w+/g) ?? []) : features) {
      let number = numberOf.get(name)
      if (number === undefined) {
        number = names.push(name) - 1
        numberOf.set(name, number)
      }
      found.add(number)
      const member = members.get(name)
      if (member !== undefined) pattern.add(member)
    }
    const key = [...pattern].sort((a, b) => a - b).join()
    const group = groups.get(key)
    const document = documents.push(Uint32Array.from(found)) - 1
    if (group === undefined) groups.set(key, [document])
    else group.push(document)
  }
  const cells = new Uint32Array(names.length)
  const counted = [...groups].map(([key, group]) => {
    const having: number[] = []
    for (const document of group)
      for (const number of documents[document]) if (cells[number]++ === 0) having.push(number)
    having.sort((a, b) => a - b)
    const counts = Uint32Array.from(having, number => cells[number])
    for (const number of having) cells[number] = 0
    return {key, having: Uint32Array.from(having), counts}
  })
  const digest = () => {
    const found = new PairCounts()
    for (const {key, having, counts} of counted)
      if (key !== '')
        for (const member of key.split(','))
          for (const [at, number] of having.entries()) found.add(peerAnchors[Number(member)], names[number], counts[at])
    return found.digest()
  }
  return {measured: clock(), digest}
}

/** The statements that `adfa count --print-sql duckdb` prints, from JSON Lines to two Parquet files. */
async function duckdb(): Promise<Counted> {
  const database = await (await DuckDBInstance.create(':memory:', {threads: String(job.threads)})).connect()
  const [column, type] = job.isText ? ["regexp_extract_all(lower(text), '\\w\\w+')", 'text'] : ['features', 'features']
  await database.run('SET preserve_insertion_order = false')
  await database.run(
    `CREATE TABLE documents AS SELECT ${column} AS features FROM read_json('${job.path}',
     format = 'newline_delimited', columns = {${type}: '${job.isText ? 'VARCHAR' : 'VARCHAR[]'}'})`
  )
  const anchors = parseAnchors(JSON.stringify(Object.fromEntries(peerAnchors.map(name => [name, name]))), 'anchors')
  const reading = {...textDefaults, text: []}
  const sql = printCountSql({table: 'documents', anchors, phrases: [], reading}, 'duckdb')
  const [groups, words] = sql.split(';\n')
  const file = (name: string) => join(job.folder, `${name}.parquet`)
  await database.run(`COPY (${groups}) TO '${file('groups')}' (FORMAT parquet)`)
  await database.run(`COPY (${words}) TO '${file('words')}' (FORMAT parquet)`)
  const used = clock()
  const found = new PairCounts()
  const reader = await database.runAndReadAll(
    `SELECT anchor, word, CAST(sum(documents) AS DOUBLE) FROM '${file('words')}',
     unnest(from_json(CAST(mask AS VARCHAR), '["VARCHAR"]')) AS t(anchor) GROUP BY ALL`
  )
  for (const [anchor, word, documents] of reader.getRows()) found.add(String(anchor), String(word), Number(documents))
  database.closeSync()
  return {measured: used, digest: () => found.digest()}
}
