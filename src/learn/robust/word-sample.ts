/** Prepares the documents that weights of members and constants are learned from: real ones, or documents drawn from counts. */

import {directedNetwork, forwardSampler, type Network} from '../../base/network/index.ts'
import {logit, type Rng, rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, isLabelled, wordTotals} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'

/** The most documents that are drawn from counts; more would hardly change a constant. */
const MAX_DRAWN = 8000
/** The standard deviation of the standard logistic distribution. */
const LOGISTIC_DEVIATION = Math.PI / Math.sqrt(3)
/** Uniform draws are kept this far from 0 and 1, whose log-odds are infinite. */
const DRAW_FLOOR = 1e-12

/** The evidence of documents on every concept; arrays hold document d, concept i at `d*m + i`. */
export interface WordSample {
  readonly documents: number
  /** The log-odds that the words of a document add to a concept. */
  readonly scores: Float64Array
  /** 1 where the anchor fired. */
  readonly fired: Uint8Array
  /** The members that fired in each document, numbered through all concepts; undefined for released tables. */
  readonly members?: readonly (readonly number[])[] | undefined
}

/** Returns documents sorted by key, so that rounding does not depend on their order, without labels that were not counted. */
export function trainingDocuments(counts: Counts, documents: readonly CorpusDocument[]): Corpus {
  const withLabels = documents.map(document =>
    isLabelled(counts, document.key) ? document : {...document, labels: undefined}
  )
  return {lexicon: counts.lexicon, documents: withLabels.sort((a, b) => (a.key < b.key ? -1 : 1))}
}

/** Returns real documents as a sample, with these scores of their words. */
export function documentSample({lexicon, documents}: Corpus, scores: Float64Array): WordSample {
  const anchors = documents.map(document => document.anchors)
  const members = documents.map(document => document.members)
  return {documents: documents.length, scores, fired: firedFlags(anchors, lexicon.anchors.length), members}
}

/**
 * Draws documents from counts alone; `weights` holds concept i, word j at `i*n + j`. Anchors and members fire as in the patterns
 * of the counts. Released tables have no patterns, so there concepts are drawn from the network and anchors by the rates. Each
 * score is drawn from a logistic distribution, whose mean is that of documents where the concept's own anchor is in the same
 * state (fired or not) and whose variance is that of independent words. Means for each pattern do not help: last-tag accuracy,
 * average precision and F1 stay within .001 (research/quality/corpora.ts). Cost: O(m (documents + n)).
 */
export function drawSample(
  counts: Counts,
  rates: NoiseRates,
  network: Network,
  weights: Float64Array,
  seed: number
): WordSample {
  const random = rng(seed).stream('sample of documents')
  const documents = Math.min(MAX_DRAWN, Math.ceil(counts.documentCount))
  const patterns = counts.tables === undefined ? spreadPatterns(counts, documents) : undefined
  const listsOf = (all: Uint32Array, starts: Uint32Array) =>
    patterns?.map(p => [...all.subarray(starts[p], starts[p + 1])])
  const anchors = listsOf(counts.concepts, counts.conceptStarts) ?? drawAnchors(network, rates, documents, random)
  const m = rates.prevalence.length
  const fired = firedFlags(anchors, m)
  const spreads = scoreSpreads(counts, weights)
  const scores = Float64Array.from(fired, (isFired, at) => {
    const {mean, deviation} = spreads[at % m][isFired]
    return mean + (deviation * logit(random.next(), DRAW_FLOOR)) / LOGISTIC_DEVIATION
  })
  return {documents, scores, fired, members: listsOf(counts.members, counts.memberStarts)}
}

/** Returns the pattern of each drawn document: patterns are taken in proportion to their numbers of documents. */
function spreadPatterns({documentCount, patternDocuments}: Counts, documents: number): number[] {
  let [pattern, end] = [-1, 0]
  return Array.from({length: documents}, (_, d) => {
    while (((d + 0.5) * documentCount) / documents >= end) end += patternDocuments[++pattern]
    return pattern
  })
}

/** Draws the anchors that fire in each document, by the network and the rates. */
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

/** Returns the mean and standard deviation of the score of concept i, at `[i][a]`, where its anchor fired (a = 1) or not (a = 0). */
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

/** Returns an array with 1 where an anchor fired, document d, concept i at `d*m + i`. */
function firedFlags(anchors: readonly (readonly number[])[], m: number): Uint8Array {
  const fired = new Uint8Array(anchors.length * m)
  anchors.forEach((list, d) => {
    for (const i of list) fired[d * m + i] = 1
  })
  return fired
}
