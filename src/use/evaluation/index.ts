export type {ConceptFigures, WrongDocument} from './concept-figures.ts'
export {
  createModelAnswers,
  type Evaluation,
  evaluate,
  type ModelAnswers,
  type OpenEvaluation,
  openEvaluation
} from './evaluate.ts'
export {type LabelEvaluation, labelsUsedText, OpenLabelEvaluation} from './evaluate-labels.ts'
export {
  evaluationRemarks,
  groupText,
  learnedNote,
  methodText,
  rivalText,
  saturationText
} from './evaluation-words.ts'
export type {Figures} from './evaluator.ts'
export {type FigureColumn, figureColumns, figureText, isBetter, isCeiling, whereBeaten} from './figure-columns.ts'
export type {GroupFigures} from './group-figures.ts'
export {
  type ConceptEstimates,
  type DecisionEstimates,
  LabelEvaluator,
  type LabelFigure,
  type LabelFigures,
  labelFigureText
} from './label-figures.ts'
export {OracleTrainer} from './refits.ts'
export type {ReliabilityBin, TaggingFigures, ThresholdFigures} from './tagging-figures.ts'
export {type OnTrained, trainComparisons} from './train-comparisons.ts'
