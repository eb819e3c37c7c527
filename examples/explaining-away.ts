/**
 * Explaining away, the paper's case: pneumonia and cellulitis both cause severe sepsis. Sepsis makes pneumonia likely; once
 * cellulitis is also known to be present, sepsis is explained and pneumonia is unlikely again. This requires a concept with
 * two parents: in a tree the same knowledge changes nothing.
 */
import {buildCorpus, countCorpus, fit, type Model, rng} from 'adfa'
import {directedNetwork} from 'adfa/network'
import {infer} from 'adfa/predict'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const counts = countCorpus(buildCorpus(generateDocuments(truth, 20_000, rng(1)), anchorsWithRates(truth)))
// These visits are drawn from a model: their false anchors are independent noise, as the paper assumes.
const network = await fit(counts, {preset: 'paper', network: 'indegree:2'})
const tree = await fit(counts, {preset: 'paper', network: 'tree'})

for (const model of [network, tree]) {
  const parents = directedNetwork(model.network).parents[place('severe sepsis')].map(k => model.concepts[k].name)
  console.log(`${model.options.network}: severe sepsis <- ${parents.join(', ')}`)
}

console.log('\nP(pneumonia | ...)                truth network    tree')
for (const present of [[], ['cellulitis'], ['severe sepsis'], ['severe sepsis', 'cellulitis']]) {
  const chances = [truth, network, tree].map(model => percent(pneumonia(model, present)))
  console.log(`${(present.join(', ') || 'nothing known').padEnd(32)} ${chances.join('  ')}`)
}

/** P(pneumonia | the concepts that are present), without a document. */
function pneumonia(model: Model, present: readonly string[]): number {
  const known = model.concepts.map(({name}) => (present.includes(name) ? 1 : -1))
  const nothing = {words: [], anchors: [], members: []}
  return infer(model, nothing, {known, anchors: 'hidden', words: 'hidden'}).probabilities[place('pneumonia')]
}

function place(name: string): number {
  return truth.concepts.findIndex(concept => concept.name === name)
}

function percent(p: number): string {
  return `${(100 * p).toFixed(1)}%`.padStart(6)
}
