import type {BaselineFigures, Evaluation, Figures, TaggingFigures} from './evaluation.ts'
import {expectedBest, taggingFigures} from './evaluator.ts'
import {figureValue, isBetter} from './figure-columns.ts'
import {bestOf, type Estimate} from './intervals.ts'
import {byFigure, createFigures, type FigureName, type JudgedConcept, type Judgement} from './weighted-figures.ts'

type Columns = readonly (readonly number[])[]

/** Probabilities and labels by concept, of documents 0, 1 and so on. */
export function columnsOf(probabilities: Columns, labels: Columns): Omit<JudgedConcept, 'tagged'>[] {
  return probabilities.map((own, i) => ({documents: [...own.keys()], probabilities: own, labels: labels[i]}))
}

/** The figures of all documents, each of weight 1. */
export function plainFigures(judgement: Judgement) {
  return createFigures(judgement)(judgement.lastTag.map(() => 1))
}

export function taggingOf(probabilities: Columns, labels: Columns, threshold?: number): TaggingFigures {
  const {rule, concepts} = expectedBest(columnsOf(probabilities, labels), threshold)
  const none = Array.from({length: Math.max(...probabilities.map(({length}) => length))}, () => Number.NaN)
  return taggingFigures(concepts, rule, plainFigures({concepts, lastTag: none, logTags: none}))
}

/** Intervals of all figures. */
export function withRanges(figures: Omit<Figures, 'intervals' | 'perConcept'>, reach = 0.01): Figures {
  const intervals = byFigure(key => {
    const value = figureValue(figures, key)
    return {low: value - reach, high: value + reach}
  })
  return {...figures, intervals, perConcept: []}
}

/** An evaluation in which a difference of more than `reach` is clear. */
export function evaluationOf(own: Figures, others: Readonly<Record<string, Figures>>, reach = 0): Evaluation {
  const difference = (key: FigureName, a: Figures, b: Figures): Estimate => {
    const value = figureValue(a, key) - figureValue(b, key)
    return {value, low: value - reach, high: value + reach}
  }
  const baselines = Object.entries(others).map(([name, one]): [string, BaselineFigures] => {
    return [name, {...one, differences: byFigure(key => difference(key, one, own))}]
  })
  return {
    documents: 3,
    concepts: 2,
    level: 0.9,
    ...own,
    baselines: Object.fromEntries(baselines),
    best: byFigure((key, column) =>
      bestOf(
        Object.entries({'this model': own, ...others}),
        (a, b) => isBetter(column, a, b),
        (a, b) => difference(key, a, b)
      )
    )
  }
}
