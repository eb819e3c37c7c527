import {AdfaError} from '../numeric/index.ts'
import {TRUE_POSITIVE_LIMIT} from './concept-rates.ts'

/** The rates of a channel that hardly ever fires falsely. */
export interface OneSidedRates {
  readonly truePositive: Float64Array
  readonly falsePositive: Float64Array
  /**
   * Numbers of the concepts whose P(A) / p was above the limit: their anchors fire nearly as often as they occur, or
   * oftener.
   */
  readonly clipped: readonly number[]
}

/** Not 0: a document that is anchored without its concept must stay possible. */
const FALSE_POSITIVE = 1e-4

/**
 * The channel to fit moments and structure with on real text: e = 0.0001 and t = P(A) / p, at most 0.98.
 *
 * Differs from the paper, which corrects with the true (e, t). That is consistent when false hits are independent
 * noise; in text the word appears in documents about related concepts, and subtracting those hits over-corrects the
 * pair moments.
 */
export function oneSidedRates(firing: readonly number[], prevalence: readonly number[]): OneSidedRates {
  if (firing.length !== prevalence.length)
    throw new AdfaError(
      'bad-rates',
      `P(A) of ${firing.length} concepts and P(Y) of ${prevalence.length}; give both for each concept`
    )
  const effective = firing.map((a, i) => {
    const t = a / prevalence[i]
    if (!(a <= 1 && prevalence[i] > 0 && prevalence[i] < 1 && t > FALSE_POSITIVE))
      throw new AdfaError(
        'bad-rates',
        `concept number ${i}: P(A) = ${a} and P(Y) = ${prevalence[i]}; both must be probabilities, ` +
          `the second within (0, 1), and P(A) / P(Y) above ${FALSE_POSITIVE}; ` +
          'choose another anchor or remove the concept'
      )
    return t
  })
  return {
    truePositive: Float64Array.from(effective, t => Math.min(t, TRUE_POSITIVE_LIMIT)),
    falsePositive: new Float64Array(firing.length).fill(FALSE_POSITIVE),
    clipped: effective.flatMap((t, i) => (t > TRUE_POSITIVE_LIMIT ? [i] : []))
  }
}
