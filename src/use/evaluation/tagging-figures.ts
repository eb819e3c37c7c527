import {bestThreshold} from '../../learn/robust/index.ts'
import {evenWeights} from './resampling.ts'
import {descending, rank, rankingDraws, sweep} from './weighted-ranking.ts'

/** F1 of reporting concepts. */
interface DecisionFigures {
  /** F1 of all decisions together. */
  readonly microF1: number
  /** Mean F1 over the concepts that occur. */
  readonly macroF1: number
}

/**
 * How well the probabilities of all concepts, for documents without labels, agree with the tags. F1 is that of
 * reporting concepts with a probability of at least 0.5.
 */
export interface TaggingFigures extends DecisionFigures {
  /** F1 by the rule of the method, chosen without the tags of these documents. */
  readonly atThreshold: ThresholdFigures
  /** Mean area under the ROC curve over the concepts that are present in some documents and absent in others. */
  readonly macroAuc: number
  /** Mean average precision over the concepts that occur. */
  readonly averagePrecision: number
  /** Mean squared error of the probabilities. */
  readonly brier: number
  /** Mean distance of probability and frequency over fifteen equally wide bins, weighted by their size. */
  readonly calibrationError: number
  /** The bins themselves. */
  readonly reliability: readonly ReliabilityBin[]
  /** The share of probabilities of exactly 0 or 1, which no evidence could change any more. */
  readonly saturated: number
}

export interface ThresholdFigures extends DecisionFigures {
  /** Unset where the rule has other thresholds for fired and silent anchors. */
  readonly threshold?: number
  /**
   * Where the rule was chosen: on the predictor's training documents, or, as the threshold of highest expected F1, by its
   * probabilities for the evaluated documents, which any user could do as well. Neither uses tags.
   */
  readonly chosenOn: 'training documents' | 'these documents'
}

/** The predictions whose probabilities fall into one bin. */
export interface ReliabilityBin {
  readonly meanProbability: number
  /** The share of them in which the concept is present. */
  readonly shareFound: number
  /** The number of predictions, one per document and concept. */
  readonly count: number
}

/** One list per concept, with one entry per document: probabilities, or labels (0 or 1). */
type Columns = readonly ArrayLike<number>[]

export const BIN_COUNT = 15

export function binOf(probability: number): number {
  return Math.min(BIN_COUNT - 1, Math.floor(probability * BIN_COUNT))
}

/** What a method reports: 1 for tags and 0 for others, in columns. */
export interface OwnTags extends Pick<ThresholdFigures, 'threshold' | 'chosenOn'> {
  readonly tagged: Columns
}

/** The reports of a method without a rule: by the threshold of the highest F1 that its probabilities let expect. */
export function expectedBest(probabilities: Columns, threshold = bestThreshold(probabilities)): OwnTags {
  const tagged = probabilities.map(column => Uint8Array.from(column, p => (p >= threshold ? 1 : 0)))
  return {tagged, threshold, chosenOn: 'these documents'}
}

/** `own` is what the method reports; `orders` are those of the probabilities. */
export function taggingFigures(
  probabilities: Columns,
  labels: Columns,
  own = expectedBest(probabilities),
  orders = probabilities.map(descending)
): TaggingFigures {
  const reliability = reliabilityCurve(probabilities, labels)
  const {tagged, ...chosen} = own
  const ranked = probabilities.map((scores, i) => {
    const scored = {documents: orders[i].toSorted(), scores, labels: labels[i], order: orders[i], tagged: tagged[i]}
    return rank(scored)
  })
  const even = evenWeights(Math.max(...probabilities.map(({length}) => length)))
  const swept = ranked.map(one => sweep(one, even))
  const draws = rankingDraws(ranked, swept)
  /** Without a concept to average over, there is no draw. */
  const figure = (name: keyof typeof draws) => draws[name][0] ?? Number.NaN
  const [microF1, macroF1] = [figure('microF1AtThreshold'), figure('macroF1AtThreshold')]
  return {
    microF1: figure('microF1'),
    macroF1: figure('macroF1'),
    atThreshold: {...chosen, microF1, macroF1},
    macroAuc: figure('macroAuc'),
    averagePrecision: figure('averagePrecision'),
    brier: meanOver(probabilities, (p, i, at) => (p - labels[i][at]) * (p - labels[i][at])),
    calibrationError: calibrationError(reliability),
    reliability,
    saturated: meanOver(probabilities, p => (p === 0 || p === 1 ? 1 : 0))
  }
}

/** Over all documents of all concepts. */
function meanOver(probabilities: Columns, of: (probability: number, i: number, at: number) => number): number {
  let sum = 0
  let count = 0
  probabilities.forEach((column, i) => {
    for (let at = 0; at < column.length; at++) sum += of(column[at], i, at)
    count += column.length
  })
  return sum / count
}

/**
 * The reliability curve: fifteen equally wide bins, lowest first, without empty ones. Where probabilities are
 * calibrated, the mean probability and the share found of a bin agree.
 */
export function reliabilityCurve(probabilities: Columns, labels: Columns): ReliabilityBin[] {
  const sum = new Float64Array(BIN_COUNT)
  const found = new Float64Array(BIN_COUNT)
  const counts = new Float64Array(BIN_COUNT)
  probabilities.forEach((column, i) => {
    for (let at = 0; at < column.length; at++) {
      const bin = binOf(column[at])
      sum[bin] += column[at]
      found[bin] += labels[i][at]
      counts[bin]++
    }
  })
  return Array.from(counts, (count, bin) => ({
    meanProbability: sum[bin] / count,
    shareFound: found[bin] / count,
    count
  })).filter(({count}) => count > 0)
}

/** The mean distance of probability and frequency over the bins, weighted by their size. */
export function calibrationError(curve: readonly ReliabilityBin[]): number {
  let distance = 0
  let total = 0
  for (const {meanProbability, shareFound, count} of curve) {
    distance += count * Math.abs(meanProbability - shareFound)
    total += count
  }
  return distance / total
}
