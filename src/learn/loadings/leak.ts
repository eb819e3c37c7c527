import type {BayesNetwork} from '../../base/network/index.ts'
import {clamp, exp} from '../../base/numeric/index.ts'
import type {NetworkSums} from './failure-network.ts'

/** The largest leak allowed: a word with a leak of 1 would be in every document, and no evidence of any concept. */
export const LEAK_CEILING = 1 - 1e-6

/**
 * Returns the leaks (Eq. 10): P-hat(x0) = (1 - l) P_{-l}(x0), so l = 1 - P-hat(x0) / P_{-l}(x0), but at least `leakFloor` times
 * the word's frequency. `absence` is P_{-l}(x0), see {@link leaklessAbsence}. Differs from the paper, whose ratio is inverted.
 */
export function learnLeaks(frequency: Float64Array, absence: Float64Array, leakFloor: number) {
  let leaksAtFloor = 0
  const leak = absence.map((withoutLeak, j) => {
    const estimate = 1 - (1 - frequency[j]) / withoutLeak
    const floor = leakFloor * frequency[j]
    if (estimate < floor) leaksAtFloor++
    return clamp(estimate, floor, LEAK_CEILING)
  })
  return {leak, leaksAtFloor}
}

/**
 * Returns the probability that no concept switches word j on, P_{-l}(x0) of Eq. 10: the sum over y of P(y) prod_i f_ij^{y_i}.
 * For independent concepts this is Quickscore (Eq. 11); for others one pass over the junction tree of P(Y) per word, or the
 * mean over draws of y (words need not be drawn: Rao-Blackwell). Words without a link cost nothing.
 */
export function leaklessAbsence(
  {parents, cpt}: BayesNetwork,
  sums: NetworkSums,
  failure: Float64Array,
  wordCount: number
): Float64Array {
  if (parents.every(list => list.length === 0)) return quickscore(cpt, failure, wordCount)
  const weights = new Float64Array(2 * parents.length).fill(1)
  return Float64Array.from({length: wordCount}, (_, j) => {
    for (let i = 0; i < parents.length; i++) weights[2 * i + 1] = failure[i * wordCount + j]
    return weights.every(weight => weight === 1) ? 1 : exp(sums.logTotal(weights))
  })
}

/** Quickscore (Eq. 11): for independent concepts, the product over i of P(y_i = 0) + P(y_i = 1) f_ij. */
export function quickscore(cpt: readonly Float64Array[], failure: Float64Array, wordCount: number): Float64Array {
  const absence = new Float64Array(wordCount).fill(1)
  cpt.forEach(([p], i) => {
    for (let j = 0; j < wordCount; j++) absence[j] *= 1 - p + p * failure[i * wordCount + j]
  })
  return absence
}
