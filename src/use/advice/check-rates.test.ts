import {expect, test} from 'vitest'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkLabels, checkRates, checkRefused} from './check-rates.ts'
import {countRows} from './test-faults.ts'

const exactly = (value: number) => ({value, low: value, high: value})

/** Of 1,000 documents the anchor fires in 200: in 150 of 200 with the word, and in 40 of 50 with the other anchor. */
const statistics = anchorStatistics(
  countRows({one: ['a'], two: ['b']}, [
    [110, 'a word'],
    [40, 'a word b'],
    [50, 'word'],
    [50, 'a'],
    [10, 'b'],
    [740, 'x']
  ])
)

function check(rates: Partial<EstimatedRates>) {
  const usual = {prevalence: exactly(0.22), precision: exactly(0.9), truePositive: 0.82, falsePositive: 0.025}
  return checkRates(statistics, [{concept: 'one', ...usual, ...rates}, undefined])
}

test('checkRates(statistics, rates) has nothing against rates that fit', () => {
  expect(check({})).toEqual([])
})

test('checkRates(statistics, rates) accuses rates that no prevalence fits', () => {
  expect(check({truePositive: 0.95, falsePositive: 0.3})).toMatchObject([
    {concept: 'one', severity: 'fault', kind: 'impossible-rates', evidence: {share: 0.2}}
  ])
  expect(check({truePositive: 0.11, falsePositive: 0.01}).map(({kind}) => kind)).toEqual(['impossible-rates'])
  expect(check({truePositive: 0.2, falsePositive: 0.2}).map(({kind}) => kind)).toEqual(['impossible-rates'])
  // Rarer with its concept: possible, though weak.
  expect(check({truePositive: 0.19, falsePositive: 0.21}).map(({kind}) => kind)).not.toContain('impossible-rates')
})

test('checkRates(statistics, rates) warns of a rate below the share of some word, unless its interval reaches it', () => {
  const findings = check({truePositive: 0.4})
  expect(findings).toMatchObject([
    {severity: 'warning', kind: 'rate-below-word', evidence: {words: ['word', 'the anchor of two']}}
  ])
  expect(findings[0].message).toMatch(
    /^its anchor fires in 75% of the 200 documents with 'word', but by its rates in at most 40% of any documents \(likewise with 'the anchor of two'\)/
  )
  expect(check({truePositive: 0.4, prevalence: {value: 0.36, low: 0.2, high: 0.5}})).toEqual([])
})

test('checkRates(statistics, rates) warns of rates that people should doubt, and of given ones that are weak', () => {
  const doubted = (rates: Partial<EstimatedRates>) =>
    check(rates).map(({severity, kind, evidence}) => [severity, kind, evidence.rule])
  expect(doubted({precision: exactly(0.4)})).toEqual([['warning', 'doubtful-rates', 'low-precision']])
  expect(doubted({prevalence: {value: 0.22, low: 0.1, high: 0.9}})).toEqual([
    ['note', 'doubtful-rates', 'wide-interval']
  ])
  expect(doubted({falsePositive: 0.18, truePositive: 0.5})).toContainEqual(['warning', 'doubtful-rates', 'low-ratio'])
  const [{message, remedy}] = check({precision: exactly(0.4)})
  expect(message).toBe('40% of the documents where its anchor fires have it, and 45% or more is usual')
  expect(remedy).toBe('choose narrower words, or veto with "not"')
  // A few labels do not tell.
  const [unsure] = check({precision: {value: 0.2, low: 0.03, high: 0.6}})
  expect([unsure.message.includes('(3.0% to 60%)'), unsure.remedy]).toEqual([
    true,
    'label more documents where its anchor fires'
  ])
})

test('checkRefused(refused) says what is missing and what to do', () => {
  expect(checkRefused([{concept: 'one', reason: 'no labelled document has it; label more'}])).toMatchObject([
    {
      concept: 'one',
      severity: 'fault',
      kind: 'refused-rates',
      message: 'no labelled document has it',
      remedy: 'label more'
    }
  ])
})

/** Labelled documents: neither, anchor without concept, concept without anchor, both. */
function checkedLabels(...labelled: readonly number[]) {
  const counts = countRows({one: ['a']}, [
    [50, 'a'],
    [50, 'x']
  ])
  return checkLabels(anchorStatistics({...counts, labelled: Float64Array.from(labelled)}))
}

test('checkLabels(statistics) accuses an anchor that is no commoner with its concept than without', () => {
  const findings = checkedLabels(80, 20, 80, 20)
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'fault', kind: 'wrong-labels', evidence: {labelled: 200, withConcept: 100, withBoth: 20}}
  ])
  expect(findings[0].message).toMatch(
    /fires in 20% of the documents that have the concept and in 20% of those that do not/
  )
})

test('checkLabels(statistics) accuses an anchor that is mostly false', () => {
  expect(checkedLabels(800, 80, 10, 20)[0].message).toMatch(
    /only 20% of the documents where its anchor fires have the concept/
  )
})

test('checkLabels(statistics) is silent about sound anchors, doubtful ones and few labels', () => {
  expect(checkedLabels(800, 10, 30, 60)).toEqual([])
  expect(checkedLabels(800, 12, 10, 8)).toEqual([])
  expect(checkedLabels(800, 9, 9, 0)).toEqual([])
  expect(checkedLabels(0, 0, 0, 0)).toEqual([])
})
