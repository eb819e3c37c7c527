export {
  anchorsWithRates,
  type Concept,
  composeModel,
  type Model,
  type WordModel
} from './model.ts'
export {loadModel, saveModel} from './model-file.ts'
export {type TopWord, topWeights, topWords, unshownWords, type WeightedWord, wordNamer} from './shown-words.ts'
export {sampleShare, type TrainingMarks, trainingCheck, trainingMarks} from './training-marks.ts'
