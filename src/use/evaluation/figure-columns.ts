import {labelledSizes} from '../baselines/index.ts'
import type {Evaluation, Figures} from './figures.ts'
import {intervalText, isClear} from './resampling.ts'
import type {FigureName} from './weighted-figures.ts'

/** A figure of an evaluation as tables show it. */
export interface FigureColumn {
  readonly key: FigureName
  readonly name: string
  /** An explanation for readers of tables. */
  readonly meaning: string
  readonly digits: number
  readonly better: 'high' | 'low'
  readonly of: (figures: Pick<Figures, 'lastTag' | 'tagLogLikelihood' | 'tagging'>) => number
}

const OWN = 'by the rule for tags that each method has or chooses for itself'

export const figureColumns: readonly FigureColumn[] = [
  high(
    'lastTag',
    'last tag',
    'how often a tag that is hidden from a document is found again, given its other tags',
    ({lastTag}) => lastTag.accuracy
  ),
  high(
    'tagLogLikelihood',
    'log P(tags)',
    'mean log-likelihood of the tags of a document before its text is read; closer to 0 is better',
    ({tagLogLikelihood}) => tagLogLikelihood
  ),
  high(
    'averagePrecision',
    'avg. precision',
    'how well documents are ranked for each concept, with most weight on the top of the list',
    ({tagging}) => tagging.averagePrecision
  ),
  high(
    'macroAuc',
    'AUC',
    'how often a document with a concept is ranked above one without; 0.5 is chance',
    ({tagging}) => tagging.macroAuc
  ),
  high(
    'microF1',
    'micro F1',
    'harmonic mean of precision and recall over all decisions; a concept is reported from a probability of 0.5',
    ({tagging}) => tagging.microF1
  ),
  high('macroF1', 'macro F1', 'F1 of each concept, averaged', ({tagging}) => tagging.macroF1),
  high('microF1AtThreshold', 'micro F1*', `micro F1 ${OWN}`, ({tagging}) => tagging.atThreshold.microF1),
  high('macroF1AtThreshold', 'macro F1*', `macro F1 ${OWN}`, ({tagging}) => tagging.atThreshold.macroF1),
  low('brier', 'Brier', 'mean squared error of the probabilities; lower is better', ({tagging}) => tagging.brier),
  low(
    'calibrationError',
    'calibration',
    'mean gap between probabilities and how often they come true; lower is better',
    ({tagging}) => tagging.calibrationError
  )
]

function high(key: FigureName, name: string, meaning: string, of: FigureColumn['of']): FigureColumn {
  return {key, name, meaning, digits: 3, better: 'high', of}
}

function low(key: FigureName, name: string, meaning: string, of: FigureColumn['of']): FigureColumn {
  return {key, name, meaning, digits: 4, better: 'low', of}
}

/** These learn from true tags, which the model does not have: they are never called best. */
const CEILINGS: ReadonlySet<string> = new Set([
  'oracle',
  'supervised',
  ...labelledSizes.map(size => `supervised-${size}`),
  'oracle-ml-tree',
  'oracle-ml-independent'
])

export function isCeiling(baseline: string): boolean {
  return CEILINGS.has(baseline)
}

/** An undefined figure (no document has it) is a dash. */
export function figureText({of, digits}: FigureColumn, figures: Figures): string {
  const value = of(figures)
  return Number.isNaN(value) ? '-' : value.toFixed(digits)
}

/** "0.690 to 0.720"; a dash for an undefined figure. */
export function figureIntervalText({key, digits}: FigureColumn, {intervals}: Figures): string {
  return intervalText(intervals[key], digits)
}

/** What a table marks in a cell: the best figure, or one without a clear difference from it. */
export function figureMark({key}: FigureColumn, method: string, {best}: Evaluation): 'best' | 'level' | undefined {
  if (best[key].methods.includes(method)) return 'best'
  return best[key].level.includes(method) ? 'level' : undefined
}

/** Whether the first is better than the second, at the precision of tables. */
export function isBetter(column: FigureColumn, a: Figures, b: Figures): boolean {
  const gain = Number(figureText(column, a)) - Number(figureText(column, b))
  return column.better === 'high' ? gain > 0 : gain < 0
}

/** A baseline, and the figures in which it is clearly better than the model; `level`: ahead, but without a clear difference. */
export interface Rival {
  readonly name: string
  readonly columns: readonly string[]
  readonly level: readonly string[]
}

/** The baselines, ceilings aside, that are ahead of the model in some figure. */
export function whereBeaten(evaluation: Evaluation): Rival[] {
  return Object.entries(evaluation.baselines)
    .filter(([name]) => !isCeiling(name))
    .map(([name, figures]) => {
      const ahead = figureColumns.filter(column => isBetter(column, figures, evaluation))
      const named = (isSure: boolean) =>
        ahead.filter(({key}) => isClear(figures.differences[key]) === isSure).map(column => column.name)
      return {name, columns: named(true), level: named(false)}
    })
    .filter(({columns, level}) => columns.length + level.length > 0)
}
