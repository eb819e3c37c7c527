import {expect, test} from 'vitest'
import {corpusRows, fitLogistic} from '../classifier/index.ts'
import {exp, log1p} from '../numeric/index.ts'
import {type PulledProblem, pulledLogistic} from './pulled-logistic.ts'
import {drawDocuments} from './test-channel.ts'

function problem(change: Partial<PulledProblem> = {}): PulledProblem {
  const {corpus} = drawDocuments(21, 600, 3, 20)
  const rows = corpusRows(corpus, {anchors: 'hidden'})
  return {
    rows,
    labels: Uint8Array.from(corpus.documents, ({evidence}) => (evidence.anchors.includes(0) ? 1 : 0)),
    used: new Uint8Array(rows.rowCount).fill(1),
    centre: new Float64Array(20),
    ridge: 5,
    stepLimit: 200,
    ...change
  }
}

test('pulledLogistic(...) pulled to 0 is ridge logistic regression', () => {
  const given = problem()
  const {weights} = fitLogistic(given.rows, given.labels, {ridge: 5, tolerance: 1e-9})
  pulledLogistic(given).forEach((weight, j) => {
    expect(weight).toBeCloseTo(weights[j], 5)
  })
})

test('pulledLogistic(...) ends where the plain objective, written out, cannot be lowered by any single weight', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => (j % 3) - 1)
  const given = problem({centre})
  const weights = pulledLogistic(given)
  const objective = (w: Float64Array, bias: number) => {
    let sum = 0
    for (let j = 0; j < 20; j++) sum += (5 / 2) * (w[j] - centre[j]) ** 2
    for (let d = 0; d < given.rows.rowCount; d++) {
      let z = bias
      for (let at = given.rows.starts[d]; at < given.rows.starts[d + 1]; at++) z += w[given.rows.indices[at]]
      sum += log1p(exp(z)) - given.labels[d] * z
    }
    return sum
  }
  // The bias is free: the best one for these weights, by ternary search.
  let [low, high] = [-20, 20]
  for (let step = 0; step < 200; step++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3]
    if (objective(weights, left) < objective(weights, right)) high = right
    else low = left
  }
  const least = objective(weights, low)
  for (let j = 0; j < 20; j++)
    for (const change of [-0.01, 0.01]) {
      const moved = weights.map((w, at) => (at === j ? w + change : w))
      expect(objective(moved, low)).toBeGreaterThan(least)
    }
})

test('pulledLogistic(...) is at the minimum of a small problem, to a millionth, after eight steps', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => (j % 3) - 1)
  const best = pulledLogistic(problem({centre}))
  const [two, eight] = [2, 8].map(stepLimit => pulledLogistic(problem({centre, stepLimit})))
  const furthest = (weights: Float64Array) => Math.max(...weights.map((w, j) => Math.abs(w - best[j])))
  expect(furthest(two)).toBeGreaterThan(1e-3)
  expect(furthest(eight)).toBeLessThan(1e-6)
})

test('pulledLogistic(...) stays at its centre without steps, with equal labels, and under an endless pull', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => j / 10)
  expect([...pulledLogistic(problem({centre, stepLimit: 0}))]).toEqual([...centre])
  expect([...pulledLogistic(problem({centre, labels: new Uint8Array(600)}))]).toEqual([...centre])
  pulledLogistic(problem({centre, ridge: 1e9})).forEach((weight, j) => {
    expect(weight).toBeCloseTo(centre[j], 6)
  })
})

test('pulledLogistic(...) does not look at rows that are not used', () => {
  const given = problem()
  const used = given.used.map((_, d) => (d % 2 === 0 ? 1 : 0))
  const swapped = given.labels.map((label, d) => (d % 2 === 0 ? label : 1 - label))
  expect(pulledLogistic({...given, used, labels: swapped})).toEqual(pulledLogistic({...given, used}))
})
