import {expect, test} from 'vitest'
import {withChange} from './filter-area.tsx'

test('withChange(query, change) drops what is empty, and with the concept all that depends on it', () => {
  expect(withChange({concept: 'a', has: 'x'}, {has: ''})).toEqual({concept: 'a'})
  expect(withChange({concept: 'a', low: 0.5}, {low: undefined})).toEqual({concept: 'a'})
  const query = {concept: 'a', low: 0.2, high: 1, anchor: 'fires', label: 'yes', lacks: 'y'} as const
  expect(withChange(query, {concept: ''})).toEqual({lacks: 'y'})
})
