import {expect, test} from 'vitest'
import type {IntervalSummary, LabelProgress} from './label-progress.ts'
import {enoughWords, knownWords, widthText} from './progress-words.ts'

const precision = (unusable: readonly string[]): IntervalSummary => ({
  median: 2.14,
  worst: {concept: 'stroke', factor: 24.4},
  unusable,
  rates: []
})
const progress: LabelProgress = {documents: 37, least: 100, goal: 200, precision: precision([]), enough: undefined}

test('knownWords(...) says how wide the intervals are, or that there are none', () => {
  expect(knownWords(progress)).toBe('prevalence within a factor of 2.1 (median), 24 at worst (stroke)')
  expect(knownWords({...progress, precision: undefined})).toBe('no estimates yet: no labelled document has a concept')
  expect(knownWords({...progress, documents: 0, precision: undefined})).toBe(
    'no estimates yet: no document is labelled'
  )
})

test('enoughWords(...) says why labelling may stop, and nothing before', () => {
  expect(enoughWords(progress, 3)).toBeUndefined()
  expect(enoughWords({...progress, enough: 'documents'}, 3)).toBe('enough: all 200 requested documents are labelled')
  const narrow = {...progress, enough: 'intervals'} as const
  expect(enoughWords(narrow, 3)).toBe('enough: the prevalence of every concept is known to within a factor of 3.0')
  expect(enoughWords({...narrow, precision: precision(['rash'])}, 3)).toBe(
    'enough: the prevalence of every concept that can be used is known to within a factor of 3.0'
  )
})

test('widthText(...) drops the decimal where it does not matter', () => {
  expect([1, 9.94, 9.96, 120.4].map(widthText)).toEqual(['1.0', '9.9', '10', '120'])
})
