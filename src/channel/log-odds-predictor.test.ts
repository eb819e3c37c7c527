import fc from 'fast-check'
import {expect, test} from 'vitest'
import {log, sigmoid} from '../numeric/index.ts'
import {logPrior} from '../structure/index.ts'
import {learnLogOdds} from './learn-log-odds.ts'
import {logOddsPredictor} from './log-odds-predictor.ts'
import {drawDocuments} from './test-channel.ts'

const {model, counts, rates} = drawDocuments(61, 500)
const channel = learnLogOdds(counts, rates, undefined)
const predictor = logOddsPredictor(model, channel)
const concepts = [0, 1, 2, 3, 4, 5]
const anyEvidence = fc.record({
  words: fc.subarray(Array.from({length: 40}, (_, j) => j)),
  anchors: fc.subarray(concepts),
  members: fc.constant([])
})

test('posterior(...) is the sum of its parts: company, anchor, words', () => {
  fc.assert(
    fc.property(anyEvidence, evidence => {
      const found = predictor.posterior(evidence)
      const {company, silent, fired, firedShare, weights} = channel
      for (const i of concepts) {
        const words = evidence.words.reduce((sum, j) => sum + weights[i][j], 0)
        let others = company.prior[i]
        for (const k of concepts)
          others += (evidence.anchors.includes(k) ? company.firedAnchor : company.silentAnchor)[i][k]
        const whole = evidence.anchors.includes(i) ? fired[i] + firedShare * words : others + silent[i] + words
        expect(found[i]).toBeCloseTo(sigmoid(whole), 10)
      }
    })
  )
})

test('lastTag(...) is the sum of given tags, absent tags, anchor and words; a given tag is no candidate', () => {
  fc.assert(
    fc.property(anyEvidence, fc.subarray(concepts), (evidence, given) => {
      const found = predictor.lastTag(evidence, given)
      const {company, silent, weights} = channel
      for (const i of concepts) {
        if (given.includes(i)) {
          expect(found[i]).toBe(Number.NEGATIVE_INFINITY)
          continue
        }
        let score = company.prior[i] + silent[i] + evidence.words.reduce((sum, j) => sum + weights[i][j], 0)
        for (const k of concepts) score += (given.includes(k) ? company.presentTag : company.absentTag)[i][k]
        const [t, e] = [rates.truePositive[i], rates.falsePositive[i]]
        if (evidence.anchors.includes(i)) score += log(t / e) - log((1 - t) / (1 - e))
        expect(found[i]).toBeCloseTo(score, 9)
      }
    })
  )
})

test('posterior(..., known) returns known tags as they are, and they speak in place of their anchors', () => {
  const evidence = {words: [1, 5], anchors: [2], members: []}
  const free = predictor.posterior(evidence)
  const known = predictor.posterior(evidence, [-1, 1, 0, -1, -1, -1])
  expect([known[1], known[2]]).toEqual([1, 0])
  const others = (pairs: readonly (readonly number[])[], k: number) => pairs[0][k]
  const {silentAnchor, firedAnchor, presentTag, absentTag} = channel.company
  const change = others(presentTag, 1) - others(silentAnchor, 1) + others(absentTag, 2) - others(firedAnchor, 2)
  const logit = (p: number) => log(p / (1 - p))
  expect(change).not.toBe(0)
  expect(logit(known[0]) - logit(free[0])).toBeCloseTo(change, 9)
})

test('logTags(...) is log P(y) of the model', () => {
  expect(predictor.logTags([1, 0, 0, 1, 0, 0])).toBe(logPrior(model.network, [1, 0, 0, 1, 0, 0]))
})

test('logOddsPredictor(...) refuses a channel of other concepts, and documents of another lexicon', () => {
  expect(() => logOddsPredictor(model, {...channel, silent: [0]})).toThrow(/got 6, 1 and 6 for 6 concepts/)
  const evidence = {words: [], anchors: [], members: []}
  expect(() => predictor.posterior({...evidence, words: [40]})).toThrow(/word 40 of a document is none of 40/)
  expect(() => predictor.posterior({...evidence, anchors: [6]})).toThrow(/anchor 6 of a document is none of 6/)
  expect(() => predictor.posterior(evidence, [1])).toThrow(/known tags .* 6 .* got 1/)
  expect(() => predictor.lastTag(evidence, [6])).toThrow(/given tag 6 of a document is none of 6/)
})
