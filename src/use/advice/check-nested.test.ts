import {expect, test} from 'vitest'
import {type Lexicon, textDefaults} from '../../read/data/index.ts'
import {checkNested} from './check-nested.ts'

function lexicon(anchors: Record<string, string[]>): Lexicon {
  return {
    anchors: Object.entries(anchors).map(([concept, any]) => ({concept, any, not: [], rates: undefined})),
    words: [],
    phrases: [],
    text: textDefaults,
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
