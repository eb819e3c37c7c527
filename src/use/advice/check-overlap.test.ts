import {expect, test} from 'vitest'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkOverlap} from './check-overlap.ts'
import {countRows} from './test-faults.ts'

const check = (rows: readonly (readonly [number, string])[]) =>
  checkOverlap(anchorStatistics(countRows({one: ['a'], two: ['b']}, rows)))

test('checkOverlap(statistics) accuses two anchors that fire in the same documents, once', () => {
  const findings = check([
    [400, 'a b'],
    [4, 'a'],
    [3, 'b'],
    [400, 'x']
  ])
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'fault', kind: 'together', evidence: {other: 'two', together: 400, documents: 404}}
  ])
})

test('checkOverlap(statistics) warns of the anchor that hardly fires without the other', () => {
  const findings = check([
    [400, 'a b'],
    [400, 'a'],
    [5, 'b'],
    [400, 'x']
  ])
  expect(findings).toMatchObject([{concept: 'two', severity: 'warning', kind: 'together', evidence: {other: 'one'}}])
})

test('checkOverlap(statistics) names the inner one of two that hardly fire apart', () => {
  const findings = check([
    [2000, 'a b'],
    [200, 'a'],
    [20, 'b'],
    [900, 'x']
  ])
  expect(findings).toMatchObject([{concept: 'two', severity: 'warning', evidence: {other: 'one'}}])
})

test('checkOverlap(statistics) is silent where few documents could be chance, and where each fires alone', () => {
  expect(
    check([
      [19, 'a b'],
      [100, 'a'],
      [400, 'x']
    ])
  ).toEqual([])
  expect(
    check([
      [80, 'a b'],
      [20, 'a'],
      [20, 'b'],
      [400, 'x']
    ])
  ).toEqual([])
})
