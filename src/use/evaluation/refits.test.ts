import {expect, test} from 'vitest'
import {type BayesNetwork, directedNetwork, networkEdges, networkTable} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {fit} from '../../learn/fit.ts'
import {anchorsWithRates, type Model} from '../../learn/model/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import {randomModel, sampleModel} from '../synthetic/index.ts'
import {fitIndependent, OracleTrainer} from './refits.ts'
import {nothing} from './test-predictors.ts'

const documentCount = 40_000

/** A model with known truth, and the oracle learned from documents drawn from it, without a floor under the leaks. */
async function learnOracle(): Promise<{truth: Model<BayesNetwork>; oracle: Model}> {
  const drawn = randomModel({concepts: 5, words: 30, wordsPerConcept: 8, prevalence: [0.1, 0.3]}, rng(2))
  const truth = {...drawn, options: {preset: 'paper', network: 'indegree:1'}}
  const trainer = new OracleTrainer(truth)
  for (const {y, evidence} of sampleModel(truth, documentCount, rng(3))) trainer.add(evidence, Int8Array.from(y))
  return {truth, oracle: await trainer.finish()}
}

const learned = await learnOracle()

test('OracleTrainer finds the edges and pair tables of the true tree on many documents', () => {
  const {truth, oracle} = learned
  const edges = ({network}: Model) => networkEdges(network).map(edge => edge.toSorted((a, b) => a - b).join())
  expect(edges(oracle).toSorted()).toEqual(edges(truth).toSorted())
  for (const [i, k] of networkEdges(truth.network)) {
    const found = networkTable(directedNetwork(oracle.network), [i, k])
    networkTable(truth.network, [i, k]).forEach((p, cell) => {
      // 5 standard errors of a share, and the shrinkage towards independence of 10/N, which moves a cell by less than itself.
      const tolerance = 5 * Math.sqrt((p * (1 - p)) / documentCount) + 10 / documentCount
      expect(Math.abs(found[cell] - p)).toBeLessThan(tolerance)
    })
  }
})

test('OracleTrainer learns a network of the same structure as the model, under the same rules', async () => {
  const drawn = randomModel({concepts: 4, words: 5, wordsPerConcept: 2}, rng(2))
  const names = drawn.concepts.map(({name}) => name)
  const edges = {
    forbid: names.slice(1).map(name => [name, names[0]]),
    require: [
      [names[0], names[3]],
      [names[1], names[3]]
    ]
  }
  const truth = {...drawn, options: {preset: 'robust', network: 'indegree:2', edges}}
  const trainer = new OracleTrainer(truth)
  for (const {y, evidence} of sampleModel(truth, 500, rng(3))) trainer.add(evidence, Int8Array.from(y))
  const {parents} = directedNetwork((await trainer.finish()).network)
  expect(parents[0]).toEqual([])
  expect(parents[3].toSorted()).toEqual([0, 1])
})

test('OracleTrainer keeps the concepts, the reading and the anchor rates of the model it stands beside', () => {
  const {truth, oracle} = learned
  expect(oracle.lexicon).toEqual(truth.lexicon)
  const rates = ({concepts}: Model) =>
    concepts.map(({name, truePositive, falsePositive}) => ({name, truePositive, falsePositive}))
  expect(rates(oracle)).toEqual(rates(truth))
  oracle.concepts.forEach(({prevalence}, i) => {
    const p = truth.concepts[i].prevalence
    expect(Math.abs(prevalence - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / documentCount))
  })
})

test('OracleTrainer never looks at the anchors, and leaves out documents whose tags are not all known', async () => {
  const model = randomModel({concepts: 3, words: 25}, rng(5))
  const learn = async (change: (evidence: Evidence) => Evidence, isMixed = false) => {
    const trainer = new OracleTrainer(model)
    for (const {y, evidence} of sampleModel(model, 400, rng(6))) {
      trainer.add(change(evidence), Int8Array.from(y))
      if (isMixed) trainer.add(nothing, Int8Array.of(-1, 1, 1))
    }
    return trainer.finish()
  }
  const plain = await learn(evidence => evidence)
  expect(await learn(evidence => ({...evidence, anchors: [], members: []}))).toEqual(plain)
  expect(await learn(evidence => evidence, true)).toEqual(plain)
})

test('OracleTrainer.finish() says so when no training document has its tags known', async () => {
  const trainer = new OracleTrainer(randomModel({concepts: 2, words: 25}, rng(5)))
  trainer.add(nothing, Int8Array.of(1, -1))
  await expect(() => trainer.finish()).rejects.toThrow(/training.*tags/)
})

/** Documents of a random model and, fitted on half of them, a model that has a network. */
async function example(): Promise<{model: Model; half: Corpus['documents']; rest: Corpus['documents']}> {
  const truth = randomModel({concepts: 5, words: 30, wordsPerConcept: 8, prevalence: [0.1, 0.3]}, rng(3))
  const lexicon = {...truth.lexicon, anchors: anchorsWithRates(truth)}
  const documents = Array.from(sampleModel(truth, 3000, rng(4)), ({evidence, y}, d) => ({
    key: String(d),
    ...evidence,
    labels: Int8Array.from(y)
  }))
  const half = documents.slice(0, 1500)
  const model = await fit(countCorpus({lexicon, documents: half}), {
    network: 'tree',
    shrinkage: 0.02
  })
  return {model, half, rest: documents.slice(1500)}
}

test('fitIndependent(...) keeps rates, words and options, drops every edge, and reads words by noisy-or', async () => {
  const {model, half, rest} = await example()
  const independent = await fitIndependent(model, rest)
  expect(networkEdges(model.network)).not.toEqual([])
  expect(independent.network).toMatchObject({parents: model.concepts.map(() => [])})
  expect([model.wordModel.kind, independent.wordModel.kind]).toEqual(['weights', 'noisy-or'])
  expect(independent.lexicon.words).toEqual(model.lexicon.words)
  const rates = ({concepts}: Model) => concepts.map(({name, truePositive: t, falsePositive: e}) => [name, t, e])
  expect(rates(independent)).toEqual(rates(model))
  expect(independent.options).toMatchObject({shrinkage: 0.02, documents: 1500})
  expect(independent.loadings).not.toEqual((await fitIndependent(model, half)).loadings)
  const untagged = rest.map(document => ({...document, labels: undefined}))
  expect(await fitIndependent(model, untagged)).toEqual(independent)
})
