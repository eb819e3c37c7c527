export {emergencyModel} from './emergency-model.ts'
export {type RandomModelOptions, randomModel, randomModelDefaults} from './random-model.ts'
export {type GeneratedDocument, generateDocuments, type Sample, sampleModel} from './sample.ts'
