export {
  anchorsWithRates,
  type Concept,
  composeModel,
  distributionFault,
  type Model,
  type WordModel
} from './model.ts'
export {loadModel, saveModel} from './model-file.ts'
export {type TopWord, topWeights, topWords, type WeightedWord, wordNamer} from './top-words.ts'
export {sampleShare, type TrainingCheck, type TrainingMarks, trainingCheck, trainingMarks} from './training-marks.ts'
export {unshownWords} from './unshown-words.ts'
