import {AdfaError} from '../../base/checks/index.ts'
import type {AnchorScores, ConceptScores} from './anchor-scores.ts'
import {type LabelledSample, labelledCells, stratumSize} from './labelled-sample.ts'
import {
  commonParameter,
  firingLogOdds,
  missedParameter,
  type PooledCertificate,
  type PooledRate,
  pooledShares,
  rateFromShares,
  SCORE_SLOPE
} from './pooled-rates.ts'
import {type LabelBin, stratumShares} from './stratum-shares.ts'

export interface RefinedRate extends PooledRate {
  readonly concept: string
  /** 'pooled': as by `pooledRates`, since some labelled documents have no scores for the concept. */
  readonly source: 'refined' | 'pooled'
}

export interface RefinedRates {
  readonly concepts: readonly RefinedRate[]
  /** Of the concepts with scores; undefined without any. */
  readonly certificate: PooledCertificate | undefined
}

/** Slopes of the concept's log-odds in the score: from none to much steeper than those of the anchor. */
const SLOPES = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6]
/** Scores this close are averaged, which changes mean probabilities by less than one in a hundred. */
const BIN_WIDTH = 0.25
/** Documents of score 0 added to a mean score, so that rare anchors do not stand out by chance. */
const CLARITY_WEIGHT = 10

/**
 * As `pooledRates`, with evidence from the words of labelled documents. `names` are the concepts of the sample; the
 * scored documents may be a sample that includes every labelled one.
 *
 * Where the anchor does not fire, logit P(Y=1|x) = level + slope z with z = logit P(A=1|x) - logit a, by a classifier of
 * the anchor that has not seen the document; P(Y=1|A=0) is the mean over all such documents. Levels vary about c +
 * b logit a + b' w, with w the mean of z where the anchor fires: how well words predict it. Slopes vary about their mean.
 * Precision is that of `pooledRates`. Cost: about 10^5 steps per concept, and a pass over its scores.
 */
export function refinedRates(
  sample: LabelledSample,
  names: readonly string[],
  scores: AnchorScores,
  level = 0.9
): RefinedRates {
  if (names.length !== sample.anchoredCounts.length)
    throw new AdfaError(
      'mismatch',
      `${names.length} names for ${sample.anchoredCounts.length} concepts; give one per concept, in the same order`
    )
  const {precision, missed: pooled} = pooledShares(sample, level)
  const firing = firingLogOdds(sample)
  const scored = names.flatMap((concept, i) => {
    const found = scores.concepts.get(concept)
    return found !== undefined && hasAllLabels(sample, i, found) ? [{i, found}] : []
  })
  const refined = scored.length === 0 ? undefined : scoredShares(sample, scored, firing)
  const places = new Map(scored.map(({i}, at) => [i, at]))
  const concepts = names.map((concept, i): RefinedRate => {
    const points = refined?.points[places.get(i) ?? -1]
    const rate = rateFromShares(sample, i, {precisions: precision.points[i], missed: points ?? pooled.points[i]}, level)
    return {...rate, concept, source: points === undefined ? 'pooled' : 'refined'}
  })
  const certificate = refined && {precision: precision.hierarchy, missed: refined.hierarchy}
  return {concepts, certificate}
}

interface ScoredConcept {
  readonly i: number
  readonly found: ConceptScores
}

/** P(Y=1|A=0) of the concepts with scores. */
function scoredShares(sample: LabelledSample, scored: readonly ScoredConcept[], firing: readonly number[]) {
  const bins = scored.map(({i, found}) => silentBins(sample, i, found, firing[i]))
  const clarities = scored.map(({i, found}) => clarity(found, firing[i]))
  const ownFiring = scored.map(({i}) => firing[i])
  return stratumShares(bins, SLOPES, [
    missedParameter(ownFiring, clarities),
    commonParameter(SCORE_SLOPE, scored.length)
  ])
}

/** Whether the scored documents hold exactly the labels where the anchor does not fire. */
function hasAllLabels(sample: LabelledSample, i: number, {fired, labels}: ConceptScores): boolean {
  const counts = [0, 0]
  for (let d = 0; d < labels.length; d++) if (fired[d] === 0 && labels[d] >= 0) counts[labels[d]]++
  return labelledCells(sample, i, 0).every((count, y) => count === counts[y])
}

/** The documents where the anchor does not fire, by score; unlabelled ones are scaled to all that there are. */
function silentBins(sample: LabelledSample, i: number, scores: ConceptScores, firing: number): LabelBin[] {
  const {logOdds, fired, labels} = scores
  const bins = new Map<number, {sum: number; counts: [number, number, number]}>()
  let unlabelled = 0
  for (let d = 0; d < logOdds.length; d++) {
    if (fired[d] === 1) continue
    const z = logOdds[d] - firing
    const key = Math.round(z / BIN_WIDTH)
    const bin = bins.get(key) ?? {sum: 0, counts: [0, 0, 0]}
    bins.set(key, bin)
    bin.sum += z
    bin.counts[labels[d] < 0 ? 2 : labels[d]]++
    if (labels[d] < 0) unlabelled++
  }
  const [negatives, positives] = labelledCells(sample, i, 0)
  const scale = unlabelled === 0 ? 0 : (stratumSize(sample, i, 0) - negatives - positives) / unlabelled
  return Array.from(bins.values(), ({sum, counts}) => ({
    score: sum / (counts[0] + counts[1] + counts[2]),
    negatives: counts[0],
    positives: counts[1],
    unlabelled: counts[2] * scale
  }))
}

/** The mean score where the anchor fires. */
function clarity({logOdds, fired}: ConceptScores, firing: number): number {
  let [sum, count] = [0, 0]
  for (let d = 0; d < logOdds.length; d++)
    if (fired[d] === 1) {
      sum += logOdds[d] - firing
      count++
    }
  return sum / (count + CLARITY_WEIGHT)
}
