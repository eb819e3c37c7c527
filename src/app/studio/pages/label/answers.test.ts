import {expect, test} from 'vitest'
import type {QuestionView} from '../../../session/index.ts'
import {answerWords, labelAction, TICK_KEYS, tickedAfter} from './answers.ts'

test('keys tick by 1 to 9 and a to n for 23 concepts; each tick has one of its own, and commands another', () => {
  expect(labelAction('1', 23)).toEqual({tick: 0})
  expect(labelAction('a', 23)).toEqual({tick: 9})
  expect(labelAction('n', 23)).toEqual({tick: 22})
  expect(labelAction('o', 23)).toBeUndefined()
  expect(labelAction('0', 40)).toBeUndefined()
  expect(new Set(TICK_KEYS).size).toBe(TICK_KEYS.length)
  expect(TICK_KEYS).not.toMatch(/[su?/]/)
  expect(['s', 'u', 'Enter'].map(key => labelAction(key, 40))).toEqual(['skip', 'undo', 'done'])
  expect(['y', 'n', 'Enter', '1'].map(key => labelAction(key, 0))).toEqual(['yes', 'no', undefined, undefined])
})

test('a tick is set and taken away, and leaves one of the concepts that exclude each other', () => {
  const anchor = {any: [], not: [], rates: undefined}
  const exclusive = {group: 0, size: 2}
  const anchors = [
    {concept: 'fever', ...anchor, exclusive},
    {concept: 'asthma', ...anchor, exclusive},
    {concept: 'fall', ...anchor},
    {concept: 'stroke', ...anchor}
  ]
  const ticked = ['fever', 'fall', 'asthma', 'stroke'].reduce<ReadonlySet<string>>(
    (before, concept) => tickedAfter(before, concept, anchors),
    new Set()
  )
  expect([...ticked]).toEqual(['fall', 'asthma', 'stroke'])
  expect([...tickedAfter(ticked, 'fall', anchors)]).toEqual(['asthma', 'stroke'])
})

test('an answer in the words of its edit', () => {
  const question: QuestionView = {at: 0, name: 'd1', drawn: 'random', parts: [], concepts: []}
  const short: QuestionView = {...question, drawn: 'anchored', concepts: [{name: 'fall', isPreset: false}]}
  expect(answerWords(question, ['fall', 'stroke'])).toBe('label d1: 2 concepts')
  expect(answerWords(question, [])).toBe('label d1: no concept')
  expect(answerWords(short, ['fall'])).toBe('label d1: fall yes')
  expect(answerWords(short, 'skip')).toBe('skip d1')
})
