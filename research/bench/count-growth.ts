/**
 * Claim: the time of `adfa count` grows in proportion to documents and words, and slower with patterns; and on threads little
 * of it is serial. Exponents are the slope of log(processor seconds) on log(size), by least squares over four sizes; the time that
 * 10 documents take, which is that of starting, is taken off first.
 *
 * Serial time of a count on threads is the elapsed time less what its threads worked on average: starting, waiting for the
 * first block, adding up and writing. By Amdahl's law n threads then take the serial time plus the work of all threads / n; for 4
 * and 8, which this machine may not have, that is computed from the run on two. Adding up takes longer the more threads there are,
 * so these are the least that can be expected.
 *
 * Command: npx tsx research/bench/count-growth.ts, then npx tsx research/figures/scale.ts. On the built package (npm run build), one minute.
 */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {anchorsToJson} from '../../src/read/data/index.ts'
import {type MeasuredCommand, measureAdfa} from './measured-command.ts'
import {type BenchRow, record, rounded} from './record.ts'
import {type ScaleShape, scaleHeader, writeScaleDocuments} from './scale-documents.ts'

const COLUMNS = ['varied', 'from', 'to', 'exponent', 'processor s', 's', 'serial s', 'serial share', 'times faster']
const folder = mkdtempSync(join(tmpdir(), 'adfa-growth-'))
const usual: ScaleShape = {documents: 40_000, anchors: 50, words: 2000, commonness: 1, wordsPerDocument: 60}
const largest: ScaleShape = {...usual, documents: 160_000}

try {
  const start = count({...usual, documents: 10}).processorSeconds
  const rows = [
    growth('documents', [20_000, 40_000, 80_000].map(documents => ({...usual, documents})).concat(largest), start),
    growth(
      'words per document',
      [15, 30, 60, 120].map(wordsPerDocument => ({...usual, wordsPerDocument})),
      start
    ),
    growth(
      'patterns',
      [0.25, 0.5, 1, 2].map(commonness => ({...usual, commonness})),
      start
    ),
    ...threads()
  ]
  record('count-growth', 'Growth of the time of adfa count, and its serial share on threads', rows)
} finally {
  rmSync(folder, {recursive: true})
}

type Count = MeasuredCommand & {readonly patterns: number}

function count(shape: ScaleShape, workers = 0): Count {
  const [documents, anchors] = [join(folder, 'documents.jsonl'), join(folder, 'anchors.json')]
  writeScaleDocuments(documents, shape)
  writeFileSync(anchors, JSON.stringify(anchorsToJson(scaleHeader(shape).lexicon.anchors)))
  const options = ['--text', '', '--vocabulary', '2000', '--skip-bad-anchors', '--json', '--quiet', '--no-project']
  const output = ['--workers', String(workers), '-o', join(folder, 'bench.counts')]
  const measured = measureAdfa(['count', documents, '--anchors', anchors, ...options, ...output], folder)
  return {...measured, patterns: (JSON.parse(measured.stdout) as {patterns: number}).patterns}
}

function growth(varied: string, shapes: readonly ScaleShape[], start: number): BenchRow {
  const found = shapes.map(shape => ({shape, measured: count(shape)}))
  const sizes = found.map(({shape, measured}) => {
    if (varied === 'documents') return shape.documents
    return varied === 'patterns' ? measured.patterns : (shape.wordsPerDocument ?? 0)
  })
  const times = found.map(({measured}) => measured.processorSeconds - start)
  return rowOf({
    varied,
    from: sizes[0],
    to: sizes[sizes.length - 1],
    exponent: slope(sizes.map(Math.log), times.map(Math.log)).toFixed(2),
    'processor s': times.map(time => rounded(time)).join(', ')
  })
}

/** The same documents on one and two threads, and what more would take. */
function threads(): BenchRow[] {
  const measured = [1, 2].map(workers => count(largest, workers))
  const parts = measured.map(({seconds, threadSeconds}, at) => {
    const work = threadSeconds.reduce((sum, own) => sum + own, 0)
    return {serial: Math.max(0, seconds - work / (at + 1)), work}
  })
  const [, two] = parts
  const exponent = Math.log2(measured[1].seconds / measured[0].seconds).toFixed(2)
  const byCount = [1, 2, 4, 8].map((count, at) => {
    const {serial, work} = parts[at] ?? two
    const seconds = measured[at]?.seconds ?? serial + work / count
    return rowOf({
      varied: at < 2 ? 'threads' : 'threads, computed',
      from: count,
      s: rounded(seconds),
      'processor s': at < 2 ? rounded(measured[at].processorSeconds) : '-',
      'serial s': rounded(serial),
      'serial share': (serial / seconds).toFixed(2),
      'times faster': (measured[0].seconds / seconds).toFixed(2)
    })
  })
  return [rowOf({varied: 'threads, elapsed time', from: 1, to: 2, exponent}), ...byCount]
}

function rowOf(row: BenchRow): BenchRow {
  return Object.fromEntries(COLUMNS.map(name => [name, row[name] ?? '-']))
}

/** Of the least-squares line. */
function slope(x: readonly number[], y: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [xs, ys] = [mean(x), mean(y)]
  const over = x.reduce((sum, value, at) => sum + (value - xs) * (y[at] - ys), 0)
  return over / x.reduce((sum, value) => sum + (value - xs) ** 2, 0)
}
