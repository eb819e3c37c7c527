/**
 * Writes the figures of research/results/scale.json and peers.json into docs/SCALE.md, between its marks, and extrapolates them to a
 * billion documents. Command: npx tsx research/figures/scale.ts, after npx tsx research/bench/scale.ts or peers.ts
 */
import {about, fillPage, markdownTable, readKept, thousands} from '../page.ts'

type ScaleRow = Readonly<Record<string, number | string>>

interface Results {
  readonly date: string
  readonly machine: string
  readonly rows: readonly ScaleRow[]
}

const BILLION = 1e9
const MEGABYTE = 2 ** 20
const CELL_BYTES = 8

const {rows, date, machine} = readResults('scale')
const counted = rows.filter(({part}) => part === 'packed').sort((a, b) => Number(a.documents) - Number(b.documents))

fillPage('docs/SCALE.md', {
  'measured: growth': growth(),
  'measured: engines': engines(),
  'measured: sizes': sizes(),
  'measured: billion': billion(),
  'measured: peers': peers(readResults('peers'))
})

function readResults(name: string): Results {
  return readKept(new URL(`../results/${name}.json`, import.meta.url), {date: '', machine: '', rows: []})
}

/** A table with a column for each name, which may have another title. */
function tableOf(some: readonly ScaleRow[], titles: Readonly<Record<string, string>>): string {
  return markdownTable(
    Object.values(titles),
    some.map(row => Object.keys(titles).map(name => thousands(row[name])))
  )
}

function growth(): string {
  const over = [...rows.filter(({part}) => part === 'growth'), ...counted]
  const columns = {documents: 'documents', anchors: 'anchors', words: 'words', 'processor s': 'processor s'}
  const rest = {'per million': 's per million', patterns: 'patterns', cells: 'cells'}
  const table = tableOf(
    over.map(row => ({...row, 'per million': (1e6 * perDocument(row)).toPrecision(3)})),
    {...columns, ...rest}
  )
  return `One thread, documents of 60 words, already parsed (${machine}, ${date}):\n\n${table}`
}

function engines(): string {
  const shown = rows.filter(({part}) => ['packed', 'files', 'duckdb', 'large'].includes(String(part)))
  const columns = {how: 'how', threads: 'threads', documents: 'documents', 'anchors per document': 'anchors in each'}
  const measured = {
    s: 's',
    'processor s': 'processor s',
    'documents per s': 'documents per second',
    'peak MB': 'peak MB'
  }
  return `50 anchors, 2,000 words, 60 words per document; the number of anchors that fire in each determines the number of patterns, and so the memory. \`adfa count\` is the whole command. *Load* is the load average of the computer, including this run: far above 2, its number of cores, elapsed seconds are inflated, and processor time is the figure to read.

${tableOf(shown, {...columns, ...measured, load: 'load'})}`
}

/** Of the counts files of different shapes, and of releases. */
function sizes(): string {
  const files = [...counted, ...rows.filter(({part}) => part === 'growth')].map(row => {
    const bytes = Number(row['file MB']) * MEGABYTE
    const perPattern = Math.round(bytes / Number(row.patterns))
    return {...row, file: 'counts', 'per pattern': perPattern, 'per cell': (bytes / Number(row.cells)).toFixed(2)}
  })
  const releases = rows
    .filter(({part}) => part === 'release')
    .map(row => ({...row, file: row.how, 'per pattern': '-', 'per cell': '-'}))
  const columns = {file: 'file', documents: 'documents', anchors: 'anchors', words: 'words', 'file MB': 'MB'}
  return tableOf([...files, ...releases], {
    ...columns,
    'per pattern': 'bytes per pattern',
    'per cell': 'bytes per cell'
  })
}

/** `adfa count` beside other programs. */
function peers({rows: all, machine: where, date: when}: Results): string {
  const columns = ['program', 'threads', 'result', 'processor s', 's', 'load', 'peak MB']
  const ratios = ['processor time, adfa = 1', 'memory, adfa = 1']
  const titles = Object.fromEntries([...columns, ...ratios].map(name => [name, name]))
  const parts = ['features', 'text'].map(as => {
    const some = all.filter(row => row.as === as)
    const [{documents, MB}] = some
    return `${thousands(documents)} documents as ${as}, ${MB} MB (${where}, ${when}):\n\n${tableOf(some, titles)}`
  })
  return parts.join('\n\n')
}

/**
 * Extrapolation to a billion documents. Sizes grow as the power of the number of documents fitted to the two largest
 * measurements; times are proportional to it. Times are processor times, which do not depend on the load of the computer.
 */
function billion(): string {
  const [before, largest] = counted.slice(-2)
  const ratio = (column: string) => Math.log(Number(largest[column]) / Number(before[column]))
  const power = (column: string) => ratio(column) / ratio('documents')
  const grown = (column: string) => Number(largest[column]) * (BILLION / Number(largest.documents)) ** power(column)
  const because = (column: string) => `grows as N^${power(column).toFixed(2)} here`
  const [n, m] = [before, largest].map(({documents}) => about(Number(documents)))
  const lines = [
    ['patterns', about(grown('patterns')), because('patterns')],
    ['cells of (pattern, word)', about(grown('cells')), because('cells')],
    ['counts file', gigabytes(grown('file MB') * MEGABYTE), because('file MB')],
    [
      'memory for them',
      gigabytes(CELL_BYTES * grown('cells')),
      `${CELL_BYTES} bytes per cell; beyond 4 GB by shards or a database`
    ],
    [
      'counting alone, 2 cores',
      hours(perDocument(largest) / 2),
      `${perMillion(before)} s of processor time per million at ${n} documents, ${perMillion(largest)} s at ${m}`
    ],
    ...fromFiles(largestOf('large')),
    ...fromParquet(largestOf('duckdb'))
  ]
  return `Extrapolated, not measured, from the growth between ${n} and ${m} documents. The generated concepts are independent of each other; to see how fast patterns grow in your documents, run \`adfa count\` on two parts of different size.

${markdownTable(['what', 'a billion documents', 'from'], lines)}`
}

function fromFiles(row: ScaleRow): string[][] {
  const each = perDocument(row)
  const bytes = Math.round((Number(row['input MB']) * MEGABYTE) / Number(row.documents))
  return [
    ['JSON Lines on disk', onDisk(row), `${bytes} bytes per document`],
    [
      '`adfa count`, 2 cores',
      hours(each / 2),
      `${perMillion(row)} s of processor time per million, vocabulary and counting`
    ],
    [
      '`--shard k/50 --protocol`, 50 machines of 2 cores',
      hours(each / 100),
      'a fiftieth; merging fifty files comes on top'
    ]
  ]
}

function fromParquet(row: ScaleRow): string[][] {
  return [
    ['Parquet on disk', onDisk(row), 'compressed with zstd'],
    [
      '`--engine duckdb`, 2 cores',
      hours(perDocument(row) / 2),
      `${perMillion(row)} s of processor time per million; \`--memory 1GB\` bounds the grouping, and the counts come on top`
    ],
    [
      'ClickHouse, 50 shards of 2 cores',
      'not measured',
      'each shard groups its own documents and sends masks, words and numbers'
    ]
  ]
}

/** The first row of a part with the most documents. */
function largestOf(part: string): ScaleRow {
  const some = rows.filter(row => row.part === part)
  return some.reduce((a, b) => (Number(b.documents) > Number(a.documents) ? b : a))
}

function perDocument(row: ScaleRow): number {
  return Number(row['processor s']) / Number(row.documents)
}

function perMillion(row: ScaleRow): string {
  return (1e6 * perDocument(row)).toPrecision(2)
}

function onDisk(row: ScaleRow): string {
  return gigabytes((Number(row['input MB']) * MEGABYTE * BILLION) / Number(row.documents))
}

function hours(secondsPerDocument: number): string {
  const value = (secondsPerDocument * BILLION) / 3600
  return value < 1 ? `${about(60 * value)} minutes` : `${about(value)} hours`
}

function gigabytes(bytes: number): string {
  return `${about(bytes / 2 ** 30)} GB`
}
