import {BIN_COUNT, binOf, type Columns, type Judgement, type WeightedFigures} from './weighted-figures.ts'

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

/** The threshold of a rule, unset where it has others for fired and silent anchors, and where the rule was chosen. */
export interface RuleFacts {
  readonly threshold?: number
  /**
   * On the predictor's training documents, or, as the threshold of highest expected F1, by its probabilities for the
   * evaluated documents, which any user could do as well. Neither uses tags.
   */
  readonly chosenOn: 'training documents' | 'these documents'
}

export interface ThresholdFigures extends DecisionFigures, RuleFacts {}

/** The predictions whose probabilities fall into one bin. */
export interface ReliabilityBin {
  readonly meanProbability: number
  /** The share of them in which the concept is present. */
  readonly shareFound: number
  /** The number of predictions, one per document and concept. */
  readonly count: number
}

/** `exact` are the figures of all documents, `rule` says what the method reports. */
export function taggingFigures(
  {probabilities, labels}: Pick<Judgement, 'probabilities' | 'labels'>,
  {threshold, chosenOn}: RuleFacts,
  exact: WeightedFigures
): TaggingFigures {
  const {microF1, macroF1, macroAuc, averagePrecision, brier, calibrationError} = exact
  let [all, stuck] = [0, 0]
  for (const column of probabilities) {
    all += column.length
    for (let at = 0; at < column.length; at++) if (column[at] === 0 || column[at] === 1) stuck++
  }
  return {
    microF1,
    macroF1,
    atThreshold: {
      ...(threshold !== undefined && {threshold}),
      chosenOn,
      microF1: exact.microF1AtThreshold,
      macroF1: exact.macroF1AtThreshold
    },
    macroAuc,
    averagePrecision,
    brier,
    calibrationError,
    reliability: reliabilityCurve(probabilities, labels),
    saturated: stuck / all
  }
}

/**
 * The reliability curve: fifteen equally wide bins, lowest first, without empty ones. Where probabilities are
 * calibrated, the mean probability and the share found of a bin agree.
 */
function reliabilityCurve(probabilities: Columns, labels: Columns): ReliabilityBin[] {
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
