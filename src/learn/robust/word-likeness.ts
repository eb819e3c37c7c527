import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import {weightsFromCounts, wordWeightDefaults} from '../words/index.ts'

/** So many documents of mean words are added: a likeness from few documents is mostly chance. */
const MEAN_DOCUMENTS = 20

/**
 * How much the words of documents with one anchor are evidence of the other concept, at `i*m + k`, symmetric.
 *
 * The mean over documents where A_i fired of the sum of the word weights of concept k, less its mean over all documents;
 * then the mean of both directions. Documents in which A_k fired too, which are what the likeness is compared with, are
 * taken out, as if their words were those of other documents with A_k: tables of anchors and words tell no more.
 * Cost: O(m) per weight that is not 0.
 */
export function wordLikeness(counts: Counts, prevalence: ArrayLike<number>): Float64Array {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const weights = weightsFromCounts(counts, prevalence, wordWeightDefaults)
  const used = Array.from({length: m}, (_, k) => nonZeros(weights.subarray(k * n, (k + 1) * n)))
  const withAnchor = anchorWordCounts(counts)
  const fired = anchorPairCounts(counts)
  const totals = wordTotals(counts)
  // The sum of the weights of concept k over words that occur so often.
  const sumOf = (k: number, occurrences: ArrayLike<number>, from: number) => {
    let sum = 0
    for (const j of used[k]) sum += occurrences[from + j] * weights[k * n + j]
    return sum
  }
  const mean = Float64Array.from({length: m}, (_, k) => sumOf(k, totals, 0) / counts.documentCount)
  const excess = (i: number, k: number) => sumOf(k, withAnchor, i * n) - fired[i * m + i] * mean[k]
  const own = mean.map((_, k) => (fired[k * m + k] > 0 ? excess(k, k) / fired[k * m + k] : 0))
  const oneWay = (i: number, k: number) => {
    const both = fired[i * m + k]
    return (excess(i, k) - both * own[k]) / (Math.max(0, fired[i * m + i] - both) + MEAN_DOCUMENTS)
  }
  const likeness = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) likeness[i * m + k] = likeness[k * m + i] = (oneWay(i, k) + oneWay(k, i)) / 2
  return likeness
}

/** Most words have no weight. */
function nonZeros(weights: Float64Array): Uint32Array {
  const places: number[] = []
  for (let j = 0; j < weights.length; j++) if (weights[j] !== 0) places.push(j)
  return Uint32Array.from(places)
}
