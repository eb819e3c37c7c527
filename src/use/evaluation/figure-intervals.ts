import {figureColumns, isBetter, isCeiling} from './figure-columns.ts'
import type {Figures, LabelsWorth} from './figures.ts'
import {type Best, bestOf, figureOf, type LabelFigure} from './resampling.ts'
import {type ConceptFigureName, conceptFigureNames, type FigureName, type WeightedFigures} from './weighted-figures.ts'

/** Figures of a method, and what its intervals and differences are drawn from. */
export interface JudgedMethod {
  readonly figures: Figures
  readonly draws: Draws
}

/** Standard errors that a 90% interval reaches to either side. */
const REACH = 1.645

function byFigure<T>(make: (column: (typeof figureColumns)[number]) => T): Record<FigureName, T> {
  return Object.fromEntries(figureColumns.map(column => [column.key, make(column)])) as Record<FigureName, T>
}

/** The figures of resampled documents; calibration errors have two draws for each. */
export type Draws = Readonly<Record<FigureName, Float64Array>>

export function drawsOf(exact: WeightedFigures, drawn: readonly WeightedFigures[]): Draws {
  return byFigure(({key}) =>
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

/** The intervals of the figures of a method. */
export function intervalsOf(figures: Omit<Figures, 'intervals' | 'perConcept'>, draws: Draws): Figures['intervals'] {
  return byFigure(({key, of}) => {
    const {low, high} = widened(intervalOf(key, of(figures), draws[key]), key, figures.tagLogLikelihoodError)
    return {low, high: key === 'averagePrecision' ? Math.min(high, 1) : high}
  })
}

/** The figures of each concept, with their intervals. */
export function conceptFigures(
  names: readonly string[],
  exact: WeightedFigures,
  drawn: readonly WeightedFigures[]
): Figures['perConcept'] {
  return exact.concepts.map((own, i) => {
    const figure = (name: ConceptFigureName) => {
      const draws = Float64Array.from(drawn, ({concepts}) => concepts[i][name])
      const {value, low, high} = intervalOf(name, own[name], draws)
      // Resampling cannot leave 0 and 1, and knows nothing of documents that are hardly there.
      const isKnown = own.present >= FEWEST_PRESENT && low < high
      return isKnown ? {value, low, high: Math.min(high, 1)} : {value, low: Number.NaN, high: Number.NaN}
    }
    const named = conceptFigureNames.map(name => [name, figure(name)])
    return Object.fromEntries([['concept', names[i]], ['tags', own.present], ...named]) as Figures['perConcept'][number]
  })
}

/** Documents with a concept; with fewer its figures have no interval. */
const FEWEST_PRESENT = 5

/**
 * The interval of a figure. Documents that weigh more in a replicate are also ranked above their like more often, so average
 * precision is too high in replicates: its draws are moved to the value.
 */
export function intervalOf(name: string, value: number, draws: Float64Array): LabelFigure {
  if (name !== 'averagePrecision') return figureOf(value, draws)
  const known = draws.filter(draw => !Number.isNaN(draw))
  const shift = value - known.reduce((sum, draw) => sum + draw, 0) / known.length
  return figureOf(
    value,
    draws.map(draw => draw + shift)
  )
}

/** A figure of one method less that of another on the same documents. */
function differenceOf(
  key: FigureName,
  of: (figures: Figures) => number,
  a: JudgedMethod,
  b: JudgedMethod
): LabelFigure {
  const draws = a.draws[key].map((draw, r) => draw - b.draws[key][r])
  const errors = [a, b].map(({figures}) => figures.tagLogLikelihoodError ?? 0)
  return widened(intervalOf(key, of(a.figures) - of(b.figures), draws), key, Math.hypot(...errors))
}

/** The constant of log P(tags) may have an error of its own, which no document shows. */
function widened({value, low, high}: LabelFigure, key: FigureName, error = 0): LabelFigure {
  const more = key === 'tagLogLikelihood' ? REACH * error : 0
  return {value, low: low - more, high: high + more}
}

/** Every figure of a method less that of the model. */
export function differencesFrom(model: JudgedMethod, method: JudgedMethod): Record<FigureName, LabelFigure> {
  return byFigure(({key, of}) => differenceOf(key, of, method, model))
}

/** For each figure the methods that have the best one, ceilings aside, and those that are not clearly worse. */
export function bestMethods(methods: readonly (readonly [string, JudgedMethod])[]): Record<FigureName, Best> {
  const rivals = methods.filter(([name]) => !isCeiling(name))
  return byFigure(column => {
    const {key, of} = column
    const there = rivals.filter(([, {figures}]) => !Number.isNaN(of(figures)))
    return bestOf(
      there,
      (a, b) => isBetter(column, a.figures, b.figures),
      (a, b) => differenceOf(key, of, a, b)
    )
  })
}

/**
 * Reads from the learning curve of the regressions how many labels the model is worth; undefined with fewer than two of
 * these. The interval is over the choice of the evaluated documents, not of the labelled ones.
 */
export function labelsWorth(
  model: JudgedMethod,
  methods: readonly (readonly [string, JudgedMethod])[]
): LabelsWorth | undefined {
  const regressions = methods
    .flatMap(([, {figures, draws}]) =>
      figures.labelled === undefined ? [] : [{labels: figures.labelled, figures, draws}]
    )
    .sort((a, b) => a.labels - b.labels)
  if (regressions.length < 2) return undefined
  const worthBy = (precisionOf: (method: JudgedMethod) => number) => {
    const curve = regressions.map(one => [one.labels, precisionOf(one)] as const)
    return labelsFor(precisionOf(model), curve)
  }
  const value = worthBy(({figures}) => figures.tagging.averagePrecision)
  const drawn = model.draws.averagePrecision.map((_, r) => worthBy(({draws}) => draws.averagePrecision[r]))
  return {...figureOf(value, drawn), least: regressions[0].labels, most: regressions[regressions.length - 1].labels}
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
