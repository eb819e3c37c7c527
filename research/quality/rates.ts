import {rng} from '../../src/base/numeric/index.ts'
import {
  type AnchorEstimates,
  type AnchorScores,
  autoRates,
  noiseTable,
  type RateInterval,
  rateFault,
  scoreAnchors
} from '../../src/learn/noise/index.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import type {Corpus} from '../../src/read/data/index.ts'
import {mean} from '../spread.ts'
import type {QualityProblem} from './problem.ts'

/**
 * Where the anchors' rates come from: `given`, the tags of all training documents; `labels`, the tags of 200 of them, drawn
 * at random; `free`, no tags. The last two use `auto`, which combines all estimates.
 */
export const settings = ['given', 'labels', 'free'] as const
export type Setting = (typeof settings)[number]

export const LABELLED_DOCUMENTS = 200
/** Learning accepts no rates beyond these. */
const MOST_TRUE_POSITIVE = 0.98
const LEAST_FALSE_POSITIVE = 1e-4

/** The counts with the rates of each setting in their anchors, for the same concepts: none is refused. */
export function ratedCounts(problem: QualityProblem, wanted: readonly Setting[]): ReadonlyMap<Setting, Counts> {
  const scores = wanted.some(setting => setting !== 'given') ? scoreAnchors(problem.training) : undefined
  return new Map(wanted.map(setting => [setting, scores ? estimated(setting, scores) : givenRates(problem.counts)]))

  function estimated(setting: Setting, scores: ReturnType<typeof scoreAnchors>): Counts {
    const {counts, firing, seed, training} = problem
    if (setting === 'given') return givenRates(counts)
    const table =
      setting === 'labels'
        ? labelledTable({counts, scores, training}, LABELLED_DOCUMENTS, seed)
        : noiseTable({...counts, labelled: new Float64Array(counts.labelled.length)}, {scores})
    return withEstimates(counts, firing, table.map(autoEstimate))
  }
}

/** The counts with the rates that the tags of all training documents give. */
export function givenRates(counts: Counts): Counts {
  const anchors = counts.lexicon.anchors.map((anchor, i) => {
    const {positives, hits, fired, labelled} = cellsOf(counts, i)
    const truePositive = Math.min(hits / positives, MOST_TRUE_POSITIVE)
    const falsePositive = Math.max((fired - hits) / (labelled - positives), LEAST_FALSE_POSITIVE)
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive} as const}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

export interface Estimate {
  readonly prevalence: RateInterval
  readonly precision?: RateInterval | undefined
}

/** Logistic regression needs two documents to train and to test. */
const LEAST_ANCHORED = 2

const USUAL_PRECISION = 0.8
const USUAL_EFFECTIVE = 0.5
/** Some estimates imply that every document has the concept, which no fit could use. */
const MOST_PREVALENT = 0.49

/** The values that `auto` predicts with; without labels they are not what people read, and have no interval. */
export function autoEstimate(row: AnchorEstimates): Estimate | undefined {
  const rates = autoRates(row)
  if (typeof rates === 'string') return undefined
  if (rates.basis !== 'constant') return rates
  const {truePositive: t, falsePositive: e} = rates
  const p = (row.firing - e) / (t - e)
  return {prevalence: point(p), precision: point((t * p) / row.firing)}
}

/** 1 for each of so many documents, drawn at random. */
export function drawLabelled({documents}: Pick<Corpus, 'documents'>, labels: number, draw: number): Uint8Array {
  const random = rng(draw).stream(`labels ${labels}`)
  const drawn = new Uint8Array(documents.length)
  for (let left = labels; left > 0; ) {
    const d = Math.floor(random.next() * drawn.length)
    if (drawn[d] === 0) left -= drawn[d] = 1
  }
  return drawn
}

/** The table of tags and anchor of each concept, over the drawn documents. */
export function labelledTables({documents, lexicon}: Corpus, drawn: Uint8Array): Float64Array {
  const labelled = new Float64Array(4 * lexicon.anchors.length)
  documents.forEach(({anchors, labels}, d) => {
    if (drawn[d] === 0 || labels === undefined) return
    labels.forEach((y, i) => {
      labelled[4 * i + 2 * y + (anchors.includes(i) ? 1 : 0)]++
    })
  })
  return labelled
}

/** Estimates from `labels` labelled documents, redrawn for each `draw`, and all the others. */
export function labelledTable(
  {counts, scores, training}: {readonly counts: Counts; readonly scores?: AnchorScores; readonly training: Corpus},
  labels: number,
  draw: number
): readonly AnchorEstimates[] {
  return noiseTable({...counts, labelled: labelledTables(training, drawLabelled(training, labels, draw))}, {scores})
}

/** The counts with these rates given; concepts without an estimate get the mean of the others, none is refused. */
export function withEstimates(
  counts: Counts,
  firing: readonly number[],
  estimates: readonly (Estimate | undefined)[]
): Counts {
  const known = estimates.flatMap((estimate, i) => (estimate ? [firing[i] / estimate.prevalence.value] : []))
  const usual = known.length === 0 ? USUAL_EFFECTIVE : Math.exp(mean(known.map(Math.log)))
  const anchors = counts.lexicon.anchors.map((anchor, i) => {
    const wanted = Math.min(estimates[i]?.prevalence.value ?? firing[i] / usual, MOST_PREVALENT)
    // An uninformative anchor is treated as slightly informative; auto refuses both.
    const r = Math.max(estimates[i]?.precision?.value ?? USUAL_PRECISION, 2 * wanted)
    const p = Math.max(wanted, (r * firing[i]) / 0.98)
    const truePositive = (r * firing[i]) / p
    const falsePositive = Math.max(((1 - r) * firing[i]) / (1 - p), 1e-4)
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive} as const}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

/** Whether, by the tags, the anchor is uninformative or fires in too few documents. */
export function isWeak(counts: Counts, i: number): boolean {
  const {positives, hits, fired, labelled} = cellsOf(counts, i)
  const [t, e] = [hits / positives, (fired - hits) / (labelled - positives)]
  return fired < LEAST_ANCHORED || rateFault({truePositive: t, falsePositive: e}) !== undefined
}

/** The table of a concept's tags and its anchor. */
export function cellsOf({labelled}: Counts, i: number) {
  const [absent, falsely, missed, hits] = labelled.subarray(4 * i, 4 * i + 4)
  return {positives: missed + hits, hits, fired: falsely + hits, labelled: absent + falsely + missed + hits}
}

/** A rate that is known exactly. */
export function point(value: number): RateInterval {
  return {value, low: value, high: value}
}
