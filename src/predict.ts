/**
 * adfa/predict: what a saved model needs, and nothing that learns: the smallest bundle for a page or a service.
 *
 *     import {loadModel, predictDocument} from 'adfa/predict'
 *
 *     const model = loadModel(await (await fetch('model.json')).text(), 'model.json')
 *     predictDocument(model, {text: 'wheezing, smells of etoh'})   // {asthma: 0.83, alcohol: 0.97}
 */
export {AdfaError} from './base/checks/index.ts'
export {type InferenceOptions, infer} from './learn/inference/index.ts'
export {loadModel, type Model, topWords} from './learn/model/index.ts'
export {createPredictor, type Explanation, explain, predictDocument, readDocument} from './use/prediction/index.ts'
