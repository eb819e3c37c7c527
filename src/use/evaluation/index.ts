export {createModelAnswers, evaluate, type ModelAnswers, openEvaluation} from './evaluate.ts'
export type {Evaluation, Figures, LabelsWorth, TaggingFigures} from './evaluation.ts'
export {figureMark, figureText, isCeiling, type Rival, whereBeaten} from './figure-columns.ts'
export {labelsFor} from './figure-intervals.ts'
export type {GroupFigures} from './group-figures.ts'
export {type Best, type Estimate, intervalText} from './intervals.ts'
export {type LabelEvaluation, OpenLabelEvaluation} from './label-evaluation.ts'
export {type DecisionEstimates, LabelEvaluator} from './label-figures.ts'
export {comparisonSteps, OracleTrainer, type TrainedKind, type Untrained} from './refits.ts'
export {
  type ConceptMistakes,
  type FigureName,
  figureColumns,
  type ReliabilityBin,
  type WrongDocument
} from './weighted-figures.ts'
