import {expect, test} from 'vitest'
import {checkSkipped} from './check-skipped.ts'
import {countRows} from './test-faults.ts'

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
  expect(findings[0].message).toBe(`'one' is an anchor of "twin" too; the rest of its anchor is kept`)
  expect(findings[3]).toMatchObject({evidence: {features: ['two'], others: ['both', 'third'], kept: 'no'}})
  expect(findings[5].message).toBe(
    "anchor 'nowhere' never occurs in 30 documents; it needs at least 1; the concept is left out"
  )
  expect(findings[5].remedy).toBe('check its spelling and field, choose another or remove the concept')
})

test('checkSkipped(lexicon) names features that two anchors share together', () => {
  const {lexicon} = countRows({one: ['a', 'b'], two: ['b', 'a'], three: ['c']}, [
    [10, 'a'],
    [10, 'b c'],
    [10, 'x']
  ])
  expect(checkSkipped(lexicon).map(({message}) => message)).toEqual([
    `'a', 'b' are an anchor of "two" too; the concept is left out`,
    `'b', 'a' are an anchor of "one" too; the concept is left out`
  ])
})

test('checkSkipped(lexicon) passes reasons on that it does not know', () => {
  const {lexicon} = countRows({one: ['a']}, [
    [10, 'a'],
    [10, 'b']
  ])
  const skipped = [{concept: 'two', reason: 'its rates cannot be had; label documents'}]
  expect(checkSkipped({...lexicon, skipped})).toMatchObject([
    {kind: 'unusable', message: 'its rates cannot be had; the concept is left out', remedy: 'label documents'}
  ])
})
