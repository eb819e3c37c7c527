export {type Calibration, calibrate, calibrated} from './calibrate.ts'
export {type CrossFitted, type CrossFittedOptions, crossFitted, crossFittedDefaults} from './cross-fitted.ts'
export {addMultiple, CurvaturePairs} from './curvature-pairs.ts'
export {dealFolds, type FoldOptions} from './deal-folds.ts'
export {
  type Classifier,
  type ClassifierCertificate,
  fitLogistic,
  type LogisticOptions,
  logisticDefaults,
  logOdds
} from './fit-logistic.ts'
export {type CorpusRowOptions, corpusRowDefaults, corpusRows, type SparseRows, sparseRows} from './sparse-rows.ts'
