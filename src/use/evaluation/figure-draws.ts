import {calibrationDraws, type Gaps, gapDraws} from './calibration-draws.ts'
import {type DocumentWeights, evenWeights, type WeightBlock} from './resampling.ts'
import {BIN_COUNT, binOf} from './tagging-figures.ts'
import {f1Of, rank, rankingDraws, type Scored, type Sweep, sweep} from './weighted-ranking.ts'
import {ratio, weighted} from './weighted-sums.ts'

/** Figures of a method, as their intervals are named. */
export const figureNames = [
  'lastTag',
  'tagLogLikelihood',
  'averagePrecision',
  'macroAuc',
  'microF1',
  'macroF1',
  'microF1AtThreshold',
  'macroF1AtThreshold',
  'brier',
  'calibrationError'
] as const

export type FigureName = (typeof figureNames)[number]

/** What a method says, and what is true. */
export interface Judgement {
  /** By concept. */
  readonly scored: readonly Scored[]
  /** By document; NaN where the document has none. */
  readonly lastTag: readonly number[]
  readonly logTags: readonly number[]
}

/** A number for every weighting of the documents; calibration errors have two. */
export interface Draws {
  readonly figures: Readonly<Record<FigureName, Float64Array>>
  /** By the rule of the method: for the documents as they are, and for every weighting. */
  readonly concepts: readonly {readonly exact: ConceptDraws; readonly draws: ConceptDraws; readonly present: number}[]
}

export const conceptFigureNames = ['f1', 'precision', 'recall', 'averagePrecision'] as const

export type ConceptFigureName = (typeof conceptFigureNames)[number]

type ConceptDraws = Readonly<Record<ConceptFigureName, Float64Array>>

/** Every figure, for every weighting: documents are sorted once by each concept, and then weighted in that order. */
export function drawFigures(judgement: Judgement, weights: DocumentWeights): Draws {
  const empty = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map(name => [name, new Float64Array(weights.replicates)])) as Record<Name, Float64Array>
  const figures = empty(figureNames)
  const ranked = judgement.scored.map(rank)
  const concepts = ranked.map(() => empty(conceptFigureNames))
  const sums = documentSums(judgement, weights.documents)
  const gaps = Array.from({length: BIN_COUNT}, () => new Float64Array(weights.replicates))
  for (const block of weights.blocks()) {
    const put = (targets: Readonly<Record<string, Float64Array>>, drawn: typeof targets) => {
      for (const [name, values] of Object.entries(drawn)) targets[name].set(values, block.first)
    }
    const swept = ranked.map(one => sweep(one, block))
    put(figures, {...meanDraws(sums, block), ...rankingDraws(ranked, swept)})
    for (const [bin, drawn] of gapDraws(sums, block).entries()) gaps[bin].set(drawn, block.first)
    for (const [i, one] of swept.entries()) put(concepts[i], conceptDraws(one))
  }
  const even = evenWeights(weights.documents)
  return {
    figures: {...figures, calibrationError: calibrationDraws(gaps, sums)},
    concepts: concepts.map((draws, i) => ({
      exact: conceptDraws(sweep(ranked[i], even)),
      draws,
      present: ranked[i].present
    }))
  }
}

/** What each document adds to figures that are means, and to how many it adds. */
interface DocumentSums extends Gaps {
  readonly lastTag: Float64Array
  readonly lastTagCount: Float64Array
  readonly logTags: Float64Array
  readonly logTagsCount: Float64Array
  readonly squares: Float64Array
}

function documentSums({scored, lastTag, logTags}: Judgement, documents: number): DocumentSums {
  const [squares, counts] = [new Float64Array(documents), new Float64Array(documents)]
  const gaps = new Float64Array(documents * BIN_COUNT)
  for (const {documents: numbers, scores, labels} of scored)
    for (let at = 0; at < scores.length; at++) {
      const gap = scores[at] - labels[at]
      squares[numbers[at]] += gap * gap
      counts[numbers[at]]++
      gaps[numbers[at] * BIN_COUNT + binOf(scores[at])] += gap
    }
  const known = (values: readonly number[]) => Float64Array.from(values, value => (Number.isNaN(value) ? 0 : value))
  const isKnown = (values: readonly number[]) => Float64Array.from(values, value => (Number.isNaN(value) ? 0 : 1))
  return {
    lastTag: known(lastTag),
    lastTagCount: isKnown(lastTag),
    logTags: known(logTags),
    logTagsCount: isKnown(logTags),
    squares,
    labels: counts,
    gaps
  }
}

function meanDraws(sums: DocumentSums, block: WeightBlock) {
  return {
    lastTag: ratio(weighted(sums.lastTag, block), weighted(sums.lastTagCount, block)),
    tagLogLikelihood: ratio(weighted(sums.logTags, block), weighted(sums.logTagsCount, block)),
    brier: ratio(weighted(sums.squares, block), weighted(sums.labels, block))
  }
}

function conceptDraws({averagePrecision, reports: [, own]}: Sweep) {
  const {hits, alarms, present} = own
  const reported = hits.map((sum, r) => sum + alarms[r])
  const f1 = f1Of(own).map((value, r) => (present[r] > 0 ? value : Number.NaN))
  return {f1, precision: ratio(hits, reported), recall: ratio(hits, present), averagePrecision}
}
