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
  type LogisticOptions,
  logisticDefaults,
  logOdds
} from './fit-logistic.ts'
export {addMultiple, Descent} from './lbfgs.ts'
export {type CorpusRowOptions, corpusRowDefaults, corpusRows, type SparseRows, sparseRows} from './sparse-rows.ts'
