import {expect, test} from 'vitest'
import {COLON, COMMA, findClauses, JOINED, SENTENCE_END} from './clauses.ts'
import {NEGATION_WORDS} from './negation-words.ts'
import {tokenizePlaced} from './tokenize.ts'

const SIGNS = new Map([
  [JOINED, ' '],
  [COMMA, ','],
  [COLON, ':'],
  [SENTENCE_END, '|']
])

/** The tokens with a sign for what stands before, between and after them. */
function shown(text: string): string {
  const tokens = tokenizePlaced(text)
  const {breaks} = findClauses(text, tokens, NEGATION_WORDS.English.abbreviations)
  const signs = [...breaks].map(kind => SIGNS.get(kind))
  return signs.map((sign, at) => `${sign}${tokens[at]?.token ?? ''}`).join('')
}

test.each([
  ['', '|'],
  ['a', '|a|'],
  ['a b, c: d', '|a b,c:d|'],
  ['a. b! c? d; e', '|a|b|c|d|e|'],
  ['a... b', '|a|b|'],
  ['a.) b', '|a|b|'],
  ['(a.) b', '|a|b|'],
  ['see dr. b vs. c', '|see dr b vs c|'],
  ['e.g. this i.e. that', '|e.g this i.e that|'],
  ['given 0.5 mg or .5 mg', '|given 0.5 mg or 5 mg|'],
  ['a , b', '|a,b|'],
  ['a . b', '|a|b|'],
  ['apex.there are node.js', '|apex.there|are node.js|'],
  ['v3.14 of it', '|v3.14 of it|'],
  ['a - b -- c — d–e – f', '|a|b|c|d e|f|'],
  ['a--b', '|a|b|'],
  ['well-known x-ray', '|well-known x-ray|'],
  ['a/b (c) [d] "e"', '|a b c d e|'],
  ['a\nb', '|a|b|'],
  ['a\r\nb', '|a|b|'],
  [`${'a '.repeat(30)}\nb`, `|${'a '.repeat(30)}b|`],
  [`${'a '.repeat(30)}\n\nb`, `|${'a '.repeat(29)}a|b|`],
  [`${'a '.repeat(30)}\n- b`, `|${'a '.repeat(29)}a|b|`],
  [`${'a '.repeat(30)}\nb\nc`, `|${'a '.repeat(30)}b|c|`],
  ['東京。大阪', '|東京|大阪|']
])('findClauses(%j) is %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('findClauses(...) counts open brackets, never below none, and anew in each sentence', () => {
  const text = 'a (b [c] d) e) f (g. h'
  expect([...findClauses(text, tokenizePlaced(text), NEGATION_WORDS.English.abbreviations).depths]).toEqual([
    0, 1, 2, 1, 0, 0, 1, 0
  ])
})
