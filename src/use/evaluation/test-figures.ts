import {figureColumns} from './figure-columns.ts'
import type {BaselineFigures, Evaluation, Figures} from './figures.ts'
import {bestOf, type LabelFigure} from './resampling.ts'
import {type TaggingFigures, taggingFigures} from './tagging-figures.ts'
import {type Columns, createFigures, expectedBest, type FigureName} from './weighted-figures.ts'

/** The figures of probabilities and labels by concept, of documents 0, 1 and so on. */
export function taggingOf(probabilities: Columns, labels: Columns, own = expectedBest(probabilities)): TaggingFigures {
  const numbers = probabilities.map(column => Array.from(column, (_, at) => at))
  const documents = Math.max(...probabilities.map(({length}) => length))
  const none = new Array<number>(documents).fill(Number.NaN)
  const judgement = {probabilities, labels, numbers, tagged: own.tagged, lastTag: none, logTags: none}
  return taggingFigures(judgement, own, createFigures(judgement)(none.fill(1)))
}

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
