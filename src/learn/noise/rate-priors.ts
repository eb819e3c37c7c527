import {log} from '../../base/numeric/index.ts'
import type {HierarchyParameter} from './hierarchy-parameter.ts'
import type {LabelledSample} from './labelled-sample.ts'

/**
 * What is assumed of anchors before any label, all in log-odds. Round numbers of what is usual in the corpora that the
 * model was developed on, and weak, but for the slope of the scores: each counts as much as a few concepts with labels.
 */

/** 80%, the median precision over eight corpora, give or take one; concepts of a corpus differ by as much again. */
const USUAL_PRECISION = {priorMean: [1.4], priorDeviation: [1], priorSpread: 1, spreadWeight: 4}

/** The share of unanchored documents that have the concept, less P(A): it is missed about as often as found. */
const MISSED_LEVEL = {mean: 0.35, deviation: 3}
/** A concept found twice as often is missed twice as often, more or less. */
const FIRING_SLOPE = {mean: 1, deviation: 0.5}
/** Whether concepts that are easily told by words are missed more often or less is for the labels to say. */
const CLARITY_SLOPE = {mean: 0, deviation: 0.5}
/** Concepts of a corpus differ by 0.5 to 1 in what is missed; as sure as if four had been seen. */
const MISSED_SPREAD = {priorSpread: 0.7, spreadWeight: 4}

/**
 * How the log-odds of the concept grow with those of the anchor: somewhat less than one for one. Labels say little
 * about it, so these numbers are surer.
 */
const SCORE_SLOPE = {priorMean: [0.8], priorDeviation: [0.2], priorSpread: 0.3, spreadWeight: 20}

export function precisionParameter(m: number): HierarchyParameter {
  return {...USUAL_PRECISION, predictors: Array.from({length: m}, () => [1])}
}

export function slopeParameter(m: number): HierarchyParameter {
  return {...SCORE_SLOPE, predictors: Array.from({length: m}, () => [1])}
}

/** The share of unanchored documents that have the concept; `clarity` is how well words tell where its anchor fires. */
export function missedParameter(firing: readonly number[], clarity?: readonly number[]): HierarchyParameter {
  const mean = firing.reduce((sum, x) => sum + x, 0) / firing.length
  const slopes = clarity === undefined ? [FIRING_SLOPE] : [FIRING_SLOPE, CLARITY_SLOPE]
  const columns = clarity === undefined ? [centered(firing)] : [centered(firing), centered(clarity)]
  return {
    predictors: firing.map((_, i) => [1, ...columns.map(column => column[i])]),
    priorMean: [mean + MISSED_LEVEL.mean, ...slopes.map(slope => slope.mean)],
    priorDeviation: [MISSED_LEVEL.deviation, ...slopes.map(slope => slope.deviation)],
    ...MISSED_SPREAD
  }
}

/** The log-odds of P(A); half a document is added on either side, so that they are finite. */
export function firingLogOdds({documentCount, anchoredCounts}: LabelledSample): number[] {
  return anchoredCounts.map(count => log((count + 0.5) / (documentCount - count + 0.5)))
}

function centered(values: readonly number[]): number[] {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length
  return values.map(x => x - mean)
}
