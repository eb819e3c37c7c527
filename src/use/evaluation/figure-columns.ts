import type {Evaluation} from './evaluate.ts'
import type {Figures} from './evaluator.ts'

/** A figure of an evaluation as tables show it. */
export interface FigureColumn {
  readonly name: string
  /** What it says, for people. */
  readonly meaning: string
  readonly digits: number
  readonly better: 'high' | 'low'
  readonly of: (figures: Figures) => number
}

const OWN = "from each method's own best probability on"

export const figureColumns: readonly FigureColumn[] = [
  {
    name: 'last tag',
    meaning: 'how often the one hidden tag of a document is found when all its others are known',
    digits: 3,
    better: 'high',
    of: ({lastTag}) => lastTag.accuracy
  },
  {
    name: 'log P(tags)',
    meaning: 'how likely the tags of a document are before it is read, as a mean logarithm; nearer to 0 is better',
    digits: 3,
    better: 'high',
    of: ({tagLogLikelihood}) => tagLogLikelihood
  },
  {
    name: 'avg. precision',
    meaning: 'how well documents are ranked for each concept, above all at the top',
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.averagePrecision
  },
  {
    name: 'AUC',
    meaning: 'how often a document that has a concept is ranked above one that has not; 0.5 is chance',
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.macroAuc
  },
  {
    name: 'micro F1',
    meaning: 'precision and recall in one, all decisions together; a concept is reported from a probability of 0.5 on',
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.microF1
  },
  {
    name: 'macro F1',
    meaning: 'the same for each concept by itself, then averaged',
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.macroF1
  },
  {
    name: 'micro F1*',
    meaning: `micro F1 ${OWN}`,
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.atThreshold.microF1
  },
  {
    name: 'macro F1*',
    meaning: `macro F1 ${OWN}`,
    digits: 3,
    better: 'high',
    of: ({tagging}) => tagging.atThreshold.macroF1
  },
  {
    name: 'Brier',
    meaning: 'mean squared error of the probabilities; lower is better',
    digits: 4,
    better: 'low',
    of: ({tagging}) => tagging.brier
  },
  {
    name: 'calibration',
    meaning: 'how far probabilities are from how often they come true; lower is better',
    digits: 4,
    better: 'low',
    of: ({tagging}) => tagging.calibrationError
  }
]

/** These read true tags, so that nobody without tags can have them: ceilings, not rivals. */
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

/** A figure that no document could give is a dash. */
export function figureText({of, digits}: FigureColumn, figures: Figures): string {
  const value = of(figures)
  return Number.isNaN(value) ? '-' : value.toFixed(digits)
}

/** Whether the first does better than the second, as far as tables show. */
export function isBetter(column: FigureColumn, a: Figures, b: Figures): boolean {
  const gain = Number(figureText(column, a)) - Number(figureText(column, b))
  return column.better === 'high' ? gain > 0 : gain < 0
}

/** Ceilings are meant to win; when another baseline does, readers should not have to search for it. */
export function whereBeaten(evaluation: Evaluation): {readonly name: string; readonly columns: readonly string[]}[] {
  return Object.entries(evaluation.baselines)
    .filter(([name]) => !isCeiling(name))
    .map(([name, figures]) => ({
      name,
      columns: figureColumns.filter(column => isBetter(column, figures, evaluation)).map(column => column.name)
    }))
    .filter(({columns}) => columns.length > 0)
}
