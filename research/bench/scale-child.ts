/**
 * One measurement of research/bench/scale.ts in its own process, for its peak memory. Takes the job as JSON, prints the
 * result as JSON.
 */

import {type Counts, countCorpus, countPacked, countsToBytes} from '../../src/read/counts/index.ts'
import type {Corpus} from '../../src/read/data/index.ts'
import {releaseCounts, releaseToBytes} from '../../src/read/pooling/index.ts'
import {DocumentDraw, drawPacked, type ScaleShape, scaleHeader} from './scale-documents.ts'

export interface ScaleJob {
  readonly kind: 'packed' | 'corpus' | 'map' | 'release'
  readonly shape: ScaleShape
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
const result = measure(JSON.parse(given) as ScaleJob)
console.log(JSON.stringify(result))

function measure(job: ScaleJob): ScaleResult {
  const {kind, shape, order = 2} = job
  const header = scaleHeader(shape)
  switch (kind) {
    case 'packed': {
      const documents = drawPacked(shape)
      return timed(() => countPacked(header, documents))
    }
    case 'corpus': {
      const corpus = drawCorpus(shape)
      return timed(() => countCorpus(corpus))
    }
    case 'map': {
      const corpus = drawCorpus(shape)
      const clock = startClock()
      const cells = countNaively(corpus)
      return {...clock(), patterns: 0, cells, bytes: 0, peak: peakNow()}
    }
    case 'release': {
      const counts = countPacked(header, drawPacked(shape))
      const clock = startClock()
      const bytes = releaseToBytes(releaseCounts(counts, {maxOrder: order, minCell: 10, site: 'bench'})).length
      return {...clock(), patterns: counts.patternCount, cells: counts.wordIds.length, bytes, peak: peakNow()}
    }
  }
}

function timed(count: () => Counts): ScaleResult {
  const clock = startClock()
  const counts = count()
  const times = clock()
  const peak = peakNow()
  const bytes = countsToBytes(counts).length
  return {...times, patterns: counts.patternCount, cells: counts.wordIds.length, bytes, peak}
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
