import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createBeliefs, createLogPrior, isPairNetwork} from '../../base/network/index.ts'
import {log, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createLastTagScorer} from '../../use/prediction/index.ts'
import {createInference} from './infer.ts'
import type {EvidenceUse} from './posterior.ts'
import {type LogOddsModel, logOddsModel, withMembers} from './test-weights.ts'
import {WeightReader} from './weight-reader.ts'

const model = logOddsModel(61, 6, 20)
const models = [model, logOddsModel(61, 6, 20, 'pairs')].flatMap(one => [one, withMembers(one, 5)])
const concepts = [0, 1, 2, 3, 4, 5]
/** Twelve members, of which anchors use those that are theirs; an anchor may fire without any, as in an imported table. */
const anyEvidence = fc.record({
  words: fc.subarray(Array.from({length: 20}, (_, j) => j)),
  anchors: fc.subarray(concepts),
  members: fc.subarray(Array.from({length: 12}, (_, k) => k))
})
const anyUse = fc.record({
  anchors: fc.constantFrom('used' as const, 'hidden' as const),
  words: fc.constantFrom('used' as const, 'hidden' as const)
})
const anyTags = fc.tuple(...concepts.map(() => fc.constantFrom(-1, 0, 1)))
/** The evidence of a document on the concepts, written out from the description of the reader. */
function evidenceOf(
  {concepts: rates, wordModel}: LogOddsModel,
  {words, anchors, members: inDocument}: Evidence,
  use: Pick<EvidenceUse, 'anchors' | 'words'>,
  prior: Float64Array
) {
  const {weights, scale, silent, fired, hidden, firedShare, members = rates.map(() => [0])} = wordModel
  const ownMembers = (i: number) => {
    const first = members.slice(0, i).reduce((sum, row) => sum + row.length, 0)
    const own = members[i].filter((_, k) => inDocument.includes(first + k))
    // Members of one field count half beyond the first.
    return own.length === 0 ? 0 : own.reduce((sum, weight) => sum + weight) / own.length + log((1 + own.length) / 2)
  }
  const isFired = Uint8Array.from(rates, (_, i) => (use.anchors === 'used' && anchors.includes(i) ? 1 : 0))
  const logOdds = Float64Array.from(rates, ({truePositive: t, falsePositive: e, prevalence: p}, i) => {
    if (use.words === 'hidden') {
      if (isFired[i]) return log((p * t) / ((1 - p) * e)) - prior[i] + ownMembers(i)
      return use.anchors === 'used' ? log((1 - t) / (1 - e)) : 0
    }
    // Documents count as if all had the typical length.
    const squares = words.reduce((total, j) => total + scale.idf[j] ** 2, 0)
    const factor = squares > 0 ? scale.typical / Math.sqrt(squares) : 1
    const score = factor * words.reduce((total, j) => total + weights[i][j], 0)
    if (isFired[i]) return fired[i] + firedShare * score - prior[i] + ownMembers(i)
    return (use.anchors === 'used' ? silent : hidden)[i] + score
  })
  return {logOdds, isFired}
}

test('createInference(...).posterior(...) is the beliefs on anchor and words, each hidden on demand, and labels', () => {
  fc.assert(
    fc.property(fc.constantFrom(...models), anyEvidence, anyUse, anyTags, (model, evidence, use, known) => {
      const {probabilities, certificate} = createInference(model, use).posterior(evidence, known)
      expect(certificate).toMatchObject({
        method: 'weights',
        status: isPairNetwork(model.network) ? 'approximate' : 'exact'
      })
      const beliefs = createBeliefs(model.network)
      const out = new Float64Array(6)
      beliefs.run({...evidenceOf(model, evidence, use, beliefs.prior), labels: Int8Array.from(known)}, out)
      for (const i of concepts)
        if (known[i] === -1) expect(probabilities[i]).toBeCloseTo(sigmoid(out[i]), 12)
        else expect(probabilities[i]).toBe(known[i])
    })
  )
})

test('logOdds(...) is the prior, the evidence on the concept and the parts(...) of the others', () => {
  fc.assert(
    fc.property(fc.constantFrom(...models), anyEvidence, anyUse, anyTags, (model, evidence, use, known) => {
      const reader = new WeightReader(model, model.wordModel, use)
      const {prior} = createBeliefs(model.network)
      const {logOdds} = evidenceOf(model, evidence, use, prior)
      const found = reader.logOdds(evidence, known)
      for (const i of concepts) {
        if (known[i] !== -1) continue
        const parts = reader.parts(i).reduce((total, part) => total + part, 0)
        expect(prior[i] + logOdds[i] + parts).toBeCloseTo(found[i], 9)
      }
    })
  )
})

test('createLastTagScorer(...).score(...) is given and absent tags, anchor and words; a given tag is no candidate', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      anyEvidence,
      anyUse,
      fc.subarray(concepts),
      (model, evidence, use, given) => {
        const found = createLastTagScorer(model, use).score(evidence, given)
        const {prior} = createBeliefs(model.network)
        const {of} = createLogPrior(model.network)
        const {logOdds, isFired} = evidenceOf(model, evidence, use, prior)
        const y = Uint8Array.from(concepts, i => (given.includes(i) ? 1 : 0))
        for (const i of concepts) {
          if (given.includes(i)) {
            expect(found[i]).toBe(Number.NEGATIVE_INFINITY)
            continue
          }
          const tags = isFired[i] ? prior[i] : of(y.with(i, 1)) - of(y)
          expect(found[i]).toBeCloseTo(logOdds[i] + tags, 9)
        }
      }
    )
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
  expect(() => createInference(model, {method: 'exact'})).toThrow(/`method` 'exact' is for noisy-or words/)
  const {posterior} = createInference(model)
  const {score} = createLastTagScorer(model)
  const evidence = {words: [], anchors: [], members: []}
  expect(() => posterior({...evidence, words: [20]})).toThrow(/words .* below 20; got 20/)
  expect(() => posterior({...evidence, anchors: [6]})).toThrow(/anchors .* below 6; got 6/)
  const many = createInference(withMembers(model, 5))
  expect(() => many.posterior({...evidence, members: [12]})).toThrow(/members .* below 12; got 12/)
  expect(() => posterior(evidence, [1])).toThrow(/labels .* expected 6, got 1/)
  expect(() => score(evidence, [6])).toThrow(/given tag 6 is none of the 6/)
})
