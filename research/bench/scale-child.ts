/**
 * One measurement of research/bench/scale.ts in its own process, for its peak memory. Takes the job as JSON, prints the
 * result as JSON.
 */

import {
  type CompactCounts,
  type Counts,
  compactCounts,
  countCorpus,
  countsFileParts,
  expandCounts,
  type PackedCorpus
} from '../../src/read/counts/index.ts'
import type {Corpus} from '../../src/read/data/index.ts'
import {countPacked, countPackedCompact, openCountWorkers} from '../../src/read/engines/index.ts'
import {releaseCounts, releaseToBytes} from '../../src/read/pooling/index.ts'
import {DocumentDraw, drawPacked, type ScaleShape, scaleHeader} from './scale-documents.ts'

export interface ScaleJob {
  readonly kind: 'packed' | 'corpus' | 'map' | 'release'
  readonly shape: ScaleShape
  readonly workers?: number
  /** Of releases. */
  readonly order?: number
}

export interface ScaleResult {
  readonly seconds: number
  /** Of all threads together. */
  readonly processorSeconds: number
  readonly patterns: number
  /** Pairs of a pattern and a word that occur together. */
  readonly cells: number
  readonly bytes: number
  /** Kilobytes. */
  readonly peak: number
}

const [, , given] = process.argv
const result = await measure(JSON.parse(given) as ScaleJob)
console.log(JSON.stringify(result))

async function measure(job: ScaleJob): Promise<ScaleResult> {
  const {kind, shape, workers = 1, order = 2} = job
  switch (kind) {
    case 'packed': {
      const documents = drawPacked(shape)
      return timed(() => countByThreads(documents, workers))
    }
    case 'corpus': {
      const corpus = drawCorpus(shape)
      return timed(async () => countCorpus(corpus))
    }
    case 'map': {
      const corpus = drawCorpus(shape)
      const clock = startClock()
      const cells = countNaively(corpus)
      return {...clock(), patterns: 0, cells, bytes: 0, peak: peakNow()}
    }
    case 'release': {
      const counts = await countPacked(drawPacked(shape))
      const clock = startClock()
      const bytes = releaseToBytes(releaseCounts(counts, {maxOrder: order, minCell: 10, site: 'bench'})).length
      return {...clock(), patterns: counts.patternCount, cells: counts.wordIds.length, bytes, peak: peakNow()}
    }
  }
}

/** The measured time includes starting and ending the threads. */
async function countByThreads(documents: PackedCorpus, count: number): Promise<CompactCounts> {
  const workers = openCountWorkers(count)
  try {
    return await countPackedCompact(documents, {workers})
  } finally {
    await workers.close()
  }
}

async function timed(count: () => Promise<Counts | CompactCounts>): Promise<ScaleResult> {
  const clock = startClock()
  const counts = await count()
  const times = clock()
  const peak = peakNow()
  const compact = 'run' in counts ? counts : compactCounts(counts)
  let bytes = 0
  for (const part of countsFileParts(compact)) bytes += part.length
  const cells = expandCounts(compact).wordIds.length
  await compact.store?.close()
  return {...times, patterns: counts.patternCount, cells, bytes, peak}
}

/** Kilobytes. */
function peakNow(): number {
  return process.resourceUsage().maxRSS
}

function startClock(): () => Pick<ScaleResult, 'seconds' | 'processorSeconds'> {
  const started = performance.now()
  const before = process.cpuUsage()
  return () => {
    const {user, system} = process.cpuUsage(before)
    return {seconds: (performance.now() - started) / 1000, processorSeconds: (user + system) / 1e6}
  }
}

/** The documents as objects. */
function drawCorpus(shape: ScaleShape): Corpus {
  const draw = new DocumentDraw(shape)
  const documents = Array.from({length: shape.documents}, (_, d) => {
    draw.draw()
    const words = [...draw.words.subarray(0, draw.wordCount)].sort((a, b) => a - b)
    const members = [...draw.members.subarray(0, draw.memberCount)]
    return {words, members, anchors: members, key: String(d), labels: undefined}
  })
  return {lexicon: scaleHeader(shape).lexicon, documents}
}

/** The obvious program: one Map from "pattern|word" to a number. */
function countNaively({documents}: Corpus): number {
  const counts = new Map<string, number>()
  for (const {members, words} of documents) {
    const pattern = members.join()
    for (const word of ['', ...words]) {
      const key = `${pattern}|${word}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts.size
}
