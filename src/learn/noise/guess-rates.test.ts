import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {bestWordShares, type GuessEvidence, guessRates} from './guess-rates.ts'

describe('guessRates', () => {
  test('guessRates(...) of one anchor is its regression on the median word and the frequency', () => {
    const {kind, effectiveTruePositive, prevalence, clipped} = guessRates([oneAnchor(0.02, [0.9, 0.1, 0.3, 0.2, 0.4])])
    const t = Math.exp(0.42 + 0.24 * Math.log(0.3) + 0.15 * Math.log(0.02))
    expect(kind).toBe('guess')
    expect(effectiveTruePositive).toEqual([{value: expect.closeTo(t, 12), low: expect.closeTo(t / 2.5, 12), high: 1}])
    expect(prevalence[0]).toBeCloseTo(0.02 / t, 12)
    expect(clipped).toEqual([])
  })

  test('guessRates(...) of an even number of words takes the mean of the middle two', () => {
    const [even, odd] = [[0.1, 0.2, 0.4, 0.9], [0.3]].map(shares => guessRates([oneAnchor(0.02, shares)]).prevalence[0])
    expect(even).toBeCloseTo(odd, 14)
  })

  test('guessRates(...) of two views is 1.1 times the geometric mean of both', () => {
    const {effectiveTruePositive} = guessRates([twoViews(0.02, 0.16, 0.25)])
    expect(effectiveTruePositive[0]).toEqual({
      value: expect.closeTo(0.22, 12),
      low: expect.closeTo(0.088, 12),
      high: expect.closeTo(0.55, 12)
    })
  })

  test('guessRates(...) draws each concept halfway to the mean of the logarithms', () => {
    const {effectiveTruePositive} = guessRates([twoViews(0.01, 0.1, 0.1), twoViews(0.01, 0.4, 0.4)])
    // Alone 0.11 and 0.44, whose geometric mean is 0.22.
    expect(effectiveTruePositive.map(({value}) => value)).toEqual([
      expect.closeTo(0.22 / Math.SQRT2, 12),
      expect.closeTo(0.22 * Math.SQRT2, 12)
    ])
  })

  test('guessRates(..., conceptsPerDocument) makes the prevalences sum to it, unless it clipped', () => {
    const share = fc.double({min: 0.01, max: 0.9, noNaN: true})
    const firing = fc.double({min: 1e-3, max: 0.05, noNaN: true})
    const evidence = fc.array(fc.tuple(firing, share, share), {minLength: 2, maxLength: 20})
    fc.assert(
      fc.property(evidence, share, (rows, fraction) => {
        const wanted = fraction * rows.length
        const {prevalence, clipped} = guessRates(
          rows.map(([a, agreement, latentClass]) => twoViews(a, agreement, latentClass)),
          wanted
        )
        if (clipped.length > 0) return
        expect(prevalence.reduce((sum, p) => sum + p, 0) / wanted).toBeCloseTo(1, 10)
      })
    )
    expect(guessRates([twoViews(0.05, 0.2, 0.2), twoViews(0.05, 0.2, 0.2)], 0.25).prevalence).toEqual([
      expect.closeTo(0.125, 12),
      expect.closeTo(0.125, 12)
    ])
  })

  test('guessRates(...) holds a guess at 0.98, or where the prevalence is 1, and says which', () => {
    const high = guessRates([twoViews(0.1, 1, 1)])
    expect(high.effectiveTruePositive[0]).toEqual({value: 0.98, low: 0.98 / 2.5, high: 1})
    expect(high.clipped).toEqual([0])
    const low = guessRates([twoViews(0.5, 0.1, 0.1)])
    expect(low.prevalence).toEqual([1])
    expect(low.clipped).toEqual([0])
  })

  test('guessRates(...) refuses evidence that is no probability, no words, or more concepts than there are', () => {
    const sound = twoViews(0.1, 0.2, 0.2)
    expect(() => guessRates([sound, oneAnchor(0, [0.2])])).toThrow('concept number 1: probability 0;')
    expect(() => guessRates([oneAnchor(0.1, [0.2, 1.2])])).toThrow('concept number 0: probability 1.2;')
    expect(() => guessRates([twoViews(0.1, Number.NaN, 0.2)])).toThrow('probability NaN;')
    expect(() => guessRates([twoViews(0.1, 0.2, 0)])).toThrow('probability 0;')
    expect(() => guessRates([oneAnchor(0.1, [])])).toThrow('no word to guess from')
    for (const wanted of [0, 2, Number.NaN])
      expect(() => guessRates([sound, sound], wanted)).toThrow(`must be above 0 and below 2; got ${wanted}`)
  })
})

function oneAnchor(firing: number, wordShares: readonly number[]): GuessEvidence {
  return {kind: 'one-anchor', firing, wordShares}
}

function twoViews(firing: number, agreement: number, latentClass: number): GuessEvidence {
  return {kind: 'two-views', firing, agreement, latentClass}
}

const rows = (count: number, ...features: string[]) => Array.from({length: count}, () => ({features}))

test('bestWordShares(...) is P(A|word) of the words with the greatest lower limits', () => {
  const corpus = buildCorpus(
    [
      ...rows(40, 'a', 'sure'),
      ...rows(10, 'sure'),
      ...rows(50, 'a', 'half'),
      ...rows(50, 'half'),
      // Seen once, and with the anchor: a share of 1 that means nothing.
      ...rows(1, 'a', 'once'),
      ...rows(30, 'other')
    ],
    [{concept: 'a', any: ['a'], not: [], rates: undefined}],
    {fields: [], maxShare: 1}
  )
  // (40 - 1.645 sqrt 40) / 50 = .59, (50 - 1.645 sqrt 50) / 100 = .38, and below 0 for the word seen once.
  expect(bestWordShares(countCorpus(corpus))).toEqual([[0.8, 0.5, 1]])
})
