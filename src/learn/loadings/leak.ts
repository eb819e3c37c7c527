import type {BayesNetwork} from '../../base/network/index.ts'
import {clamp, exp} from '../../base/numeric/index.ts'
import type {NetworkSums} from './failure-network.ts'

/** A leak of 1 would leave nothing to the concepts. */
export const LEAK_CEILING = 1 - 1e-6

/**
 * The leaks (Eq. 10): P-hat(x0) = (1 - l) P_{-l}(x0), so l = 1 - P-hat(x0) / P_{-l}(x0), kept above `leakFloor` times the word's
 * frequency. Differs from the paper, whose printed ratio is upside down and never positive.
 */
export function learnLeaks(frequency: Float64Array, absence: Float64Array, leakFloor: number) {
  let leaksAtFloor = 0
  const leak = absence.map((share, j) => {
    const free = 1 - (1 - frequency[j]) / share
    const floor = leakFloor * frequency[j]
    if (free < floor) leaksAtFloor++
    return clamp(free, floor, LEAK_CEILING)
  })
  return {leak, leaksAtFloor}
}

/**
 * The probability that no concept switches word j on, the sum over y of P(y) prod_i f_ij^{y_i}: by Quickscore for independent
 * concepts, else by one upward pass through the forest or junction tree of P(Y) per word, or by the mean over draws of y
 * (no words are drawn: Rao-Blackwell), with the largest standard error of an absence. `failure` is row-major, concept by
 * word. Words without a link cost nothing.
 */
export function leaklessAbsence(
  {parents, cpt}: BayesNetwork,
  sums: NetworkSums,
  failure: Float64Array,
  wordCount: number
) {
  if (parents.every(list => list.length === 0))
    return {absence: quickscore(cpt, failure, wordCount), sampling: undefined}
  const m = sums.conceptCount
  const weights = new Float64Array(2 * m).fill(1)
  const squares = weights.slice()
  const absence = new Float64Array(wordCount).fill(1)
  let standardError = 0
  for (let j = 0; j < wordCount; j++) {
    let links = 0
    for (let i = 0; i < m; i++) {
      const f = failure[i * wordCount + j]
      weights[2 * i + 1] = f
      squares[2 * i + 1] = f ** 2
      if (f !== 1) links++
    }
    if (links === 0) continue
    absence[j] = exp(sums.logTotal(weights))
    if (sums.samples === undefined) continue
    const variance = Math.max(0, exp(sums.logTotal(squares)) - absence[j] ** 2)
    standardError = Math.max(standardError, Math.sqrt(variance / (sums.samples - 1)))
  }
  return {absence, sampling: sums.samples === undefined ? undefined : {samples: sums.samples, standardError}}
}

/** Quickscore (Eq. 11): for independent concepts, the product over i of P(y_i = 0) + P(y_i = 1) f_ij. */
export function quickscore(cpt: readonly Float64Array[], failure: Float64Array, wordCount: number): Float64Array {
  const absence = new Float64Array(wordCount).fill(1)
  cpt.forEach(([p], i) => {
    for (let j = 0; j < wordCount; j++) absence[j] *= 1 - p + p * failure[i * wordCount + j]
  })
  return absence
}
