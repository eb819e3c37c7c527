/** Moments of any order: the joint table of three conditions, or of two conditions and a word, with its certificate. */
import {buildCorpus, countCorpus, estimateNoise, rng} from 'adfa'
import {recoverTable} from 'adfa/moments'
import {networkTable} from 'adfa/network'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const corpus = buildCorpus(generateDocuments(truth, 50_000, rng(3)), anchorsWithRates(truth))
const counts = countCorpus(corpus)
const noise = estimateNoise(counts, 'given')

const concepts = ['severe sepsis', 'cellulitis', 'pneumonia'].map(name =>
  truth.concepts.findIndex(concept => concept.name === name)
)
const {mu, certificate} = recoverTable(counts, noise, {concepts})
const exact = networkTable(truth.network, concepts)
console.log('P(sepsis, cellulitis, pneumonia), recovered and true:')
for (const [cell, p] of mu.entries())
  console.log(cell.toString(2).padStart(3, '0'), p.toFixed(4), exact[cell].toFixed(4))
console.log(certificate)

const words = [counts.lexicon.words.indexOf('lactate')]
console.log('P(sepsis, lactate):', recoverTable(counts, noise, {concepts: concepts.slice(0, 1), words}).mu)
