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
  /** Its standard error, where it is known: smaller differences are level. */
  readonly errorOf?: (figures: Figures) => number
}

const OWN = "at each method's own best threshold"

export const figureColumns: readonly FigureColumn[] = [
  {
    ...high(
      'last tag',
      'how often the one hidden tag of a document is found, given all its others',
      ({lastTag}) => lastTag.accuracy
    ),
    errorOf: ({lastTag}) => lastTag.standardError
  },
  high(
    'log P(tags)',
    'how likely the tags of a document are before it is read, as a mean logarithm; nearer to 0 is better',
    ({tagLogLikelihood}) => tagLogLikelihood
  ),
  high(
    'avg. precision',
    'how well documents are ranked for each concept, especially near the top',
    ({tagging}) => tagging.averagePrecision
  ),
  high(
    'AUC',
    'how often a document with a concept is ranked above one without; 0.5 is chance',
    ({tagging}) => tagging.macroAuc
  ),
  high(
    'micro F1',
    'the harmonic mean of precision and recall, all decisions together; concepts are reported at a probability of 0.5 or more',
    ({tagging}) => tagging.microF1
  ),
  high('macro F1', 'the same for each concept by itself, then averaged', ({tagging}) => tagging.macroF1),
  high('micro F1*', `micro F1 ${OWN}`, ({tagging}) => tagging.atThreshold.microF1),
  high('macro F1*', `macro F1 ${OWN}`, ({tagging}) => tagging.atThreshold.macroF1),
  low('Brier', 'mean squared error of the probabilities; lower is better', ({tagging}) => tagging.brier),
  low(
    'calibration',
    'how far probabilities are from frequencies; lower is better',
    ({tagging}) => tagging.calibrationError
  )
]

function high(name: string, meaning: string, of: FigureColumn['of']): FigureColumn {
  return {name, meaning, digits: 3, better: 'high', of}
}

function low(name: string, meaning: string, of: FigureColumn['of']): FigureColumn {
  return {name, meaning, digits: 4, better: 'low', of}
}

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

/** A baseline, and the figures in which it beats the model; `level` are those ahead by less than the standard error. */
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
      const isLevel = ({of, errorOf}: FigureColumn) =>
        errorOf !== undefined && Math.abs(of(figures) - of(evaluation)) <= errorOf(evaluation)
      const namesOf = (columns: readonly FigureColumn[]) => columns.map(column => column.name)
      return {name, columns: namesOf(ahead.filter(one => !isLevel(one))), level: namesOf(ahead.filter(isLevel))}
    })
    .filter(({columns, level}) => columns.length + level.length > 0)
}
