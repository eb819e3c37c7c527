import type {Evaluation} from './evaluate.ts'
import type {Figures} from './evaluator.ts'

/** A figure of an evaluation as tables show it. */
export interface FigureColumn {
  readonly name: string
  /** An explanation for readers of tables. */
  readonly meaning: string
  readonly digits: number
  readonly better: 'high' | 'low'
  readonly of: (figures: Figures) => number
}

const high = {digits: 3, better: 'high'} as const
const low = {digits: 4, better: 'low'} as const
const OWN = "at each method's own best threshold"

export const figureColumns: readonly FigureColumn[] = [
  {
    name: 'last tag',
    meaning: 'how often the one hidden tag of a document is found, given all its others',
    ...high,
    of: ({lastTag}) => lastTag.accuracy
  },
  {
    name: 'log P(tags)',
    meaning: 'how likely the tags of a document are before it is read, as a mean logarithm; nearer to 0 is better',
    ...high,
    of: ({tagLogLikelihood}) => tagLogLikelihood
  },
  {
    name: 'avg. precision',
    meaning: 'how well documents are ranked for each concept, above all at the top',
    ...high,
    of: ({tagging}) => tagging.averagePrecision
  },
  {
    name: 'AUC',
    meaning: 'how often a document with a concept is ranked above one without; 0.5 is chance',
    ...high,
    of: ({tagging}) => tagging.macroAuc
  },
  {
    name: 'micro F1',
    meaning:
      'precision and recall in one, all decisions together; concepts are reported at a probability of 0.5 or more',
    ...high,
    of: ({tagging}) => tagging.microF1
  },
  {
    name: 'macro F1',
    meaning: 'the same for each concept by itself, then averaged',
    ...high,
    of: ({tagging}) => tagging.macroF1
  },
  {name: 'micro F1*', meaning: `micro F1 ${OWN}`, ...high, of: ({tagging}) => tagging.atThreshold.microF1},
  {name: 'macro F1*', meaning: `macro F1 ${OWN}`, ...high, of: ({tagging}) => tagging.atThreshold.macroF1},
  {
    name: 'Brier',
    meaning: 'mean squared error of the probabilities; lower is better',
    ...low,
    of: ({tagging}) => tagging.brier
  },
  {
    name: 'calibration',
    meaning: 'how far probabilities are from frequencies; lower is better',
    ...low,
    of: ({tagging}) => tagging.calibrationError
  }
]

/** These learn from true tags: ceilings, not rivals. */
const CEILINGS: ReadonlySet<string> = new Set([
  'oracle',
  'supervised',
  'supervised-tree',
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

/** Whether the first is better than the second, at the precision of tables. */
export function isBetter(column: FigureColumn, a: Figures, b: Figures): boolean {
  const gain = Number(figureText(column, a)) - Number(figureText(column, b))
  return column.better === 'high' ? gain > 0 : gain < 0
}

/** The baselines, ceilings aside, that beat the model in some figure. */
export function whereBeaten(evaluation: Evaluation): {readonly name: string; readonly columns: readonly string[]}[] {
  return Object.entries(evaluation.baselines)
    .filter(([name]) => !isCeiling(name))
    .map(([name, figures]) => ({
      name,
      columns: figureColumns.filter(column => isBetter(column, figures, evaluation)).map(column => column.name)
    }))
    .filter(({columns}) => columns.length > 0)
}
