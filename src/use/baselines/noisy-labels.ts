import {AdfaError, unreachable} from '../../base/checks/index.ts'
import {log, sigmoid} from '../../base/numeric/index.ts'
import type {Concept} from '../../learn/model/index.ts'

/** How a classifier of a hidden concept is trained on its anchor. */
export type NoisyLoss = 'anchor' | 'unbiased' | 'weighted'

/** The input of logistic regression, and the anchor's probability by its log-odds z. */
export interface NoisyTarget {
  readonly labels: Float64Array
  /** 1 for every row by default. */
  readonly rowWeights?: Float64Array
  /** P(A = 1 | x) of a document with log-odds z, to compare with held-out anchors. */
  anchorChance(z: number): number
}

/**
 * Logistic regression with noisy labels (Natarajan, Dhillon, Ravikumar and Tewari 2013), for labels `fired` that are 1 with
 * probability t where the concept is present and e where it is not; l(z, y) = log(1 + exp(z)) - y z.
 *
 * - `anchor`: no correction, the anchor is taken for the concept; z is the log-odds of the anchor.
 * - `unbiased`: their Lemma 1, [(1 - e) l(z, 1) - (1 - t) l(z, 0)] / (t - e) where the anchor fired and
 *   [t l(z, 0) - e l(z, 1)] / (t - e) where not; its mean over the noise is l(z, y). For the logistic loss both
 *   are l(z, (A - e) / (t - e)): a label beyond 0 and 1, but a convex problem for the same solver. z is the log-odds of the concept.
 * - `weighted`: their Theorem 9, rows where the anchor fired count 1 - alpha and the others alpha, alpha = (t + e) / 2, which is
 *   P(A = 1 | x) where P(Y = 1 | x) is a half. So the sign of z is the best decision; its size is not the log-odds of
 *   the concept, but z + log(alpha / (1 - alpha)) is that of the anchor. These are the "reweighted samples" of Section 5.4.
 */
export function noisyTarget(
  loss: NoisyLoss,
  fired: ArrayLike<number>,
  {truePositive: t, falsePositive: e}: Pick<Concept, 'truePositive' | 'falsePositive'>
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

/**
 * Labels of Elkan and Noto (2008), Section 3: an anchored document has the concept; another has it with probability
 *
 *     w(x) = P(Y = 1 | x, A = 0) = (1 - c)/c g(x)/(1 - g(x)),   g(x) = P(A = 1 | x),   c = P(A = 1 | Y = 1),
 *
 * and counts as that share of a positive and the rest of a negative. `chances` are g, from classifiers that did not see the
 * document. Differs from the paper, which estimates c from g: here it is given. Where g exceeds c, which is impossible, w
 * would exceed 1 and stays 1.
 */
export function positiveUnlabelledLabels(
  fired: ArrayLike<number>,
  chances: ArrayLike<number>,
  labelledShare: number
): Float64Array {
  if (!(labelledShare > 0 && labelledShare <= 1))
    throw new AdfaError(
      'bad-rates',
      `the share of a concept's documents in which its anchor fires must lie in (0, 1]; got ${labelledShare}`
    )
  const factor = (1 - labelledShare) / labelledShare
  return Float64Array.from(chances, (g, d) => (fired[d] || g >= labelledShare ? 1 : (factor * g) / (1 - g)))
}
