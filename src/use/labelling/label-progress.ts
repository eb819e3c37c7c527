import {anchoredCounts, type LabelledSample, type PooledRates, pooledRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {LabelRow} from './label-rows.ts'

/** How far labelling has come, and how precise the rates are by now. */
export interface LabelProgress {
  /** Whole documents labelled. */
  readonly documents: number
  /** The least number to stop at. */
  readonly least: number
  /** The number asked for. */
  readonly goal: number
  /** Undefined until a labelled document has a concept. */
  readonly precision: IntervalSummary | undefined
  /** Why labelling may stop: the intervals are narrow enough, or all documents asked for are labelled. */
  readonly enough: 'intervals' | 'documents' | undefined
}

/** The widths of the 90% intervals of the prevalences, as the ratio of their ends. */
export interface IntervalSummary {
  readonly median: number
  readonly worst: {readonly concept: string; readonly factor: number}
  /** Concepts that more labels cannot help: the anchor is too rare, misses too much or is wrong too often. */
  readonly unusable: readonly string[]
  readonly rates: readonly PooledRates[]
}

/** With fewer, narrow intervals mostly reflect what the concepts have in common. */
const LEAST_DOCUMENTS = 100
/** The intervals of rarer anchors stay wide, however many documents are labelled. */
const LEAST_ANCHORED = 30

interface ProgressLimits extends Pick<LabelProgress, 'documents' | 'goal'> {
  /** Intervals narrower than this factor are enough. */
  readonly narrow: number
}

/** Labelling may stop when the interval of every usable concept is narrower than the factor `narrow`, and 100 documents are labelled. */
export function labelProgress(
  concepts: readonly string[],
  sample: LabelledSample,
  {documents, goal, narrow}: ProgressLimits
): LabelProgress {
  const precision = summarize(concepts, sample)
  const isNarrow =
    precision !== undefined && precision.unusable.length < concepts.length && precision.worst.factor < narrow
  const least = Math.min(LEAST_DOCUMENTS, goal)
  const enough = isNarrow && documents >= least ? 'intervals' : documents >= goal ? 'documents' : undefined
  return {documents, least, goal, precision, enough}
}

function summarize(concepts: readonly string[], sample: LabelledSample): IntervalSummary | undefined {
  const hasPositive = concepts.some((_, i) => sample.labelled[4 * i + 2] + sample.labelled[4 * i + 3] > 0)
  if (!hasPositive) return undefined
  const rates = pooledRates(sample)
  const all = rates.map(({prevalence, refusal}, i) => ({
    concept: concepts[i],
    factor: prevalence.high / prevalence.low,
    isUsable: refusal === undefined && sample.anchoredCounts[i] >= LEAST_ANCHORED
  }))
  const usable = all.filter(({isUsable}) => isUsable)
  // Without usable concepts, the factors of all.
  const sorted = (usable.length > 0 ? usable : all).toSorted((a, b) => a.factor - b.factor)
  const middle = (sorted.length - 1) / 2
  const {concept, factor} = sorted[sorted.length - 1]
  return {
    median: (sorted[Math.floor(middle)].factor + sorted[Math.ceil(middle)].factor) / 2,
    worst: {concept, factor},
    unusable: all.flatMap(({concept, isUsable}) => (isUsable ? [] : [concept])),
    rates
  }
}

/** How often each anchor fires in all documents. */
export type AnchorTotals = Pick<LabelledSample, 'documentCount' | 'anchoredCounts'>

export function anchorTotals(counts: Counts): AnchorTotals {
  return {documentCount: counts.documentCount, anchoredCounts: anchoredCounts(counts)}
}

/**
 * The labels as input of `pooledRates`: labelled documents by label and by whether the anchor fires. Documents drawn for
 * their anchor join the others where it fires, of which they are a random sample, provided that they are labelled for this
 * concept alone. `firedIn` gives the concepts whose anchors fire in the document of a key. Cost: O(labels).
 */
export function labelledSample(
  concepts: readonly string[],
  rows: readonly LabelRow[],
  firedIn: (key: string) => readonly number[],
  totals: AnchorTotals
): LabelledSample {
  const labelled = new Float64Array(4 * concepts.length)
  for (const {id, labels} of rows) {
    const fired = new Set(firedIn(String(id)))
    concepts.forEach((concept, i) => {
      const isPresent = labels.get(concept)
      if (isPresent !== undefined) labelled[4 * i + (isPresent ? 2 : 0) + (fired.has(i) ? 1 : 0)]++
    })
  }
  return {...totals, labelled}
}
