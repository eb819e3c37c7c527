import {exp, log} from '../../base/numeric/index.ts'
import {type NetworkSums, TiltedNetwork} from './tilted-network.ts'

export interface NetworkFailures {
  /** Unclipped, `i*n + j`; NaN where the ratio of a concept does not exist. */
  readonly failure: Float64Array
  /** All words together. */
  readonly steps: number
  /** The largest relative change that one more round would make in a failure. */
  readonly residual: number
  /** Words that stopped before the residual was 1e-10. */
  readonly unfinished: number
}

/**
 * The network estimator: all failures of a word at once, from what each concept alone says of the word and from P(Y).
 *
 * Concept i says r_ij = P(x0|y_i = 1) / P(x0|y_i = 0), the direct estimate: f_ij times what goes through the other concepts,
 *   r_i = f_i E[prod_{k != i} f_k^{y_k} | y_i = 1] / E[prod_{k != i} f_k^{y_k} | y_i = 0].
 * In other words: the word's absence tilts P(y) to P(y) prod_k f_k^{y_k} / Z, and there the odds of y_i are r_i times its odds
 * in P(Y). Those are the equations of maximum likelihood in an exponential family with theta = log f: convex, one solution.
 *
 * Failures are sought in [1e-3, 1], or one above 1 would be made up for by others. What is returned is r_i over the two
 * expectations at that solution: the failure itself or, where a bound holds it, the value beyond that the others leave to i.
 * `ratios` are r, `i*n + j`; `fixed` has the failures, within the bounds, of concepts known by other means.
 * Cost: 5 to 15 propagations a word, see {@link TiltedNetwork}.
 * Not in the paper, whose Eq. 6 conditions on the whole Markov blanket and needs moments of its order.
 */
export function failureNetwork(
  sums: NetworkSums,
  ratios: Float64Array,
  wordCount: number,
  fixed: ReadonlyMap<number, Float64Array> = new Map()
): NetworkFailures {
  const m = sums.conceptCount
  const tilted = new TiltedNetwork(sums)
  const failure = new Float64Array(m * wordCount)
  let steps = 0
  let residual = 0
  let unfinished = 0
  for (let j = 0; j < wordCount; j++) {
    for (let i = 0; i < m; i++) {
      const known = fixed.get(i)
      tilted.theta[i] = known === undefined ? 0 : log(known[j])
      tilted.wanted[i] = known === undefined ? tilted.prior[i] + log(ratios[i * wordCount + j]) : Number.NaN
    }
    const found = tilted.solve()
    steps += found.steps
    residual = Math.max(residual, found.residual)
    if (!found.isDone) unfinished++
    for (let i = 0; i < m; i++)
      failure[i * wordCount + j] = fixed.get(i)?.[j] ?? exp(tilted.theta[i] + tilted.ownStep(i))
  }
  return {failure, steps, residual, unfinished}
}
