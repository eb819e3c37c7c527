import {describe, expect, it} from 'vitest'
import type {BayesNetwork} from '../base/network/index.ts'
import {rng} from '../base/numeric/index.ts'
import type {Corpus, CorpusDocument, Evidence} from '../read/data/index.ts'
import {randomModel, sampleModel} from '../use/synthetic/index.ts'
import {countCauses, emptyCounts, runEm, stateSampler, updateLoadings, type WeightedStates} from './em.ts'
import {buildTables} from './inference/index.ts'
import {plainLogJoint} from './inference/test-models.ts'
import type {Model} from './model/index.ts'

/** A small model with known truth. */
function smallModel(seed: number, concepts = 4, words = 10): Model<BayesNetwork> {
  return randomModel(
    {concepts, words, wordsPerConcept: Math.ceil(words / 2), prevalence: [0.1, 0.4], failure: [0.2, 0.9]},
    rng(seed)
  )
}

function drawCorpus(model: Model, count: number, seed: number): Pick<Corpus, 'documents'> {
  const documents = Array.from(
    sampleModel(model, count, rng(seed)),
    ({y, evidence}, at): CorpusDocument => ({key: String(at), ...evidence, labels: Int8Array.from(y)})
  )
  return {documents}
}

/** The same model with failures and leaks moved halfway to random ones. */
function disturbed(model: Model<BayesNetwork>, seed: number): Model<BayesNetwork> {
  const random = rng(seed)
  const {failure, leak} = model.loadings
  return {
    ...model,
    loadings: {
      ...model.loadings,
      failure: failure.map(f => (f === 1 ? 1 : 0.5 * f + 0.5 * (0.05 + 0.94 * random.next()))),
      leak: leak.map(l => l * (0.5 + random.next()))
    }
  }
}

/** The exact posterior of a document's concepts, from the joint of every state; its bound is log P(x, a). */
function allStates(model: Model<BayesNetwork>, evidence: Evidence): WeightedStates {
  const m = model.concepts.length
  const states = Array.from({length: 2 ** m}, (_, state) => Uint8Array.from({length: m}, (_, i) => (state >> i) & 1))
  const logJoints = states.map(y => plainLogJoint(model, evidence, y))
  const top = Math.max(...logJoints)
  const bound = top + Math.log(logJoints.reduce((sum, value) => sum + Math.exp(value - top), 0))
  return {states, weights: logJoints.map(value => Math.exp(value - bound)), bound}
}

/** One step of EM with the exact E-step, and the mean log-likelihood before it. */
function exactStep(model: Model<BayesNetwork>, {documents}: Pick<Corpus, 'documents'>) {
  const tables = buildTables(model)
  const counts = emptyCounts(tables)
  let logLikelihood = 0
  for (const document of documents) {
    const q = allStates(model, document)
    countCauses(counts, tables, document.words, q)
    logLikelihood += q.bound / documents.length
  }
  return {model: {...model, loadings: updateLoadings(counts, tables, model.loadings)}, logLikelihood}
}

/** Root mean square error of the failures of edges that exist. */
function failureError(model: Model, truth: Model): number {
  const edges = [...truth.loadings.failure.entries()].filter(([, f]) => f < 1)
  return Math.sqrt(edges.reduce((sum, [cell, f]) => sum + (model.loadings.failure[cell] - f) ** 2, 0) / edges.length)
}

describe('runEm(...)', () => {
  const truth = smallModel(21, 4, 12)
  const start = disturbed(truth, 22)
  const corpus = drawCorpus(truth, 300, 23)

  it('runEm(...) goes where the exact E-step goes, which never lowers the likelihood', () => {
    let exact = start
    const found = runEm(start, corpus, {steps: 3, samples: 100, burnIn: 10})
    let last = Number.NEGATIVE_INFINITY
    for (let step = 0; step < 3; step++) {
      const next = exactStep(exact, corpus)
      expect(next.logLikelihood).toBeGreaterThan(last)
      last = next.logLikelihood
      expect(found.bounds[step]).toBeCloseTo(last, 1)
      exact = next.model
    }
    const moved = failureError(start, exact)
    expect(moved).toBeGreaterThan(0.05)
    // 300 documents with 100 draws each: chance is far below a tenth of the way.
    expect(failureError(found.model, exact)).toBeLessThan(0.1 * moved)
  })

  it('runEm(...) repeats for the same seed, differs for another, and leaves its input alone', () => {
    const before = start.loadings.failure.slice()
    const run = (seed: number) => runEm(start, corpus, {steps: 2, seed})
    const first = run(1)
    expect(run(1)).toEqual(first)
    expect(run(2).model.loadings.failure).not.toEqual(first.model.loadings.failure)
    expect(start.loadings.failure).toEqual(before)
  })
})

describe('stateSampler(...)', () => {
  const model = smallModel(3, 5, 12)
  const marginals = ({states, weights}: WeightedStates) =>
    model.concepts.map((_, i) => states.reduce((sum, y, at) => sum + y[i] * weights[at], 0))

  const noLeak = {...model, loadings: {...model.loadings, leak: model.loadings.leak.map((l, j) => (j % 2 ? l : 0))}}
  it.each([model, noLeak])('stateSampler(...) comes near the exact posterior (case %#)', given => {
    drawCorpus(given, 4, 4).documents.forEach((document, d) => {
      const exact = allStates(given, document)
      const drawStates = stateSampler(buildTables(given), rng(d), {samples: 4000, burnIn: 20})
      const drawn = drawStates(document, new Uint8Array(5))
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
    const share = (length: number) => new Float64Array(length).fill(0.4)
    const loadings = {conceptCount: 5, wordCount: 2940, failure: share(5 * 2940), leak: share(2940)}
    const extreme = {...model, loadings}
    const document = {words: words.slice(0, 1734), anchors: [0], members: []}
    const drawStates = stateSampler(buildTables(extreme), rng(1), {samples: 100, burnIn: 20})
    const drawn = drawStates(document, new Uint8Array(5))
    const exact = allStates(extreme, document)
    expect(marginals(exact)[0]).toBeGreaterThan(0.9)
    expect(marginals(drawn)[0]).toBeGreaterThan(0.8)
    expect(drawn.bound).toBeGreaterThan(exact.bound - 0.2)
  })
})

describe('updateLoadings(...)', () => {
  it('updateLoadings(...) repeated for a fixed q never lowers E_q[log P(x | y)], and ends at its maximum', () => {
    const start = disturbed(smallModel(1, 3, 4), 2)
    const fixed = drawCorpus(smallModel(1, 3, 4), 60, 3).documents.map(document => {
      return {words: document.words, q: allStates(start, document)}
    })
    const objective = ({failure, leak, wordCount: n}: Model['loadings']) => {
      let sum = 0
      for (const {words, q} of fixed)
        q.states.forEach((y, at) => {
          for (let j = 0; j < n; j++) {
            const off = y.reduce((product, on, i) => (on === 1 ? product * failure[i * n + j] : product), 1 - leak[j])
            sum += q.weights[at] * Math.log(words.includes(j) ? 1 - off : off)
          }
        })
      return sum
    }
    let {loadings} = start
    let value = objective(loadings)
    for (let round = 0; round < 300; round++) {
      const tables = buildTables({...start, loadings})
      const counts = emptyCounts(tables)
      for (const {words, q} of fixed) countCauses(counts, tables, words, q)
      loadings = updateLoadings(counts, tables, loadings)
      const next = objective(loadings)
      expect(next).toBeGreaterThanOrEqual(value - 1e-9)
      value = next
    }
    // No single failure or leak can be moved to gain anything.
    for (const name of ['failure', 'leak'] as const)
      loadings[name].forEach((middle, cell) => {
        if (name === 'failure' && start.loadings.failure[cell] === 1) return
        for (const move of [-0.02, -0.005, 0.005, 0.02]) {
          const moved = loadings[name].slice()
          moved[cell] = Math.min(Math.max(middle + move, 1e-3), 1 - 1e-9)
          expect(objective({...loadings, [name]: moved})).toBeLessThan(value + 1e-5)
        }
      })
  })
})

describe('runEm(...) and its caller', () => {
  const model = smallModel(31)
  const corpus = drawCorpus(model, 30, 32)

  it('runEm(...) shows the model of each step, and stops when asked to', () => {
    const seen: Model[] = []
    const {model: last} = runEm(model, corpus, {steps: 2}, {onStep: each => seen.push(each)})
    expect([seen.length, seen[0], seen[2]]).toEqual([3, model, last])
    const stop = new AbortController()
    expect(() => runEm(model, corpus, {}, {signal: stop.signal, onStep: () => stop.abort()})).toThrow(/cancelled/)
  })

  it('runEm(...) leaves out a word that nothing explains', () => {
    const {loadings} = model
    const silent = {...loadings, failure: loadings.failure.map(() => 1), leak: loadings.leak.map(() => 0)}
    const found = runEm({...model, loadings: silent}, corpus, {steps: 1})
    expect(found.model.loadings).toEqual(silent)
  })

  it('runEm(...) refuses options and documents that it cannot use', () => {
    expect(() => runEm(model, corpus, {burnIn: 0})).toThrow(/`burnIn` must be a whole number, at least 1/)
    expect(() => runEm(model, {documents: []})).toThrow(/at least one document/)
    const [document] = corpus.documents
    expect(() => runEm(model, {documents: [{...document, words: [999]}]})).toThrow(/words of a document .*; got 999/)
  })
})
