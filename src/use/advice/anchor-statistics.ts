import {type EstimatedRates, noiseTable, type RateInterval} from '../../learn/noise/index.ts'
import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'

/** Numbers of documents that the checks use, computed once; layouts as in the counts room. */
export interface AnchorStatistics {
  readonly counts: Counts
  /** Concepts, words and documents. */
  readonly m: number
  readonly n: number
  readonly N: number
  /** Documents in which each anchor fires. */
  readonly fired: Float64Array
  /** In which the anchors of both i and k fire, cell `i*m + k`. */
  readonly pairs: Float64Array
  /** That contain word j, and those where the anchor of i fires too, cell `i*n + j`. */
  readonly words: Float64Array
  readonly anchoredWords: Float64Array
}

export function anchorStatistics(counts: Counts): AnchorStatistics {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return {
    counts,
    m,
    n: counts.lexicon.words.length,
    N: counts.documentCount,
    fired: Float64Array.from({length: m}, (_, i) => pairs[i * m + i]),
    pairs,
    words: wordTotals(counts),
    anchoredWords: anchorWordCounts(counts)
  }
}

/**
 * How much more often than by chance two things occur together, in standard errors under independence. The empirical
 * error would be nearly 0 for a rare thing that never occurs.
 */
export function excessErrors(together: number, first: number, second: number, N: number): number {
  const expected = (first * second) / N
  const variance = expected * (1 - first / N) * (1 - second / N)
  return variance > 0 ? (together - expected) / Math.sqrt(variance) : 0
}

/** Half the width of a 90% interval of a normal variable, in standard deviations. */
const QUANTILE = 1.6448536269514722

/**
 * The share `hits / trials` with its 90% interval, or with limits some standard `errors` away (Wilson, which is valid for few trials
 * and for no hits).
 */
export function shareInterval(hits: number, trials: number, errors = QUANTILE): RateInterval {
  if (trials === 0) return {value: 0, low: 0, high: 1}
  const value = hits / trials
  const square = errors * errors
  const scale = 1 + square / trials
  const centre = (value + square / (2 * trials)) / scale
  const half = (errors * Math.sqrt((value * (1 - value)) / trials + square / (4 * trials * trials))) / scale
  return {
    value,
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === trials ? 1 : Math.min(1, centre + half)
  }
}

/**
 * The rates of anchors that are more than a guess: from the anchors file, else from labelled documents, pooled over the
 * concepts. Concepts without either are left out.
 */
export function knownRates(counts: Counts): EstimatedRates[] {
  return noiseTable(counts, {}, ['given', 'pooled']).flatMap(({concept, firing, estimates}) => {
    const [known] = estimates
    if (known?.precision === undefined) return []
    const {prevalence, precision} = known
    const truePositive = (precision.value * firing) / prevalence.value
    const falsePositive = ((1 - precision.value) * firing) / (1 - prevalence.value)
    // Impossible or uninformative rates cannot be used to judge other words.
    return falsePositive < truePositive && truePositive <= 1
      ? [{concept, prevalence, precision, truePositive, falsePositive}]
      : []
  })
}
