/** The moment vector of Eq. 4, its coordinates under local consistency (Eq. 3), and the data of Eq. 4. */
import {clamp} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import type {Divergence, TableLayout, TableProblem} from './objective.ts'
import {allRates, independentTable, type Shrinkage, shrinkageStrength} from './table.ts'

/** Prevalences move this fraction of the way to 1/2, so that rare concepts are off the boundary; any small fraction works. */
const TO_HALF = 0.1

/**
 * The layout of a moment vector mu: the tables of the m single concepts, then of the pairs i < k, row-major. A single has the
 * cells 0 and 1, and the cell of a pair is `2*yi + yk`.
 *
 * Eq. 3: tables that agree on the concepts they share have the coordinates p_i = P(Y_i = 1), then q_ik = P(Y_i = Y_k = 1) of the
 * pairs i < k, and `momentsAt` gives their cells. At a vertex y of the marginal polytope p_i = y_i and q_ik = y_i y_k, so a linear
 * function of the tables is a quadratic function of the 0/1 variables y.
 */
export interface MomentLayout extends TableLayout {
  readonly conceptCount: number
  readonly pairCount: number
}

export function momentLayout(conceptCount: number): MomentLayout {
  const m = conceptCount
  const tables: {concepts: readonly number[]; start: number}[] = []
  for (let i = 0; i < m; i++) tables.push({concepts: [i], start: 2 * i})
  for (let i = 0, start = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, start += 4) tables.push({concepts: [i, k], start})
  const pairCount = tables.length - m
  return {conceptCount, pairCount, size: 2 * m + 4 * pairCount, tables}
}

/** Returns the cells 00, 01, 10, 11 of two events, from the numbers of all cases, the first event, the second, and both. */
export function pairCells(all: number, first: number, second: number, both: number): [number, number, number, number] {
  return [all - first - second + both, second - both, first - both, both]
}

/** Returns the index of q_ik among the coordinates, for any i != k. */
export function pairColumn(i: number, k: number, m: number): number {
  const [first, second] = i < k ? [i, k] : [k, i]
  return m + first * m - (first * (first + 1)) / 2 + second - first - 1
}

/** Writes the cells of the consistent tables (Eq. 3) at coordinates x; with `total` 0, the changes if coordinates change by x. */
export function momentsAt(
  {conceptCount: m, size}: MomentLayout,
  x: Float64Array,
  mu: Float64Array = new Float64Array(size),
  total: 0 | 1 = 1
): Float64Array {
  for (let i = 0; i < m; i++) {
    mu[2 * i] = total - x[i]
    mu[2 * i + 1] = x[i]
  }
  for (let i = 0, column = m, cell = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++, cell += 4) {
      const q = x[column]
      mu[cell] = total - x[i] - x[k] + q
      mu[cell + 1] = x[k] - q
      mu[cell + 2] = x[i] - q
      mu[cell + 3] = q
    }
  return mu
}

/** Writes the coefficients of <gradient, mu> as a linear function of the coordinates of mu, and returns its constant. */
export function coordinateGradient(
  {conceptCount: m}: MomentLayout,
  gradient: Float64Array,
  coefficients: Float64Array
): number {
  let constant = 0
  for (let i = 0; i < m; i++) {
    constant += gradient[2 * i]
    coefficients[i] = gradient[2 * i + 1] - gradient[2 * i]
  }
  for (let i = 0, column = m, cell = 2 * m; i < m; i++)
    for (let k = i + 1; k < m; k++, column++, cell += 4) {
      const none = gradient[cell]
      constant += none
      coefficients[k] += gradient[cell + 1] - none
      coefficients[i] += gradient[cell + 2] - none
      coefficients[column] = gradient[cell + 3] - gradient[cell + 2] - gradient[cell + 1] + none
    }
  return constant
}

/**
 * Returns the coordinates of independent concepts with prevalences p. For an assignment p of 0 and 1, they are a vertex of the
 * marginal polytope.
 */
export function independentCoordinates(p: ArrayLike<number>): Float64Array {
  const m = p.length
  const x = new Float64Array((m * (m + 1)) / 2)
  for (let i = 0; i < m; i++) x[i] = p[i]
  for (let i = 0, column = m; i < m; i++) for (let k = i + 1; k < m; k++, column++) x[column] = p[i] * p[k]
  return x
}

/** The data of Eq. 4, for the tables of all singles and pairs. */
export interface MomentProblem extends TableProblem {
  readonly layout: MomentLayout
}

/**
 * Builds the data of Eq. 4. Observed cells are differences of integers, the numbers of documents in which each anchor and each
 * pair of anchors fires, divided by N, so a cell without documents is exactly 0. Cost: one pass over the patterns.
 */
export function momentProblem(
  counts: Counts,
  noise: NoiseRates,
  {shrinkage, divergence}: {readonly shrinkage: Shrinkage; readonly divergence: Divergence}
): MomentProblem {
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const layout = momentLayout(m)
  const lambda = shrinkageStrength(shrinkage, N)
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  const fired = anchorPairCounts(counts)
  for (const {concepts, start} of layout.tables) {
    const [i, k] = concepts
    const on = fired[i * m + i]
    const documents = k === undefined ? [N - on, on] : pairCells(N, on, fired[k * m + k], fired[i * m + k])
    independentTable(concepts.map(each => noise.prevalence[each])).forEach((cell, c) => {
      observed[start + c] = documents[c] / N
      shrinkageWeights[start + c] = lambda * cell
    })
  }
  return {layout, rates: allRates(noise), observed, shrinkageWeights, lambda, divergence}
}

/** Returns a point well inside the marginal polytope: independent concepts whose implied prevalences are moved towards 1/2. */
export function insidePoint({rates, observed}: MomentProblem): Float64Array {
  return independentCoordinates(
    rates.map(({truePositive: t, falsePositive: e}, i) => {
      const prevalence = clamp((observed[2 * i + 1] - e) / (t - e), 0, 1)
      return prevalence + TO_HALF * (0.5 - prevalence)
    })
  )
}
