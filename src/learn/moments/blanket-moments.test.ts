import {describe, expect, test} from 'vitest'
import {goldenNames, goldenRates, populationCounts, readGolden, sampleCounts} from '../../../test/golden.ts'
import {largestDifference} from '../../../test/tables.ts'
import type {Counts} from '../../read/counts/index.ts'
import {recoverTable} from './table.ts'
import {recoverBlanketMoments, recoverWordMoments} from './word-moments.ts'

describe.each(goldenNames)('recoverBlanketMoments on %s', name => {
  const golden = readGolden(name)
  const {n, sample, population} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)

  // 1e-6: as for recoverWordMoments, two solvers that each stop at a gap of 1e-10.
  test.each([0.01, 0.1, 1])(
    'recoverBlanketMoments(...) in halves equals whole tables solved at once, shrinkage %f',
    shrinkage => {
      const blanket = [3, 0]
      const {tables} = recoverBlanketMoments(counts, noise, {concept: 2, blanket}, {shrinkage})
      expect(tables).toHaveLength(16 * n)
      for (let j = 0; j < n; j++) {
        const {mu} = recoverTable(counts, noise, {concepts: [2, ...blanket], words: [j]}, {shrinkage})
        expect(largestDifference(tables.subarray(16 * j, 16 * j + 16), mu)).toBeLessThan(1e-6)
      }
    }
  )

  test('recoverBlanketMoments(...) of a blanket of none and of one are the word moments of a concept and of an edge', () => {
    const {singles, pairs} = recoverWordMoments(counts, noise, [[1, 3]], {shrinkage: 0.1})
    const alone = recoverBlanketMoments(counts, noise, {concept: 1, blanket: []}, {shrinkage: 0.1})
    expect(largestDifference(alone.tables, singles.subarray(4 * n, 8 * n))).toBeLessThan(1e-12)
    const one = recoverBlanketMoments(counts, noise, {concept: 1, blanket: [3]}, {shrinkage: 0.1})
    expect(largestDifference(one.tables, pairs)).toBeLessThan(1e-12)
  })

  test('recoverBlanketMoments(...) gives true tables from exact counts', () => {
    const found = recoverBlanketMoments(populationCounts(golden), noise, {concept: 0, blanket: [1, 2]}, {shrinkage: 0})
    for (let j = 0; j < n; j++) {
      const table = found.tables.subarray(16 * j, 16 * j + 16)
      const marginal = Array.from({length: 8}, (_, cell) => table[2 * cell] + table[2 * cell + 1])
      expect(largestDifference(marginal, population.latentTables['0,1,2'])).toBeLessThan(1e-8)
      const present = Array.from({length: 8}, (_, cell) => table[2 * cell + 1]).reduce((sum, share) => sum + share, 0)
      expect(present).toBeCloseTo(population.px1[j], 12)
    }
    expect(found).toMatchObject({concept: 0, blanket: [1, 2], wordCount: n})
  })
})

describe('recoverBlanketMoments', () => {
  const golden = readGolden('m8')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverBlanketMoments(...) gives a word in all documents, and one in none, tables without the other half', () => {
    const extreme: Counts = {
      ...counts,
      lexicon: {...counts.lexicon, words: ['all', 'none']},
      wordStarts: Uint32Array.from({length: counts.patternCount + 1}, (_, p) => p),
      wordIds: new Uint32Array(counts.patternCount),
      wordCounts: counts.patternDocuments
    }
    const {tables} = recoverBlanketMoments(extreme, noise, {concept: 0, blanket: [5]}, {shrinkage: 1})
    expect(tables).toHaveLength(16)
    expect([0, 2, 4, 6].map(cell => tables[cell])).toEqual([0, 0, 0, 0])
    expect([1, 3, 5, 7].map(cell => tables[8 + cell])).toEqual([0, 0, 0, 0])
    expect(tables.reduce((sum, share) => sum + share, 0)).toBeCloseTo(2, 12)
  })

  test('recoverBlanketMoments(...) refuses a concept in its own blanket', () => {
    expect(() => recoverBlanketMoments(counts, noise, {concept: 0, blanket: [1, 0]}, {shrinkage: 1})).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/different concepts/)})
    )
  })
})
