import fc from 'fast-check'
import {expect, test} from 'vitest'
import {indexPhrases, mergePhrases} from './phrases.ts'
import {nameParts, tokenize} from './tokenize.ts'

const indexOf = (...names: string[]) => indexPhrases(names.map(token => ({token, parts: nameParts(token)})))

function merged(text: string, ...names: string[]): readonly string[] {
  return mergePhrases(tokenize(text), indexOf(...names))
}

test.each([
  ['i have chest pain today', ['chest pain'], ['i', 'have', 'chest pain', 'today']],
  ['ruby-on-rails', ['ruby on rails'], ['ruby on rails']],
  ['ruby_on_rails', ['ruby-on-rails'], ['ruby-on-rails']],
  ['ruby-on rails', ['ruby-on-rails'], ['ruby-on-rails']],
  ['asp.net mvc-3', ['asp.net-mvc-3'], ['asp.net-mvc-3']],
  ['asp.net-mvc-4', ['asp.net-mvc-3'], ['asp.net-mvc-4']],
  ['constructor of __proto__ of', ['constructor of'], ['constructor of', '__proto__', 'of']]
])('mergePhrases(%j, %j) is %j', (text, names, tokens) => {
  expect(merged(text, ...names)).toEqual(tokens)
})

test('indexPhrases(...) lets the first of two spellings name the token and passes over single words', () => {
  const index = indexOf('chest-pain', 'chest pain', 'fever', '')
  expect([...index.tokens]).toEqual([['chest pain', 'chest-pain']])
  expect(mergePhrases(['chest', 'pain'], index)).toEqual(['chest-pain'])
})

/** Try every phrase on every run of tokens; the phrase with most words wins, runs being tried from left to right. */
function slowMerge(tokens: readonly string[], names: readonly string[]): string[] {
  const phrases = new Map<string, string>()
  for (const name of names) {
    const key = nameParts(name).join('\n')
    if (key.includes('\n') && !phrases.has(key)) phrases.set(key, name)
  }
  const merged: string[] = []
  let at = 0
  while (at < tokens.length) {
    let best = {words: 0, length: 1, token: tokens[at]}
    for (let length = 1; at + length <= tokens.length; length++) {
      const parts = tokens.slice(at, at + length).flatMap(token => nameParts(token))
      const token = phrases.get(parts.join('\n'))
      if (token !== undefined && parts.length > best.words) best = {words: parts.length, length, token}
    }
    merged.push(best.token)
    at += best.length
  }
  return merged
}

test('mergePhrases(...) equals trying every phrase on every run of tokens', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'a-b', 'b_c', 'c-a-b', 'asp.net-a')
  const name = fc.array(word, {minLength: 1, maxLength: 3}).map(words => words.join(' '))
  fc.assert(
    fc.property(fc.array(word, {maxLength: 12}), fc.array(name, {maxLength: 5}), (tokens, names) => {
      expect(mergePhrases(tokens, indexOf(...names))).toEqual(slowMerge(tokens, names))
    }),
    {seed: 1, numRuns: 2000}
  )
})
