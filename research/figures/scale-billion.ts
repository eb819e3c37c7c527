import {about, type ScaleRow, table} from './scale-rows.ts'

const BILLION = 1e9
const CELL_BYTES = 8

/**
 * Extrapolation to a billion documents. Sizes grow as the power of the number of documents fitted to the two largest
 * measurements; times are proportional to it. Times are processor times, which do not depend on the load of the computer.
 */
export function billion(rows: readonly ScaleRow[]): string {
  const counted = rows
    .filter(row => row.part === 'packed' && row.how === 'packed documents' && row.threads === 1)
    .sort((a, b) => Number(a.documents) - Number(b.documents))
  const [before, largest] = counted.slice(-2)
  const power = (column: string) => `grows as N^${slope(before, largest, column).toFixed(2)} here`
  const cells = extrapolate(before, largest, 'cells')
  const sizes = [
    ['patterns', about(extrapolate(before, largest, 'patterns')), power('patterns')],
    ['cells of (pattern, word)', about(cells), power('cells')],
    ['counts file', gigabytes(extrapolate(before, largest, 'file MB') * 2 ** 20), power('file MB')],
    [
      'memory for them',
      gigabytes(CELL_BYTES * cells),
      `${CELL_BYTES} bytes per cell; beyond 4 GB by shards or a database`
    ],
    [
      'counting alone, 2 cores',
      hours(perDocument(largest) / 2),
      `${perMillion(before)} s of processor time per million at ${about(Number(before.documents))} documents, ${perMillion(largest)} s at ${about(Number(largest.documents))}`
    ]
  ]
  const lines = [
    ...sizes,
    ...fromFiles(largestOf(rows, ['large', 'files'])),
    ...fromParquet(largestOf(rows, ['duckdb']))
  ]
  return (
    `Extrapolated, not measured, from the growth between ${about(Number(before.documents))} and ${about(Number(largest.documents))} documents. ` +
    'The generated concepts are independent of each other; to see how fast patterns grow in your documents, run `adfa count` on two parts of different size.\n\n' +
    `${table(['what', 'a billion documents', 'from'], lines)}`
  )
}

function fromFiles(row: ScaleRow | undefined): string[][] {
  if (row === undefined) return []
  const each = perDocument(row)
  return [
    [
      'JSON Lines on disk',
      onDisk(row),
      `${Math.round((Number(row['input MB']) * 2 ** 20) / Number(row.documents))} bytes per document`
    ],
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

function fromParquet(row: ScaleRow | undefined): string[][] {
  if (row === undefined) return []
  const speed = `${perMillion(row)} s of processor time per million`
  return [
    ['Parquet on disk', onDisk(row), 'compressed with zstd'],
    [
      '`--engine duckdb`, 2 cores',
      hours(perDocument(row) / 2),
      `${speed}; \`--memory 1GB\` bounds the grouping, and the counts come on top`
    ],
    [
      'ClickHouse, 50 shards of 2 cores',
      'not measured',
      'each shard groups its own documents and sends masks, words and numbers'
    ]
  ]
}

/** The two-thread row with the most documents in the first part that was measured. */
function largestOf(rows: readonly ScaleRow[], parts: readonly string[]): ScaleRow | undefined {
  for (const part of parts) {
    const found = rows.filter(row => row.part === part && row.threads === 2)
    if (found.length > 0) return found.reduce((a, b) => (Number(b.documents) > Number(a.documents) ? b : a))
  }
  return undefined
}

function slope(a: ScaleRow, b: ScaleRow, column: string): number {
  return Math.log(Number(b[column]) / Number(a[column])) / Math.log(Number(b.documents) / Number(a.documents))
}

function extrapolate(a: ScaleRow, b: ScaleRow, column: string): number {
  return Number(b[column]) * (BILLION / Number(b.documents)) ** slope(a, b, column)
}

function perDocument(row: ScaleRow): number {
  return Number(row['processor s']) / Number(row.documents)
}

function perMillion(row: ScaleRow): string {
  return (1e6 * perDocument(row)).toPrecision(2)
}

function onDisk(row: ScaleRow): string {
  return gigabytes((Number(row['input MB']) * 2 ** 20 * BILLION) / Number(row.documents))
}

function hours(secondsPerDocument: number): string {
  const value = (secondsPerDocument * BILLION) / 3600
  return value < 1 ? `${about(60 * value)} minutes` : `${about(value)} hours`
}

function gigabytes(bytes: number): string {
  return `${about(bytes / 2 ** 30)} GB`
}
