import {directedNetwork, forwardSampler, type Network} from '../../base/network/index.ts'
import {log, type Rng, rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import type {WordScale} from './word-weights.ts'

/** Documents drawn from counts: more would hardly move a constant. */
const SAMPLE_SIZE = 8000

/** Documents, with the words and the anchor of every concept; document d, concept i at `d*m + i`. */
export interface WordSample {
  readonly documents: number
  /** The sum of the weights of the words. */
  readonly scores: Float64Array
  /** 1 where the anchor fired. */
  readonly fired: Uint8Array
  /** The members that fired in each document, numbered through all concepts; undefined for released tables. */
  readonly members?: readonly (readonly number[])[] | undefined
}

/** Returns documents with their scores, document d, concept i at `d*m + i`. */
export function documentSample({lexicon, documents}: Corpus, scores: Float64Array): WordSample {
  const fired = firedFlags(
    documents.map(({anchors}) => anchors),
    lexicon.anchors.length
  )
  return {documents: documents.length, scores, fired, members: documents.map(({members}) => members)}
}

/** What documents are drawn by, beside the counts. */
export interface DrawTask {
  readonly rates: NoiseRates
  readonly network: Network
  /** Word weights, concept i, word j at `i*n + j`. */
  readonly weights: Float64Array
  readonly scale: WordScale
  readonly seed: number
}

/**
 * Draws documents from counts alone. Which anchors and members fire comes from the patterns of the counts; released tables
 * have no patterns, so there concepts come from the network and anchors from the rates. Each score is drawn from a normal
 * distribution with the variance of independent words. Its mean is that of the pattern or, for tables, that of documents
 * where the concept's own anchor fired, or did not. Cost: O(sample m words), for tables O(m (sample + n)).
 */
export function drawSample(counts: Counts, task: DrawTask): WordSample {
  const random = rng(task.seed).stream('sample of documents')
  const documents = Math.min(SAMPLE_SIZE, Math.ceil(counts.documentCount))
  return counts.tables === undefined
    ? samplePatterns(counts, documents, task, random)
    : sampleTables(counts, documents, task, random)
}

/** Spreads the documents evenly over those counted, in the order of their patterns. */
function samplePatterns(counts: Counts, documents: number, {weights, scale}: DrawTask, random: Rng): WordSample {
  const {patternDocuments, documentCount} = counts
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  const byWord = Array.from({length: n}, (_, j) => {
    const concepts = Uint32Array.from({length: m}, (_, i) => i).filter(i => weights[i * n + j] !== 0)
    return {concepts, weights: Float64Array.from(concepts, i => weights[i * n + j])}
  })
  const scores = new Float64Array(documents * m)
  const [means, variances] = [new Float64Array(m), new Float64Array(m)]
  const patterns = new Uint32Array(documents)
  const normal = normalDraws(random)
  let [pattern, end, factor] = [-1, 0, 1]
  for (let d = 0; d < documents; d++) {
    const place = ((d + 0.5) * documentCount) / documents
    if (place >= end) {
      while (place >= end) end += patternDocuments[++pattern]
      factor = readPattern(counts, pattern, {byWord, scale, means, variances})
    }
    patterns[d] = pattern
    for (let i = 0; i < m; i++)
      scores[d * m + i] = factor * (means[i] + (variances[i] > 0 ? Math.sqrt(variances[i]) * normal() : 0))
  }
  const listsOf = (all: Uint32Array, starts: Uint32Array) =>
    Array.from(patterns, p => [...all.subarray(starts[p], starts[p + 1])])
  const fired = firedFlags(listsOf(counts.concepts, counts.conceptStarts), m)
  return {documents, scores, fired, members: listsOf(counts.members, counts.memberStarts)}
}

interface PatternTask {
  /** The concepts of each word for which it has a weight that is not 0, as most are, with these weights. */
  readonly byWord: readonly {readonly concepts: Uint32Array; readonly weights: Float64Array}[]
  readonly scale: WordScale
  /** Receive the mean and the variance of the scores of a pattern's documents, before their factor. */
  readonly means: Float64Array
  readonly variances: Float64Array
}

/** Reads the words of a pattern, and returns the factor of its scores: that of the mean of the squared lengths. */
function readPattern(
  {wordStarts, wordIds, wordCounts, patternDocuments}: Counts,
  p: number,
  {byWord, scale, means, variances}: PatternTask
): number {
  means.fill(0)
  variances.fill(0)
  let squares = 0
  for (let at = wordStarts[p]; at < wordStarts[p + 1]; at++) {
    const share = wordCounts[at] / patternDocuments[p]
    squares += share * scale.idf[wordIds[at]] ** 2
    const {concepts, weights} = byWord[wordIds[at]]
    for (let k = 0; k < concepts.length; k++) {
      const part = weights[k] * share
      means[concepts[k]] += part
      variances[concepts[k]] += part * weights[k] * (1 - share)
    }
  }
  return squares > 0 ? scale.typical / Math.sqrt(squares) : 1
}

function sampleTables(counts: Counts, documents: number, {rates, network, weights}: DrawTask, random: Rng): WordSample {
  const {truePositive, falsePositive} = rates
  const m = truePositive.length
  const draw = forwardSampler(directedNetwork(network), random)
  const y = new Uint8Array(m)
  const anchors = Array.from({length: documents}, () => {
    draw(y)
    return [...y.keys()].filter(i => random.next() < (y[i] ? truePositive[i] : falsePositive[i]))
  })
  const fired = firedFlags(anchors, m)
  const spreads = tableSpreads(counts, weights)
  const normal = normalDraws(random)
  const scores = Float64Array.from(fired, (isFired, at) => {
    const {mean, deviation} = spreads[at % m][isFired]
    return mean + deviation * normal()
  })
  return {documents, scores, fired}
}

/** Returns mean and standard deviation of the score of each concept where its anchor did not fire, and where it did. */
function tableSpreads(counts: Counts, weights: Float64Array) {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const pairs = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  return Array.from({length: m}, (_, i) => {
    const fired = pairs[i * m + i]
    return [0, 1].map(a => {
      const documents = Math.max(1, a === 1 ? fired : counts.documentCount - fired)
      let [mean, variance] = [0, 0]
      for (let j = 0; j < n; j++) {
        const both = withAnchor[i * n + j]
        const share = Math.min(1, Math.max(0, a === 1 ? both : totals[j] - both) / documents)
        mean += weights[i * n + j] * share
        variance += weights[i * n + j] ** 2 * share * (1 - share)
      }
      return {mean, deviation: Math.sqrt(variance)}
    })
  })
}

/** Returns 1 where an anchor fired, document d, concept i at `d*m + i`. */
function firedFlags(anchors: readonly (readonly number[])[], m: number): Uint8Array {
  const fired = new Uint8Array(anchors.length * m)
  anchors.forEach((list, d) => {
    for (const i of list) fired[d * m + i] = 1
  })
  return fired
}

/** Draws from the standard normal distribution by the polar method of Marsaglia, which finds two at a time. */
function normalDraws(random: Rng): () => number {
  const spare: number[] = []
  return () => {
    for (;;) {
      const kept = spare.pop()
      if (kept !== undefined) return kept
      const x = 2 * random.next() - 1
      const y = 2 * random.next() - 1
      const s = x * x + y * y
      const length = Math.sqrt((-2 * log(s)) / s)
      if (s > 0 && s < 1) spare.push(y * length, x * length)
    }
  }
}
