import {expect, test} from 'vitest'
import {PairCells} from './pair-cells.ts'

const seen = (least: number, ...counts: number[]) => {
  const cells = new PairCells(3, least)
  counts.forEach((count, hash) => {
    for (let left = count; left > 0; left--) cells.see(hash)
  })
  return cells
}

test('most(hash) is how often things of this hash were seen', () => {
  const cells = seen(1, 3, 0, 1)
  expect([cells.most(0), cells.most(1), cells.most(2), cells.most(7)]).toEqual([3, 0, 1, 0])
})

test.each([
  [8, 2, 2],
  [4, 2, 2],
  [3, 2, 3],
  [2, 2, 4],
  [1, 2, 9],
  [1, 10, 10]
])('leastOfFullest(%i) of cells that hold at least %i is %i for 9, 4, 3, 2 and 1', (count, least, expected) => {
  expect(seen(least, 1, 9, 3, 2, 4).leastOfFullest(count)).toBe(expected)
})
