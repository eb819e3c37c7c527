import type {Evaluation, Figures} from '../index.ts'
import {textTable} from './text.ts'

interface Column {
  readonly name: string
  readonly digits: number
  readonly better: 'high' | 'low'
  readonly of: (figures: Figures) => number
}

const COLUMNS: readonly Column[] = [
  {name: 'last tag', digits: 3, better: 'high', of: ({lastTag}) => lastTag.accuracy},
  {name: 'log P(tags)', digits: 3, better: 'high', of: ({tagLogLikelihood}) => tagLogLikelihood},
  {name: 'avg. precision', digits: 3, better: 'high', of: ({tagging}) => tagging.averagePrecision},
  {name: 'AUC', digits: 3, better: 'high', of: ({tagging}) => tagging.macroAuc},
  {name: 'micro F1', digits: 3, better: 'high', of: ({tagging}) => tagging.microF1},
  {name: 'macro F1', digits: 3, better: 'high', of: ({tagging}) => tagging.macroF1},
  {name: 'Brier', digits: 4, better: 'low', of: ({tagging}) => tagging.brier},
  {name: 'calibration', digits: 4, better: 'low', of: ({tagging}) => tagging.calibrationError}
]

/** The figures of a model and its baselines, side by side, and in words where a simpler method did better. */
export function figureTable(evaluation: Evaluation): string {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const rows = named.map(([name, figures]) => [name, ...COLUMNS.map(column => shown(column, figures))])
  const table = textTable([['', ...COLUMNS.map(({name}) => name)], ...rows])
  const beaten = whereBeaten(evaluation)
  return beaten === '' ? table : `${table}\n\n${beaten}`
}

/** A figure that no document could give is a dash. */
function shown({of, digits}: Column, figures: Figures): string {
  const value = of(figures)
  return Number.isNaN(value) ? '-' : value.toFixed(digits)
}

/** These read true tags. */
const CEILINGS = new Set(['oracle', 'supervised', 'supervised-tree', 'oracle-ml-tree', 'oracle-ml-independent'])

/** Ceilings are meant to win; when another baseline does, the user should not have to search for it. */
function whereBeaten(evaluation: Evaluation): string {
  return Object.entries(evaluation.baselines)
    .filter(([name]) => !CEILINGS.has(name))
    .flatMap(([name, figures]) => {
      const lost = COLUMNS.filter(({of, better}) =>
        better === 'high' ? of(figures) > of(evaluation) : of(figures) < of(evaluation)
      )
      return lost.length === 0
        ? []
        : [`${name} does better than this model in: ${lost.map(column => column.name).join(', ')}`]
    })
    .join('\n')
}
