export {
  createLabelledReader,
  type KnownDocument,
  KnownReader,
  type LeftOut,
  MethodTraining,
  type ReadCounts
} from './evaluation.ts'
export {
  examineAnchors,
  type LearningControl,
  type LearningTask,
  learnModel,
  type Progress,
  stageWords
} from './learn.ts'
export {
  addPredicted,
  createDocumentPredictor,
  nothingPredicted,
  numbered,
  type Predicted,
  type PredictedBlock,
  type PredictionJob,
  readKnown,
  surveyDocuments,
  type TagCounts,
  type Written
} from './predict.ts'
