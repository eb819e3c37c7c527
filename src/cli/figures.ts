import type {Evaluation, Figures, TaggingFigures} from '../index.ts'
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
  {name: 'micro F1*', digits: 3, better: 'high', of: ({tagging}) => tagging.atThreshold.microF1},
  {name: 'macro F1*', digits: 3, better: 'high', of: ({tagging}) => tagging.atThreshold.macroF1},
  {name: 'Brier', digits: 4, better: 'low', of: ({tagging}) => tagging.brier},
  {name: 'calibration', digits: 4, better: 'low', of: ({tagging}) => tagging.calibrationError}
]

/** The figures of a model and its baselines, side by side, and in words where a simpler method did better. */
export function figureTable(evaluation: Evaluation): string {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const rows = named.map(([name, figures]) => [name, ...COLUMNS.map(column => shown(column, figures))])
  const table = textTable([['', ...COLUMNS.map(({name}) => name)], ...rows])
  return [table, remarks(evaluation), whereBeaten(evaluation)].filter(text => text !== '').join('\n\n')
}

/** What the figures mean, in one line each. */
function remarks({lastTag, tagging}: Evaluation): string {
  const {threshold} = tagging.atThreshold
  return [
    `F1: concepts are reported from a probability of 0.5 on; *: from where each method, without any tag, expects the highest F1 (this model: ${threshold.toFixed(2)}).`,
    Number.isNaN(lastTag.standardError)
      ? ''
      : `Last tag: standard error ${lastTag.standardError.toFixed(3)}, from ${lastTag.documents.toLocaleString('en')} documents; smaller differences may be chance.`,
    tagging.saturated > 0 ? saturation(tagging) : ''
  ]
    .filter(text => text !== '')
    .join('\n')
}

/** How often probabilities come true, from the lowest to the highest. */
export function reliabilityTable(tagging: TaggingFigures): string {
  const share = (p: number) => `${(100 * p).toFixed(1)}%`
  const rows = tagging.reliability.map(({meanProbability, shareFound, count}) => [
    share(meanProbability),
    share(shareFound),
    String(count)
  ])
  return `How often this model's probabilities come true, all documents and concepts together:

${textTable([['mean probability', 'found', 'predictions'], ...rows])}

${saturation(tagging)}`
}

function saturation({saturated}: TaggingFigures): string {
  if (saturated === 0) return 'No probability is exactly 0 or 1.'
  return `${Number((100 * saturated).toPrecision(2))}% of the probabilities are exactly 0 or 1: no further evidence could change them.`
}

/** A figure that no document could give is a dash. */
function shown({of, digits}: Column, figures: Figures): string {
  const value = of(figures)
  return Number.isNaN(value) ? '-' : value.toFixed(digits)
}

/** These read true tags. */
const CEILINGS = new Set(['oracle', 'supervised', 'supervised-tree', 'oracle-ml-tree', 'oracle-ml-independent'])

/** Ceilings are meant to win; when another baseline does, as far as the table shows, the user should not have to search for it. */
function whereBeaten(evaluation: Evaluation): string {
  return Object.entries(evaluation.baselines)
    .filter(([name]) => !CEILINGS.has(name))
    .flatMap(([name, figures]) => {
      const lost = COLUMNS.filter(column => {
        const gain = Number(shown(column, figures)) - Number(shown(column, evaluation))
        return column.better === 'high' ? gain > 0 : gain < 0
      })
      return lost.length === 0
        ? []
        : [`${name} does better than this model in: ${lost.map(column => column.name).join(', ')}`]
    })
    .join('\n')
}
