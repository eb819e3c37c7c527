import {FALSE_POSITIVE_FLOOR, TRUE_POSITIVE_LIMIT} from './concept-rates.ts'
import type {NoiseRates} from './estimate-noise.ts'

/**
 * The channel to fit moments and structure with on real text: t = P(A) / p and e = 0.0001, where P(A) = e + (t - e) p of the
 * rates given. Where P(A) / p is above 0.98, t is 0.98 and e what is left. The prevalence stays as it was.
 *
 * Differs from the paper, which corrects with the true (e, t). That is consistent when false hits are independent
 * noise; in text the word appears in documents about related concepts, and subtracting those hits over-corrects the
 * pair moments.
 */
export function oneSidedRates({truePositive, falsePositive, prevalence}: NoiseRates): NoiseRates {
  const firing = prevalence.map((p, i) => falsePositive[i] + (truePositive[i] - falsePositive[i]) * p)
  const raised = firing.map((a, i) => Math.max(truePositive[i], Math.min(a / prevalence[i], TRUE_POSITIVE_LIMIT)))
  return {
    truePositive: raised,
    falsePositive: firing.map((a, i) => {
      const p = prevalence[i]
      return Math.max((a - raised[i] * p) / (1 - p), Math.min(falsePositive[i], FALSE_POSITIVE_FLOOR))
    }),
    prevalence
  }
}
