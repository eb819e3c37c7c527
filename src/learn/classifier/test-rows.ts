import fc from 'fast-check'
import {solveDense} from '../../../test/dense.ts'
import {exp, log1p, type Rng, randomIndex, rng, sigmoid} from '../../base/numeric/index.ts'
import {type SparseRows, sparseRows} from './sparse-rows.ts'

export interface LabelledRows {
  readonly rows: SparseRows
  readonly lists: readonly (readonly number[])[]
  readonly labels: readonly number[]
}

/** Draws rows of about `length` random columns, and labels with probability `sigmoid(bias + sum of their weights)`. */
export function drawRows(
  rowCount: number,
  weights: ArrayLike<number>,
  bias: number,
  random: Rng,
  length = 3
): LabelledRows {
  const lists = Array.from({length: rowCount}, () => {
    const columns = Array.from({length}, () => randomIndex(random, weights.length))
    return [...new Set(columns)].sort((a, b) => a - b)
  })
  const labels = lists.map(list => (random.next() < sigmoid(list.reduce((z, j) => z + weights[j], bias)) ? 1 : 0))
  return {rows: sparseRows(weights.length, lists), lists, labels}
}

/** Generates a few rows over up to six columns with both labels; columns and rows may be empty. */
export const anyLabelledRows: fc.Arbitrary<LabelledRows> = fc
  .record({columnCount: fc.integer({min: 1, max: 6}), rowCount: fc.integer({min: 2, max: 40}), seed: fc.nat(1e6)})
  .map(({columnCount, rowCount, seed}) => {
    const random = rng(seed)
    const weights = Array.from({length: columnCount}, () => 4 * random.next() - 2)
    const {rows, lists, labels} = drawRows(rowCount, weights, random.next() - 0.5, random)
    return {rows, lists, labels: [0, 1, ...labels.slice(2)]}
  })

/** Computes the objective by its formula; `point` holds the weights, then the bias. */
export function denseObjective(
  {lists, labels}: Pick<LabelledRows, 'lists' | 'labels'>,
  rowWeights: readonly number[],
  ridge: number,
  point: ArrayLike<number>
): number {
  const size = point.length - 1
  let sum = 0
  for (let j = 0; j < size; j++) sum += (ridge / 2) * point[j] ** 2
  lists.forEach((list, d) => {
    const z = list.reduce((total, j) => total + point[j], point[size])
    sum += rowWeights[d] * (log1p(exp(-Math.abs(z))) + Math.max(z, 0) - labels[d] * z)
  })
  return sum
}

/** Finds the minimum of {@link denseObjective} by Newton's method, halving steps that do not descend. */
export function denseMinimum(
  data: Pick<LabelledRows, 'lists' | 'labels'>,
  columnCount: number,
  rowWeights: readonly number[],
  ridge: number
): number[] {
  let point = Array.from({length: columnCount + 1}, () => 0)
  for (let step = 0; step < 60; step++) {
    const gradient = point.map((value, j) => (j < columnCount ? ridge * value : 0))
    const hessian = point.map((_, a) => point.map((_, b) => (a === b && a < columnCount ? ridge : 0)))
    data.lists.forEach((list, d) => {
      const columns = [...list, columnCount]
      const chance = sigmoid(columns.reduce((z, j) => z + point[j], 0))
      for (const a of columns) {
        gradient[a] += rowWeights[d] * (chance - data.labels[d])
        for (const b of columns) hessian[a][b] += rowWeights[d] * chance * (1 - chance)
      }
    })
    const change = solveDense(hessian, gradient)
    const before = denseObjective(data, rowWeights, ridge, point)
    let t = 1
    const moved = () => point.map((value, j) => value - t * change[j])
    while (t > 1e-9 && denseObjective(data, rowWeights, ridge, moved()) > before) t /= 2
    point = moved()
  }
  return point
}
