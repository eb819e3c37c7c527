export type {ConceptMistakes, WrongDocument} from './concept-mistakes.ts'
export {createModelAnswers, evaluate, type ModelAnswers, openEvaluation} from './evaluate.ts'
export {type LabelEvaluation, labelsUsedText, OpenLabelEvaluation} from './evaluate-labels.ts'
export {
  evaluationRemarks,
  groupText,
  learnedNote,
  methodText,
  overconfidenceText,
  rivalText,
  saturationText
} from './evaluation-words.ts'
export {
  type FigureColumn,
  figureColumns,
  figureIntervalText,
  figureMark,
  figureText,
  isCeiling,
  whereBeaten
} from './figure-columns.ts'
export {labelsFor} from './figure-intervals.ts'
export type {BaselineFigures, Evaluation, Figures} from './figures.ts'
export type {GroupFigures} from './group-figures.ts'
export {
  type ConceptEstimates,
  type DecisionEstimates,
  isAhead,
  LabelEvaluator,
  type LabelFigures,
  labelFigureText
} from './label-figures.ts'
export {comparisonSteps, type OnTrained, OracleTrainer, trainComparisons} from './refits.ts'
export {type Best, type Interval, isClear, type LabelFigure} from './resampling.ts'
export type {ReliabilityBin, TaggingFigures, ThresholdFigures} from './tagging-figures.ts'
export type {FigureName} from './weighted-figures.ts'
