/** Two hospitals count separately; the sum of their counts gives, byte for byte, the model of all documents together. */
import {strictEqual} from 'node:assert'
import {buildCorpus, countCorpus, fit, mergeCounts, readCorpus, rng, saveModel} from 'adfa'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const documents = [...generateDocuments(truth, 4000, rng(7))]
const everything = buildCorpus(documents, anchorsWithRates(truth))

// Both sites read their documents by the same lexicon: the same anchors and the same words.
const north = countCorpus(readCorpus(documents.slice(0, 1500), everything.lexicon))
const south = countCorpus(readCorpus(documents.slice(1500), everything.lexicon))

const pooled = saveModel(await fit(mergeCounts([north, south])))
strictEqual(pooled, saveModel(await fit(countCorpus(everything))))
console.log(`the pooled model is the central one: ${pooled.length} equal characters`)
