export {type Calibration, calibrate, calibrated} from './calibrate.ts'
export {
  type CrossFitted,
  type CrossFittedOptions,
  crossFitted,
  crossFittedDefaults,
  dealFolds,
  type FoldOptions
} from './cross-fitted.ts'
export {
  type Classifier,
  type ClassifierCertificate,
  fitLogistic,
  fitLogistics,
  type LogisticFit,
  type LogisticOptions,
  type LogisticTask,
  logOdds
} from './fit-logistic.ts'
export {type CorpusRowOptions, corpusRows, type SparseRows, sparseRows} from './sparse-rows.ts'
