import {
  anchorsWithRates,
  buildCorpus,
  countCorpus,
  emergencyModel,
  fit,
  generateDocuments,
  predictDocument,
  rng,
  topWords
} from 'adfa'

const truth = emergencyModel() // a synthetic emergency department; use your own documents and anchors instead
const documents = [...generateDocuments(truth, 5000, rng(1))]
const corpus = buildCorpus(documents, anchorsWithRates(truth))
const model = fit(countCorpus(corpus))

console.log(model.concepts.map(({name, prevalence}) => `${name} ${(100 * prevalence).toFixed(1)}%`))
console.log(topWords(model, 1, 5).map(({word}) => word))
console.log(predictDocument(model, {features: ['etoh', 'sober', 'fall', 'head']}))
