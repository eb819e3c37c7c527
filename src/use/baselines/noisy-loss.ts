import {unreachable} from '../../base/checks/index.ts'
import {log, sigmoid} from '../../base/numeric/index.ts'
import type {Rates} from '../../learn/noise/index.ts'

/** How a classifier of a hidden concept is trained on its anchor. */
export type NoisyLoss = 'anchor' | 'unbiased' | 'weighted'

/** What logistic regression is given, and what its log-odds z say of the anchor. */
export interface NoisyTarget {
  readonly labels: Float64Array
  /** Every row 1 when left out. */
  readonly rowWeights?: Float64Array
  /** P(A = 1 | x) of a document with log-odds z: what held-out anchors are compared with. */
  anchorChance(z: number): number
}

/**
 * Logistic regression that tolerates noisy labels (Natarajan, Dhillon, Ravikumar and Tewari 2013), for labels `fired` that are
 * 1 with chance t where the concept is present and e where it is not; l(z, y) = log(1 + exp(z)) - y z.
 *
 * - `anchor`: none of it, the anchor is taken for the concept; z is the log-odds of the anchor.
 * - `unbiased`: their Lemma 1, [(1 - e) l(z, 1) - (1 - t) l(z, 0)] / (t - e) where the anchor fired and
 *   [t l(z, 0) - e l(z, 1)] / (t - e) where not; its mean over the noise is l(z, y). For the logistic loss both
 *   are l(z, (A - e) / (t - e)): a label beyond 0 and 1 and a convex problem, no other solver. z is the log-odds of the concept.
 * - `weighted`: their Theorem 9, rows that fired count 1 - alpha and the others alpha, alpha = (t + e) / 2, which is
 *   P(A = 1 | x) where P(Y = 1 | x) is a half. So the sign of z is the best decision; its size is not the log-odds of
 *   the concept, but z + log(alpha / (1 - alpha)) is that of the anchor. These are the "reweighted samples" of Section 5.4.
 */
export function noisyTarget(
  loss: NoisyLoss,
  fired: ArrayLike<number>,
  {truePositive: t, falsePositive: e}: Rates
): NoisyTarget {
  switch (loss) {
    case 'anchor':
      return {labels: Float64Array.from(fired), anchorChance: sigmoid}
    case 'unbiased':
      return {
        labels: Float64Array.from(fired, a => (a - e) / (t - e)),
        anchorChance: z => e + (t - e) * sigmoid(z)
      }
    case 'weighted': {
      const alpha = (t + e) / 2
      const shift = log(alpha / (1 - alpha))
      return {
        labels: Float64Array.from(fired),
        rowWeights: Float64Array.from(fired, a => (a ? 1 - alpha : alpha)),
        anchorChance: z => sigmoid(z + shift)
      }
    }
    default:
      return unreachable(loss)
  }
}
