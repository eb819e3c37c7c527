import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createBeliefs} from '../../base/network/index.ts'
import {log, logit, sigmoid} from '../../base/numeric/index.ts'
import {withExclusive} from '../../read/data/index.ts'
import {createLastTagScorer, createPredictor, evenRule, explain, tagsFrom} from '../../use/prediction/index.ts'
import {createInference, WeightReader} from '../inference/index.ts'
import {type LogOddsModel, logOddsModel} from '../inference/test-weights.ts'

const m = 6
const drawn = logOddsModel(61, m, 20, 'pairs')
/** Words of classes count in full where an anchor fired, so those of the model without groups do too. */
const plain = {...drawn, wordModel: {...drawn.wordModel, firedShare: 1}}
const concepts = plain.concepts.map((_, i) => i)
const names = plain.concepts.map(({name}) => name)

/** The model with a group of its first three concepts, and one of the next two of which at most one holds. */
function grouped(model: LogOddsModel = plain): LogOddsModel {
  const groups = [names.slice(0, 3), {group: names.slice(3, 5), atMostOne: true}]
  const anchors = withExclusive(model.lexicon.anchors, groups)
  return {...model, lexicon: {...model.lexicon, anchors}}
}

const model = grouped()
const anyEvidence = fc.record({
  words: fc.subarray(Array.from({length: 20}, (_, j) => j)),
  anchors: fc.subarray(concepts),
  members: fc.constant([])
})
const anyWords = fc.constantFrom('model' as const, 'noisy-or' as const)
/** At most one class of each group is labelled, and some class stays open. */
const anyLabels = fc.tuple(
  fc.constantFrom([-1, -1, -1], [0, -1, -1], [1, -1, -1], [-1, 0, 0]),
  fc.constantFrom([-1, -1], [-1, 0], [0, 0], [1, -1]),
  fc.constantFrom([-1], [0], [1])
)

/** Sums over all states that a group allows of concepts that are independent given their evidence. */
function slowPosterior(alone: ArrayLike<number>, labels: readonly number[]): number[] {
  const p = plain.concepts.map(({prevalence}) => prevalence)
  const none = Math.max(0.01, 1 - p[3] - p[4])
  const sums = new Float64Array(m)
  let total = 0
  for (let state = 0; state < 2 ** m; state++) {
    const y = concepts.map(i => (state >> i) & 1)
    if (y[0] + y[1] + y[2] !== 1 || y[3] + y[4] > 1 || labels.some((label, i) => label !== -1 && label !== y[i]))
      continue
    // The odds p / (1 - p) of each class become p, or p / P(none).
    const weight = y.reduce((product, on, i) => {
      if (!on) return product
      const odds = labels[i] === 1 ? 1 : alone[i] / (1 - alone[i])
      return product * odds * (i < 3 ? 1 - p[i] : i < 5 ? (1 - p[i]) / none : 1)
    }, 1)
    total += weight
    y.forEach((on, i) => {
      sums[i] += on * weight
    })
  }
  return Array.from(sums, sum => sum / total)
}

test('createInference(...) of exclusive groups is the posterior of each concept, restricted to the allowed states', () => {
  fc.assert(
    fc.property(anyEvidence, anyWords, anyLabels, (evidence, wordModel, lists) => {
      const labels = lists.flat()
      const found = createInference(model, {wordModel}).posterior(evidence, labels).probabilities
      // What labels decide is a label of the model without groups.
      const decided = labels.slice()
      for (const group of [concepts.slice(0, 3), concepts.slice(3, 5)])
        if (group.some(i => labels[i] === 1)) for (const i of group) if (labels[i] === -1) decided[i] = 0
      if (labels[1] === 0 && labels[2] === 0) decided[0] = 1
      const alone = createInference(plain, {wordModel}).posterior(evidence, decided).probabilities
      const expected = slowPosterior(alone, decided)
      // Odds of probabilities that are rounded to 1e-16, at most 1e6.
      for (const i of concepts) expect(found[i]).toBeCloseTo(expected[i], 8)
      expect(found[0] + found[1] + found[2]).toBeCloseTo(1, 12)
      expect(found[3] + found[4]).toBeLessThan(1 + 1e-12)
    })
  )
})

test('createInference(...) of exclusive groups refuses labels that contradict them', () => {
  const {posterior} = createInference(model)
  const evidence = {words: [], anchors: [], members: []}
  expect(() => posterior(evidence, [1, 1, -1, -1, -1, -1])).toThrow(
    /2 of .* are present, but exactly one of them can hold/
  )
  expect(() => posterior(evidence, [0, 0, 0, -1, -1, -1])).toThrow(/none of .* is present, but exactly one/)
  expect(() => posterior(evidence, [-1, -1, -1, 1, 1, -1])).toThrow(/at most one of them can hold.*correct the labels/)
})

test('explain(...) of a class has a figure for its group, and adds up', () => {
  fc.assert(
    fc.property(anyEvidence, anyWords, fc.nat(m - 1), anyLabels, (evidence, wordModel, i, lists) => {
      const labels = lists.flat()
      const isDecided =
        labels[i] !== -1 || (i < 3 && labels[0] === 1) || (i === 0 && labels[1] === 0) || (i === 4 && labels[3] === 1)
      fc.pre(!isDecided)
      const found = explain(model, evidence, names[i], {wordModel, known: labels})
      const {probabilities} = createInference(model, {wordModel}).posterior(evidence, labels)
      const total = found.contributions.reduce((sum, {logOdds}) => sum + logOdds, 0)
      expect(total).toBeCloseTo(found.logOdds, 9)
      expect(sigmoid(total)).toBeCloseTo(probabilities[i], 9)
      const figure = found.contributions.find(item => item.kind === 'exclusive')
      expect(figure === undefined).toBe(i === 5)
      if (i === 3) expect(figure).toMatchObject({others: [names[4]]})
    }),
    {numRuns: 60}
  )
  const evidence = {words: [], anchors: [], members: []}
  expect(() => explain(model, evidence, names[1], {known: [1, -1, -1, -1, -1, -1]})).toThrow(/is known to be absent/)
})

test('createLastTagScorer(...) rules out classes of a group that has a tag, and all others where one lacks it', () => {
  for (const wordModel of ['model', 'noisy-or'] as const) {
    const evidence = {words: [2, 3], anchors: [1], members: []}
    const score = (given: number[], of = model) => [...createLastTagScorer(of, {wordModel}).score(evidence, given)]
    const isOut = (scores: number[]) => scores.map(value => value === Number.NEGATIVE_INFINITY)
    expect(isOut(score([1]))).toEqual([true, true, true, false, false, false])
    expect(isOut(score([1, 3]))).toEqual([true, true, true, true, true, false])
    expect(isOut(score([5]))).toEqual([false, false, false, true, true, true])
    expect(score([1]).slice(3)).toEqual(score([1], plain).slice(3))
  }
})

test('createPredictor(...).logTags(...) is a distribution over the allowed states', () => {
  const {logTags} = createPredictor(model)
  let total = 0
  for (let state = 0; state < 2 ** m; state++) total += Math.exp(logTags(concepts.map(i => (state >> i) & 1)))
  expect(total).toBeCloseTo(1, 10)
  expect(logTags([1, 1, 0, 0, 0, 0])).toBe(Number.NEGATIVE_INFINITY)
})

test('tagsFrom(...) has the most probable class of a group, whatever the threshold', () => {
  expect(tagsFrom(model, [0.4, 0.35, 0.25, 0.3, 0.3, 0.6], [], evenRule(6, 0.5))).toEqual([names[5], names[0]])
  expect(tagsFrom(model, [0.3, 0.3, 0.4, 0.1, 0.6, 0.1], [], evenRule(6, 0.9))).toEqual([names[4], names[2]])
})

test('new WeightReader(...) gives log-odds of classes far beyond the precision of probabilities', () => {
  const sure = {...model, wordModel: {...model.wordModel, fired: model.wordModel.fired.map(() => 300)}}
  const reader = new WeightReader(sure, sure.wordModel, {anchors: 'used', words: 'used'})
  const [first, second] = reader.logOdds({words: [], anchors: [0, 1], members: []})
  const p = plain.concepts.map(({prevalence}) => prevalence)
  expect(createBeliefs(plain.network).prior[0]).toBeCloseTo(logit(p[0]), 12)
  expect(first).toBeCloseTo(log((1 - p[0]) / (1 - p[1])), 9)
  expect(second).toBeCloseTo(-first, 9)
})
