import {describe, expect, test} from 'vitest'
import {exp, log, log1p, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import {fitHierarchy, type HierarchyCells, type HierarchyParameter} from './fit-hierarchy.ts'

describe('fitHierarchy', () => {
  test('fitHierarchy(...) is an integral by brute force where the coefficients are known', () => {
    const cells = binomialCells(3, 40)
    const {posteriors} = fitHierarchy([cells], [{...parameter([[1]]), priorMean: [-3], priorDeviation: [1e-4]}])
    // Twin: the five spreads and a fine grid of levels, each weighed by likelihood and priors, written out anew.
    let [total, first, second] = [0, 0, 0]
    for (const spread of [0.4, 0.63, 1, 1.6, 2.5].map(factor => 0.7 * factor))
      for (let level = -15; level < 5; level += 0.01) {
        const prior = (1 + ((level + 3) / spread) ** 2 / 4) ** -2.5 / spread
        const mass = prior * spread ** -4 * exp((-4 * 0.49) / (2 * spread ** 2)) * likelihood(3, 40, level)
        total += mass
        first += mass * level
        second += mass * level * level
      }
    const mean = first / total
    expect(moment(cells, posteriors[0], x => x)).toBeCloseTo(mean, 3)
    expect(moment(cells, posteriors[0], x => (x - mean) ** 2)).toBeCloseTo(second / total - mean * mean, 3)
  })

  test('fitHierarchy(...) of two parameters is an integral by brute force too', () => {
    // A likelihood in which the two depend on each other.
    const density = (x: number, y: number) => exp(-((x - 1) ** 2) - (y - 0.5) ** 2 - x * y)
    const grid = (step: number) => {
      const [xs, ys]: number[][] = [[], []]
      for (let x = -6; x < 7; x += step)
        for (let y = -6; y < 7; y += step) {
          xs.push(x)
          ys.push(y)
        }
      return {
        values: [xs, ys].map(list => Float64Array.from(list)),
        masses: Float64Array.from(xs, (x, c) => density(x, ys[c]))
      }
    }
    const fixed = {predictors: [[1]], priorDeviation: [1e-4], spreadWeight: 1e9}
    const parameters = [
      {...fixed, priorMean: [0.2], priorSpread: 0.5},
      {...fixed, priorMean: [0.8], priorSpread: 0.3}
    ]
    const cells = grid(0.05)
    const {posteriors} = fitHierarchy([cells], parameters)
    let [total, xs, ys] = [0, 0, 0]
    const fine = grid(0.04)
    fine.masses.forEach((mass, c) => {
      const [x, y] = fine.values.map(list => list[c])
      const weight = mass * (1 + (x - 0.2) ** 2 / 1) ** -2.5 * (1 + (y - 0.8) ** 2 / 0.36) ** -2.5
      total += weight
      xs += weight * x
      ys += weight * y
    })
    expect(moment(cells, posteriors[0], x => x)).toBeCloseTo(xs / total, 3)
    expect(moment(cells, posteriors[0], y => y, 1)).toBeCloseTo(ys / total, 3)
  })

  test('fitHierarchy(...) finds coefficients and spread as concepts and labels grow', () => {
    const random = rng(5)
    const x = Array.from({length: 400}, () => 2 * random.next() - 1)
    const cells = x.map(value => {
      const level = -1 + 0.6 * value + 0.5 * student(random)
      return binomialCells(binomial(200, sigmoid(level), random), 200)
    })
    const wide = {...parameter(x.map(value => [1, value])), priorMean: [1, 0], priorDeviation: [3, 3]}
    const {parameters, status} = fitHierarchy(cells, [{...wide, priorSpread: 0.8}])
    expect(status).toBe('converged')
    // Standard errors: spread 0.5 and noise 0.17 (sd of t: 0.71) of 400 concepts: 0.03; times sqrt 3 for the slope.
    expect(Math.abs(parameters[0].coefficients[0] + 1)).toBeLessThan(0.15)
    expect(Math.abs(parameters[0].coefficients[1] - 0.6)).toBeLessThan(0.26)
    // The nearest of the spreads tried: 0.8 times 0.63.
    expect(parameters[0].spread).toBeCloseTo(0.504, 10)
  })

  test('fitHierarchy(...) finds the mean and the spread of a second parameter', () => {
    const random = rng(6)
    const truth = Array.from({length: 300}, () => 0.8 + 0.4 * student(random))
    const cells = truth.map(y => {
      const values = Array.from({length: 41}, (_, c) => y + (c - 20) / 20)
      const masses = Float64Array.from(values, value => exp(-((value - y) ** 2) / 0.02))
      return {values: [new Float64Array(41), Float64Array.from(values)], masses}
    })
    const predictors = truth.map(() => [1])
    const loose = {predictors, priorMean: [0], priorDeviation: [3], priorSpread: 1, spreadWeight: 1}
    const {parameters} = fitHierarchy(cells, [{...loose, spreadWeight: 1e6}, loose])
    // Standard errors: 0.57 / sqrt 300 of the mean, and about 0.4 / sqrt 300 of the spread.
    expect(Math.abs(parameters[1].coefficients[0] - 0.8)).toBeLessThan(5 * 0.033)
    expect(Math.abs(parameters[1].spread - 0.4)).toBeLessThan(5 * 0.023 + 0.01)
  })

  test('fitHierarchy(...) leaves one odd concept where its labels are', () => {
    const cells = [...Array.from({length: 30}, () => binomialCells(20, 1000)), binomialCells(120, 150)]
    const {posteriors, parameters} = fitHierarchy(cells, [parameter(cells.map(() => [1]))])
    expect(sigmoid(moment(cells[30], posteriors[30], x => x))).toBeCloseTo(0.8, 1)
    expect(parameters[0].spread).toBeLessThan(0.5)
    expect(sigmoid(parameters[0].coefficients[0])).toBeCloseTo(0.02, 2)
  })

  test('fitHierarchy(...) knows less of a concept without labels when there are fewer others', () => {
    const [few, many] = [3, 60].map(count => {
      const cells = [...Array.from({length: count}, () => binomialCells(4, 100)), binomialCells(0, 0)]
      const {posteriors} = fitHierarchy(cells, [parameter(cells.map(() => [1]))])
      const mean = moment(cells[count], posteriors[count], x => x)
      return moment(cells[count], posteriors[count], x => (x - mean) ** 2)
    })
    expect(few).toBeGreaterThan(1.5 * many)
  })

  test('fitHierarchy(...) takes what the coefficients leave open into the prior of each concept', () => {
    // One concept known by heart at x = 0: far from there, the slope is all that is not known.
    const cells = [binomialCells(0, 0), binomialCells(0, 0), ...Array.from({length: 20}, () => binomialCells(5e5, 1e6))]
    const x = cells.map((_, i) => (i === 1 ? 8 : 0))
    const slope = {...parameter(x.map(value => [1, value])), priorMean: [0, 0], priorDeviation: [3, 0.5]}
    const {posteriors} = fitHierarchy(cells, [slope])
    const [near, far] = [0, 1].map(i => moment(cells[i], posteriors[i], level => level ** 2))
    expect(far).toBeGreaterThan(near + 8)
  })

  test('fitHierarchy(...) refuses what is not finite', () => {
    expect(() => fitHierarchy([binomialCells(1, 2)], [parameter([[Number.NaN]])])).toThrow('cannot pool the rates')
  })
})

function parameter(predictors: number[][]): HierarchyParameter {
  return {predictors, priorMean: [0], priorDeviation: [3], priorSpread: 0.7, spreadWeight: 4}
}

function likelihood(s: number, n: number, level: number): number {
  return exp(s * level - n * (Math.max(level, 0) + log1p(exp(-Math.abs(level)))))
}

/** The likelihood of s among n, on a grid wide and fine enough for any of the tests. */
function binomialCells(s: number, n: number): HierarchyCells {
  const center = log((s + 0.5) / (n - s + 0.5))
  const width = Math.sqrt(1 / (s + 0.5) + 1 / (n - s + 0.5))
  const levels = Float64Array.from({length: 161}, (_, cell) => center + (width * (cell - 80)) / 10)
  const logs = levels.map(level => s * level - n * (Math.max(level, 0) + log1p(exp(-Math.abs(level)))))
  const largest = logs.reduce((a, b) => Math.max(a, b))
  return {values: [levels], masses: logs.map(value => exp(value - largest))}
}

function moment({values}: HierarchyCells, weights: Float64Array, of: (x: number) => number, k = 0): number {
  return weights.reduce((sum, weight, cell) => sum + weight * of(values[k][cell]), 0)
}

/** A t variable of 4 degrees of freedom: a normal one over the root of a mean of four squares. */
function student(random: Rng): number {
  const square = -2 * log((1 - random.next()) * (1 - random.next()))
  return normal(random) / Math.sqrt(square / 4)
}

/** The sum of twelve uniform variables is near enough. */
function normal(random: Rng): number {
  return Array.from({length: 12}, () => random.next()).reduce((sum, u) => sum + u, -6)
}

function binomial(n: number, p: number, random: Rng): number {
  let count = 0
  for (let d = 0; d < n; d++) if (random.next() < p) count++
  return count
}
