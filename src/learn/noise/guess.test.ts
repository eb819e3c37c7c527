import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {anchorArea, type GuessEvidence, guessRates, otherAnchors} from './guess.ts'

const logit = (share: number) => Math.log(share / (1 - share))

function anchor(firing: number, area?: number, others = 1): GuessEvidence {
  return {firing, area, others}
}

describe('guessRates', () => {
  test('guessRates(...) of one anchor is the usual one, whatever its evidence', () => {
    const [{prevalence, precision}] = guessRates([anchor(0.02, 0.9, 3)])
    expect(prevalence.value).toBeCloseTo(0.02 / 0.47, 12)
    expect(precision.value).toBeCloseTo(0.9, 12)
  })

  test('guessRates(...) of several differ by area, frequency and other anchors, around means weighted by P(A)', () => {
    const evidence = [anchor(0.01, 0.6, 0.5), anchor(0.03, 0.9, 2)]
    const around = (one: number, other: number) => [0.75 * (one - other), 0.25 * (other - one)]
    const [areas, firings] = [around(logit(0.6), logit(0.9)), around(Math.log(0.01), Math.log(0.03))]
    const others = around(Math.log(0.5), Math.log(2))
    guessRates(evidence).forEach(({prevalence, precision}, i) => {
      const truePositive = 0.47 * Math.exp(0.2 * areas[i] + 0.1 * firings[i])
      expect(prevalence.value).toBeCloseTo(evidence[i].firing / truePositive, 12)
      expect(logit(precision.value)).toBeCloseTo(logit(0.9) - 0.6 * others[i], 12)
    })
  })

  test('guessRates(...) without an area takes the mean of the others', () => {
    const [known, unknown] = [0.8, undefined].map(area => guessRates([anchor(0.02, 0.8), anchor(0.02, area)]))
    expect(unknown).toEqual(known)
  })

  test('guessRates(...) has at most two concepts per document, unless anchors are limited', () => {
    const many = guessRates(Array.from({length: 20}, () => anchor(0.08)))
    expect(many.reduce((sum, {prevalence}) => sum + prevalence.value, 0)).toBeCloseTo(2, 12)
    expect(guessRates(Array.from({length: 20}, () => anchor(0.2)))[0].prevalence.value).toBeCloseTo(0.2 / 0.98, 12)
    expect(guessRates([anchor(0.7)])[0].prevalence.value).toBe(1)
  })
})

test('anchorArea(...) is the share of pairs in order, ties one half', () => {
  const documents = fc.array(fc.tuple(fc.integer({min: -3, max: 3}), fc.boolean()), {minLength: 2, maxLength: 30})
  fc.assert(
    fc.property(documents, rows => {
      const fired = Uint8Array.from(rows, ([, fires]) => (fires ? 1 : 0))
      fc.pre(fired.includes(1) && fired.includes(0))
      const scoresOf = (wanted: boolean) => rows.flatMap(([score, fires]) => (fires === wanted ? [score] : []))
      const pairs = scoresOf(true).flatMap(high => scoresOf(false).map(low => (Math.sign(high - low) + 1) / 2))
      const twin = pairs.reduce((sum, one) => sum + one, 0) / pairs.length
      // The same halves in another order: exact but for the division.
      expect(anchorArea({logOdds: Float32Array.from(rows, ([score]) => score), fired})).toBeCloseTo(twin, 12)
    })
  )
})

test('otherAnchors(...) compares the anchors beside each one with those expected by chance', () => {
  const rows = (count: number, ...features: string[]) => Array.from({length: count}, () => ({features}))
  const anchors = ['a', 'b', 'c'].map(name => ({concept: name, any: [name], not: [], rates: undefined}))
  const corpus = buildCorpus(
    [...rows(10, 'a', 'b'), ...rows(10, 'a'), ...rows(20, 'c'), ...rows(60, 'word')],
    anchors,
    {
      fields: [],
      maxShare: 1
    }
  )
  // a: 10 beside 20, by chance 20 x 30 / 100; b: 10 beside 10, by chance 4; c: none beside 20, by chance 6.
  expect(otherAnchors(countCorpus(corpus))).toEqual([11 / 7, 11 / 5, 1 / 7])
})
