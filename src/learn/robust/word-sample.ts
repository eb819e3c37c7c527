/** Documents over which members and constants are learned: real ones, or documents drawn from counts where there are no others. */

import {directedNetwork, forwardSampler, type Network} from '../../base/network/index.ts'
import {logit, type Rng, rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, isLabelled, wordTotals} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** Documents drawn from counts: more would hardly move a constant. */
const SAMPLE_SIZE = 8000
/** The standard deviation of the logistic distribution, pi / sqrt(3), and the least chance of a draw. */
const LOGISTIC_DEVIATION = Math.PI / Math.sqrt(3)
const EDGE = 1e-12

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

/** Returns counted documents in the order of their keys, which decides folds and rounding, without tags that were not counted. */
export function trainingDocuments(counts: Counts, documents: readonly CorpusDocument[]): Corpus {
  const withLabels = documents.map(document =>
    isLabelled(counts, document.key) ? document : {...document, labels: undefined}
  )
  return {lexicon: counts.lexicon, documents: withLabels.sort((a, b) => (a.key < b.key ? -1 : 1))}
}

/** Returns documents with their scores, document d, concept i at `d*m + i`. */
export function documentSample({lexicon, documents}: Corpus, scores: Float64Array): WordSample {
  const anchors = documents.map(document => document.anchors)
  const members = documents.map(document => document.members)
  return {documents: documents.length, scores, fired: firedFlags(anchors, lexicon.anchors.length), members}
}

/**
 * Draws documents from counts alone, with scores by weights that have concept i, word j at `i*n + j`. Which anchors and members
 * fire comes from the patterns of the counts; released tables have no patterns, so there concepts come from the network and
 * anchors from the rates. Each score is drawn from a logistic distribution with the mean of documents where the concept's own
 * anchor fired, or did not, and the variance of independent words. Means by pattern do not help: last tag, average precision and
 * F1 stay within .001 (research/quality/corpora.ts). Cost: O(m (sample + n)).
 */
export function drawSample(
  counts: Counts,
  rates: NoiseRates,
  network: Network,
  weights: Float64Array,
  seed: number
): WordSample {
  const random = rng(seed).stream('sample of documents')
  const documents = Math.min(SAMPLE_SIZE, Math.ceil(counts.documentCount))
  const patterns = counts.tables === undefined ? spreadPatterns(counts, documents) : undefined
  const listsOf = (all: Uint32Array, starts: Uint32Array) =>
    patterns?.map(p => [...all.subarray(starts[p], starts[p + 1])])
  const anchors = listsOf(counts.concepts, counts.conceptStarts) ?? drawAnchors(network, rates, documents, random)
  const m = rates.prevalence.length
  const fired = firedFlags(anchors, m)
  const spreads = scoreSpreads(counts, weights)
  const scores = Float64Array.from(fired, (isFired, at) => {
    const {mean, deviation} = spreads[at % m][isFired]
    return mean + (deviation * logit(random.next(), EDGE)) / LOGISTIC_DEVIATION
  })
  return {documents, scores, fired, members: listsOf(counts.members, counts.memberStarts)}
}

/** Returns the pattern of each document, spread evenly over all that were counted. */
function spreadPatterns({documentCount, patternDocuments}: Counts, documents: number): number[] {
  let [pattern, end] = [-1, 0]
  return Array.from({length: documents}, (_, d) => {
    while (((d + 0.5) * documentCount) / documents >= end) end += patternDocuments[++pattern]
    return pattern
  })
}

/** Draws the anchors that fire in each document. */
function drawAnchors(
  network: Network,
  {truePositive, falsePositive}: NoiseRates,
  documents: number,
  random: Rng
): number[][] {
  const draw = forwardSampler(directedNetwork(network), random)
  const y = new Uint8Array(truePositive.length)
  return Array.from({length: documents}, () => {
    draw(y)
    return [...y.keys()].filter(i => random.next() < (y[i] ? truePositive[i] : falsePositive[i]))
  })
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
