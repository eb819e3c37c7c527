import {expect, test} from 'vitest'
import {type Anchors, type Lexicon, textDefaults} from '../../read/data/index.ts'
import {barredWords} from './barred-words.ts'
import {anchorOf} from './test-words.ts'

test('barredWords(...) finds the words that are anchors: with a field, without, as phrase, pattern and feature', () => {
  const anchors = [
    anchorOf('python', ['title:python']),
    anchorOf('fever', ['fever', '/feverish/']),
    anchorOf('chest pain', ['chest pain']),
    anchorOf('code', ['icd-10'])
  ]
  expect(barredMembers(anchors)).toEqual([
    'icd-10',
    'text:chest-pain',
    'text:fever',
    'text:feverish',
    'title:fever',
    'title:python'
  ])
})

test('barredWords(...) finds the words in the "not" of each concept, and bars them from that concept alone', () => {
  const anchors = [
    anchorOf('python', ['title:python'], ['text:monty', 'chest pain']),
    anchorOf('java', ['title:java'], ['/^coff/'])
  ]
  const {member, veto} = barredWords(lexiconOf(anchors))
  expect(WORDS.filter((_, j) => veto[0][j] === 1)).toEqual(['text:chest-pain', 'text:monty'])
  expect(WORDS.filter((_, j) => veto[1][j] === 1)).toEqual(['text:coffee'])
  expect(WORDS.filter((_, j) => member[j] === 1)).toEqual(['title:python'])
})

const WORDS = [
  'icd-10',
  'text:chest-pain',
  'text:coffee',
  'text:fever',
  'text:feverish',
  'text:monty',
  'text:pain',
  'text:python',
  'title:fever',
  'title:python'
]

function barredMembers(anchors: Anchors): string[] {
  const {member} = barredWords(lexiconOf(anchors))
  return WORDS.filter((_, j) => member[j] === 1)
}

function lexiconOf(anchors: Anchors): Lexicon {
  return {anchors, words: WORDS, phrases: [], reading: textDefaults, filter: undefined, skipped: []}
}
