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
export type {Evaluation, Figures} from './figures.ts'
export {
  type DecisionEstimates,
  isAhead,
  LabelEvaluator,
  labelFigureText
} from './label-figures.ts'
export {comparisonSteps, OracleTrainer, trainComparisons} from './refits.ts'
export {type Best, type Interval, isClear} from './resampling.ts'
export type {ReliabilityBin, TaggingFigures} from './tagging-figures.ts'
export type {FigureName} from './weighted-figures.ts'
