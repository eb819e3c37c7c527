import {learn, predictDocument, rng, topWords} from 'adfa'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel() // a synthetic emergency department; use your own documents and anchors instead
const documents = generateDocuments(truth, 5000, rng(1))
const model = await learn(documents, anchorsWithRates(truth))

console.log(model.concepts.map(({name, prevalence}) => `${name} ${(100 * prevalence).toFixed(1)}%`))
console.log(topWords(model, 1, 5).map(({word}) => word))
console.log(predictDocument(model, {features: ['etoh', 'sober', 'fall', 'head']}))
