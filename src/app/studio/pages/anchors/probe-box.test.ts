import {expect, test} from 'vitest'
import {AdfaError} from '../../../../base/checks/index.ts'
import type {Probe} from '../../../session/index.ts'
import {verdictOf} from './probe-box.tsx'

const probe: Probe = {
  feature: 'drunk',
  documents: 5,
  fresh: 3,
  overlaps: [],
  examples: [],
  didYouMean: undefined
}

const refusal = (details = {}) => new AdfaError('bad-anchors', 'no', {details})

test('an empty box asks nothing, and what the project refuses needs no answer', () => {
  expect(verdictOf('', refusal(), true, undefined)).toEqual({is: 'idle'})
  expect(verdictOf('etoh', refusal(), true, {of: 'etoh', probe})).toEqual({is: 'refused', message: 'no'})
  const taken = refusal({takenBy: 'severe sepsis', feature: 'text:Sepsis'})
  expect(verdictOf('sepsis', taken, true, undefined)).toEqual({
    is: 'refused',
    message: 'no',
    owner: {concept: 'severe sepsis', spelled: 'text:Sepsis'}
  })
  expect(verdictOf('drunk', undefined, false, undefined)).toEqual({is: 'unread'})
})

test('an answer counts for its own question only', () => {
  const asked = {of: 'drunk', probe}
  expect(verdictOf('drunk', undefined, true, asked)).toEqual({is: 'fine', probe})
  expect(verdictOf('drunks', undefined, true, asked)).toEqual({is: 'asking', probe})
  expect(verdictOf('drunk', undefined, true, undefined)).toEqual({is: 'asking', probe: undefined})
})

test('the session may refuse or find nothing', () => {
  const none = {of: 'drunk', probe: {...probe, documents: 0, didYouMean: 'drink'}}
  expect(verdictOf('drunk', undefined, true, none)).toEqual({is: 'nowhere', didYouMean: 'drink'})
  const fault = new Error('the expression was stopped')
  expect(verdictOf('/x/', undefined, true, {of: '/x/', fault})).toEqual({is: 'refused', message: fault.message})
})
