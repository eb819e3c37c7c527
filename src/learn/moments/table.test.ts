import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  goldenNames,
  goldenRates,
  populationCounts,
  readGolden,
  sampleCounts,
  tableVariables
} from '../../../test/golden.ts'
import {largestDifference, objectiveOf} from '../../../test/tables.ts'
import {shownValue} from '../../base/checks/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {
  parseShrinkage,
  ratesOf,
  recoverObservedTable,
  recoverTable,
  type Shrinkage,
  shrinkageStrength
} from './table.ts'

describe.each(goldenNames)('recoverTable on %s', name => {
  const golden = readGolden(name)
  const {sample, population} = golden
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, sample.pyFromSingles)
  // Objectives 1e-7 and tables 1e-5 at lambda = 0.01: the accuracy of the golden numbers themselves.
  const triples = Object.entries(sample.recovered['lambda=0.01'].simplexTriples.tables)

  test('recoverTable(...) reproduces the golden tables of three concepts', () => {
    expect(triples).toHaveLength(golden.m === 4 ? 4 : 56)
    for (const [key, table] of triples) {
      const {mu, certificate} = recoverTable(counts, noise, {concepts: tableVariables(key)}, {shrinkage: 0.01})
      expect(largestDifference(mu, table)).toBeLessThan(1e-5)
      expect(certificate.status).toBe('optimal')
    }
  })

  test('recoverTable(...) without a shrinkage is no worse than the golden tables of three concepts', () => {
    for (const [key, table] of Object.entries(sample.recovered['lambda=0.0'].simplexTriples.tables)) {
      const concepts = tableVariables(key)
      const {certificate} = recoverTable(counts, noise, {concepts}, {shrinkage: 0})
      const a = sample.anchorCounts[key].map(documents => documents / sample.N)
      const problem = {rates: concepts.map(i => ratesOf(noise, i)), a, w: a.map(() => 0)}
      expect(Math.abs(certificate.objective - objectiveOf(problem, table, 'kl'))).toBeLessThan(1e-7)
    }
  })

  test('recoverTable(...) gives the true tables of one, two and three concepts from exact anchor tables', () => {
    const exact = populationCounts(golden)
    for (const [key, table] of Object.entries(population.latentTables)) {
      const {mu} = recoverTable(exact, noise, {concepts: tableVariables(key)}, {shrinkage: 0})
      expect(largestDifference(mu, table)).toBeLessThan(1e-9)
    }
  })
})

describe('recoverTable', () => {
  const golden = readGolden('m4')
  const counts = sampleCounts(golden)
  const noise = goldenRates(golden, golden.sample.pyFromSingles)

  test('recoverTable(...) keeps the order of the concepts it is given', () => {
    const {mu} = recoverTable(counts, noise, {concepts: [0, 2]})
    const swapped = recoverTable(counts, noise, {concepts: [2, 0]})
    expect(largestDifference([mu[0], mu[2], mu[1], mu[3]], swapped.mu)).toBeLessThan(1e-9)
    expect(mu[1]).not.toBeCloseTo(mu[2], 3)
  })

  test('recoverTable(...) keeps the frequency of a word as observed, whatever the shrinkage', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 5}), fc.constantFrom(0, 0.01, 1, 100), (word, shrinkage) => {
        const {mu} = recoverTable(counts, noise, {concepts: [0, 1], words: [word]}, {shrinkage})
        const on = [1, 3, 5, 7].reduce((sum, cell) => sum + mu[cell], 0)
        expect(on).toBeCloseTo(golden.sample.px1[word], 8)
      })
    )
  })

  test('recoverTable(...) refuses two words and options it does not have', () => {
    expect(() => recoverTable(counts, noise, {concepts: [0], words: [0, 1]})).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/may have one word; got 2/)})
    )
    expect(() => recoverTable(counts, noise, {concepts: [0]}, {divergance: 'l2'} as object)).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/did you mean "divergence"/)})
    )
    expect(() => recoverTable(counts, noise, {concepts: [0]}, {shrinkage: -1})).toThrow(
      expect.objectContaining({code: 'bad-option'})
    )
  })
  test.each([{concepts: [99]}, {concepts: [-1]}, {concepts: [0.5]}, {concepts: [0, 0]}, {concepts: [0], words: [99]}])(
    'recoverTable(..., %j) is refused: no such variable, or one variable twice',
    variables => {
      expect(() => recoverTable(counts, noise, variables)).toThrow(expect.objectContaining({code: 'bad-option'}))
    }
  )
})

describe('recoverObservedTable', () => {
  const noise: NoiseRates = {
    truePositive: Float64Array.of(0.8, 0.6),
    falsePositive: Float64Array.of(0.1, 0.05),
    prevalence: Float64Array.of(0.4, 0.3)
  }
  // Concept 1, then two words.
  const truth = [0.2, 0.1, 0.15, 0.05, 0.1, 0.1, 0.05, 0.25]

  test('recoverObservedTable(...) gives back a table of a concept and two words from what is seen of it', () => {
    const [t, e] = [0.6, 0.05]
    const seen = truth.map((_, cell) => {
      const [absent, present] = [truth[cell & 3], truth[4 + (cell & 3)]]
      return cell < 4 ? (1 - e) * absent + (1 - t) * present : e * absent + t * present
    })
    const {mu, certificate} = recoverObservedTable(
      seen.map(share => 1000 * share),
      noise,
      [1],
      {shrinkage: 0}
    )
    // The answer is R^-1 a, up to rounding.
    mu.forEach((p, cell) => {
      expect(p).toBeCloseTo(truth[cell], 10)
    })
    expect(certificate.status).toBe('optimal')
  })

  test.each([
    [[1, 2, 3], [0]],
    [
      [1, 2],
      [0, 1]
    ],
    [[0, 0], [0]]
  ])('recoverObservedTable(%j, ..., %j) is refused', (documents, concepts) => {
    expect(() => recoverObservedTable(documents, noise, concepts)).toThrow(
      expect.objectContaining({code: 'bad-option'})
    )
  })
})

describe('shrinkageStrength', () => {
  test('shrinkageStrength(number) is that number whatever the documents', () => {
    expect(shrinkageStrength(0.01, 7)).toBe(0.01)
    expect(shrinkageStrength(0, 1_000_000)).toBe(0)
  })

  test('shrinkageStrength("C/N") fades as documents come in', () => {
    expect(shrinkageStrength('10/N', 1000)).toBe(0.01)
    expect(shrinkageStrength('2.5e1/N', 100)).toBe(0.25)
    expect(shrinkageStrength('0/N', 100)).toBe(0)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '10', '10/n', '-1/N', 'abc/N', '/N', 'Infinity/N', '10/N ', ''])(
    'shrinkageStrength(%j) is refused with what a shrinkage looks like',
    shrinkage => {
      expect(() => shrinkageStrength(shrinkage as Shrinkage, 100)).toThrow(
        expect.objectContaining({
          code: 'bad-option',
          message: `a shrinkage is a number >= 0, or C/N with C >= 0, such as 10/N; got ${shownValue(shrinkage)}`
        })
      )
    }
  )
})

describe('parseShrinkage', () => {
  test('parseShrinkage(...) reads what people type', () => {
    expect(parseShrinkage('0.01')).toBe(0.01)
    expect(parseShrinkage('1e-3')).toBe(0.001)
    expect(parseShrinkage(' 1 ')).toBe(1)
    expect(parseShrinkage('0')).toBe(0)
    expect(parseShrinkage('10/N')).toBe('10/N')
    expect(parseShrinkage('0.5/N')).toBe('0.5/N')
  })

  test.each(['abc', '-1', '', ' ', 'NaN', 'Infinity', '10/M', '-10/N', '10/', 'N', '10/N/N', '1,5'])(
    'parseShrinkage(%j) is refused',
    text => {
      expect(() => parseShrinkage(text)).toThrow(
        expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/such as 10\/N; got/)})
      )
    }
  )
})
