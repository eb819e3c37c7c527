import {expect, test} from 'vitest'
import type {Anchors} from '../../../../read/data/index.ts'
import type {Probe} from '../../../session/index.ts'
import {canAdd, isRefused, spelledBy, verdictOf} from './probe-answer.tsx'

const anchors: Anchors = [
  {concept: 'alcohol', any: ['etoh'], not: ['wipe'], rates: undefined},
  {concept: 'severe sepsis', any: ['text:Sepsis', '/septic:shock/'], not: [], rates: undefined}
]
const probe: Probe = {feature: 'drunk', documents: 5, fresh: 3, overlaps: [], examples: []}
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
  const asked = {of: typed('drunk'), answer: probe}
  expect(verdictOf(typed('drunk'), anchors, true, asked)).toEqual({is: 'fine', probe})
  expect(verdictOf(typed('drunks'), anchors, true, asked)).toEqual({is: 'asking', probe})
  expect(verdictOf({concept: 'fall', feature: 'drunk'}, anchors, true, asked)).toEqual({is: 'asking', probe})
})

test('the session may refuse, know another owner, or find nothing', () => {
  const asked = (answer: Partial<Probe>) => ({of: typed('drunk'), answer: {...probe, ...answer}})
  const verdict = (answer: Partial<Probe>) => verdictOf(typed('drunk'), anchors, true, asked(answer))
  expect(verdict({takenBy: 'fall'})).toEqual({is: 'taken', by: 'fall'})
  expect(verdict({documents: 0, didYouMean: 'drink'})).toEqual({is: 'nowhere', didYouMean: 'drink'})
  const fault = new Error('Unterminated group')
  expect(verdictOf(typed('/(/'), anchors, true, {of: typed('/(/'), fault})).toEqual({is: 'bad', message: fault.message})
})

test('what occurs nowhere is added only by someone who has read so', () => {
  expect(canAdd({is: 'nowhere'}, false)).toBe(false)
  expect(canAdd({is: 'nowhere'}, true)).toBe(true)
  expect(canAdd({is: 'fine', probe}, false)).toBe(true)
  expect(canAdd({is: 'asking'}, true)).toBe(false)
  expect(isRefused({is: 'taken', by: 'fall'})).toBe(true)
  expect(isRefused({is: 'nowhere'})).toBe(false)
})

test('a member is moved by the name that its concept gives it', () => {
  expect(spelledBy('severe sepsis', 'sepsis', anchors)).toBe('text:Sepsis')
  expect(spelledBy('severe sepsis', '/septic:shock/', anchors)).toBe('/septic:shock/')
  expect(spelledBy('severe sepsis', 'other', anchors)).toBe('other')
})
