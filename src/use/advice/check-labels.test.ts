import {expect, test} from 'vitest'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkLabels} from './check-labels.ts'
import {countRows} from './test-faults.ts'

/** Labelled documents: neither, anchor without concept, concept without anchor, both. */
function check(...labelled: readonly number[]) {
  const counts = countRows({one: ['a']}, [
    [50, 'a'],
    [50, 'x']
  ])
  return checkLabels(anchorStatistics({...counts, labelled: Float64Array.from(labelled)}))
}

test('checkLabels(statistics) accuses an anchor that is no commoner with its concept than without', () => {
  const findings = check(80, 20, 80, 20)
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'fault', kind: 'wrong-labels', evidence: {labelled: 200, withConcept: 100, withBoth: 20}}
  ])
  expect(findings[0].message).toMatch(
    /fires in 20% of the documents that have the concept and in 20% of those that do not/
  )
})

test('checkLabels(statistics) accuses an anchor that is mostly false', () => {
  expect(check(800, 80, 10, 20)[0].message).toMatch(/only 20% of the documents where its anchor fires have the concept/)
})

test('checkLabels(statistics) is silent about sound anchors, doubtful ones and few labels', () => {
  expect(check(800, 10, 30, 60)).toEqual([])
  expect(check(800, 12, 10, 8)).toEqual([])
  expect(check(800, 9, 9, 0)).toEqual([])
  expect(check(0, 0, 0, 0)).toEqual([])
})
