/**
 * adfa/synthetic: models with known truth, and documents drawn from them.
 *
 *     import {emergencyModel, generateDocuments} from 'adfa/synthetic'
 *
 *     const documents = [...generateDocuments(emergencyModel(), 1000, rng(1))]   // {id, features, tags}
 */
export {anchorsWithRates} from '../../learn/model/index.ts'
export {emergencyModel} from './emergency-model.ts'
export {type RandomModelOptions, randomModel, randomModelDefaults} from './random-model.ts'
export {type GeneratedDocument, generateDocuments, type Sample, sampleModel} from './sample.ts'
