import {expect, test} from 'vitest'
import {familyTable} from './family-table.ts'

const singles = [0.3, 0.2, 0.1]
const covariances = [
  [0, 0.05, 0.02],
  [0.05, 0, -0.005],
  [0.02, -0.005, 0]
]

test('familyTable(...) has the singles and pairs that are wanted', () => {
  const {table, residual} = familyTable(singles, (a, b) => covariances[a][b])
  const mean = (of: (y: number[]) => number) =>
    table.reduce((sum, share, cell) => sum + share * of([cell >> 2, (cell >> 1) & 1, cell & 1]), 0)
  // Five sweeps of scaling, each some twenty times nearer.
  for (let a = 0; a < 3; a++) {
    expect(mean(y => y[a])).toBeCloseTo(singles[a], 4)
    for (let b = 0; b < a; b++)
      expect(mean(y => y[a] * y[b])).toBeCloseTo(singles[a] * singles[b] + covariances[a][b], 4)
  }
  expect(residual).toBeLessThan(1e-4)
})

test('familyTable(...) has no term for three variables: each pair has the same odds ratio whatever the third is', () => {
  const {table} = familyTable(singles, (a, b) => covariances[a][b])
  const oddsRatio = (y: number) => (table[4 * y] * table[4 * y + 3]) / (table[4 * y + 1] * table[4 * y + 2])
  expect(oddsRatio(1)).toBeCloseTo(oddsRatio(0), 10)
})

test('familyTable(...) of one or two variables is exact', () => {
  expect([...familyTable([0.3], () => 0).table]).toEqual([0.7, 0.3])
  const {table, residual} = familyTable([0.3, 0.2], () => 0.05)
  expect(table[3]).toBeCloseTo(0.11, 14)
  expect(table[2]).toBeCloseTo(0.19, 14)
  expect(residual).toBeLessThan(1e-14)
})

test('familyTable(...) of pairs that contradict each other is still a table, and says how far off', () => {
  // Both follow the first closely, and avoid each other.
  const {table, residual} = familyTable([0.5, 0.5, 0.5], (a, b) => (a === 0 ? 0.2 : -0.2 * b ** 0))
  expect(table.every(share => share >= 0 && share <= 1)).toBe(true)
  expect(table.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10)
  expect(residual).toBeGreaterThan(0.01)
})
