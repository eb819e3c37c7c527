import {directedNetwork, forwardSampler, type Network} from '../../base/network/index.ts'
import {log, type Rng, rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'

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
  readonly seed: number
}

/**
 * Draws documents from counts alone. Which anchors and members fire comes from the patterns of the counts; released tables
 * have no patterns, so there concepts come from the network and anchors from the rates. Each score is drawn from a normal
 * distribution with the mean of documents where the concept's own anchor fired, or did not, and the variance of independent
 * words. Means by pattern do not help: last tag, average precision and F1 stay within .001 (research/quality/corpora.ts).
 * Cost: O(m (sample + n)).
 */
export function drawSample(counts: Counts, {rates, network, weights, seed}: DrawTask): WordSample {
  const random = rng(seed).stream('sample of documents')
  const documents = Math.min(SAMPLE_SIZE, Math.ceil(counts.documentCount))
  const drawn =
    counts.tables === undefined ? spreadPatterns(counts, documents) : drawAnchors(network, rates, documents, random)
  const m = rates.prevalence.length
  const fired = firedFlags(drawn.anchors, m)
  const spreads = scoreSpreads(counts, weights)
  const normal = normalDraws(random)
  const scores = Float64Array.from(fired, (isFired, at) => {
    const {mean, deviation} = spreads[at % m][isFired]
    return mean + deviation * normal()
  })
  return {documents, scores, fired, members: drawn.members}
}

/** The anchors that fired in each document, and the members where they are known. */
interface DrawnAnchors {
  readonly anchors: readonly (readonly number[])[]
  readonly members?: readonly (readonly number[])[]
}

/** Spreads the documents evenly over all that were counted, in the order of their patterns. */
function spreadPatterns(counts: Counts, documents: number): DrawnAnchors {
  const patterns = new Uint32Array(documents)
  let [pattern, end] = [-1, 0]
  for (let d = 0; d < documents; d++) {
    const place = ((d + 0.5) * counts.documentCount) / documents
    while (place >= end) end += counts.patternDocuments[++pattern]
    patterns[d] = pattern
  }
  const listsOf = (all: Uint32Array, starts: Uint32Array) =>
    Array.from(patterns, p => [...all.subarray(starts[p], starts[p + 1])])
  return {
    anchors: listsOf(counts.concepts, counts.conceptStarts),
    members: listsOf(counts.members, counts.memberStarts)
  }
}

function drawAnchors(
  network: Network,
  {truePositive, falsePositive}: NoiseRates,
  documents: number,
  random: Rng
): DrawnAnchors {
  const draw = forwardSampler(directedNetwork(network), random)
  const y = new Uint8Array(truePositive.length)
  const anchors = Array.from({length: documents}, () => {
    draw(y)
    return [...y.keys()].filter(i => random.next() < (y[i] ? truePositive[i] : falsePositive[i]))
  })
  return {anchors}
}

/** Returns mean and standard deviation of the score of each concept where its anchor did not fire, and where it did. */
function scoreSpreads(counts: Counts, weights: Float64Array) {
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
