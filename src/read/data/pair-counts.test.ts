import {expect, test} from 'vitest'
import {PairCells, PairContest} from './pair-counts.ts'

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

/** Which pairs win where: runs of ranks, each run in a document of its own. */
function won(...runs: number[][]) {
  const contest = new PairContest(5)
  let place = 0
  runs.forEach((run, at) => {
    place += 2
    for (const rank of run) contest.see(rank, at + 1, place++)
  })
  contest.settle()
  return {occurrences: contest.won.occurrences, documents: contest.won.documents}
}

test('settle() gives a shared word to the pair of the better rank', () => {
  expect(won([3, 0, 2]).occurrences).toEqual([1, 0, 0, 0, 0])
  expect(won([0, 1]).occurrences).toEqual([1, 0, 0, 0, 0])
  expect(won([1, 0]).occurrences).toEqual([1, 0, 0, 0, 0])
})

test('settle() lets a pair win whose neighbour lost its own contest', () => {
  expect(won([0, 1, 2]).occurrences).toEqual([1, 0, 1, 0, 0])
  expect(won([4, 3, 2, 1, 0]).occurrences).toEqual([1, 0, 1, 0, 1])
  expect(won([1, 1, 1]).occurrences).toEqual([0, 2, 0, 0, 0])
})

test('see(...) begins anew where pairs do not share a word', () => {
  expect(won([1], [0], [1, 0])).toEqual({occurrences: [2, 1, 0, 0, 0], documents: [2, 1, 0, 0, 0]})
  expect(won([2], [2])).toEqual({occurrences: [0, 0, 2, 0, 0], documents: [0, 0, 2, 0, 0]})
  expect(won([2, 0, 2])).toEqual({occurrences: [1, 0, 0, 0, 0], documents: [1, 0, 0, 0, 0]})
})

test('documents counts a document once', () => {
  const contest = new PairContest(1)
  for (const place of [1, 3, 5]) contest.see(0, 1, place)
  contest.see(0, 2, 9)
  contest.settle()
  expect([contest.won.occurrences[0], contest.won.documents[0]]).toEqual([4, 2])
})
