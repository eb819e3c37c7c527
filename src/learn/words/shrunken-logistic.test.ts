import {expect, test} from 'vitest'
import {exp, log, log1p, type Rng, rng} from '../../base/numeric/index.ts'
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
function solvedAlone(given: Alone): Float64Array {
  return withErrors(given).weights
}

function withErrors({labels, centre, ...rest}: Alone) {
  return shrunkenLogistic({...rest, labels: [labels], centres: [centre]})[0]
}

/** F written out, at the best bias for these weights by ternary search. */
function leastObjective({rows, labels, centre, ridge}: Alone, w: Float64Array): {value: number; bias: number} {
  const objective = (bias: number) => {
    let sum = 0
    for (let j = 0; j < 20; j++) sum += (ridge / 2) * (w[j] - centre[j]) ** 2
    for (let d = 0; d < rows.rowCount; d++) {
      let z = bias
      for (let at = rows.starts[d]; at < rows.starts[d + 1]; at++) z += w[rows.indices[at]]
      sum += log1p(exp(z)) - labels[d] * z
    }
    return sum
  }
  let [low, high] = [-20, 20]
  for (let step = 0; step < 100; step++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3]
    if (objective(left) < objective(right)) high = right
    else low = left
  }
  return {value: objective(low), bias: low}
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
  const least = leastObjective(given, weights).value
  for (let j = 0; j < 20; j++)
    for (const change of [-0.01, 0.01]) {
      const moved = weights.map((w, at) => (at === j ? w + change : w))
      expect(leastObjective(given, moved).value).toBeGreaterThan(least)
    }
})

test('shrunkenLogistic(...) has the standard errors of the second derivative, taken numerically', () => {
  const given = problem({stepLimit: 8})
  const {weights, errors} = withErrors(given)
  const step = 0.02
  for (const j of [0, 3, 7, 12, 19]) {
    const [below, at, above] = [-step, 0, step].map(
      change => leastObjective(given, weights.with(j, weights[j] + change)).value
    )
    // The fourth derivative is below the second, so the difference is off by less than step^2 / 12.
    expect(errors[j] * Math.sqrt((below - 2 * at + above) / step ** 2)).toBeCloseTo(1, 4)
  }
})

test('shrunkenLogistic(...) with equal labels has the error of its prior, which labels reduce', () => {
  const centre = new Float64Array(20)
  for (const error of withErrors(problem({centre, labels: new Uint8Array(600)})).errors)
    expect(error).toBeCloseTo(Math.sqrt(1 / 5), 12)
  for (const error of withErrors(problem({centre})).errors) expect(error).toBeLessThan(Math.sqrt(1 / 5))
})

test('shrunkenLogistic(...) has 90% intervals that hold 90% of weights drawn from the prior', () => {
  const random = rng(7)
  const ridge = 4
  const labels: Uint8Array[] = []
  const drawn = Array.from({length: 60}, () => Float64Array.from({length: 20}, () => normal(random) / Math.sqrt(ridge)))
  for (const weights of drawn)
    labels.push(
      Uint8Array.from({length: rows.rowCount}, (_, d) => {
        let z = -1
        for (let at = rows.starts[d]; at < rows.starts[d + 1]; at++) z += weights[rows.indices[at]]
        return random.next() < 1 / (1 + exp(-z)) ? 1 : 0
      })
    )
  const centres = drawn.map(() => new Float64Array(20))
  const held = shrunkenLogistic({rows, labels, centres, ridge, stepLimit: 20}).flatMap(({weights, errors}, k) =>
    Array.from(weights, (weight, j) => Math.abs(weight - drawn[k][j]) < 1.645 * errors[j])
  )
  // Five standard errors of a share of 1,200.
  expect(Math.abs(held.filter(Boolean).length / held.length - 0.9)).toBeLessThan(5 * Math.sqrt(0.09 / 1200))
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
  together.forEach(({weights, errors}, i) => {
    const alone = withErrors({rows, labels: labels[i], centre: centres[i], ridge: 2, stepLimit: 8})
    expect({weights, errors}).toEqual(alone)
    expect([...weights].every((weight, j) => weight === centres[i][j])).toBe(i === 2)
  })
})

/** By Box and Muller. */
function normal(random: Rng): number {
  return Math.sqrt(-2 * log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
