import {expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {logJoint} from '../../use/prediction/index.ts'
import {infer} from '../inference/index.ts'
import {emptyDocument, emTables, logJointAt, readEvidence} from './em-document.ts'
import {enumerateStates, stateSampler, type WeightedStates} from './sample-states.ts'
import {drawCorpus, plainLogEvidence, smallModel} from './test-corpora.ts'

const model = smallModel(3, 5, 12)
const {documents} = drawCorpus(model, 12, 4)
const tables = emTables(model)

function marginals({states, weights}: WeightedStates): number[] {
  return model.concepts.map((_, i) => states.reduce((sum, y, at) => sum + y[i] * weights[at], 0))
}

it('logJointAt(...) and enumerateStates(...) agree with inference', () => {
  const document = emptyDocument(5)
  for (const evidence of documents) {
    readEvidence(document, tables, evidence)
    const exact = enumerateStates(document, tables)
    for (const state of [0, 7, 19, 31])
      expect(logJointAt(document, tables, exact.states[state])).toBeCloseTo(
        logJoint(model, evidence, Array.from(exact.states[state])),
        10
      )
    expect(exact.bound).toBeCloseTo(plainLogEvidence(model, evidence), 10)
    const {probabilities} = infer(model, evidence, {method: 'exact'})
    marginals(exact).forEach((p, i) => {
      expect(p).toBeCloseTo(probabilities[i], 10)
    })
  }
})

it('stateSampler(...) draws from the posterior, and its bound lies below log P(document) and near it', () => {
  const document = emptyDocument(5)
  const sampler = stateSampler(tables, {samples: 4000, burnIn: 20})
  documents.slice(0, 4).forEach((evidence, d) => {
    readEvidence(document, tables, evidence)
    const drawn = sampler(document, new Uint8Array(5), rng(d))
    const exact = enumerateStates(document, tables)
    expect(drawn.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
    expect(drawn.bound).toBeLessThanOrEqual(exact.bound)
    expect(drawn.bound).toBeGreaterThan(exact.bound - 0.05)
    // Five standard errors of 4,000 draws, taken as worth 1,000 independent ones: 5 * sqrt(0.25 / 1000) = 0.08.
    const truth = marginals(exact)
    marginals(drawn).forEach((p, i) => {
      expect(Math.abs(p - truth[i])).toBeLessThan(0.08)
    })
  })
})

it('stateSampler(...) is as good when odds would underflow: absent and present words that weigh e^1100 each', () => {
  const words = Array.from({length: 2940}, (_, j) => j)
  const wide = {
    ...model,
    loadings: {
      conceptCount: 5,
      wordCount: words.length,
      failure: new Float64Array(5 * words.length).fill(0.4),
      leak: new Float64Array(words.length).fill(0.4)
    }
  }
  const wideTables = emTables(wide)
  const document = emptyDocument(5)
  readEvidence(document, wideTables, {words: words.slice(0, 1734), anchors: [0], members: []})
  const drawn = stateSampler(wideTables, {samples: 100, burnIn: 20})(document, new Uint8Array(5), rng(1))
  const exact = enumerateStates(document, wideTables)
  // The anchor's concept is on for sure, nearly; a chain that cannot see it stays with the empty state.
  expect(marginals(exact)[0]).toBeGreaterThan(0.9)
  expect(marginals(drawn)[0]).toBeGreaterThan(0.8)
  expect(drawn.bound).toBeGreaterThan(exact.bound - 0.2)
})

it('stateSampler(...) lets a word without any cause yet say nothing of concepts that cannot cause it', () => {
  const bare = {
    ...model,
    loadings: {
      conceptCount: 5,
      wordCount: 1,
      failure: Float64Array.of(1, 1, 1, 1, 0.5),
      leak: Float64Array.of(0)
    }
  }
  const bareTables = emTables(bare)
  const document = emptyDocument(5)
  readEvidence(document, bareTables, {words: [0], anchors: [], members: []})
  const sampler = stateSampler(bareTables, {samples: 1, burnIn: 0})
  let first = 0
  for (let run = 0; run < 100; run++) {
    const y = new Uint8Array(5)
    sampler(document, y, rng(run))
    first += y[0]
    expect(y[4]).toBe(1)
  }
  expect(first).toBeLessThan(70)
})
