import {expect, test} from 'vitest'
import {exp, log1p} from '../../base/numeric/index.ts'
import {corpusRows, fitLogistic} from '../classifier/index.ts'
import {type ShrunkenProblem, shrunkenLogistic} from './shrunken-logistic.ts'
import {drawDocuments} from './test-documents.ts'

const {corpus} = drawDocuments(21, 600, 6, 20)
const rows = corpusRows(corpus, {anchors: 'hidden'})
const labelsOf = (i: number) => Uint8Array.from(corpus.documents, ({anchors}) => (anchors.includes(i) ? 1 : 0))

interface Alone extends Omit<ShrunkenProblem, 'labels' | 'centres'> {
  readonly labels: Uint8Array
  readonly centre: Float64Array
}

function problem(change: Partial<Alone> = {}): Alone {
  return {rows, labels: labelsOf(0), centre: new Float64Array(20), ridge: 5, stepLimit: 200, ...change}
}

/** One regression by itself. */
function solvedAlone({labels, centre, ...rest}: Alone): Float64Array {
  return shrunkenLogistic({...rest, labels: [labels], centres: [centre]})[0]
}

test('shrunkenLogistic(...) shrunk towards 0 is ridge logistic regression', () => {
  const given = problem()
  const {weights} = fitLogistic(given.rows, given.labels, {ridge: 5, tolerance: 1e-9})
  solvedAlone(given).forEach((weight, j) => {
    expect(weight).toBeCloseTo(weights[j], 5)
  })
})

test('shrunkenLogistic(...) ends where the plain objective, written out, cannot be lowered by any single weight', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => (j % 3) - 1)
  const given = problem({centre})
  const weights = solvedAlone(given)
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

test('shrunkenLogistic(...) is at the minimum of a small problem, to a millionth, after eight steps', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => (j % 3) - 1)
  const best = solvedAlone(problem({centre}))
  const [two, eight] = [2, 8].map(stepLimit => solvedAlone(problem({centre, stepLimit})))
  const furthest = (weights: Float64Array) => Math.max(...weights.map((w, j) => Math.abs(w - best[j])))
  expect(furthest(two)).toBeGreaterThan(1e-3)
  expect(furthest(eight)).toBeLessThan(1e-6)
})

test('shrunkenLogistic(...) stays at its centre without steps, with equal labels, and under an endless shrinkage', () => {
  const centre = Float64Array.from({length: 20}, (_, j) => j / 10)
  expect([...solvedAlone(problem({centre, stepLimit: 0}))]).toEqual([...centre])
  expect([...solvedAlone(problem({centre, labels: new Uint8Array(600)}))]).toEqual([...centre])
  solvedAlone(problem({centre, ridge: 1e9})).forEach((weight, j) => {
    expect(weight).toBeCloseTo(centre[j], 6)
  })
})

test('shrunkenLogistic(...) of several is each by itself, whatever stands beside it', () => {
  const labels = [0, 1, 2, 3, 4, 5].map(labelsOf).with(2, new Uint8Array(600))
  const centres = labels.map((_, i) => Float64Array.from({length: 20}, (_, j) => Math.sin(i + j)))
  let solved = 0
  const together = shrunkenLogistic({rows, labels, centres, ridge: 2, stepLimit: 8, onSolved: () => solved++})
  expect(solved).toBe(6)
  together.forEach((weights, i) => {
    const alone = solvedAlone({rows, labels: labels[i], centre: centres[i], ridge: 2, stepLimit: 8})
    expect(weights).toEqual(alone)
    expect([...weights].every((weight, j) => weight === centres[i][j])).toBe(i === 2)
  })
})
