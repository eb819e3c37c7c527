import type {Hierarchy} from './fit-hierarchy.ts'
import {checkSample, type LabelledSample} from './labelled-sample.ts'
import {type PooledRate, rateFromShares} from './rate-from-shares.ts'
import {firingLogOdds, missedParameter, precisionParameter} from './rate-priors.ts'
import {type StratumShares, stratumShares, unscoredBins} from './stratum-shares.ts'

export interface PooledRates {
  readonly concepts: readonly PooledRate[]
  readonly certificate: PooledCertificate
}

/** How the concepts resemble each other, and how that was found; all in log-odds. */
export interface PooledCertificate {
  /** Of P(Y=1|A=1): its mean. */
  readonly precision: Omit<Hierarchy, 'posteriors'>
  /** Of P(Y=1|A=0): its mean, and its slope in the log-odds of P(A). */
  readonly missed: Omit<Hierarchy, 'posteriors'>
}

/**
 * Prevalence and precision of each anchor, and the noise rates they imply, from a few labelled documents.
 *
 * With a = P(A), counted in all documents, p = r a + q (1 - a): precision r is labelled where the anchor fires, the
 * missed share q = P(Y=1|A=0) where it does not, so that a chance surplus of anchored documents does no harm.
 * Concepts are pooled in both: logit r varies about a mean, logit q about c + b logit a, and mean, c, b and spreads are
 * learned from the labels of all concepts ({@link stratumShares}). Estimates are medians, intervals are quantiles. Cost:
 * about a millisecond a concept.
 *
 * Beyond the paper, whose setting 4 counts each concept by itself: at 100 documents many concepts have one or two
 * positives, and rates that differ by chance do more harm than rates that are alike.
 */
export function pooledRates(sample: LabelledSample, level = 0.9): PooledRates {
  const {precision, missed} = pooledShares(sample, level)
  return {
    concepts: sample.anchoredCounts.map((_, i) =>
      rateFromShares(sample, i, precision.points[i], missed.points[i], level)
    ),
    certificate: {precision: precision.hierarchy, missed: missed.hierarchy}
  }
}

/** What is known of r and q of every concept. */
export function pooledShares(sample: LabelledSample, level: number): {precision: StratumShares; missed: StratumShares} {
  checkSample(sample, level)
  const firing = firingLogOdds(sample)
  return {
    precision: stratumShares(unscoredBins(sample, 1), [0], [precisionParameter(firing.length)]),
    missed: stratumShares(unscoredBins(sample, 0), [0], [missedParameter(firing)])
  }
}
