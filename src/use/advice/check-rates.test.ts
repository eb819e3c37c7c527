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
    {severity: 'warning', kind: 'rate-below-word', evidence: {words: ['word', 'the anchor of two'], share: 0.75}}
  ])
  expect(check({truePositive: 0.4, prevalence: {value: 0.36, low: 0.2, high: 0.5}})).toEqual([])
})

test('checkRates(statistics, rates) warns of rates that people should doubt, and of given ones that are weak', () => {
  const doubted = (rates: Partial<EstimatedRates>) =>
    check(rates).map(({severity, kind, evidence}) => [severity, kind, 'rule' in evidence && evidence.rule])
  expect(doubted({precision: exactly(0.4)})).toEqual([['warning', 'doubtful-rates', 'low-precision']])
  expect(doubted({prevalence: {value: 0.22, low: 0.1, high: 0.9}})).toEqual([
    ['note', 'doubtful-rates', 'wide-interval']
  ])
  expect(doubted({falsePositive: 0.18, truePositive: 0.5})).toContainEqual(['warning', 'doubtful-rates', 'low-ratio'])
})

test('checkRefused(refused) is a fault for each, with the reason', () => {
  const reason = 'no labelled document has it; label more'
  expect(checkRefused([{concept: 'one', reason}])).toEqual([
    {concept: 'one', severity: 'fault', kind: 'refused-rates', evidence: {reason}}
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
    {
      concept: 'one',
      severity: 'fault',
      kind: 'wrong-labels',
      evidence: {labelled: 200, withConcept: 100, withBoth: 20, isUnrelated: true}
    }
  ])
})

test('checkLabels(statistics) accuses an anchor that is mostly false', () => {
  expect(checkedLabels(800, 80, 10, 20)[0].evidence).toMatchObject({withAnchor: 100, withBoth: 20, isUnrelated: false})
})

test('checkLabels(statistics) is silent about sound anchors, doubtful ones and few labels', () => {
  expect(checkedLabels(800, 10, 30, 60)).toEqual([])
  expect(checkedLabels(800, 12, 10, 8)).toEqual([])
  expect(checkedLabels(800, 9, 9, 0)).toEqual([])
  expect(checkedLabels(0, 0, 0, 0)).toEqual([])
})
