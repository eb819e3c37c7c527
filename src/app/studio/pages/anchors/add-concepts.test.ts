import {expect, test} from 'vitest'
import type {Anchors} from '../../../../read/data/index.ts'
import {pastedNames, withNewConcepts} from './add-concepts.tsx'

const concept = (name: string, ...any: string[]) => ({concept: name, any, not: [], rates: undefined})
const anchors: Anchors = [concept('alcohol', 'etoh')]

test('a list is read by lines, or by commas where it is one line', () => {
  expect(pastedNames('fall\n\n- back pain, low\r\nfall')).toEqual(['fall', 'back pain, low'])
  expect(pastedNames('fall, stroke; fall')).toEqual(['fall', 'stroke'])
})

test('concepts that are there stay as they are', () => {
  expect(withNewConcepts(anchors, [concept('alcohol', 'drunk'), concept('fall', 'fell')])).toEqual([
    concept('alcohol', 'etoh'),
    concept('fall', 'fell')
  ])
})
