import {expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {type Corpus, type CorpusDocument, encodeCorpus, parseRow} from '../read/data/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {chooseWords} from './choose-words.ts'
import {fit} from './fit.ts'
import {anchorsWithRates} from './model/index.ts'

const truth = randomModel({concepts: 5, words: 60, wordsPerConcept: 15, prevalence: [0.1, 0.3]}, rng(1))
const lexicon = {...truth.lexicon, anchors: anchorsWithRates(truth)}
const independent = encodeCorpus(
  Array.from(generateDocuments(truth, 1800, rng(2)), row => parseRow(row, {text: []}, row.id)),
  lexicon
).documents.map(document => ({...document, labels: undefined}))
/** Text in which words come in groups of 12: one that occurs brings the others. */
const grouped = independent.map(document => {
  const groups = new Set(document.words.map(j => j % 5))
  return {...document, words: Array.from({length: 60}, (_, j) => j).filter(j => groups.has(j % 5))}
})

async function choose(documents: readonly CorpusDocument[], seed = 0) {
  const corpus: Corpus = {lexicon, documents}
  const model = await fit(countCorpus(corpus), {noise: 'given', words: 'weights', seed}, {documents: corpus})
  return {model, choice: await chooseWords(model, corpus, {seed}, {})}
}

test('chooseWords(...) takes noisy-or links where words are independent given the concepts, and states the evidence', async () => {
  const {choice} = await choose(independent)
  expect(choice?.wordModel).toMatchObject({kind: 'noisy-or'})
  const {chosen, anchors} = choice?.certificate ?? {}
  expect([chosen, anchors?.documents]).toEqual(['noisy-or', 600])
  expect(Number(anchors?.links) - Number(anchors?.weights)).toBeGreaterThan(3 * Number(anchors?.standardError))
})

test('chooseWords(...) keeps word weights where words repeat each other', async () => {
  const {model, choice} = await choose(grouped)
  expect(choice?.wordModel).toBe(model.wordModel)
  expect(choice?.certificate.chosen).toBe('weights')
})

test('chooseWords(...) has no opinion with few documents and no labels', async () => {
  expect((await choose(independent.slice(0, 599))).choice).toBeUndefined()
})
