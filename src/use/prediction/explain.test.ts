import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {type BayesNetwork, logPrior} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {infer} from '../../learn/inference/index.ts'
import {
  composeTestModel,
  plainPosterior,
  type RandomModelOptions,
  randomDocument,
  randomModel
} from '../../learn/inference/test-models.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {emergencyModel} from '../synthetic/index.ts'
import type {Contribution} from './contributions.ts'
import {type ExplainOptions, explain} from './explain.ts'

const logit = (p: number) => Math.log(p) - Math.log1p(-p)
const total = (contributions: readonly Contribution[]) => contributions.reduce((sum, {logOdds}) => sum + logOdds, 0)
/** Model, document, concept and tags that the given seed makes; a third of the tags is known. */
function drawn(seed: number, shape: Partial<RandomModelOptions> = {}, share = 0.3) {
  const random = rng(seed)
  const model = randomModel(random, {conceptCount: 5, wordCount: 12, parentLimit: 2, density: 0.4, ...shape})
  const {evidence, y} = randomDocument(model, random)
  const known = Array.from(y, (tag, k) => (k > 0 && random.next() < share ? tag : -1))
  return {model, evidence, known, concept: model.concepts[0].name}
}
const seeds = fc.integer({min: 0, max: 1e6})

/**
 * The log-odds of concept 0 when only `taking` take part, by enumeration: the others are in P(Y) alone, and in words that
 * occur by their usual share.
 */
function plainOdds(
  {concepts, network, loadings}: Model<BayesNetwork>,
  evidence: Evidence,
  taking: readonly number[],
  usual: readonly number[]
) {
  const {wordCount: n, failure: f, leak} = loadings
  const sums = [0, 0]
  for (let state = 0; state < 2 ** concepts.length; state++) {
    const y = concepts.map((_, k) => (state >> k) & 1)
    let weight = Math.exp(logPrior(network, y))
    for (const k of taking) {
      const chance = y[k] ? concepts[k].truePositive : concepts[k].falsePositive
      weight *= evidence.anchors.includes(k) ? chance : 1 - chance
    }
    for (let j = 0; j < n; j++) {
      const isThere = evidence.words.includes(j)
      const off = concepts.reduce((product, _, k) => {
        if (taking.includes(k)) return product * (y[k] ? f[k * n + j] : 1)
        return isThere ? product * (1 - usual[k] * (1 - f[k * n + j])) : product
      }, 1 - leak[j])
      weight *= isThere ? 1 - off : off
    }
    sums[y[0]] += weight
  }
  return Math.log(sums[1] / sums[0])
}

describe('explain(...)', () => {
  it('explain(...) adds up to the log-odds of the posterior', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, isSure) => {
        const {model, evidence, known, concept} = drawn(seed, isSure ? {strongest: 0.001} : {})
        const {contributions, logOdds, probability} = explain(model, evidence, concept, {known})
        const truth = plainPosterior(model, evidence, {known}).probabilities[0]
        expect(probability).toBeCloseTo(truth, 10)
        expect(total(contributions)).toBeCloseTo(logOdds, 9)
        expect(logOdds).toBeCloseTo(logit(truth), 7)
      }),
      {numRuns: 60}
    )
  })

  it('explain(...) adds up to the log-odds of message passing too, and its certificate says so', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(1, 3), (seed, parentLimit) => {
        const {model, evidence, known, concept} = drawn(
          seed,
          {conceptCount: 14, wordCount: 40, parentLimit, density: 0.2},
          0.1
        )
        const {contributions, logOdds, posterior} = explain(model, evidence, concept, {
          known,
          method: 'message-passing'
        })
        expect(posterior.certificate.method).toBe('message-passing')
        const settled = infer(model, evidence, {known, method: 'message-passing', tolerance: 1e-13}).probabilities[0]
        expect(logOdds).toBeCloseTo(logit(settled), 5)
        expect(total(contributions)).toBeCloseTo(logOdds, 9)
        expect(logOdds).toBeCloseTo(logit(posterior.probabilities[0]), 5)
      }),
      {numRuns: 12}
    )
  })

  it('explain(...) gives every figure its meaning: prior, anchor, words and the fair share of each concept', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const {model, evidence: plain} = drawn(seed, {conceptCount: 3}, 0)
      const evidence = {...plain, anchors: seed % 2 === 0 ? [0, 2] : [1]}
      const {contributions, otherWords} = explain(model, evidence, 'concept 0')
      expect(otherWords).toBe(evidence.words.filter(j => model.loadings.failure[j] === 1).length)
      const usual = plainPosterior(model, evidence, {anchors: false, words: false}).probabilities
      const linked = (k: number) => model.network.parents[0].includes(k) || model.network.parents[k].includes(0)
      const value = (...others: number[]) => plainOdds(model, evidence, [0, ...others], usual)
      const shares = [
        (value(1) - value() + value(1, 2) - value(2)) / 2,
        (value(2) - value() + value(1, 2) - value(1)) / 2
      ]
      const {truePositive: t, falsePositive: e} = model.concepts[0]
      const {failure: f, leak, wordCount: n} = model.loadings
      let own = 0
      for (const item of contributions) {
        if (item.kind === 'prior') expect(item.logOdds).toBeCloseTo(logit(usual[0]), 10)
        if (item.kind === 'anchor') {
          expect(item.fired).toBe(evidence.anchors.includes(0))
          expect(item.logOdds).toBeCloseTo(Math.log(item.fired ? t / e : (1 - t) / (1 - e)), 10)
        }
        if (item.kind === 'word') {
          const j = Number(item.word.slice(5))
          expect(item.present).toBe(evidence.words.includes(j))
          const off = (1 - leak[j]) * (1 - usual[1] * (1 - f[n + j])) * (1 - usual[2] * (1 - f[2 * n + j]))
          expect(item.logOdds).toBeCloseTo(Math.log(item.present ? (1 - off * f[j]) / (1 - off) : f[j]), 10)
        }
        if (item.kind === 'concept') {
          const k = Number(item.concept.slice(8))
          expect(item.logOdds).toBeCloseTo(shares[k - 1], 9)
          expect(item.linked).toBe(linked(k))
        } else own += item.kind === 'rest' && item.of === 'concepts' ? 0 : item.logOdds
      }
      expect(own).toBeCloseTo(value(), 9)
      expect(value(1, 2)).toBeCloseTo(logit(plainPosterior(model, evidence).probabilities[0]), 9)
    }
  })

  it('explain(...) says what would be believed otherwise, as reading the changed document does', () => {
    for (const seed of [11, 12, 13]) {
      const {model, evidence, known, concept} = drawn(seed)
      const {contributions, posterior} = explain(model, evidence, concept, {known})
      const toggle = (list: readonly number[], at: number) =>
        list.includes(at) ? list.filter(other => other !== at) : [...list, at].sort((a, b) => a - b)
      const again = (changed: Partial<Evidence>, tags: readonly number[] = known) =>
        plainPosterior(model, {...evidence, ...changed}, {known: tags}).probabilities[0]
      const kinds = new Set<string>()
      for (const item of contributions) {
        kinds.add(item.kind)
        if (item.kind === 'anchor')
          expect(item.otherwise).toBeCloseTo(again({anchors: toggle(evidence.anchors, 0)}), 10)
        if (item.kind === 'word')
          expect(item.otherwise).toBeCloseTo(again({words: toggle(evidence.words, Number(item.word.slice(5)))}), 10)
        if (item.kind === 'concept' || item.kind === 'known') {
          const k = Number(item.concept.slice(8))
          const tag = item.kind === 'known' ? 1 - known[k] : Number(posterior.probabilities[k] < 0.5)
          expect(item.otherwise).toBeCloseTo(again({}, known.with(k, tag)), 10)
        }
      }
      expect([...kinds]).toEqual(expect.arrayContaining(['prior', 'anchor', 'word', 'concept']))
    }
  })

  it('explain(...) treats concepts alike that are alike, and leaves out those that have nothing to do with it', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.01}
    const model = composeTestModel(
      [rates, rates, rates, rates],
      {parents: [[], [], [], []], cpt: [0.1, 0.2, 0.2, 0.3].map(p => Float64Array.of(p))},
      {
        failure: [
          [0.4, 1],
          [0.3, 1],
          [0.3, 1],
          [1, 0.2]
        ],
        leak: [0.01, 0.1]
      }
    )
    const {contributions} = explain(model, {words: [0, 1], anchors: [], members: []}, 'concept 0')
    const concepts = contributions.flatMap(item => (item.kind === 'concept' ? [item] : []))
    expect(concepts.toSorted((a, b) => (a.concept < b.concept ? -1 : 1))).toMatchObject([
      {concept: 'concept 1', linked: false, sharedWords: ['word 0']},
      {concept: 'concept 2', linked: false, sharedWords: ['word 0']}
    ])
    expect(concepts[0].logOdds).toBeCloseTo(concepts[1].logOdds, 12)
    expect(contributions.at(-1)).toEqual({kind: 'rest', of: 'concepts', count: 1, logOdds: expect.closeTo(0, 12)})
  })

  it('explain(...) names the strongest absent words and the words that two concepts share, and adds up the others', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.01}
    const failures = [0.9, 0.5, 1, 0.7, 0.99, 0.2, 0.6, 0.8]
    const model = composeTestModel(
      [rates, rates],
      {parents: [[], []], cpt: [Float64Array.of(0.1), Float64Array.of(0.2)]},
      {failure: [failures, [0.8, 0.6, 0.3, 0.7, 0.5, 1, 1, 1]], leak: failures.map(() => 0.1)}
    )
    const partsOf = (words: readonly number[]) =>
      explain(model, {words, anchors: [], members: []}, 'concept 0').contributions
    const absent = partsOf([]).filter(
      item => item.kind === 'word' || (item.kind === 'rest' && item.of === 'absent-words')
    )
    expect(absent.map(item => (item.kind === 'word' ? Number(item.word.slice(5)) : item))).toMatchObject([
      ...[5, 1, 6, 3, 7],
      {of: 'absent-words', count: 2, logOdds: expect.closeTo(Math.log(0.9) + Math.log(0.99), 12)}
    ])
    // Products of weights: 0.02, 0.2, none, 0.09, 0.005, none; three words at most.
    const shared = partsOf([0, 1, 2, 3, 4, 5]).flatMap(item => (item.kind === 'concept' ? [item.sharedWords] : []))
    expect(shared).toEqual([['word 1', 'word 3', 'word 0']])
  })

  it('explain(...) calls explaining away by its name: a concept whose anchor fired takes the shared word from the other', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.001}
    const model = composeTestModel(
      [rates, rates],
      {parents: [[], []], cpt: [0.1, 0.1].map(p => Float64Array.of(p))},
      {failure: [[0.3], [0.3]], leak: [0.01]}
    )
    const shareOf = (anchors: readonly number[]) => {
      const {contributions} = explain(model, {words: [0], anchors, members: []}, 'concept 0')
      const word = contributions.find(({kind}) => kind === 'word')
      const other = contributions.find(({kind}) => kind === 'concept')
      return [word?.logOdds ?? Number.NaN, other?.logOdds ?? Number.NaN]
    }
    const [word, other] = shareOf([1])
    expect(word).toBeCloseTo(Math.log((1 - 0.3 * 0.99 * 0.93) / (1 - 0.99 * 0.93)), 10)
    expect(other).toBeLessThan(-1.5)
    // A silent anchor makes the other concept rarer than usual, so that the word speaks the louder.
    expect(shareOf([])).toEqual([word, expect.toSatisfy((share: number) => share > 0.1)])
  })

  it('explain(...) of a word that nothing else can cause is certain, and finite in all other figures', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.01}
    const model = composeTestModel(
      [rates, rates],
      {parents: [[], [0]], cpt: [Float64Array.of(0.1), Float64Array.of(0.1, 0.6)]},
      {
        failure: [
          [0.3, 0.5, 1],
          [1, 0.4, 1]
        ],
        leak: [0, 0.1, 0]
      }
    )
    for (const method of ['exact', 'message-passing'] as const) {
      const evidence = {words: [0, 1, 2], anchors: [1], members: []}
      const {contributions, logOdds, probability} = explain(model, evidence, 'concept 0', {method})
      expect([logOdds, probability, total(contributions)]).toEqual([
        Number.POSITIVE_INFINITY,
        1,
        Number.POSITIVE_INFINITY
      ])
      expect(contributions.filter(item => !Number.isFinite(item.logOdds))).toMatchObject([
        {kind: 'word', word: 'word 0'}
      ])
    }
  })

  it('explain(...) keeps its digits when a concept is all but certain', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.01}
    const words = Array.from({length: 30}, (_, j) => j)
    const model = composeTestModel(
      [rates, rates],
      {parents: [[], [0]], cpt: [Float64Array.of(0.1), Float64Array.of(0.1, 0.6)]},
      {failure: [words.map(() => 0.3), words.map(() => 1)], leak: words.map(() => 0.001)}
    )
    const evidence = {words, anchors: [0], members: []}
    const exact = explain(model, evidence, 'concept 0', {method: 'exact'})
    const messages = explain(model, evidence, 'concept 0', {method: 'message-passing'})
    expect(exact.logOdds).toBeGreaterThan(60)
    // No word has two causes and the network is a tree: messages are exact, as far as 1 - p has digits.
    expect(messages.logOdds).toBeCloseTo(exact.logOdds, 5)
    expect(total(messages.contributions)).toBeCloseTo(messages.logOdds, 9)
  })

  it('explain(...) does not list what is hidden', () => {
    const {model, evidence, concept} = drawn(3)
    const kinds = (options: Partial<ExplainOptions>) =>
      explain(model, evidence, concept, options).contributions.map(({kind}) => kind)
    expect(kinds({anchors: 'hidden'})).not.toContain('anchor')
    expect(kinds({anchors: 'hidden'})).toContain('word')
    expect(kinds({words: 'hidden'})).not.toContain('word')
    expect(kinds({words: 'hidden'})).toContain('anchor')
    const shared = (words: 'used' | 'hidden') =>
      explain(model, evidence, concept, {words}).contributions.flatMap(item =>
        item.kind === 'concept' ? item.sharedWords : []
      )
    expect(shared('used').length).toBeGreaterThan(0)
    expect(shared('hidden')).toEqual([])
  })

  it('explain(...) of known tags gives each its fair share of what the network makes of them', () => {
    const model = emergencyModel()
    const nothing = {words: [], anchors: [], members: []}
    const knownTo = (...present: string[]) => model.concepts.map(({name}) => (present.includes(name) ? 1 : -1))
    const odds = (...present: string[]) => {
      const hidden = {anchors: 'hidden', words: 'hidden', known: knownTo(...present)} as const
      return logit(
        infer(model, nothing, hidden).probabilities[model.concepts.findIndex(({name}) => name === 'pneumonia')]
      )
    }
    const [a, b] = ['severe sepsis', 'cellulitis']
    const known = knownTo(a, b)
    const {contributions, logOdds} = explain(model, nothing, 'pneumonia', {anchors: 'hidden', words: 'hidden', known})
    expect(contributions).toMatchObject([
      {kind: 'prior', logOdds: expect.closeTo(odds(), 9)},
      {
        kind: 'known',
        concept: a,
        present: true,
        logOdds: expect.closeTo((odds(a) - odds() + odds(a, b) - odds(b)) / 2, 9)
      },
      {
        kind: 'known',
        concept: b,
        present: true,
        logOdds: expect.closeTo((odds(b) - odds() + odds(a, b) - odds(a)) / 2, 9)
      },
      {kind: 'rest', of: 'concepts', count: model.concepts.length - 3, logOdds: expect.closeTo(0, 6)}
    ])
    expect(logOdds).toBeCloseTo(odds(a, b), 6)
    expect(contributions[1].logOdds).toBeGreaterThan(1)
    expect(contributions[2].logOdds).toBeLessThan(-0.5)
  })

  it('explain(...) refuses what cannot be explained, with the way out', () => {
    const {model, evidence, concept} = drawn(4)
    const asking =
      (name: string, options: Partial<ExplainOptions> = {}) =>
      () =>
        explain(model, evidence, name, options)
    expect(asking('concept O')).toThrow(/has no concept "concept O"; did you mean "concept 0"\?/)
    expect(asking('fever')).toThrow(/it has concept 0, concept 1/)
    expect(asking(concept, {known: [1, -1, -1, -1, -1]})).toThrow(/known to be present, so there is nothing to explain/)
  })
})
