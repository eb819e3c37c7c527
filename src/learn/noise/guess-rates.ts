import {AdfaError, badOption} from '../../base/checks/index.ts'
import {clamp, exp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {ConceptScores} from './anchor-scores.ts'
import {type RateInterval, TRUE_POSITIVE_LIMIT} from './rates.ts'

/** The evidence about an anchor without labels. */
export interface GuessEvidence {
  /** P(A). */
  readonly firing: number
  /** How well words predict the anchor: the area under the ROC curve, if there are documents ({@link anchorArea}). */
  readonly area?: number | undefined
  /** How many times as many other anchors fire beside it as in all documents ({@link otherAnchors}). */
  readonly others: number
}

export interface GuessedRates {
  readonly kind: 'guess'
  /** P(A) / P(Y) of each concept; the interval is a factor of 2.5 either way, as far as 1. */
  readonly effectiveTruePositive: readonly RateInterval[]
  /** The matching P(Y). */
  readonly prevalence: readonly number[]
  /** P(Y|A). */
  readonly precision: readonly number[]
  /** Concepts whose guess was limited: to 0.98, or so that the prevalence is at most 1. */
  readonly clipped: readonly number[]
}

/** P(A) / P(Y) and P(Y|A) of a usual anchor, chosen by predictions on five corpora (docs/noise.md). */
const USUAL_EFFECTIVE = 0.47
const USUAL_PRECISION = 0.9
/** Anchors that would imply more concepts per document than this fire in more of their documents than usual. */
const MOST_CONCEPTS = 2
/** Weak signs count little: errors that differ between concepts hurt more than a common one. */
const AREA_SLOPE = 0.2
const FIRING_SLOPE = 0.1
const OTHERS_SLOPE = 0.6
/** Areas outside are chance in few documents. */
const [LEAST_AREA, MOST_AREA] = [0.3, 0.995]
/** 0.92 in the log, where the root mean square error was 0.27-0.63 by corpus. */
const INTERVAL_FACTOR = 2.5

/**
 * A guess at P(A) / P(Y) and P(Y|A) without labels. Not an estimate: no assumption makes it consistent, and its constants
 * were chosen on a few corpora. With z the difference from the mean over the anchors, weighted by P(A):
 * log P(A)/P(Y) = log 0.47 + 0.2 z(logit area) + 0.1 z(log P(A)), and logit P(Y|A) = logit 0.9 - 0.6 z(log others).
 * Where that makes more than two concepts per document, P(A) / P(Y) is scaled to two; a known number scales it always.
 */
export function guessRates(evidence: readonly GuessEvidence[], conceptsPerDocument?: number): GuessedRates {
  if (conceptsPerDocument !== undefined && !(conceptsPerDocument > 0 && conceptsPerDocument < evidence.length))
    throw badOption('guessRates', 'conceptsPerDocument', `above 0 and below ${evidence.length}`, conceptsPerDocument)
  evidence.forEach(checkEvidence)
  const areas = centred(evidence, ({area}) => area && logit(clamp(area, LEAST_AREA, MOST_AREA)))
  const firings = centred(evidence, ({firing}) => log(firing))
  const others = centred(evidence, one => log(one.others))
  const relative = areas.map((area, i) => exp(AREA_SLOPE * area + FIRING_SLOPE * firings[i]))
  const sum = relative.reduce((total, share, i) => total + evidence[i].firing / share, 0)
  const level =
    conceptsPerDocument === undefined ? Math.max(USUAL_EFFECTIVE, sum / MOST_CONCEPTS) : sum / conceptsPerDocument
  const wanted = relative.map(share => level * share)
  const held = wanted.map((t, i) => Math.max(Math.min(t, TRUE_POSITIVE_LIMIT), evidence[i].firing))
  return {
    kind: 'guess',
    effectiveTruePositive: held.map(value => ({
      value,
      low: value / INTERVAL_FACTOR,
      high: Math.min(value * INTERVAL_FACTOR, 1)
    })),
    prevalence: held.map((t, i) => evidence[i].firing / t),
    precision: others.map(value => sigmoid(logit(USUAL_PRECISION) - OTHERS_SLOPE * value)),
    clipped: held.flatMap((t, i) => (t === wanted[i] ? [] : [i]))
  }
}

/** Values less their mean over the anchors, weighted by P(A); 0 where there is none. */
function centred(evidence: readonly GuessEvidence[], read: (evidence: GuessEvidence) => number | undefined): number[] {
  const values = evidence.map(read)
  let [sum, total] = [0, 0]
  values.forEach((value, i) => {
    if (value === undefined) return
    sum += evidence[i].firing * value
    total += evidence[i].firing
  })
  return values.map(value => (value === undefined ? 0 : value - sum / total))
}

function checkEvidence({firing, area = 0.5, others}: GuessEvidence, i: number): void {
  const bad = [firing > 0 && firing <= 1, area >= 0 && area <= 1, others > 0 && others < Number.POSITIVE_INFINITY]
  if (bad.includes(false))
    throw new AdfaError(
      'bad-rates',
      `concept number ${i}: P(A) ${firing}, area ${area}, others ${others}; a guess needs P(A) above 0 and at most 1, an area from 0 to 1 and others above 0; choose another anchor`
    )
}

/** The share of pairs of documents, one where the anchor fires and one where it does not, of which the first scores higher. */
export function anchorArea({logOdds, fired}: Pick<ConceptScores, 'logOdds' | 'fired'>): number {
  const order = Uint32Array.from(logOdds.keys()).sort((one, other) => logOdds[one] - logOdds[other])
  let [below, above] = [0, 0]
  for (let from = 0; from < order.length; ) {
    let to = from
    let firing = 0
    for (; to < order.length && logOdds[order[to]] === logOdds[order[from]]; to++) firing += fired[order[to]]
    const silent = to - from - firing
    // Equal scores count one half.
    above += firing * (below + silent / 2)
    below += silent
    from = to
  }
  return above / (below * (order.length - below))
}

/** For each anchor, the other anchors that fire beside it over those expected by chance; one is added to both. */
export function otherAnchors(counts: Counts): number[] {
  const together = anchorPairCounts(counts)
  const m = counts.lexicon.anchors.length
  const firing = Array.from({length: m}, (_, i) => together[i * m + i])
  const all = firing.reduce((sum, count) => sum + count, 0)
  return firing.map((count, i) => {
    let beside = -count
    for (let k = 0; k < m; k++) beside += together[i * m + k]
    return (Math.max(0, beside) + 1) / ((count * (all - count)) / counts.documentCount + 1)
  })
}
