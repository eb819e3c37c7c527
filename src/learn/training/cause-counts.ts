import {clamp, log} from '../../base/numeric/index.ts'
import type {Model} from '../model/index.ts'
import {absence, type EmTables, presentIn} from './em-document.ts'
import type {WeightedStates} from './sample-states.ts'

type Loadings = Model['loadings']

/** Failures below this would let one word decide a concept alone; also the floor of the fitted loadings. */
const FAILURE_FLOOR = 1e-3
const LEAK_CEILING = 1 - 1e-6

/** Expected counts of one pass, by word: word j, concept i at `j * m + i`. */
interface CauseCounts {
  documents: number
  /** Expected documents that have each concept. */
  readonly present: Float64Array
  /** count(A_j = i). */
  readonly caused: Float64Array
  /** count(A_j < i and y_i = 1): documents with the concept in which an earlier cause switched the word on. */
  readonly forestalled: Float64Array
  /** count(A_j = leak). */
  readonly leaked: Float64Array
}

/** The start's worth in documents: for each concept, in documents that have it, and for the leaks. */
interface Anchorage {
  readonly start: Loadings
  readonly concepts: Float64Array
  readonly leak: number
}

export function emptyCauses({conceptCount: m, wordCount: n}: EmTables): CauseCounts {
  return {
    documents: 0,
    present: new Float64Array(m),
    caused: new Float64Array(m * n),
    forestalled: new Float64Array(m * n),
    leaked: new Float64Array(n)
  }
}

/**
 * Inner E-step: which cause switched on each word that occurs. The causes are tried in turn, the leak first, then the
 * present concepts in order; A_j is the first that succeeds, so P(A_j = k | y) = (1 - f_k^{y_k}) prod_{i<k} f_i^{y_i}.
 * (The paper prints 1 - f_k, which lets absent concepts switch words on.) Given that the word occurs, divide by 1 - prod
 * of all.
 * Cost: O(states * words that occur * present concepts); absent words cost nothing.
 */
export function countCauses(
  counts: CauseCounts,
  tables: EmTables,
  words: readonly number[],
  {states, weights}: WeightedStates
): void {
  const {conceptCount: m, failure, leak} = tables
  counts.documents++
  for (let at = 0; at < states.length; at++) {
    const weight = weights[at]
    if (weight === 0) continue
    const present = presentIn(states[at])
    for (const i of present) counts.present[i] += weight
    for (const j of words) {
      const share = weight / (1 - absence(tables, j, present))
      let off = 1 - leak[j]
      counts.leaked[j] += share * leak[j]
      for (const i of present) {
        const f = failure[j * m + i]
        counts.forestalled[j * m + i] += share * (1 - off)
        counts.caused[j * m + i] += share * off * (1 - f)
        off *= f
      }
    }
  }
}

/**
 * Inner M-step: `f_i = 1 - count(A = i) / count(A >= i and y_i = 1)`, where documents without the word have A beyond all
 * causes. (The paper prints count(A <= i) in the denominator, which diverges.) Each f is the maximum of a concave
 * function, so a floor keeps the step monotone as long as it does not raise a failure that was below it.
 * `anchorage` adds, for every concept and word, that many documents that follow the start: the maximum of the expected
 * log-likelihood plus `worth * ((1 - f0) log(1 - f) + f0 log f)`.
 *
 * Not the M-step of `fitNoisyOr` in the baselines, in which every cause may act (w_ij / P(x_j = 1 | y), over all documents
 * with the concept): here the first cause excludes the later ones, so the steps differ.
 */
export function updateLoadings(counts: CauseCounts, tables: EmTables, anchorage: Anchorage): Loadings {
  const {conceptCount: m, wordCount: n} = tables
  const failure = new Float64Array(m * n)
  const leak = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    const leaked = counts.leaked[j] + anchorage.leak * anchorage.start.leak[j]
    leak[j] = Math.min(leaked / (counts.documents + anchorage.leak), LEAK_CEILING)
    for (let i = 0; i < m; i++) {
      const cell = j * m + i
      const worth = anchorage.concepts[i]
      const tried = counts.present[i] - counts.forestalled[cell] + worth
      const caused = counts.caused[cell] + worth * (1 - anchorage.start.failure[i * n + j])
      const old = tables.failure[cell]
      // No document tried this cause: keep the old value.
      failure[i * n + j] = tried > 0 ? clamp(1 - caused / tried, Math.min(FAILURE_FLOOR, old), 1) : old
    }
  }
  return {conceptCount: m, wordCount: n, failure, leak}
}

/** The largest change of a failure or a leak. */
export function largestChange(before: Loadings, after: Loadings): number {
  let top = 0
  for (let cell = 0; cell < before.failure.length; cell++)
    top = Math.max(top, Math.abs(after.failure[cell] - before.failure[cell]))
  for (let j = 0; j < before.leak.length; j++) top = Math.max(top, Math.abs(after.leak[j] - before.leak[j]))
  return top
}

/**
 * How many documents the moment estimates are worth, times `weight`.
 *
 * Tags of N documents estimate the effect of concept i on a word with variance v / (N p (1 - p)); its anchor does with
 * variance v a (1 - a) / (N p^2 (1 - p)^2 d^2), where p is the concept's and a the anchor's frequency, d = t - e. The
 * ratio is the squared correlation of anchor and concept, so the anchor is worth that share of the N p documents that
 * have the concept. The leaks come from all documents and all concepts: N times the mean share.
 */
export function startWorth({concepts, loadings}: Model, documents: number, weight: number): Anchorage {
  const worth = new Float64Array(concepts.length)
  let share = 0
  concepts.forEach(({truePositive: t, falsePositive: e, prevalence: p}, i) => {
    const a = p * t + (1 - p) * e
    const squaredCorrelation = (p * (1 - p) * (t - e) ** 2) / (a * (1 - a))
    worth[i] = weight * documents * p * squaredCorrelation
    share += squaredCorrelation / concepts.length
  })
  return {start: loadings, concepts: worth, leak: weight * documents * share}
}

/**
 * The penalty on the log-likelihood for leaving the start: worth times the divergence of the coin (1 - f0, f0) from
 * (1 - f, f), over all failures and leaks. 0 at the start; exactly the term that {@link updateLoadings} weighs.
 */
export function worthPenalty({start, concepts, leak}: Anchorage, now: Model['loadings']): number {
  let sum = 0
  for (let i = 0; i < start.conceptCount; i++) {
    if (concepts[i] === 0) continue
    for (let cell = i * start.wordCount; cell < (i + 1) * start.wordCount; cell++)
      sum += concepts[i] * coinDivergence(start.failure[cell], now.failure[cell])
  }
  if (leak > 0) for (let j = 0; j < start.wordCount; j++) sum += leak * coinDivergence(start.leak[j], now.leak[j])
  return sum
}

function coinDivergence(p: number, q: number): number {
  if (p === q) return 0
  return (p > 0 ? p * log(p / q) : 0) + (p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0)
}
