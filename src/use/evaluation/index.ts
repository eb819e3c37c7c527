export {createModelAnswers, evaluate, type ModelAnswers, openEvaluation} from './evaluate.ts'
export type {Evaluation, Figures, TaggingFigures} from './evaluation.ts'
export {
  evaluationRemarks,
  groupText,
  labelsUsedText,
  learnedNote,
  methodText,
  overconfidenceText,
  rivalText,
  saturationText
} from './evaluation-words.ts'
export {
  figureIntervalText,
  figureMark,
  figureText,
  isCeiling,
  type Rival,
  whereBeaten
} from './figure-columns.ts'
export {labelsFor} from './figure-intervals.ts'
export {type Best, isClear} from './intervals.ts'
export {type LabelEvaluation, OpenLabelEvaluation} from './label-evaluation.ts'
export {
  type DecisionEstimates,
  isAhead,
  LabelEvaluator,
  labelFigureText
} from './label-figures.ts'
export {comparisonSteps, OracleTrainer, trainComparisons} from './refits.ts'
export {
  type ConceptMistakes,
  type FigureColumn,
  type FigureName,
  figureColumns,
  type ReliabilityBin,
  type WrongDocument
} from './weighted-figures.ts'
