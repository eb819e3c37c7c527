import {type LabelledSample, type PooledRates, pooledRates} from '../../learn/noise/index.ts'

/** How far the labelling has come, and how well the concepts are known by it. */
export interface LabelProgress {
  /** Whole documents labelled. */
  readonly documents: number
  /** The fewest worth stopping at. */
  readonly least: number
  /** Of so many that were asked for. */
  readonly goal: number
  /** Undefined until a labelled document has a concept. */
  readonly precision: IntervalSummary | undefined
  /** Why one may stop: the intervals are narrow enough, or all documents asked for are labelled. */
  readonly enough: 'intervals' | 'documents' | undefined
}

/** How wide the 90% intervals of the prevalences are, as factors from their lower to their upper end. */
export interface IntervalSummary {
  readonly median: number
  readonly worst: {readonly concept: string; readonly factor: number}
  /** Concepts that more labels cannot save: the anchor is too rare, misses too much or is wrong too often. */
  readonly unusable: readonly string[]
  readonly rates: PooledRates
}

/** With fewer, intervals that look narrow are mostly what the concepts have in common. */
const LEAST_DOCUMENTS = 100

export interface ProgressLimits extends Pick<LabelProgress, 'documents' | 'goal'> {
  /** Intervals narrower than this factor are enough. */
  readonly narrow: number
}

/** One may stop when every concept that can be used has an interval narrower than the factor `narrow`, and 100 documents are labelled. */
export function labelProgress(
  concepts: readonly string[],
  sample: LabelledSample,
  {documents, goal, narrow}: ProgressLimits
): LabelProgress {
  const precision = summarize(concepts, sample)
  const isNarrow =
    precision !== undefined && precision.unusable.length < concepts.length && precision.worst.factor < narrow
  const least = Math.min(LEAST_DOCUMENTS, goal)
  return {
    documents,
    least,
    goal,
    precision,
    enough: isNarrow && documents >= least ? 'intervals' : documents >= goal ? 'documents' : undefined
  }
}

function summarize(concepts: readonly string[], sample: LabelledSample): IntervalSummary | undefined {
  const hasPositive = concepts.some((_, i) => sample.labelled[4 * i + 2] + sample.labelled[4 * i + 3] > 0)
  if (!hasPositive) return undefined
  const rates = pooledRates(sample)
  const isUsable = rates.concepts.map(({refusals}) => refusals.every(({rule}) => rule === 'wide-interval'))
  const all = rates.concepts.map(({prevalence}, i) => ({
    concept: concepts[i],
    factor: prevalence.high / prevalence.low
  }))
  const usable = all.filter((_, i) => isUsable[i])
  // With none usable, the factors of all are better than none.
  const sorted = (usable.length > 0 ? usable : all).toSorted((a, b) => a.factor - b.factor)
  const middle = (sorted.length - 1) / 2
  return {
    median: (sorted[Math.floor(middle)].factor + sorted[Math.ceil(middle)].factor) / 2,
    worst: sorted[sorted.length - 1],
    unusable: concepts.filter((_, i) => !isUsable[i]),
    rates
  }
}
