import type {Evaluation, Figures} from './evaluation.ts'
import {type Interval, isClear} from './intervals.ts'
import type {LabelEvaluation} from './label-evaluation.ts'
import {isAhead} from './label-figures.ts'
import {type FigureColumn, type FigureName, figureColumns} from './weighted-figures.ts'

export function figureValue(
  {lastTag, tagLogLikelihood, tagging}: Pick<Figures, 'lastTag' | 'tagLogLikelihood' | 'tagging'>,
  key: FigureName
): number {
  const {microF1: microF1AtThreshold, macroF1: macroF1AtThreshold} = tagging.atThreshold
  return {...tagging, lastTag: lastTag.accuracy, tagLogLikelihood, microF1AtThreshold, macroF1AtThreshold}[key]
}

/** Whether a method learns from true tags, which the model does not have: such a ceiling is never called best. */
export function isCeiling(baseline: string): boolean {
  return /^(oracle|supervised)(-|$)/.test(baseline)
}

/** An undefined figure (no document has it) is a dash. */
export function figureText({key, digits}: FigureColumn, figures: Figures): string {
  const value = figureValue(figures, key)
  return Number.isNaN(value) ? '-' : value.toFixed(digits)
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
export function whereBeaten(evaluation: Evaluation | LabelEvaluation): Rival[] {
  const rivals =
    'micro' in evaluation
      ? Object.entries(evaluation.baselines).map(([name, own]) => {
          const ahead = LABEL_FIGURES.filter(([key]) => isAhead(own[key], evaluation.micro[key]))
          return rival(name, ahead, key => own.differences[key])
        })
      : Object.entries(evaluation.baselines)
          .filter(([name]) => !isCeiling(name))
          .map(([name, own]) => {
            const ahead = figureColumns.filter(column => isBetter(column, own, evaluation))
            return rival(
              name,
              ahead.map(column => [column.key, column.name] as const),
              key => own.differences[key]
            )
          })
  return rivals.filter(({columns, level}) => columns.length + level.length > 0)
}

function rival<Key>(
  name: string,
  ahead: readonly (readonly [key: Key, name: string])[],
  difference: (key: Key) => Interval
): Rival {
  const named = (isSure: boolean) =>
    ahead.filter(([key]) => isClear(difference(key)) === isSure).map(([, column]) => column)
  return {name, columns: named(true), level: named(false)}
}

const LABEL_FIGURES = [
  ['f1', 'F1'],
  ['precision', 'precision'],
  ['recall', 'recall']
] as const
