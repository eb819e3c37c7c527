import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {evenRule} from '../prediction/index.ts'
import type {Estimate} from './intervals.ts'
import {type DecisionEstimates, LabelEvaluator} from './label-figures.ts'

/** Documents of a known truth: one concept per entry of `shares`, reported and fired by noisy signs of it. */
function world(count: number, shares: readonly number[], seed: number) {
  const random = rng(seed)
  return Array.from({length: count}, () => {
    const labels = Int8Array.from(shares, share => (random.next() < share ? 1 : 0))
    const fired = [...labels.keys()].filter(i => random.next() < (labels[i] ? 0.6 : 0.02))
    const probabilities = Array.from(labels, (label, i) =>
      random.next() < (fired.includes(i) ? 0.95 : label ? 0.3 : 0.01) ? 0.9 : 0.1
    )
    return {labels, fired, probabilities}
  })
}

type World = ReturnType<typeof world>

/** The figures over all documents, which labels of some of them estimate. */
function truth(documents: World, concepts: readonly number[]) {
  let [hits, reported, present] = [0, 0, 0]
  for (const {labels, probabilities} of documents)
    for (const i of concepts) {
      if (probabilities[i] > 0.5) reported++
      if (labels[i] === 1) present++
      if (probabilities[i] > 0.5 && labels[i] === 1) hits++
    }
  return {f1: (2 * hits) / (reported + present), precision: hits / reported, recall: hits / present}
}

/** Labels as `adfa label` draws them: `whole` documents, and `anchored` more per concept where its anchor fires. */
function labelled(documents: World, whole: number, anchored: number, seed: number) {
  const concepts = documents[0].labels.length
  const evaluator = new LabelEvaluator(
    Array.from({length: concepts}, (_, i) => `c${i}`),
    evenRule(concepts, 0.5)
  )
  const order = shuffled([...documents.keys()], rng(seed))
  const isWhole = new Set(order.slice(0, whole))
  const asked = new Map<number, number[]>()
  for (let i = 0; i < concepts; i++)
    for (const d of order.filter(at => documents[at].fired.includes(i) && !isWhole.has(at)).slice(0, anchored))
      asked.set(d, [...(asked.get(d) ?? []), i])
  documents.forEach(({labels, fired, probabilities}, d) => {
    if (isWhole.has(d)) evaluator.add(probabilities, fired, labels)
    else if (asked.has(d)) {
      const some = labels.map((label, i) => (asked.get(d)?.includes(i) ? label : -1))
      evaluator.add(probabilities, fired, some, 'anchored')
    } else evaluator.add(probabilities, fired)
  })
  return evaluator.finish(seed).figures
}

const NAMES = ['f1', 'precision', 'recall'] as const

describe('LabelEvaluator', () => {
  test('finds the exact figures where every document is labelled', () => {
    const documents = world(400, [0.3, 0.1], 1)
    const {micro, concepts} = labelled(documents, 400, 0, 1)
    const exact = truth(documents, [0, 1])
    for (const name of NAMES) {
      expect(micro[name].value).toBeCloseTo(exact[name], 12)
      expect(concepts[1][name].value).toBeCloseTo(truth(documents, [1])[name], 12)
    }
  })

  test('90% intervals cover the figures of all documents', () => {
    // 20 draws of 150 documents; concepts have 8 times as many.
    const shares = [0.25, 0.12, 0.08, 0.05, 0.05, 0.03, 0.02, 0.02]
    const documents = world(4000, shares, 2)
    const all = [...shares.keys()]
    const covered = {micro: 0, macro: 0, concepts: 0}
    const has = ({low, high}: Estimate, value: number) => (low <= value && value <= high ? 1 : 0)
    const count = (estimates: DecisionEstimates, exact: ReturnType<typeof truth>) =>
      NAMES.reduce((sum, name) => sum + has(estimates[name], exact[name]), 0)
    const frequent = all.filter(i => documents.filter(({probabilities}) => probabilities[i] > 0.5).length >= 4000 / 30)
    const means = NAMES.map(name => frequent.reduce((sum, i) => sum + truth(documents, [i])[name], 0) / frequent.length)
    for (let draw = 0; draw < 20; draw++) {
      const {micro, macro, macroConcepts, concepts} = labelled(documents, 150, 3, draw)
      expect(macroConcepts).toBe(frequent.length)
      covered.micro += count(micro, truth(documents, all))
      covered.macro += NAMES.reduce((sum, name, at) => sum + has(macro[name], means[at]), 0)
      for (const i of all) covered.concepts += count(concepts[i], truth(documents, [i]))
    }
    expect(covered.micro / (20 * 3)).toBeGreaterThan(0.8)
    expect(covered.macro / (20 * 3)).toBeGreaterThan(0.8)
    expect(covered.concepts / (20 * 3 * 8)).toBeGreaterThan(0.86)
  })

  test('short answers are weighted by how many documents their anchor fires in: they do not raise the precision', () => {
    // Right where the anchor fires, mostly wrong elsewhere; half of the labels come from the former.
    const random = rng(5)
    const evaluator = new LabelEvaluator(['c'], evenRule(1, 0.5))
    for (let d = 0; d < 2000; d++) {
      const fires = d % 20 === 0
      const label = Int8Array.of(fires || random.next() < 0.2 ? 1 : 0)
      const drawn = d < 400 ? 'random' : fires ? 'anchored' : undefined
      evaluator.add([0.9], fires ? [0] : [], drawn && label, drawn)
    }
    const {concepts, labelled: whole, shortAnswers} = evaluator.finish(0).figures
    expect([whole, shortAnswers]).toEqual([400, 80])
    // 0.05 + 0.95 * 0.2 = 0.24; unweighted, 0.37. The tolerance is three standard errors of 380 documents.
    expect(Math.abs(concepts[0].precision.value - 0.24)).toBeLessThan(0.06)
  })

  test('a concept that was never reported, or never labelled, has no precision; other figures stay in order', () => {
    const evaluator = new LabelEvaluator(['never reported', 'never labelled'], evenRule(2, 0.5))
    for (let d = 0; d < 50; d++) evaluator.add([0.1, 0.9], [], Int8Array.of(d < 10 ? 1 : 0, -1))
    const [first, second] = evaluator.finish(0).figures.concepts
    expect(first).toMatchObject({hits: 0, misses: 10, alarms: 0, labelled: 50})
    expect(first.precision.value).toBeNaN()
    expect([first.f1.value, first.recall.value]).toEqual([0, 0])
    expect(second.f1.value).toBeNaN()
  })

  test('every figure lies inside its interval, and the interval inside 0 to 1', () => {
    const property = (whole: number, anchored: number, seed: number) => {
      const documents = world(80, [0.3, 0.05, 0.5], seed % 50)
      const {micro, macro, concepts} = labelled(documents, whole, anchored, seed)
      for (const estimates of [micro, macro, ...concepts])
        for (const {value, low, high} of NAMES.map(name => estimates[name]))
          expect(Number.isNaN(value) || (0 <= low && low <= value && value <= high && high <= 1 + 1e-12)).toBe(true)
    }
    fc.assert(fc.property(fc.integer({min: 1, max: 60}), fc.integer({min: 0, max: 3}), fc.nat(1000), property), {
      numRuns: 30
    })
  })
})
