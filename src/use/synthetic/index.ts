export {emergencyModel} from './emergency-model.ts'
export {type GeneratedDocument, generateDocuments} from './generate-documents.ts'
export {type RandomModelOptions, randomModel, randomModelDefaults} from './random-model.ts'
export {type Sample, sampleModel} from './sample.ts'
