export {composeModel} from './compose-model.ts'
export type {Channel, Latent, Model} from './model.ts'
export {loadModel, saveModel} from './model-file.ts'
export {validateModel} from './validate-model.ts'
