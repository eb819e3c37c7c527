/**
 * How counting packed documents scales with threads, by the processor time of each thread. The work of all threads is done one
 * after another in this one, so that the figures hold for more cores than there are; starting threads is left out.
 *
 * Parallel: threads count documents into runs, of as many documents as `Counter` packs, then add up ranges of patterns over the
 * runs of all. Serial: to choose the ranges, to hand the pieces of runs over and back, and to make the check sum of the file.
 * Reading the documents comes before.
 *
 * Command: npx tsx research/bench/count-threads.ts [documents]
 */
import {
  countPackedRange,
  countsFileParts,
  countsOfRun,
  mergeRuns,
  ownMemory,
  piecesIn,
  type Run,
  sizesOf,
  splitRuns
} from '../../src/read/counts/index.ts'
import {type BenchRow, record, rounded} from './record.ts'
import {drawPacked} from './scale-documents.ts'

const RANGES_PER_THREAD = 4
/** Documents of 60 words in a run: 32 MB of packed numbers. */
const RUN_SIZE = 125_000
const documentCount = Number(process.argv[2] ?? 1_000_000)
const {header, labelled, ...documents} = drawPacked({anchors: 50, words: 2000, commonness: 1, documents: documentCount})
const sizes = sizesOf(header.lexicon)
const space = {...ownMemory, isShared: true}

measure(1)
const rows = [1, 2, 4, 8].map(measure)
const [one] = rows
const claim = 'Counting packed documents by threads: processor seconds of the slowest thread, and what is serial'
record(
  'count-threads',
  claim,
  rows.map(row => ({...row, 'times as fast': rounded(Number(one['s in all']) / Number(row['s in all']))}))
)

function measure(threads: number): BenchRow {
  const counted = Array.from({length: Math.ceil(documentCount / RUN_SIZE)}, (_, at) =>
    timed(() => countPackedRange(header, documents, space, at * RUN_SIZE, Math.min(documentCount, (at + 1) * RUN_SIZE)))
  )
  const runs = counted.map(({result}) => result)
  const split = timed(() => {
    const ranges = splitRuns(runs, RANGES_PER_THREAD * threads)
    return ranges.map(range => ({range, parts: structuredClone(runs.map(run => piecesIn(run, range)))}))
  })
  const merged = split.result.map(({range, parts}) => timed(() => mergeRuns(sizes, parts, space, range)))
  const ranges = merged.map(({result}) => result)
  const written = timed(() => {
    const run: Run = structuredClone(ranges).flat()
    let bytes = 0
    for (const part of countsFileParts(countsOfRun(header, run, labelled))) bytes += part.length
    return bytes
  })
  const counting = slowest(counted, threads)
  const adding = slowest(merged, threads)
  const serial = split.seconds + written.seconds
  const all = counting + adding + serial
  return {
    threads,
    documents: documentCount,
    's counting': rounded(counting),
    's adding up': rounded(adding),
    's serial': rounded(serial),
    's in all': rounded(all),
    'serial share': rounded(serial / all),
    'file bytes': written.result
  }
}

/** Seconds of the thread that takes longest, where they take turns. */
function slowest(work: readonly {readonly seconds: number}[], threads: number): number {
  const sums = Array.from({length: threads}, (_, thread) =>
    work.filter((_, at) => at % threads === thread).reduce((sum, {seconds}) => sum + seconds, 0)
  )
  return Math.max(...sums)
}

function timed<T>(work: () => T): {readonly result: T; readonly seconds: number} {
  const before = process.cpuUsage()
  const result = work()
  const {user, system} = process.cpuUsage(before)
  return {result, seconds: (user + system) / 1e6}
}
