import {describe, expect, test} from 'vitest'
import {shareInterval} from './anchor-statistics.ts'
import {strongestRival, wordClaim, wordEvidence} from './suggest-anchors.ts'
import {exactRates} from './test-faults.ts'
import {anchorOf, countFeatures} from './test-words.ts'

describe('wordClaim', () => {
  const counts = countFeatures(
    [anchorOf('fever', ['A'])],
    [
      [30, 'A hot'],
      [20, 'A'],
      [70, 'hot'],
      [10, 'A sweat'],
      [10, 'sweat'],
      [360, '']
    ]
  )
  const hot = counts.lexicon.words.indexOf('hot')

  test('wordClaim(...) tells how often the anchor fires beside the word, and how that compares with its usual share', () => {
    const {documents, together, share, lift} = wordClaim(wordEvidence(counts, []), 0, hot)
    expect([documents, together]).toEqual([100, 30])
    expect(share).toEqual(shareInterval(30, 100))
    expect(lift.value).toBeCloseTo(0.3 / 0.12, 12)
    expect(lift.low).toBeCloseTo(shareInterval(30, 100).low / 0.12, 12)
    expect(lift.high).toBeCloseTo(shareInterval(30, 100).high / 0.12, 12)
  })

  test('wordClaim(...) without rates measures precision by the highest share that the anchor has beside any word', () => {
    const {precision, coverage} = wordClaim(wordEvidence(counts, []), 0, hot)
    const best = shareInterval(10, 20).low
    expect(precision.low).toBeCloseTo(shareInterval(30, 100).low / best, 12)
    expect(coverage).toEqual(shareInterval(30, 60))
  })

  test('wordClaim(...) with rates solves P(A|x) = e + (t - e) P(Y|x), and P(x|Y) by the rule of Bayes', () => {
    const {share, precision, coverage} = wordClaim(wordEvidence(counts, [ratesOf('fever', 0.8, 0.05, 0.2)]), 0, hot)
    expect(precision.value).toBeCloseTo((0.3 - 0.05) / 0.75, 12)
    expect(precision.low).toBeCloseTo((share.low - 0.05) / 0.75, 12)
    expect(coverage.value).toBeCloseTo((precision.value * 0.2) / 0.2, 12)
    expect(coverage.high).toBeCloseTo((precision.high * 0.2) / 0.2, 12)
  })

  test('wordClaim(...) keeps precision and coverage within 0 and 1', () => {
    const high = wordClaim(wordEvidence(counts, [ratesOf('fever', 0.2, 0.01, 0.01)]), 0, hot)
    expect([high.precision.value, high.coverage.value]).toEqual([1, 1])
    const low = wordClaim(wordEvidence(counts, [ratesOf('fever', 0.9, 0.5, 0.1)]), 0, hot)
    expect([low.precision.value, low.coverage.high]).toEqual([0, 0])
  })
})

describe('strongestRival', () => {
  const anchors = [anchorOf('fever', ['A']), anchorOf('flu', ['B']), anchorOf('fall', ['C'])]

  test('strongestRival(...) is the concept whose anchor goes with the word beyond what the first concept explains', () => {
    const counts = countFeatures(anchors, [
      [20, 'A x'],
      [30, 'B x'],
      [50, 'x'],
      [80, 'A'],
      [70, 'B'],
      [100, 'C'],
      [650, '']
    ])
    const words = wordEvidence(counts, [
      ratesOf('fever', 0.5, 0, 0.2),
      ratesOf('flu', 0.6, 0, 0.2),
      ratesOf('fall', 0.5, 0, 0.2)
    ])
    const x = counts.lexicon.words.indexOf('x')
    const own = wordClaim(words, 0, x)
    const explained = 0.1 // P(B), as the anchors never fire together: the upper limit of 0 of 100 is 0.026.
    expect(strongestRival(words, 0, x, own)).toEqual({
      concept: 'flu',
      share: 0.3,
      explained,
      strength: expect.closeTo((shareInterval(30, 100).low - explained) / 0.6 / own.precision.low, 12)
    })
  })

  test('strongestRival(...) is none where the concept itself explains that the other anchor fires', () => {
    const counts = countFeatures(anchors, [
      [10, 'A B x'],
      [10, 'A x'],
      [50, 'A B'],
      [50, 'A'],
      [20, 'B'],
      [10, 'C'],
      [800, '']
    ])
    const words = wordEvidence(counts, [])
    const x = counts.lexicon.words.indexOf('x')
    expect(strongestRival(words, 0, x, wordClaim(words, 0, x))).toBeUndefined()
  })
})

function ratesOf(concept: string, truePositive: number, falsePositive: number, prevalence: number) {
  return exactRates(concept, {truePositive, falsePositive, prevalence, precision: 0.9})
}
