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

  test('recoverBlanketMoments(...) gives true tables from exact counts, and says how good they are', () => {
    const found = recoverBlanketMoments(populationCounts(golden), noise, {concept: 0, blanket: [1, 2]}, {shrinkage: 0})
    for (let j = 0; j < n; j++) {
      const table = found.tables.subarray(16 * j, 16 * j + 16)
      const marginal = Array.from({length: 8}, (_, cell) => table[2 * cell] + table[2 * cell + 1])
      expect(largestDifference(marginal, population.latentTables['0,1,2'])).toBeLessThan(1e-8)
      const present = Array.from({length: 8}, (_, cell) => table[2 * cell + 1]).reduce((sum, share) => sum + share, 0)
      expect(present).toBeCloseTo(population.px1[j], 12)
    }
    expect(found.certificate.status).toBe('optimal')
    expect(found.certificate.gap).toBeLessThan(1e-10 * 2 * n)
    expect(found).toMatchObject({concept: 0, blanket: [1, 2], wordCount: n})
  })
})

describe('recoverBlanketMoments', () => {
  const golden = readGolden('m8')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverBlanketMoments(...) knows the variance that anchors leave, as the whole covariance matrix gives it', () => {
    const concepts = [4, 1, 6]
    const {variance} = recoverBlanketMoments(counts, noise, {concept: 4, blanket: [1, 6]})
    const prior = recoverTable(counts, noise, {concepts}).mu
    const inverse = (i: number, y: number, a: number) => {
      const [t, e] = [noise.truePositive[i], noise.falsePositive[i]]
      return (y ? (a ? 1 - e : -e) : a ? t - 1 : t) / (t - e)
    }
    const rate = (i: number, y: number, a: number) => {
      const on = y ? noise.truePositive[i] : noise.falsePositive[i]
      return a ? on : 1 - on
    }
    const cells = Array.from({length: 8}, (_, cell) => cell)
    const product = (entry: (i: number, y: number, a: number) => number, y: number, a: number) =>
      concepts.reduce((result, i, k) => result * entry(i, (y >> (2 - k)) & 1, (a >> (2 - k)) & 1), 1)
    const anchors = cells.map(a => cells.reduce((sum, y) => sum + prior[y] * product(rate, y, a), 0))
    for (let b = 0; b < 4; b++) {
      // The weight of each anchor cell in P-hat(x0|y = 1, b) - P-hat(x0|y = 0, b).
      const weight = cells.map(a => product(inverse, 4 + b, a) / prior[4 + b] - product(inverse, b, a) / prior[b])
      const expected = cells.reduce((sum, a) => sum + weight[a] * weight[a] * anchors[a], 0)
      expect(variance[b] / expected).toBeCloseTo(1, 10)
    }
  })

  test('recoverBlanketMoments(...) gives a word in all documents, and one in none, tables without the other half', () => {
    const extreme: Counts = {
      ...counts,
      lexicon: {...counts.lexicon, words: ['all', 'none']},
      wordStarts: Uint32Array.from({length: counts.patternCount + 1}, (_, p) => p),
      wordIds: new Uint32Array(counts.patternCount),
      wordCounts: counts.patternDocuments
    }
    const {tables} = recoverBlanketMoments(extreme, noise, {concept: 0, blanket: [5]})
    expect(tables).toHaveLength(16)
    expect([0, 2, 4, 6].map(cell => tables[cell])).toEqual([0, 0, 0, 0])
    expect([1, 3, 5, 7].map(cell => tables[8 + cell])).toEqual([0, 0, 0, 0])
    expect(tables.reduce((sum, share) => sum + share, 0)).toBeCloseTo(2, 12)
  })

  test('recoverBlanketMoments(...) refuses a concept in its own blanket, and what it does not know', () => {
    expect(() => recoverBlanketMoments(counts, noise, {concept: 0, blanket: [1, 0]})).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/different concepts/)})
    )
    expect(() => recoverBlanketMoments(counts, noise, {concept: 0, blanket: []}, {shrinkag: 1} as object)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/did you mean "shrinkage"/)})
    )
  })
})
