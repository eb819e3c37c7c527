import type {RateInterval} from './rate-interval.ts'

/** What is known of one anchor, however it came to be known. Prevalence and precision are what people can judge. */
export interface ConceptRates {
  readonly concept: string
  /** p = P(Y=1). */
  readonly prevalence: RateInterval
  /** r = P(Y=1|A=1). */
  readonly precision: RateInterval
  /** t = P(A=1|Y=1). */
  readonly truePositive: number
  /** e = P(A=1|Y=0). */
  readonly falsePositive: number
}

/** At 1, a document that has the concept and not the anchor would be impossible. */
export const TRUE_POSITIVE_LIMIT = 0.98
/** Not 0: a document that is anchored without its concept must stay possible. */
export const FALSE_POSITIVE_FLOOR = 1e-4
/** Prevalences are kept away from 0 and 1, where the shrinkage towards independence would be infinite. */
export const PREVALENCE_FLOOR = 1e-4

/** P(A|Y) by Bayes' rule from P(A), P(Y) and P(Y|A), held where every document stays possible. */
export function impliedRates(
  firing: number,
  prevalence: number,
  precision: number
): Pick<ConceptRates, 'truePositive' | 'falsePositive'> {
  return {
    truePositive: Math.min((precision * firing) / prevalence, TRUE_POSITIVE_LIMIT),
    falsePositive: Math.max(((1 - precision) * firing) / (1 - prevalence), FALSE_POSITIVE_FLOOR)
  }
}
