import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, populationCounts, readGolden, sampleCounts} from '../../../test/golden.ts'
import {largestDifference} from '../../../test/tables.ts'
import type {Counts} from '../../read/counts/index.ts'
import {recoverTable} from './table.ts'
import {recoverWordMoments} from './word-moments.ts'

describe.each(goldenNames)('recoverWordMoments on %s', name => {
  const golden = readGolden(name)
  const {m, n, sample, population} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)
  const edges: [number, number][] = [
    [0, 1],
    [3, 1],
    [2, 0]
  ]

  // 1e-6: two solvers that each stop at a gap of 1e-10 agree to the root of that over the curvature, about 1e-5 at
  // worst; Newton's last step leaves far less.
  test.each([0.01, 0.1, 1])(
    'recoverWordMoments(...) in halves equals whole tables solved at once, shrinkage %f',
    shrinkage => {
      const {singles, pairs} = recoverWordMoments(counts, noise, edges, {shrinkage})
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < m; i++) {
          const {mu} = recoverTable(counts, noise, {concepts: [i], words: [j]}, {shrinkage})
          expect(largestDifference(singles.subarray(4 * (i * n + j), 4 * (i * n + j) + 4), mu)).toBeLessThan(1e-6)
        }
        edges.forEach((concepts, edge) => {
          const {mu} = recoverTable(counts, noise, {concepts, words: [j]}, {shrinkage})
          expect(largestDifference(pairs.subarray(8 * (edge * n + j), 8 * (edge * n + j) + 8), mu)).toBeLessThan(1e-6)
        })
      }
    }
  )

  test('recoverWordMoments(...) gives true tables from exact counts', () => {
    const exact = populationCounts(golden)
    const {singles, pairs, frequency} = recoverWordMoments(exact, noise, edges, {shrinkage: 0})
    expect(largestDifference(frequency, population.px1)).toBeLessThan(1e-12)
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < m; i++) {
        const start = 4 * (i * n + j)
        const marginal = [0, 2].map(cell => singles[start + cell] + singles[start + cell + 1])
        expect(largestDifference(marginal, population.latentTables[i])).toBeLessThan(1e-9)
      }
      const start = 8 * j
      const marginal = [0, 2, 4, 6].map(cell => pairs[start + cell] + pairs[start + cell + 1])
      expect(largestDifference(marginal, population.latentTables['0,1'])).toBeLessThan(1e-9)
    }
  })
})

describe('recoverWordMoments', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverWordMoments(...) of an edge turned round has its table transposed', () => {
    const {pairs} = recoverWordMoments(counts, noise, [[0, 2]], {shrinkage: 1})
    const turned = recoverWordMoments(counts, noise, [[2, 0]], {shrinkage: 1}).pairs
    for (let j = 0; j < golden.n; j++) {
      const table = pairs.subarray(8 * j, 8 * j + 8)
      const transposed = [0, 1, 4, 5, 2, 3, 6, 7].map(cell => turned[8 * j + cell])
      expect(largestDifference(table, transposed)).toBeLessThan(1e-9)
    }
  })

  test('recoverWordMoments(...) gives a word in no document, and one in all, tables without that half', () => {
    const {wordCounts, patternDocuments, wordStarts, wordIds} = counts
    const changed = wordCounts.slice()
    const patternOf = (at: number) => wordStarts.findLastIndex(start => start <= at)
    const ids = Uint32Array.from(wordIds)
    ids.forEach((j, at) => {
      if (j === 0) changed[at] = 0
      if (j === 1) changed[at] = patternDocuments[patternOf(at)]
    })
    const extreme: Counts = {...counts, wordCounts: changed}
    const {singles, pairs, frequency} = recoverWordMoments(extreme, noise, [[0, 1]], {shrinkage: 1})
    expect(frequency[0]).toBe(0)
    for (let i = 0; i < golden.m; i++)
      expect([singles[4 * i * golden.n + 1], singles[4 * i * golden.n + 3]]).toEqual([0, 0])
    expect([1, 3, 5, 7].map(cell => pairs[cell])).toEqual([0, 0, 0, 0])
    expect(singles.every(share => share >= 0 && share <= 1)).toBe(true)
  })
})
