import {describe, expect, it} from 'vitest'
import {queryWords, shareOf, withChange} from './filter-area.tsx'

describe('shareOf', () => {
  it('reads shares and percentages', () => {
    expect(['0.44', '.5', '44%', '0,25', '1', ' 0 '].map(shareOf)).toEqual([0.44, 0.5, 0.44, 0.25, 1, 0])
    expect(shareOf(' ')).toBeUndefined()
  })

  it('refuses what is not a share', () => {
    expect(['2', '-0.1', 'x', '1e3', '101%', '.'].map(shareOf)).toEqual(Array(6).fill('bad'))
  })
})

describe('withChange', () => {
  it('drops what is empty', () => {
    expect(withChange({concept: 'a', has: 'x'}, {has: ''})).toEqual({concept: 'a'})
    expect(withChange({concept: 'a', low: 0.5}, {low: undefined})).toEqual({concept: 'a'})
  })

  it('drops all that depends on the concept with it', () => {
    const query = {concept: 'a', low: 0.2, high: 1, anchor: 'fires', label: 'yes', lacks: 'y'} as const
    expect(withChange(query, {concept: undefined})).toEqual({lacks: 'y'})
  })
})

describe('queryWords', () => {
  it('says what is listed', () => {
    expect(queryWords({})).toBe('all documents')
    expect(queryWords({concept: 'alcohol', low: 0.44, high: 1, anchor: 'silent'})).toBe(
      'alcohol, 44% or more, anchor does not fire'
    )
    expect(queryWords({concept: 'alcohol', low: 0.1, high: 0.2, label: 'none', has: 'x'})).toBe(
      'alcohol, 10% to 20%, has x, not labelled'
    )
  })
})
