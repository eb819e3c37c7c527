import fc from 'fast-check'
import {expect, test} from 'vitest'
import {log, sigmoid} from '../../base/numeric/index.ts'
import {createLastTagScorer} from '../../use/prediction/index.ts'
import {createInference} from './infer.ts'
import {logOddsModel} from './test-weights.ts'

const model = logOddsModel(61, 6, 20)
const {company, weights, length, withWords, withoutWords, firedShare} = model.wordModel
const concepts = [0, 1, 2, 3, 4, 5]
const anyEvidence = fc.record({
  words: fc.subarray(Array.from({length: 20}, (_, j) => j)),
  anchors: fc.subarray(concepts),
  members: fc.constant([])
})
const anyUse = fc.record({
  anchors: fc.constantFrom('used' as const, 'hidden' as const),
  words: fc.constantFrom('used' as const, 'hidden' as const)
})
const anyTags = fc.tuple(...concepts.map(() => fc.constantFrom(-1, 0, 1)))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
/** Words of a long document count less. */
const wordsSay = (i: number, words: readonly number[]) =>
  sum(words.map(j => weights[i][j])) * (Math.max(1, words.length) / length.typical) ** -length.power

test('createInference(...).posterior(...) is the sum of company, known tags, anchor and words, each hidden on demand', () => {
  fc.assert(
    fc.property(anyEvidence, anyUse, anyTags, (evidence, use, known) => {
      const {probabilities, certificate} = createInference(model, use).posterior(evidence, known)
      expect(certificate).toMatchObject({method: 'weights', status: 'exact', unexplainedWords: 0})
      const constants = use.words === 'used' ? withWords : withoutWords
      for (const i of concepts) {
        if (known[i] !== -1) {
          expect(probabilities[i]).toBe(known[i])
          continue
        }
        const words = use.words === 'used' ? wordsSay(i, evidence.words) : 0
        const says = (k: number) => {
          if (k === i) return 0
          if (known[k] !== -1) return (known[k] === 1 ? company.presentTag : company.absentTag)[i][k]
          if (use.anchors === 'hidden') return 0
          return (evidence.anchors.includes(k) ? company.firedAnchor : company.silentAnchor)[i][k]
        }
        const others = company.prior[i] + sum(concepts.map(says))
        const whole =
          use.anchors === 'hidden'
            ? others + constants.hidden[i] + words
            : evidence.anchors.includes(i)
              ? constants.fired[i] + firedShare * words
              : others + constants.silent[i] + words
        expect(probabilities[i]).toBeCloseTo(sigmoid(whole), 10)
      }
    })
  )
})

test('createLastTagScorer(...).score(...) is the sum of given tags, absent tags, anchor and words; a given tag is no candidate', () => {
  fc.assert(
    fc.property(anyEvidence, anyUse, fc.subarray(concepts), (evidence, use, given) => {
      const found = createLastTagScorer(model, use).score(evidence, given)
      const constants = use.words === 'used' ? withWords : withoutWords
      for (const i of concepts) {
        if (given.includes(i)) {
          expect(found[i]).toBe(Number.NEGATIVE_INFINITY)
          continue
        }
        const hasFired = use.anchors === 'used' && evidence.anchors.includes(i)
        let score = company.prior[i] + (use.anchors === 'used' ? constants.silent : constants.hidden)[i]
        if (use.words === 'used') score += wordsSay(i, evidence.words)
        for (const k of concepts)
          score += (hasFired ? firedShare : 1) * (given.includes(k) ? company.presentTag : company.absentTag)[i][k]
        const {truePositive: t, falsePositive: e} = model.concepts[i]
        if (hasFired) score += log(t / e) - log((1 - t) / (1 - e))
        expect(found[i]).toBeCloseTo(score, 9)
      }
    })
  )
})

test('createInference(...) and createLastTagScorer(...) read noisy-or links when they are asked to', () => {
  const evidence = {words: [1, 5, 7], anchors: [2], members: []}
  const plain = {...model, wordModel: {kind: 'noisy-or'} as const}
  const asked = createInference(model, {wordModel: 'noisy-or'}).posterior(evidence)
  expect(asked).toEqual(createInference(plain).posterior(evidence))
  expect(asked.probabilities).not.toEqual(createInference(model).posterior(evidence).probabilities)
  expect(createLastTagScorer(model, {wordModel: 'noisy-or'}).score(evidence, [0])).toEqual(
    createLastTagScorer(plain).score(evidence, [0])
  )
})

test('createInference(...) refuses a method of noisy-or words, documents of another lexicon and tags of another model', () => {
  expect(() => createInference(model, {method: 'gibbs'})).toThrow(/`method` 'gibbs' is for noisy-or words/)
  const sure = {...model, concepts: model.concepts.map(concept => ({...concept, falsePositive: 0}))}
  expect(() => createInference(sure)).toThrow(/strictly between 0 and 1; got 0/)
  const {posterior} = createInference(model)
  const {score} = createLastTagScorer(model)
  const evidence = {words: [], anchors: [], members: []}
  expect(() => posterior({...evidence, words: [20]})).toThrow(/words .* below 20; got 20/)
  expect(() => posterior({...evidence, anchors: [6]})).toThrow(/anchors .* below 6; got 6/)
  expect(() => posterior(evidence, [1])).toThrow(/labels .* expected 6, got 1/)
  expect(() => score(evidence, [6])).toThrow(/given tag 6 is none of the 6/)
})
