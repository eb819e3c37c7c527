import {describe, expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {guessShares, otherAnchorRatios} from './guess.ts'

const logit = (share: number) => Math.log(share / (1 - share))

describe('guessShares', () => {
  test('guessShares(...) of one anchor is the usual one, whatever its evidence', () => {
    const [{prevalence, precision}] = guessShares([0.02], [3])
    expect(prevalence.value).toBeCloseTo(0.02 / 0.47, 12)
    expect(precision.value).toBeCloseTo(0.9, 12)
  })

  test('guessShares(...) of several differ by other anchors, around a mean weighted by P(A)', () => {
    const firing = [0.01, 0.03]
    const others = [-0.75 * Math.log(4), 0.25 * Math.log(4)]
    guessShares(firing, [0.5, 2]).forEach(({prevalence, precision}, i) => {
      expect(prevalence.value).toBeCloseTo(firing[i] / 0.47, 12)
      expect(logit(precision.value)).toBeCloseTo(logit(0.9) - 0.6 * others[i], 12)
    })
  })

  test('guessShares(...) has at most two concepts per document, unless anchors are limited', () => {
    const twenty = (firing: number) => guessShares(new Array(20).fill(firing), new Array(20).fill(1))
    const many = twenty(0.08)
    expect(many.reduce((sum, {prevalence}) => sum + prevalence.value, 0)).toBeCloseTo(2, 12)
    expect(twenty(0.2)[0].prevalence.value).toBeCloseTo(0.2 / 0.98, 12)
    expect(guessShares([0.7], [1])[0].prevalence.value).toBe(1)
  })
})

test('otherAnchorRatios(...) compares the anchors beside each one with those expected by chance', () => {
  const rows = (count: number, ...features: string[]) => Array.from({length: count}, () => ({features}))
  const anchors = ['a', 'b', 'c'].map(name => ({concept: name, any: [name], not: [], rates: undefined}))
  const corpus = buildCorpus(
    [...rows(10, 'a', 'b'), ...rows(10, 'a'), ...rows(20, 'c'), ...rows(60, 'word')],
    anchors,
    {
      text: [],
      maxShare: 1
    }
  )
  // a: 10 beside 20, by chance 20 x 30 / 100; b: 10 beside 10, by chance 4; c: none beside 20, by chance 6.
  expect(otherAnchorRatios(countCorpus(corpus))).toEqual([11 / 7, 11 / 5, 1 / 7])
})
