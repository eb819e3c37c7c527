/**
 * Claims: a million documents of 60 words, 50 anchors and 2,000 words are counted in 4 s once they are parsed, and
 * the time grows linearly to 10 million; a JSON Lines file of 5 GB is counted within 3 GB of memory.
 * Compared with one thread, and with DuckDB on the same documents as Parquet, within 1 GB. Every measurement is its own process, for
 * its peak memory; those from files run the whole command, `adfa count`. There each anchor fires in one document in a hundred, since
 * memory depends on the patterns; a million documents with commoner anchors are shown too.
 *
 * Command: npx tsx research/bench/scale.ts [--only packed,growth,release,files,duckdb,large] [--most 10] [--folder DIR]
 * --only keeps the other results of the last run; --most N leaves out runs of more than N million documents; --folder keeps the
 * documents (7 GB) for the next run; --million N makes "a million" smaller, as a trial, and records nothing.
 * Takes about 15 minutes on two cores.
 */
import {existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {DuckDBInstance} from '@duckdb/node-api'
import {countPacked, countsToBytes} from '../../src/read/counts/index.ts'
import {anchorsToJson} from '../../src/read/data/index.ts'
import {releaseCounts, releaseToBytes} from '../../src/read/pooling/index.ts'
import {provenance, readKept} from '../page.ts'
import {type BenchRow, inProcess, type Measured, measureAdfa, record, rounded, startClock} from './bench.ts'
import {anchorsPerDocument, drawPacked, type ScaleShape, scaleHeader, writeScaleDocuments} from './scale-documents.ts'

/** Counts drawn documents in a process of its own; with an order, makes a release of the counts. */
interface ScaleJob {
  readonly shape: ScaleShape
  readonly order?: number
}

interface ScaleResult extends Measured {
  readonly patterns: number
  /** Pairs of a pattern and a word that occur together. */
  readonly cells: number
  readonly bytes: number
  readonly input?: number
}

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    only: {type: 'string', default: 'packed,growth,release,files,duckdb,large'},
    most: {type: 'string', default: '10'},
    folder: {type: 'string'},
    million: {type: 'string', default: '1000000'}
  }
})
const million = Number(values.million)
const upTo = (millions: readonly number[]) => millions.filter(count => count <= Number(values.most))
const usual = {anchors: 50, words: 2000, commonness: 1}
/** Each anchor fires in about one document of a hundred, as in research/bench/memory.ts. */
const rare = {...usual, commonness: 0.27}
const parts: Readonly<Record<string, () => BenchRow[] | Promise<BenchRow[]>>> = {
  packed: () => upTo([1, 3, 10]).map(millions => run('packed', 'packed documents', {shape: shapeOf(millions)})),
  growth,
  release,
  files,
  duckdb,
  large: () =>
    upTo([10]).flatMap(millions => [rare, usual].map(shape => countLines('large', shapeOf(millions, shape), 2)))
}
let folder = ''
if (positionals.length > 0) console.log(JSON.stringify(measure(JSON.parse(positionals[0]))))
else await measureAll(values.only.split(','))

async function measureAll(wanted: readonly string[]): Promise<void> {
  for (const name of wanted) if (parts[name] === undefined) throw new Error(`no part ${name}: ${Object.keys(parts)}`)
  folder = values.folder ?? mkdtempSync(join(tmpdir(), 'adfa-bench-'))
  mkdirSync(folder, {recursive: true})
  const {rows: earlier} = readKept<{rows: BenchRow[]}>(new URL('../results/scale.json', import.meta.url), {rows: []})
  const rows = new Map(Object.keys(parts).map(name => [name, earlier.filter(row => row.part === name)]))
  try {
    for (const name of wanted) {
      // Results of the other parts, which took minutes, are kept.
      const found = await Promise.resolve(parts[name]()).catch(error => {
        console.error(error)
        process.exitCode = 1
      })
      if (found) rows.set(name, found)
    }
  } finally {
    if (values.folder === undefined) rmSync(folder, {recursive: true})
  }
  const claim = 'Counting at scale: seconds, processor time and peak memory, by engine and number of documents'
  if (million === 1_000_000) record('scale', claim, [...rows.values()].flat())
  else console.table([...rows.values()].flat())
}

function measure({shape, order}: ScaleJob): ScaleResult {
  const documents = drawPacked(shape)
  const counting = startClock()
  const counts = countPacked(scaleHeader(shape), documents)
  const counted = counting()
  const sizes = {patterns: counts.patternCount, cells: counts.wordIds.length}
  if (order === undefined) return {...counted, ...sizes, bytes: countsToBytes(counts).length}
  const releasing = startClock()
  const {length: bytes} = releaseToBytes(releaseCounts(counts, {maxOrder: order, minCell: 10, site: 'bench'}))
  return {...releasing(), ...sizes, bytes}
}

/** One thread, over anchors and words. */
function growth(): BenchRow[] {
  const changes = [{}, {anchors: 25}, {anchors: 100}, {words: 500}, {words: 8000}]
  return changes.map(change => run('growth', 'packed documents', {shape: shapeOf(0.3, {...usual, ...change})}))
}

/** The tables of order 2 and 3 that a site may release, with cells below 10 withheld: seconds to make them, and their size. */
function release(): BenchRow[] {
  return [2, 3].map(order => run('release', `release, order ${order}`, {shape: shapeOf(0.3), order}))
}

/** JSON Lines through the whole program. */
function files(): BenchRow[] {
  const shape = shapeOf(1, rare)
  const rows = [0, 1, 2].map(workers => countLines('files', shape, workers))
  return [...rows, countLines('files', shapeOf(1), 2)]
}

function countLines(part: string, shape: ScaleShape, workers: number): BenchRow {
  return count(part, 'adfa count, JSON Lines', shape, workers, [documentsFile(shape), '--workers', String(workers)])
}

async function duckdb(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const millions of upTo([1, 10])) {
    const shape = shapeOf(millions, rare)
    const args = [await parquetFile(shape), '--engine', 'duckdb', '--memory', '1GB', '--workers', '2']
    rows.push(count('duckdb', 'adfa count, DuckDB on Parquet, --memory 1GB', shape, 2, args))
  }
  return rows
}

function shapeOf(millions: number, shape = usual): ScaleShape {
  return {...shape, documents: Math.round(millions * million)}
}

function run(part: string, how: string, job: ScaleJob): BenchRow {
  say(`${how}: ${JSON.stringify(job)}`)
  return rowOf(part, how, job.shape, job.order === undefined ? 1 : '-', inProcess<ScaleResult>('scale.ts', job))
}

/** Run `adfa count` on files and measure it from outside. */
function count(part: string, how: string, shape: ScaleShape, workers: number, args: readonly string[]): BenchRow {
  say(`${how}: ${args.join(' ')}`)
  const anchors = join(folder, 'anchors.json')
  writeFileSync(anchors, JSON.stringify(anchorsToJson(scaleHeader(shape).lexicon.anchors)))
  const counts = join(folder, 'bench.counts')
  const options = ['--anchors', anchors, '--text', '', '--vocabulary', '2000', '-o', counts, '--json', '--quiet']
  const {stdout, ...measured} = measureAdfa(['count', ...args, ...options], folder)
  const {documents, patterns} = JSON.parse(stdout) as {documents: number; patterns: number}
  if (documents !== shape.documents) throw new Error(`${documents} documents were counted`)
  const input = statSync(args[0]).size
  return rowOf(part, how, shape, workers, {
    ...measured,
    input,
    patterns,
    cells: 0,
    bytes: statSync(counts).size
  })
}

function rowOf(part: string, how: string, shape: ScaleShape, threads: number | string, result: ScaleResult): BenchRow {
  const {seconds, processorSeconds, patterns, cells, bytes, peak, input} = result
  const {documents, anchors, words} = shape
  return {
    part,
    how,
    documents,
    anchors,
    words,
    'anchors per document': rounded(anchorsPerDocument(shape)),
    threads,
    s: rounded(seconds),
    'processor s': rounded(processorSeconds),
    'documents per s': part === 'release' ? '-' : Math.round(documents / seconds),
    's per million': part === 'release' ? '-' : rounded((seconds * 1e6) / documents),
    'peak MB': Math.round(peak / 1024),
    'input MB': input === undefined ? '-' : Math.round(input / 2 ** 20),
    patterns: patterns > 0 ? patterns : '-',
    cells: cells > 0 ? cells : '-',
    'file MB': bytes > 0 ? rounded(bytes / 2 ** 20) : '-',
    // Per row, since --only keeps rows of other runs.
    load: rounded(loadavg()[0]),
    commit: provenance().commit
  }
}

function documentsFile(shape: ScaleShape): string {
  const path = join(folder, `docs-${shape.documents}-${shape.commonness}.jsonl`)
  if (existsSync(path)) return path
  say(`writing ${path}`)
  writeScaleDocuments(`${path}.part`, shape)
  renameSync(`${path}.part`, path)
  return path
}

async function parquetFile(shape: ScaleShape): Promise<string> {
  const docs = documentsFile(shape)
  const path = docs.replace('.jsonl', '.parquet')
  if (existsSync(path)) return path
  say(`writing ${path}`)
  const database = await (await DuckDBInstance.create(':memory:')).connect()
  await database.run("SET memory_limit = '2GB'")
  await database.run('SET preserve_insertion_order = false')
  const columns = "{id: 'BIGINT', features: 'VARCHAR[]'}"
  await database.run(
    `COPY (SELECT * FROM read_json('${docs}', format = 'newline_delimited', columns = ${columns}))
     TO '${path}' (FORMAT parquet, COMPRESSION zstd)`
  )
  database.closeSync()
  return path
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`)
}
