/**
 * Claims: a million documents of 60 words, 50 anchors and 2,000 words are counted in 4 s once they are parsed, and
 * the time grows linearly to 10 million; a JSON Lines file of 5 GB is counted within 3 GB of memory.
 * Compared with one thread, `countCorpus` on objects, and the obvious program, one Map from "pattern|word" to a number (on a tenth of
 * the documents); and DuckDB on the same documents as Parquet, within 1 GB. Every measurement is its own process, for its peak memory;
 * those from files run the whole command, `adfa count`. There each
 * anchor fires in one document in a hundred, since memory depends on the patterns; a million documents with commoner anchors are shown too.
 *
 * Command: npx tsx research/bench/scale.ts [--only packed,growth,release,files,duckdb,large] [--most 10] [--folder DIR]
 * --only keeps the other results of the last run; --most N leaves out runs of more than N million documents; --folder keeps the
 * documents (7 GB) for the next run; --million N makes "a million" smaller, as a trial, and records nothing.
 * Takes about 15 minutes on two cores.
 */
import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {anchorsToJson} from '../../src/read/data/index.ts'
import {measureAdfa} from './measured-command.ts'
import {type BenchRow, record, rounded} from './record.ts'
import type {ScaleJob, ScaleResult} from './scale-child.ts'
import {anchorsPerDocument, type ScaleShape, scaleHeader, writeScaleDocuments} from './scale-documents.ts'

const {values} = parseArgs({
  options: {
    only: {type: 'string', default: 'packed,growth,release,files,duckdb,large'},
    most: {type: 'string', default: '10'},
    folder: {type: 'string'},
    million: {type: 'string', default: '1000000'}
  }
})
const million = Number(values.million)
const upTo = (millions: readonly number[]) => millions.filter(count => count <= Number(values.most))
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'adfa-bench-'))
const usual = {anchors: 50, words: 2000, commonness: 1}
/** Each anchor fires in about one document of a hundred, as in research/bench/memory.ts. */
const rare = {...usual, commonness: 0.27}
const parts: Readonly<Record<string, () => BenchRow[]>> = {packed, growth, release, files, duckdb, large}
const wanted = values.only.split(',')
for (const name of wanted) if (parts[name] === undefined) throw new Error(`no part ${name}: ${Object.keys(parts)}`)

mkdirSync(folder, {recursive: true})
try {
  const rows = new Map(earlierRows())
  for (const name of wanted)
    try {
      rows.set(name, parts[name]())
    } catch (error) {
      // Results of the other parts, which took minutes, are kept.
      console.error(error)
      process.exitCode = 1
    }
  const all = Object.keys(parts).flatMap(name => rows.get(name) ?? [])
  const claim = 'Counting at scale: seconds, processor time and peak memory, by engine and number of documents'
  if (million === 1_000_000) record('scale', claim, all)
  else console.table(all)
} finally {
  if (values.folder === undefined) rmSync(folder, {recursive: true})
}

/** Parsed documents, by their number, compared with slower programs. */
function packed(): BenchRow[] {
  const rows = upTo([1, 3, 10]).map(millions =>
    run('packed', 'packed documents', {kind: 'packed', shape: shapeOf(millions)})
  )
  rows.push(run('packed', 'countCorpus', {kind: 'corpus', shape: shapeOf(1)}))
  rows.push(run('packed', 'one Map', {kind: 'map', shape: shapeOf(0.1)}))
  return rows
}

/** One thread, over anchors and words. */
function growth(): BenchRow[] {
  const shapes = [
    usual,
    {...usual, anchors: 25},
    {...usual, anchors: 100},
    {...usual, words: 500},
    {...usual, words: 8000}
  ]
  return shapes.map(shape =>
    run('growth', 'packed documents', {kind: 'packed', shape: {...shape, documents: 0.3 * million}})
  )
}

/** The tables of order 2 and 3 that a site may release, with cells below 10 withheld: seconds to make them, and their size. */
function release(): BenchRow[] {
  const shape = {...usual, documents: 0.3 * million}
  return [2, 3].map(order => run('release', `release, order ${order}`, {kind: 'release', shape, order}))
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

function duckdb(): BenchRow[] {
  return upTo([1, 10]).map(millions => {
    const shape = shapeOf(millions, rare)
    const args = [parquetFile(shape), '--engine', 'duckdb', '--memory', '1GB', '--workers', '2']
    return count('duckdb', 'adfa count, DuckDB on Parquet, --memory 1GB', shape, 2, args)
  })
}

/** 10 million documents, a file of 5 GB; with rare anchors, and with common ones. */
function large(): BenchRow[] {
  return upTo([10]).flatMap(millions => [rare, usual].map(shape => countLines('large', shapeOf(millions, shape), 2)))
}

function shapeOf(millions: number, shape = usual): ScaleShape {
  return {...shape, documents: Math.round(millions * million)}
}

function run(part: string, how: string, job: ScaleJob): BenchRow {
  say(`${how}: ${JSON.stringify(job)}`)
  const child = fileURLToPath(new URL('scale-child.ts', import.meta.url))
  const {stdout, stderr, status} = spawnSync(process.execPath, [...process.execArgv, child, JSON.stringify(job)], {
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(stderr)
  return rowOf(part, how, job.shape, job.kind === 'packed' ? 1 : '-', JSON.parse(stdout) as ScaleResult)
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

function rowOf(
  part: string,
  how: string,
  shape: ScaleShape,
  threads: number | string,
  result: ScaleResult & {readonly input?: number}
): BenchRow {
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
    commit: commitNow()
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

function parquetFile(shape: ScaleShape): string {
  const docs = documentsFile(shape)
  const path = docs.replace('.jsonl', '.parquet')
  if (existsSync(path)) return path
  say(`writing ${path}`)
  const child = fileURLToPath(new URL('scale-parquet.ts', import.meta.url))
  const {stderr, status} = spawnSync(process.execPath, [...process.execArgv, child, docs, path], {encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  return path
}

/** The rows of the last run by part. */
function earlierRows(): [string, BenchRow[]][] {
  const path = new URL('../results/scale.json', import.meta.url)
  if (!existsSync(path)) return []
  const {rows} = JSON.parse(readFileSync(path, 'utf8')) as {rows: BenchRow[]}
  return Object.keys(parts).map(name => [name, rows.filter(row => row.part === name)])
}

/** The commit, marked if files differ from it. */
function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, {encoding: 'utf8'}).trim()
  const isChanged = git('status', '--porcelain', '--', 'src', 'research/bench/scale*.ts') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes' : ''}`
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`)
}
