import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {sparseRows} from '../classifier/index.ts'
import {DirectionPasses} from './row-passes.ts'

test('DirectionPasses sums as if every direction were a column written out', () => {
  const random = rng(3)
  const list = (length: number) => Float64Array.from({length}, () => random.next() - 0.5)
  const lists = Array.from({length: 12}, () => [0, 1, 2, 3, 4, 5].filter(() => random.next() < 0.5))
  const directions = [list(6), list(6)]
  const passes = new DirectionPasses(sparseRows(6, lists), directions)
  const dense = lists.map(row => [
    ...[0, 1, 2, 3, 4, 5].map(j => (row.includes(j) ? 1 : 0)),
    ...directions.map(direction => row.reduce((sum, j) => sum + direction[j], 0))
  ])
  const weights = [list(9), list(9), list(9)]
  const byRow = weights.map(() => new Float64Array(12))
  passes.sumRows(weights, byRow)
  const residuals = weights.map(() => list(12))
  const byColumn = weights.map(() => new Float64Array(8))
  passes.sumColumns(residuals, byColumn)
  weights.forEach((own, v) => {
    dense.forEach((row, d) => {
      expect(byRow[v][d]).toBeCloseTo(
        row.reduce((sum, x, j) => sum + x * own[j], 0),
        12
      )
    })
    for (let j = 0; j < 8; j++)
      expect(byColumn[v][j]).toBeCloseTo(
        dense.reduce((sum, row, d) => sum + row[j] * residuals[v][d], 0),
        12
      )
  })
})
