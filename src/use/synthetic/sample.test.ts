import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type BayesNetwork, logPrior} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {emergencyModel} from './emergency-model.ts'
import {knownModel, randomModel} from './random-model.ts'
import {blockSize, furtherMemberChance, generateDocuments, type Sample, sampleModel} from './sample.ts'

const documentCount = 100_000

/** Counts of a fixed seed must lie within 5 standard errors of a binomial with the exact probability. */
function expectShare(count: number, total: number, probability: number): void {
  const error = Math.sqrt(total * probability * (1 - probability))
  expect(Math.abs(count - total * probability)).toBeLessThanOrEqual(5 * error + 1e-9)
}

/** Four concepts with a v-structure listed child first; 70 words (three cells of the bit set), sparse and dense; 1 to 4 anchor members. */
function smallModel(): Model<BayesNetwork> {
  const m = 4
  const n = 70
  const failure = Float64Array.from({length: m * n}, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n]
    return (j + i) % 4 === 0 ? 0.03 + (0.95 * ((j * 7 + i) % 10)) / 10 : 1
  })
  failure[64] = 1e-300
  const leak = Float64Array.from({length: n}, (_, j) => (j % 5 === 0 ? 0 : j % 7 === 0 ? 0.6 : 0.002 * (j % 11)))
  return knownModel({
    anchors: [1, 2, 3, 4].map((memberCount, i) => ({
      concept: `c${i}`,
      any: Array.from({length: memberCount}, (_, at) => `a${i}-${at}`),
      not: [],
      rates: {kind: 'rates', truePositive: 0.4 + 0.1 * i, falsePositive: 0.01 + 0.02 * i}
    })),
    network: {
      parents: [[3, 1], [], [0], []],
      cpt: [
        Float64Array.of(0.05, 0.5, 0.3, 0.6),
        Float64Array.of(0.4),
        Float64Array.of(0.3, 0.1),
        Float64Array.of(0.25)
      ]
    },
    loadings: {conceptCount: m, wordCount: n, failure, leak},
    words: Array.from({length: n}, (_, j) => `w${String(j).padStart(2, '0')}`),
    options: {}
  })
}

/** Every assignment of the concepts with P(y) and P(x_j = 1 | y). */
function enumerate({network, loadings: {conceptCount: m, wordCount: n, failure, leak}}: Model<BayesNetwork>) {
  return Array.from({length: 2 ** m}, (_, s) => {
    const y = Array.from({length: m}, (_, i) => (s >> (m - 1 - i)) & 1)
    const on = Array.from({length: n}, (_, j) => {
      const off = y.reduce((product, yi, i) => product * (yi ? failure[i * n + j] : 1), 1 - leak[j])
      return 1 - off
    })
    return {y, probability: Math.exp(logPrior(network, y)), on}
  })
}

const model = smallModel()
const states = enumerate(model)
const documents = [...sampleModel(model, documentCount, rng(5))]
const dense = documents.map(({evidence}) => {
  const x = new Uint8Array(70)
  for (const j of evidence.words) x[j] = 1
  return x
})
const stateOf = ({y}: Sample) => y.reduce((s, yi) => 2 * s + yi, 0)

describe('sampleModel', () => {
  test('sampleModel(...) draws every assignment of the concepts as often as enumeration says', () => {
    const counts = new Float64Array(16)
    for (const document of documents) counts[stateOf(document)]++
    states.forEach(({probability}, s) => {
      expectShare(counts[s], documentCount, probability)
    })
  })

  test('sampleModel(...) switches on each word given the concepts by the noisy-or', () => {
    const counts = states.map(() => new Float64Array(70))
    const totals = new Float64Array(16)
    documents.forEach((document, at) => {
      const s = stateOf(document)
      totals[s]++
      for (let j = 0; j < 70; j++) counts[s][j] += dense[at][j]
    })
    states.forEach(({on}, s) => {
      for (let j = 0; j < 70; j++) expectShare(counts[s][j], totals[s], on[j])
    })
  })

  test('sampleModel(...) draws pairs of words independently given the concepts', () => {
    const both = new Float64Array(70 * 70)
    for (const x of dense)
      for (let j = 0; j < 70; j++) if (x[j]) for (let other = 0; other < j; other++) both[j * 70 + other] += x[other]
    for (let j = 0; j < 70; j++)
      for (let other = 0; other < j; other++) {
        const exact = states.reduce((sum, {probability, on}) => sum + probability * on[j] * on[other], 0)
        expectShare(both[j * 70 + other], documentCount, exact)
      }
  })

  test('sampleModel(...) fires united anchors at their rates and members by the documented rule', () => {
    let start = 0
    for (const [i, {any}] of model.lexicon.anchors.entries()) {
      for (const value of [0, 1]) {
        const group = documents.filter(({y}) => y[i] === value)
        const fired = group.filter(({evidence}) => evidence.anchors.includes(i))
        const {truePositive, falsePositive} = model.concepts[i]
        expectShare(fired.length, group.length, value ? truePositive : falsePositive)
        const chance = 1 / any.length + (1 - 1 / any.length) * furtherMemberChance
        for (let at = 0; at < any.length; at++) {
          const members = fired.filter(({evidence}) => evidence.members.includes(start + at))
          expectShare(members.length, fired.length, any.length === 1 ? 1 : chance)
        }
      }
      start += any.length
    }
  })

  test('sampleModel(...) lists words, anchors and members ascending, an anchor exactly when a member fired', () => {
    const owner = model.lexicon.anchors.flatMap(({any}, i) => any.map(() => i))
    for (const {evidence} of documents.slice(0, 5000)) {
      for (const list of [evidence.words, evidence.anchors, evidence.members])
        expect(list.every((value, at) => at === 0 || list[at - 1] < value)).toBe(true)
      expect([...new Set(evidence.members.map(at => owner[at]))]).toEqual(evidence.anchors)
    }
  })

  test('sampleModel(...) reproduces the exact moments of an independent implementation (m4)', () => {
    const golden = JSON.parse(readFileSync(new URL('../../../fixtures/m4.json', import.meta.url), 'utf8'))
    const {parents, cpt, failures, leak, q0, q1} = golden.truth
    const sampled = sampleModel(
      knownModel({
        anchors: q0.map((falsePositive: number, i: number) => ({
          concept: `c${i}`,
          any: [`a${i}`],
          not: [],
          rates: {kind: 'rates', truePositive: q1[i], falsePositive}
        })),
        network: {parents, cpt: cpt.map((row: number[]) => Float64Array.from(row))},
        loadings: {
          conceptCount: golden.m,
          wordCount: golden.n,
          failure: Float64Array.from(failures.flat()),
          leak: Float64Array.from(leak)
        },
        words: leak.map((_: number, j: number) => `w${j}`),
        options: {}
      }),
      documentCount,
      rng(8)
    )
    const words = new Float64Array(golden.n)
    const [conceptPairs, anchorPairs] = [new Map<string, number>(), new Map<string, number>()]
    for (const {y, evidence} of sampled) {
      for (const j of evidence.words) words[j]++
      for (let i = 0; i < golden.m; i++)
        for (let k = i + 1; k < golden.m; k++) {
          const key = `${i},${k}`
          if (y[i] && y[k]) conceptPairs.set(key, (conceptPairs.get(key) ?? 0) + 1)
          if (evidence.anchors.includes(i) && evidence.anchors.includes(k))
            anchorPairs.set(key, (anchorPairs.get(key) ?? 0) + 1)
        }
    }
    words.forEach((count, j) => {
      expectShare(count, documentCount, golden.population.px1[j])
    })
    expect(conceptPairs.size).toBe(6)
    for (const [key, count] of conceptPairs) expectShare(count, documentCount, golden.population.latentTables[key][3])
    for (const [key, count] of anchorPairs) expectShare(count, documentCount, golden.population.anchorTables[key][3])
  })

  test('sampleModel(...) gives the same documents for the same seed, however much was drawn before, and others for another', () => {
    const used = rng(5)
    used.next()
    expect([...sampleModel(model, 50, used)]).toEqual(documents.slice(0, 50))
    expect([...sampleModel(model, 50, rng(6))]).not.toEqual(documents.slice(0, 50))
  })

  test('sampleModel(..., {first}) draws the same documents in shares as in one go', () => {
    fc.assert(
      fc.property(fc.nat(3 * blockSize), fc.nat(blockSize + 10), (first, count) => {
        const share = [...sampleModel(model, count, rng(5), {first})]
        expect(share).toEqual(documents.slice(first, first + count))
      }),
      {numRuns: 20, seed: 1}
    )
  })

  test('sampleModel(...) refuses a cycle and counts that are not whole numbers before the first document', () => {
    const cyclic = {...model, network: {...model.network, parents: [[3, 1], [], [0], [0]]}}
    expect(() => sampleModel(cyclic, 1, rng(1))).toThrow(expect.objectContaining({code: 'bad-model'}))
    for (const count of [-1, 1.5, Number.NaN])
      expect(() => sampleModel(model, count, rng(1))).toThrow(expect.objectContaining({code: 'bad-option'}))
    expect(() => sampleModel(model, 1, rng(1), {first: -1})).toThrow(
      /`first` must be a whole number, at least 0; got -1/
    )
  })
})

test('generateDocuments(...) writes what sampleModel(...) drew: anchor features and words, and the truth as tags', () => {
  const model = emergencyModel()
  const members = model.lexicon.anchors.flatMap(anchor => anchor.any)
  const documents = [...generateDocuments(model, 500, rng(3))]
  const samples = [...sampleModel(model, 500, rng(3))]
  expect(documents).toHaveLength(500)
  documents.forEach(({features, tags}, at) => {
    const {y, evidence} = samples[at]
    expect(features).toEqual([
      ...evidence.members.map(member => members[member]),
      ...evidence.words.map(j => model.lexicon.words[j])
    ])
    expect(new Set(features).size).toBe(features.length)
    expect(tags).toEqual(model.concepts.map(concept => concept.name).filter((_, i) => y[i] === 1))
  })
})

test('generateDocuments(...) numbers documents from 1, begins ids with the generator, and goes on from `first`', () => {
  const emergency = emergencyModel()
  const all = [...generateDocuments(emergency, 12, rng(3))]
  expect(all.map(document => document.id).slice(0, 2)).toEqual(['emergency-000001', 'emergency-000002'])
  expect([...generateDocuments(emergency, 5, rng(3), {first: 7})]).toEqual(all.slice(7))
  const [random] = generateDocuments(randomModel({}, rng(1)), 1, rng(3))
  expect(random.id).toBe('random-000001')
  const [other] = generateDocuments({...emergency, options: {}}, 1, rng(3))
  expect(other.id).toBe('document-000001')
})

test('generateDocuments(...) refuses anchors that would be read back differently', () => {
  const model = randomModel({concepts: 2, words: 30}, rng(1))
  const generate = (any: readonly string[], not: readonly string[] = []) => {
    const anchors = model.lexicon.anchors.map((anchor, i) => (i === 0 ? {...anchor, any, not} : anchor))
    return generateDocuments({...model, lexicon: {...model.lexicon, anchors}}, 1, rng(1))
  }
  expect(() => generate(['plain', 'two words', 'title:a/b'], ['veto'])).not.toThrow()
  expect(() => generate(['/etoh|alcohol/i'])).toThrow(/"concept-01": .*"\/etoh\|alcohol\/i" is a regular expression/)
  expect(() => generate(['title:/a/'])).toThrow(/is a regular expression/)
  expect(() => generate(['word-0003'])).toThrow(/is also a word/)
  expect(() => generate(['anchor-02'])).toThrow(/"concept-02": .*is also an anchor of "concept-01"/)
  expect(() => generate(['plain'], ['word-0003'])).toThrow(/is a veto and also a word/)
})
