import {expect, test} from 'vitest'
import {type Lexicon, textDefaults} from '../../read/data/index.ts'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkCoverage, checkNested, checkOverlap, checkSkipped} from './check-coverage.ts'
import {memberProfiles} from './member-profiles.ts'
import {countRows} from './test-faults.ts'

function check(anchors: Record<string, string[]>, rows: readonly (readonly [number, string])[]) {
  const counts = countRows(anchors, rows)
  return checkCoverage(anchorStatistics(counts), memberProfiles(counts))
}

test('checkCoverage(statistics) warns of an anchor in fewer than 30 documents', () => {
  const findings = check({rare: ['r'], enough: ['e']}, [
    [29, 'r'],
    [30, 'e'],
    [41, 'x']
  ])
  expect(findings).toMatchObject([
    {concept: 'rare', severity: 'warning', kind: 'rare', evidence: {documents: 29, share: 0.29}}
  ])
})

test('checkCoverage(statistics) warns of an anchor in more than half of the documents', () => {
  const findings = check({half: ['h'], most: ['m'], nearly: ['n']}, [
    [50, 'h m n'],
    [1, 'm n'],
    [40, 'n'],
    [9, 'x']
  ])
  expect(findings.map(({concept, severity, kind}) => [concept, severity, kind])).toEqual([
    ['most', 'warning', 'always'],
    ['nearly', 'warning', 'always']
  ])
})

test('one of two exclusive classes may fire in up to three quarters', () => {
  const found = (isGroup: boolean) => {
    const counts = countRows({ham: ['votes:s=ham'], spam: ['votes:t=spam']}, [
      [75, 'votes:s=ham'],
      [25, 'votes:t=spam']
    ])
    const exclusive = isGroup ? {exclusive: {group: 0, size: 2}} : {}
    const anchors = counts.lexicon.anchors.map(anchor => ({...anchor, ...exclusive}))
    const statistics = anchorStatistics({...counts, lexicon: {...counts.lexicon, anchors}})
    return checkCoverage(statistics, memberProfiles(counts)).filter(({kind}) => kind === 'always').length
  }
  expect([found(false), found(true)]).toEqual([1, 0])
})

const overlaps = (rows: readonly (readonly [number, string])[]) =>
  checkOverlap(anchorStatistics(countRows({one: ['a'], two: ['b']}, rows)))

test('checkOverlap(statistics) accuses two anchors that fire in the same documents, once', () => {
  const findings = overlaps([
    [400, 'a b'],
    [4, 'a'],
    [3, 'b'],
    [400, 'x']
  ])
  expect(findings).toMatchObject([
    {concept: 'one', severity: 'warning', kind: 'together', evidence: {other: 'two', together: 400, documents: 404}}
  ])
})

test('checkOverlap(statistics) warns of the anchor that hardly fires without the other', () => {
  const findings = overlaps([
    [400, 'a b'],
    [400, 'a'],
    [5, 'b'],
    [400, 'x']
  ])
  expect(findings).toMatchObject([{concept: 'two', severity: 'warning', kind: 'together', evidence: {other: 'one'}}])
})

test('checkOverlap(statistics) is silent where few documents could be chance, and where each fires alone', () => {
  expect(
    overlaps([
      [19, 'a b'],
      [100, 'a'],
      [400, 'x']
    ])
  ).toEqual([])
  expect(
    overlaps([
      [80, 'a b'],
      [20, 'a'],
      [20, 'b'],
      [400, 'x']
    ])
  ).toEqual([])
})

test('checkSkipped(lexicon) turns every anchor that counting left out into a fault', () => {
  const anchors = {
    both: ['one', 'two', 'own'],
    twin: ['one', 'two'],
    third: ['two'],
    ghost: ['nowhere'],
    all: ['every'],
    none: [],
    fine: ['word']
  }
  const {lexicon} = countRows(anchors, [
    [10, 'every one word'],
    [10, 'every two own'],
    [10, 'every']
  ])
  const findings = checkSkipped(lexicon)
  expect(findings.map(({concept, kind, severity}) => [concept, kind, severity])).toEqual([
    ['both', 'shared', 'fault'],
    ['both', 'shared', 'fault'],
    ['twin', 'shared', 'fault'],
    ['twin', 'shared', 'fault'],
    ['third', 'shared', 'fault'],
    ['ghost', 'dead', 'fault'],
    ['all', 'always', 'fault'],
    ['none', 'dead', 'fault']
  ])
  expect(findings[0]).toMatchObject({evidence: {features: ['one'], others: ['twin'], kept: 'in part'}})
  expect(findings[3]).toMatchObject({evidence: {features: ['two'], others: ['both', 'third'], kept: 'no'}})
})

test('checkSkipped(lexicon) names members that two anchors share together', () => {
  const {lexicon} = countRows({one: ['a', 'b'], two: ['b', 'a'], three: ['c']}, [
    [10, 'a'],
    [10, 'b c'],
    [10, 'x']
  ])
  expect(checkSkipped(lexicon).map(({evidence}) => evidence)).toEqual([
    {features: ['a', 'b'], others: ['two'], kept: 'no'},
    {features: ['b', 'a'], others: ['one'], kept: 'no'}
  ])
})

test('checkSkipped(lexicon) passes reasons on that it does not know', () => {
  const {lexicon} = countRows({one: ['a']}, [
    [10, 'a'],
    [10, 'b']
  ])
  const skipped = [{concept: 'two', reason: 'its rates are unknown; label documents'}]
  expect(checkSkipped({...lexicon, skipped})).toMatchObject([
    {kind: 'unusable', evidence: {reason: skipped[0].reason, kept: 'no'}}
  ])
})

function lexicon(anchors: Record<string, string[]>): Lexicon {
  return {
    anchors: Object.entries(anchors).map(([concept, any]) => ({concept, any, not: [], rates: undefined})),
    words: [],
    phrases: [],
    reading: textDefaults,
    filter: undefined,
    skipped: []
  }
}

test('checkNested(lexicon) finds words of one anchor inside phrases of another', () => {
  const found = checkNested(
    lexicon({Granuloma: ['granuloma', 'Lesion'], Calcified: ['calcified granuloma', 'old-granuloma', 'granulomas']})
  )
  expect(found).toMatchObject([
    {
      concept: 'Granuloma',
      severity: 'warning',
      kind: 'nested',
      evidence: {features: ['granuloma'], phrases: ['calcified granuloma', 'old-granuloma'], other: 'Calcified'}
    }
  ])
})

test('checkNested(lexicon) knows fields, and leaves its own phrases and regular expressions alone', () => {
  expect(checkNested(lexicon({text: ['title:text'], mode: ['title:text-mode']}))).toHaveLength(1)
  expect(checkNested(lexicon({text: ['title:text'], mode: ['text:text-mode']}))).toEqual([])
  expect(checkNested(lexicon({text: ['text', 'text mode'], other: ['/text mode/', 'texts', 'text']}))).toMatchObject([
    {concept: 'other', evidence: {features: ['text'], phrases: ['text mode']}}
  ])
})
