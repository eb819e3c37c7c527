import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {sampleModel} from '../synthetic/index.ts'
import {fitNoisyOr} from './fit-noisy-or.ts'
import {learnableModel} from './test-corpora.ts'

const model = learnableModel()
const {conceptCount: m, wordCount: n} = model.loadings
const draw = (count: number) => {
  const samples = [...sampleModel(model, count, rng(3))]
  return {
    words: samples.map(({evidence}) => evidence.words),
    tags: samples.map(({y}) => [...y.keys()].filter(i => y[i] === 1))
  }
}
const size = {conceptCount: m, wordCount: n}

/** The objective word by word, as it is written. */
function plainObjective(
  {words, tags}: ReturnType<typeof draw>,
  weight: ArrayLike<number>,
  leak: ArrayLike<number>
): number {
  let sum = 0
  for (let j = 0; j < n; j++) {
    const share = (words.filter(list => list.includes(j)).length + 0.5) / (words.length + 1)
    sum += share * Math.log(leak[j]) + (1 - share) * Math.log(1 - leak[j])
    for (let i = 0; i < m; i++) sum += Math.log(1 - weight[i * n + j])
    words.forEach((list, d) => {
      const off = tags[d].reduce((product, i) => product * (1 - weight[i * n + j]), 1 - leak[j])
      sum += Math.log(list.includes(j) ? 1 - off : off)
    })
  }
  return sum
}

test('fitNoisyOr(...) reports the objective as it is written, and rises with every step', () => {
  const data = draw(120)
  let before = Number.NEGATIVE_INFINITY
  for (const stepLimit of [0, 1, 2, 5, 20]) {
    const {loadings, certificate} = fitNoisyOr(data.words, data.tags, size, {tolerance: 1e-9, stepLimit})
    expect(certificate).toMatchObject({status: 'step-limit', steps: stepLimit})
    const weight = loadings.failure.map(f => 1 - f)
    expect(certificate.objective).toBeCloseTo(plainObjective(data, weight, loadings.leak), 6)
    expect(certificate.objective).toBeGreaterThan(before)
    before = certificate.objective
  }
})

test('fitNoisyOr(...) ends where no parameter can be moved to a better place', () => {
  const data = draw(150)
  const {loadings, certificate} = fitNoisyOr(data.words, data.tags, size, {tolerance: 1e-10, stepLimit: 20_000})
  expect(certificate.status).toBe('optimal')
  const weight = loadings.failure.map(f => 1 - f)
  const best = plainObjective(data, weight, loadings.leak)
  for (let at = 0; at < 40; at++) {
    const cell = (at * 7) % weight.length
    for (const move of [-0.02, 0.02]) {
      const moved = weight.slice()
      moved[cell] = Math.min(Math.max(moved[cell] + move, 0), 0.999)
      expect(plainObjective(data, moved, loadings.leak)).toBeLessThan(best + 1e-4)
      const leak = loadings.leak.slice()
      leak[at] = Math.min(Math.max(leak[at] + move, 1e-4), 0.999)
      expect(plainObjective(data, weight, leak)).toBeLessThan(best + 1e-4)
    }
  }
})

test('fitNoisyOr(...) finds the failures and leaks that drew the words', () => {
  const {words, tags} = draw(8000)
  const {loadings} = fitNoisyOr(words, tags, size)
  // A concept in 15% of the documents or more, a word in half of these at worst: a standard error of 0.5 / sqrt(1200), and half
  // as much again for causes that share documents; 5 of these.
  const limit = 5 * 1.5 * (0.5 / Math.sqrt(1200))
  let worst = 0
  for (let cell = 0; cell < m * n; cell++)
    worst = Math.max(worst, Math.abs(loadings.failure[cell] - model.loadings.failure[cell]))
  expect(worst).toBeLessThan(limit)
  for (let j = 0; j < n; j++) expect(Math.abs(loadings.leak[j] - model.loadings.leak[j])).toBeLessThan(limit / 2)
})

test('fitNoisyOr(...) makes nothing impossible: failures stay above 0, leaks above 0 and below 1', () => {
  const {loadings} = fitNoisyOr([[0], [0], [0, 1]], [[0], [0], [1]], {conceptCount: 3, wordCount: 3})
  expect(loadings.failure.every(f => f > 0 && f <= 1)).toBe(true)
  expect(loadings.leak.every(l => l > 0 && l < 1)).toBe(true)
  // Concept 2 is nowhere, concept 0 never meets word 1.
  expect([...loadings.failure.subarray(6)]).toEqual([1, 1, 1])
  expect(loadings.failure[1]).toBe(1)
})
