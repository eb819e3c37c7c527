import {expect, test} from 'vitest'
import type {Anchors} from '../../../../read/data/index.ts'
import type {Probe} from '../../../session/index.ts'
import {ADDABLE, REFUSED, spelledBy, verdictOf} from './probe-box.tsx'

const anchors: Anchors = [
  {concept: 'alcohol', any: ['etoh'], not: ['wipe'], rates: undefined},
  {concept: 'severe sepsis', any: ['text:Sepsis', '/septic:shock/'], not: [], rates: undefined}
]
const probe: Probe = {
  feature: 'drunk',
  documents: 5,
  fresh: 3,
  overlaps: [],
  examples: [],
  takenBy: undefined,
  didYouMean: undefined
}
const typed = (feature: string) => ({concept: 'alcohol', feature})

test('an empty box asks nothing', () => {
  expect(verdictOf(typed(''), anchors, true, undefined)).toEqual({is: 'idle'})
})

test('what the project knows needs no answer', () => {
  expect(verdictOf(typed('etoh'), anchors, true, undefined)).toEqual({is: 'member'})
  expect(verdictOf(typed('wipe'), anchors, true, undefined)).toEqual({is: 'veto'})
  expect(verdictOf(typed('text:Sepsis'), anchors, true, undefined)).toEqual({is: 'taken', by: 'severe sepsis'})
  expect(verdictOf(typed('drunk'), anchors, false, undefined)).toEqual({is: 'unread'})
})

test('an answer counts for its own question only', () => {
  const asked = {of: 'drunk', concept: 'alcohol', probe}
  expect(verdictOf(typed('drunk'), anchors, true, asked)).toEqual({is: 'fine', probe})
  expect(verdictOf(typed('drunks'), anchors, true, asked)).toEqual({is: 'asking', probe})
  expect(verdictOf({concept: 'fall', feature: 'drunk'}, anchors, true, asked)).toEqual({is: 'asking', probe})
})

test('the session may refuse, know another owner, or find nothing', () => {
  const asked = (answer: Partial<Probe>) => ({of: 'drunk', concept: 'alcohol', probe: {...probe, ...answer}})
  const verdict = (answer: Partial<Probe>) => verdictOf(typed('drunk'), anchors, true, asked(answer))
  expect(verdict({takenBy: 'fall'})).toEqual({is: 'taken', by: 'fall'})
  expect(verdict({documents: 0, didYouMean: 'drink'})).toEqual({is: 'nowhere', didYouMean: 'drink'})
  const fault = new Error('Unterminated group')
  expect(verdictOf(typed('/(/'), anchors, true, {of: '/(/', concept: 'alcohol', fault})).toEqual({
    is: 'bad',
    message: fault.message
  })
})

test('what may be added and what must be mended first exclude each other', () => {
  expect(ADDABLE.filter(is => REFUSED.includes(is))).toEqual([])
  expect([...ADDABLE, ...REFUSED]).not.toContain('asking')
})

test('a member is moved by the name that its concept gives it', () => {
  expect(spelledBy('severe sepsis', 'sepsis', anchors)).toBe('text:Sepsis')
  expect(spelledBy('severe sepsis', '/septic:shock/', anchors)).toBe('/septic:shock/')
  expect(spelledBy('severe sepsis', 'other', anchors)).toBe('other')
})
