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
const grown = rows.filter(({part}) => part === 'growth')
const packed = rows.filter(({part}) => part === 'packed').sort((a, b) => Number(a.documents) - Number(b.documents))

fillPage('docs/SCALE.md', {
  'measured: growth': `One thread, documents of 60 words, already parsed (${machine}, ${date}):\n\n${growth()}`,
  'measured: engines': engines(),
  'measured: sizes': sizes(),
  'measured: billion': billion(),
  'measured: peers': peers()
})

function readResults(name: string): Results {
  return readKept(new URL(`../results/${name}.json`, import.meta.url), {date: '', machine: '', rows: []})
}

/** A table of some columns, each by its own name or by that after a colon. */
function tableOf(some: readonly ScaleRow[], columns: readonly string[]): string {
  const names = columns.map(column => column.split(': '))
  return markdownTable(
    names.map(([name, title = name]) => title),
    some.map(row => names.map(([name]) => thousands(row[name])))
  )
}

function growth(): string {
  const over = [...grown, ...packed].map(row => ({...row, 's per million': (1e6 * perDocument(row)).toPrecision(3)}))
  return tableOf(over, ['documents', 'anchors', 'words', 'processor s', 's per million', 'patterns', 'cells'])
}

function engines(): string {
  const shown = rows.filter(({part}) => ['packed', 'files', 'duckdb', 'large'].includes(String(part)))
  const table = tableOf(shown, [
    ...['how', 'threads', 'documents', 'anchors per document: anchors in each', 's', 'processor s'],
    ...['documents per s: documents per second', 'peak MB', 'load']
  ])
  return `50 anchors, 2,000 words, 60 words per document; the number of anchors that fire in each determines the number of patterns, and so the memory. \`adfa count\` is the whole command. *Load* is the load average of the computer, including this run: far above 2, its number of cores, elapsed seconds are inflated, and processor time is the figure to read.\n\n${table}`
}

/** Of the counts files of different shapes, and of releases. */
function sizes(): string {
  const files = [...packed, ...grown].map(row => {
    const bytes = Number(row['file MB']) * MEGABYTE
    const perPattern = Math.round(bytes / Number(row.patterns))
    const perCell = (bytes / Number(row.cells)).toFixed(2)
    return {...row, file: 'counts', 'bytes per pattern': perPattern, 'bytes per cell': perCell}
  })
  const releases = rows
    .filter(({part}) => part === 'release')
    .map(row => ({...row, file: row.how, 'bytes per pattern': '-', 'bytes per cell': '-'}))
  const columns = ['file', 'documents', 'anchors', 'words', 'file MB: MB', 'bytes per pattern', 'bytes per cell']
  return tableOf([...files, ...releases], columns)
}

/** `adfa count` beside other programs. */
function peers(): string {
  const results = readResults('peers')
  const parts = ['features', 'text'].map(as => {
    const some = results.rows.filter(row => row.as === as)
    const [{documents, MB}] = some
    const table = tableOf(some, [
      ...['program', 'threads', 'result', 'processor s', 's', 'load', 'peak MB'],
      ...['processor time, adfa = 1', 'memory, adfa = 1']
    ])
    return `${thousands(documents)} documents as ${as}, ${MB} MB (${results.machine}, ${results.date}):\n\n${table}`
  })
  return parts.join('\n\n')
}

/**
 * Extrapolation to a billion documents. Sizes grow as the power of the number of documents fitted to the two largest
 * measurements; times are proportional to it. Times are processor times, which do not depend on the load of the computer.
 */
function billion(): string {
  const [before, largest] = packed.slice(-2)
  const ratio = (column: string) => Math.log(Number(largest[column]) / Number(before[column]))
  const power = (column: string) => ratio(column) / ratio('documents')
  const sizeOf = (column: string) => Number(largest[column]) * (BILLION / Number(largest.documents)) ** power(column)
  const because = (column: string) => `grows as N^${power(column).toFixed(2)} here`
  const [n, m] = [before, largest].map(({documents}) => about(Number(documents)))
  const [files, parquet] = [largestOf('large'), largestOf('duckdb')]
  const bytes = Math.round((Number(files['input MB']) * MEGABYTE) / Number(files.documents))
  const seconds = (row: ScaleRow) => `${perMillion(row)} s of processor time per million`
  const lines = [
    ['patterns', about(sizeOf('patterns')), because('patterns')],
    ['cells of (pattern, word)', about(sizeOf('cells')), because('cells')],
    ['counts file', gigabytes(sizeOf('file MB') * MEGABYTE), because('file MB')],
    [
      ...['memory for them', gigabytes(CELL_BYTES * sizeOf('cells'))],
      `${CELL_BYTES} bytes per cell; beyond 4 GB by shards or a database`
    ],
    [
      ...['counting alone, 2 cores', hours(perDocument(largest) / 2)],
      `${seconds(before)} at ${n} documents, ${perMillion(largest)} s at ${m}`
    ],
    ['JSON Lines on disk', onDisk(files), `${bytes} bytes per document`],
    ['`adfa count`, 2 cores', hours(perDocument(files) / 2), `${seconds(files)}, vocabulary and counting`],
    [
      ...['`--shard k/50 --protocol`, 50 machines of 2 cores', hours(perDocument(files) / 100)],
      'a fiftieth; merging fifty files comes on top'
    ],
    ['Parquet on disk', onDisk(parquet), 'compressed with zstd'],
    [
      ...['`--engine duckdb`, 2 cores', hours(perDocument(parquet) / 2)],
      `${seconds(parquet)}; \`--memory 1GB\` bounds the grouping, and the counts come on top`
    ]
  ]
  return `Extrapolated, not measured, from the growth between ${n} and ${m} documents. The generated concepts are independent of each other; to see how fast patterns grow in your documents, run \`adfa count\` on two parts of different size.\n\n${markdownTable(['what', 'a billion documents', 'from'], lines)}`
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
