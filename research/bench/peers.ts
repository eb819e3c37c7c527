/**
 * Claim: of programs that count words by anchor pattern, `adfa count` takes the least processor time and memory. scikit-learn takes
 * less, and counts only pairs.
 * One corpus, 100,000 documents of 85 features, with 50 anchors and 70,000 patterns: 114 MB of JSON Lines; and the same as text.
 * Each program runs in a process of its own. What they do differs:
 *
 * - one JSON.parse per line: parses and counts nothing, the floor for every program in JavaScript;
 * - adfa count: documents by anchor pattern and words by pattern, of which tables of any order follow; finds the vocabulary
 *   first, checks every row, and writes a counts file;
 * - scikit-learn: CountVectorizer (features as they are, or its usual tokens), and the table of anchors and features,
 *   a product of sparse matrices. Only pairs: no patterns, so neither triples nor noise rates follow. One thread;
 * - DuckDB: the queries of docs/SCALE.md, documents by pattern and words by pattern as adfa, from JSON Lines to Parquet;
 * - numbers, plainly: as adfa, in 40 lines that check, choose and write nothing: the limit of what parsed JSON and one Map allow.
 *
 * The tables of anchors and features of all of them must be equal, and importing DuckDB's groups must give adfa's bytes.
 * Processor seconds are of all threads; those of adfa and scikit-learn include loading the program, some 0.4 s and 0.6 s.
 *
 * Needs python3-sklearn (Debian: apt-get install python3-sklearn) and the built package (npm run build).
 * Command: npx tsx research/bench/peers.ts [--documents 100000] [--folder DIR] [--times 1], then npx tsx research/figures/scale.ts
 * --folder keeps the documents; --times N takes the run with the least processor time; other numbers of documents record nothing.
 */
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {countsFromBytes} from '../../src/read/counts/index.ts'
import {answerOf, type BenchRow, inProcess, type Measured, measureAdfa, record, rounded} from './bench.ts'
import type {PeerJob, PeerResult} from './peers-child.ts'
import {PairCounts, peerAnchors, writePeerDocuments} from './peers-corpus.ts'

const USUAL = 100_000
const {values} = parseArgs({
  options: {
    documents: {type: 'string', default: String(USUAL)},
    folder: {type: 'string'},
    times: {type: 'string', default: '1'}
  }
})
const documents = Number(values.documents)
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'adfa-peers-'))
const at = (name: string) => join(folder, name)
const files = {features: at(`features-${documents}.jsonl`), text: at(`text-${documents}.jsonl`)}

/** All words are counted, and however common they are, as the other programs do. */
const counted = ['--anchors', at('anchors.json'), '--vocabulary', '2000', '--max-share', '1', '--quiet']

type Corpus = keyof typeof files

interface Peer {
  readonly name: string
  readonly threads: number
  /** What follows from its result. */
  readonly result: string
  run(corpus: Corpus): PeerResult | undefined
}

const peers: readonly Peer[] = [
  {name: 'JSON.parse of each line', threads: 1, result: 'nothing', run: corpus => child('parse', corpus, 1)},
  {name: 'adfa count', threads: 1, result: 'patterns', run: corpus => adfa(corpus, 0)},
  {name: 'adfa count, 2 workers', threads: 2, result: 'patterns', run: corpus => adfa(corpus, 2)},
  {name: 'scikit-learn', threads: 1, result: 'pairs', run: scikit},
  {name: 'DuckDB', threads: 1, result: 'patterns', run: corpus => child('duckdb', corpus, 1)},
  {name: 'DuckDB, 2 threads', threads: 2, result: 'patterns', run: corpus => child('duckdb', corpus, 2)},
  {name: 'numbers, plainly', threads: 1, result: 'patterns', run: corpus => child('numbers', corpus, 1)}
]

mkdirSync(folder, {recursive: true})
try {
  if (!existsSync(files.text)) writePeerDocuments(documents, files)
  writeFileSync(at('anchors.txt'), `${peerAnchors.join('\n')}\n`)
  writeFileSync(at('anchors.json'), JSON.stringify(Object.fromEntries(peerAnchors.map(name => [name, name]))))
  const rows = (['features', 'text'] as const).flatMap(rowsOf)
  const claim = 'Counting 100,000 documents beside scikit-learn, DuckDB and a plain program'
  if (documents === USUAL) record('peers', claim, rows)
  else console.table(rows)
} finally {
  if (values.folder === undefined) rmSync(folder, {recursive: true})
}

function rowsOf(corpus: Corpus): BenchRow[] {
  const found = peers.flatMap(peer => {
    const measured = best(() => peer.run(corpus))
    return measured === undefined ? [] : [{peer, measured, load: loadavg()[0]}]
  })
  const ours = found.find(({peer}) => peer.name === 'adfa count')?.measured
  if (ours === undefined) throw new Error('adfa was not measured')
  for (const {peer, measured} of found)
    if (measured.digest !== undefined && measured.digest !== ours.digest)
      throw new Error(`${peer.name} has other pairs than adfa on ${corpus}`)
  if (corpus === 'features') compareImported()
  return found.map(({peer, measured, load}) => ({
    documents,
    as: corpus,
    MB: Math.round(statSync(files[corpus]).size / 1e6),
    program: peer.name,
    threads: peer.threads,
    result: peer.result,
    'processor s': rounded(measured.processorSeconds),
    s: rounded(measured.seconds),
    load: rounded(load),
    'peak MB': Math.round(measured.peak / 1024),
    'processor time, adfa = 1': rounded(measured.processorSeconds / ours.processorSeconds),
    'memory, adfa = 1': rounded(measured.peak / ours.peak)
  }))
}

function best<T extends Measured | undefined>(run: () => T): T {
  const runs = Array.from({length: Number(values.times)}, run)
  return runs.reduce((a, b) => (a && b && b.processorSeconds < a.processorSeconds ? b : a))
}

function adfa(corpus: Corpus, workers: number): PeerResult {
  const output = at(`${corpus}.counts`)
  const reading = ['--text', corpus === 'text' ? 'text' : '', '--workers', String(workers), '--no-project']
  const {seconds, processorSeconds, peak} = measureAdfa(
    ['count', files[corpus], ...reading, ...counted, '-o', output],
    folder
  )
  return {seconds, processorSeconds, peak, digest: digestOf(output)}
}

/** The pairs that follow from a counts file; words of text are named `text:word` there. */
function digestOf(path: string): string {
  const counts = countsFromBytes(readFileSync(path), path)
  const words = counts.lexicon.words.map(word => word.replace(/^text:/, ''))
  const found = new PairCounts()
  for (let p = 0; p < counts.patternCount; p++) {
    const anchors = Array.from(
      counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1]),
      i => peerAnchors[i]
    )
    for (const anchor of anchors) {
      for (const other of anchors) found.add(anchor, other, counts.patternDocuments[p])
      for (let cell = counts.wordStarts[p]; cell < counts.wordStarts[p + 1]; cell++)
        found.add(anchor, words[counts.wordIds[cell]], counts.wordCounts[cell])
    }
  }
  return found.digest()
}

function child(kind: PeerJob['kind'], corpus: Corpus, threads: number): PeerResult {
  const job: PeerJob = {kind, path: files[corpus], isText: corpus === 'text', threads, folder}
  return inProcess('peers-child.ts', job)
}

/** Undefined where scikit-learn is missing. */
function scikit(corpus: Corpus): PeerResult | undefined {
  // Another Python may come before Debian's.
  const python = ['python3', '/usr/bin/python3'].find(path => spawnSync(path, ['-c', 'import sklearn']).status === 0)
  if (python === undefined) {
    console.error('scikit-learn is left out: python3 does not find it; apt-get install python3-sklearn')
    return undefined
  }
  const program = fileURLToPath(new URL('peers-sklearn.py', import.meta.url))
  return answerOf(python, [program, files[corpus], corpus, at('anchors.txt')])
}

/** DuckDB's groups, imported, are the counts of adfa, byte for byte. */
function compareImported(): void {
  const groups = [at('groups.parquet'), at('words.parquet')]
  measureAdfa(['count', ...groups, '--text', '', '--no-project', ...counted, '-o', at('import.counts')], folder)
  if (!readFileSync(at('import.counts')).equals(readFileSync(at('features.counts'))))
    throw new Error('the groups of DuckDB give other counts than adfa')
}
