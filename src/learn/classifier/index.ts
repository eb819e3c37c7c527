export {crossFitted, crossFittedDefaults, dealFolds, type FoldOptions} from './cross-fitted.ts'
export {type Classifier, fitLogistic, type LogisticOptions, logOdds} from './fit-logistic.ts'
export {isotonicRegression} from './isotonic-regression.ts'
export {corpusRows, type SparseRows, sparseRows} from './sparse-rows.ts'
