import {figureColumns} from './figure-columns.ts'
import type {FigureName} from './figure-draws.ts'
import type {BaselineFigures, Evaluation, Figures} from './figures.ts'
import {bestOf, type LabelFigure} from './resampling.ts'

/** Intervals of all figures. */
export function withRanges(figures: Omit<Figures, 'intervals' | 'perConcept'>, reach = 0.01): Figures {
  const named = figureColumns.map(({key, of}) => [key, {low: of(figures) - reach, high: of(figures) + reach}])
  return {...figures, intervals: Object.fromEntries(named) as Figures['intervals'], perConcept: []}
}

/** An evaluation in which differences are clear from `reach` on. */
export function evaluationOf(own: Figures, others: Readonly<Record<string, Figures>>, reach = 0): Evaluation {
  const difference = (of: (figures: Figures) => number, a: Figures, b: Figures): LabelFigure => {
    const value = of(a) - of(b)
    return {value, low: value - reach, high: value + reach}
  }
  const byFigure = <T>(make: (of: (figures: Figures) => number) => T) =>
    Object.fromEntries(figureColumns.map(({key, of}) => [key, make(of)])) as Record<FigureName, T>
  const named = Object.entries({'this model': own, ...others})
  return {
    documents: 3,
    concepts: 2,
    level: 0.9,
    ...own,
    baselines: Object.fromEntries(
      Object.entries(others).map(([name, one]): [string, BaselineFigures] => {
        return [name, {...one, differences: byFigure(of => difference(of, one, own))}]
      })
    ),
    best: byFigure(of =>
      bestOf(
        named,
        (a, b) => of(a) > of(b),
        (a, b) => difference(of, a, b)
      )
    )
  }
}
