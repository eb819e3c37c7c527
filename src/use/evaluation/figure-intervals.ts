import type {Evaluation, Figures, LabelsWorth} from './evaluation.ts'
import {figureValue, isBetter, isCeiling} from './figure-columns.ts'
import {bestOf, type Estimate, estimateOf} from './intervals.ts'
import {
  byFigure,
  type ConceptFigureName,
  conceptFigureNames,
  type FigureName,
  type WeightedFigures
} from './weighted-figures.ts'

/** Figures of a method, and what its intervals and differences are drawn from. */
export interface JudgedMethod {
  readonly figures: Figures
  readonly draws: Draws
}

/** The figures of resampled documents; calibration errors have two draws for each. */
export type Draws = Readonly<Record<FigureName, Float64Array>>

/** Standard errors that a 90% interval reaches to either side. */
const REACH = 1.645

export function drawsOf(exact: WeightedFigures, drawn: readonly WeightedFigures[]): Draws {
  return byFigure(key =>
    key === 'calibrationError' ? calibrationDraws(exact, drawn) : Float64Array.from(drawn, one => one[key])
  )
}

/** Gaps of fewer standard errors may be none. */
const SURE_ERRORS = 2

/**
 * Noise in a gap widens it on average: gaps of weighted documents are too wide, and those of the documents are already. By how
 * much depends on the true gaps, and replicates show it for two guesses: the gaps found, which widen too little, and those of
 * them that are sure, which widen too much. The draws about both are the calibration error less what each replicate adds.
 */
function calibrationDraws({gaps: exact, calibrationError}: WeightedFigures, drawn: readonly WeightedFigures[]) {
  const sizes = exact.map(Math.abs)
  const sure = exact.map((gap, bin) => {
    const variance = drawn.reduce((sum, {gaps}) => sum + (gaps[bin] - gap) ** 2, 0) / drawn.length
    return gap * gap > SURE_ERRORS ** 2 * variance ? Math.abs(gap) : 0
  })
  const draw = (guess: Float64Array, {gaps}: WeightedFigures) => {
    const added = guess.map((size, bin) => Math.abs(size + (gaps[bin] - exact[bin]) * Math.sign(exact[bin])) - size)
    return Math.max(0, calibrationError - added.reduce((sum, one) => sum + one, 0))
  }
  return Float64Array.from([sizes, sure].flatMap(guess => drawn.map(one => draw(guess, one))))
}

/**
 * The interval of a figure. Documents that weigh more in a replicate are also ranked above their like more often, so average
 * precision is too high in replicates: its draws are moved to the value. The constant of log P(tags) may have an `error` of its
 * own, which no document shows.
 */
export function estimate(name: string, value: number, draws: Float64Array, error = 0): Estimate {
  if (name === 'averagePrecision') {
    const known = draws.filter(draw => !Number.isNaN(draw))
    const shift = value - known.reduce((sum, draw) => sum + draw, 0) / known.length
    return estimateOf(
      value,
      draws.map(draw => draw + shift)
    )
  }
  const {low, high} = estimateOf(value, draws)
  const more = name === 'tagLogLikelihood' ? REACH * error : 0
  return {value, low: low - more, high: high + more}
}

/** The intervals of the figures of a method; `error` is the standard error of the constant of log P(tags). */
export function intervalsOf(exact: WeightedFigures, draws: Draws, error: number): Figures['intervals'] {
  return byFigure(key => {
    const {low, high} = estimate(key, exact[key], draws[key], error)
    return {low, high: key === 'averagePrecision' ? Math.min(high, 1) : high}
  })
}

/** Documents with a concept; with fewer its figures have no interval. */
const FEWEST_PRESENT = 5

/** The figures of each concept, with their intervals. */
export function conceptFigures(
  names: readonly string[],
  exact: WeightedFigures,
  drawn: readonly WeightedFigures[]
): Figures['perConcept'] {
  return exact.concepts.map((own, i) => {
    const figure = (name: ConceptFigureName) => {
      const draws = Float64Array.from(drawn, ({concepts}) => concepts[i][name])
      const {value, low, high} = estimate(name, own[name], draws)
      // Resampling cannot leave 0 and 1, and knows nothing of documents that are hardly there.
      const isKnown = own.present >= FEWEST_PRESENT && low < high
      return isKnown ? {value, low, high: Math.min(high, 1)} : {value, low: Number.NaN, high: Number.NaN}
    }
    const named = conceptFigureNames.map(name => [name, figure(name)])
    return Object.fromEntries([['concept', names[i]], ['tags', own.present], ...named]) as Figures['perConcept'][number]
  })
}

/** A figure of one method less that of another on the same documents. */
function differenceOf(key: FigureName, a: JudgedMethod, b: JudgedMethod): Estimate {
  const draws = a.draws[key].map((draw, r) => draw - b.draws[key][r])
  const errors = [a, b].map(({figures}) => figures.tagLogLikelihoodError ?? 0)
  return estimate(key, figureValue(a.figures, key) - figureValue(b.figures, key), draws, Math.hypot(...errors))
}

/** The figures of the model, beside those of the other methods. */
export function compareMethods(
  own: JudgedMethod,
  others: readonly (readonly [string, JudgedMethod])[]
): Pick<Evaluation, 'baselines' | 'best' | 'labelsWorth'> {
  const worth = labelsWorth(own, others)
  const named = others.map(([name, one]) => {
    return [name, {...one.figures, differences: byFigure(key => differenceOf(key, one, own))}] as const
  })
  return {
    baselines: Object.fromEntries(named),
    best: bestMethods([['this model', own], ...others]),
    ...(worth && {labelsWorth: worth})
  }
}

/** For each figure the methods that have the best one, ceilings aside, and those that are not clearly worse. */
function bestMethods(methods: readonly (readonly [string, JudgedMethod])[]): Evaluation['best'] {
  const rivals = methods.filter(([name]) => !isCeiling(name))
  return byFigure((key, column) =>
    bestOf(
      rivals.filter(([, {figures}]) => !Number.isNaN(figureValue(figures, key))),
      (a, b) => isBetter(column, a.figures, b.figures),
      (a, b) => differenceOf(key, a, b)
    )
  )
}

/**
 * Reads from the learning curve of the regressions how many labels the model is worth; undefined with fewer than two of
 * these. The interval is over the choice of the evaluated documents, not of the labelled ones.
 */
function labelsWorth(
  model: JudgedMethod,
  methods: readonly (readonly [string, JudgedMethod])[]
): LabelsWorth | undefined {
  const regressions = methods
    .flatMap(([, one]) => (one.figures.labelled === undefined ? [] : [{...one, labels: one.figures.labelled}]))
    .sort((a, b) => a.labels - b.labels)
  if (regressions.length < 2) return undefined
  const worthBy = (precisionOf: (method: JudgedMethod) => number) =>
    labelsFor(
      precisionOf(model),
      regressions.map(one => [one.labels, precisionOf(one)])
    )
  const drawn = model.draws.averagePrecision.map((_, r) => worthBy(({draws}) => draws.averagePrecision[r]))
  const value = worthBy(({figures}) => figures.tagging.averagePrecision)
  return {...estimateOf(value, drawn), least: regressions[0].labels, most: regressions[regressions.length - 1].labels}
}

/**
 * The labels at which a curve of labels and precision, linear in the logarithm of the labels, first reaches a precision; the
 * first or the last where that lies beyond them.
 */
export function labelsFor(precision: number, curve: readonly (readonly [labels: number, precision: number])[]): number {
  const at = curve.findIndex(([, reached]) => reached >= precision)
  if (at <= 0) return curve[at < 0 ? curve.length - 1 : 0][0]
  const [[from, low], [to, high]] = [curve[at - 1], curve[at]]
  return from * (to / from) ** ((precision - low) / (high - low))
}
