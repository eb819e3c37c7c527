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
