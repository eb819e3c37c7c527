import {expect, test} from 'vitest'
import {rateRefusals} from './rate-refusals.ts'

const sound = {truePositive: 0.1, precision: {value: 0.45}, prevalence: {low: 0.01, high: 0.06}}

test('rateRefusals(...) lets pass what is just good enough', () => {
  expect(rateRefusals(sound, 30)).toEqual([])
})

test('rateRefusals(...) names each rule with what was found, what is needed and what to do', () => {
  expect(rateRefusals(sound, 29)).toEqual([
    {rule: 'few-anchored', reason: 'its anchor fires in 29 documents, and 30 are needed; add words to the anchor'}
  ])
  expect(rateRefusals({...sound, truePositive: 0.0991}, 30)).toEqual([
    {
      rule: 'low-true-positive',
      reason: 'its anchor fires in 9.91% of the documents that have it, and 10.0% is needed; add words to the anchor'
    }
  ])
  expect(rateRefusals({...sound, precision: {value: 0.449}}, 30)).toEqual([
    {
      rule: 'low-precision',
      reason:
        '44.9% of the documents where its anchor fires have it, and 45.0% is needed; ' +
        'choose narrower words, or veto with "not"'
    }
  ])
  expect(rateRefusals({...sound, prevalence: {low: 0.01, high: 0.061}}, 30)).toEqual([
    {rule: 'wide-interval', reason: 'its prevalence is known to a factor of 6.1, and 6 is needed; label more documents'}
  ])
})

test('rateRefusals(...) gives all the rules that are broken', () => {
  const bad = {truePositive: 0, precision: {value: 0}, prevalence: {low: 0.01, high: 1}}
  expect(rateRefusals(bad, 0).map(({rule}) => rule)).toEqual([
    'few-anchored',
    'low-true-positive',
    'low-precision',
    'wide-interval'
  ])
})
