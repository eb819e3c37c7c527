import {expect, test} from 'vitest'
import {type TextOptions, textDefaults} from './lexicon.ts'
import {indexPhrases} from './phrases.ts'
import {rowOf} from './test-rows.ts'
import {createWordReader} from './word-table.ts'

/** The words of a document in one line, `_` between those that follow each other and `|` before the others. */
function read(document: unknown, options: Partial<TextOptions> = {}): string {
  const words: string[] = []
  const phrases = indexPhrases([{token: 'big-data', parts: ['big', 'data']}])
  const text = {...textDefaults, ...options}
  createWordReader(phrases, text)(rowOf(document, text), (token, follows) =>
    words.push(`${follows ? '_' : '|'}${token}`)
  )
  return words.join('')
}

test.each([
  ['Chest pain', '|chest_pain'],
  ['chest \t pain\nsince', '|chest_pain_since'],
  ['chest pain, fever', '|chest_pain|fever'],
  ['chest pain. Fever (high) today', '|chest_pain|fever|high|today'],
  ['title\n\nbody', '|title|body'],
  ['title\n \nbody', '|title|body'],
  ['use big data now', '|use_big-data_now'],
  ['I’m here', "|i'm_here"],
  ['🙂🙂 x', '|🙂|🙂_x'],
  ['', '']
])('createWordReader(...) reads %j as %s', (text, words) => {
  expect(read({text})).toBe(words)
})

test('createWordReader(...) joins no two fields, and reads no features', () => {
  expect(read({title: 'a b', text: 'c d', features: ['e f']})).toBe('|a_b|c_d')
  expect(read({text: 'Chest PAIN'}, {lowerCase: false})).toBe('|Chest_PAIN')
})

test('createWordReader(...) parts what is negated from what is not, and from the words that negate', () => {
  const text = 'Fever no chest pain but cough was ruled out'
  expect(read({text})).toBe('|fever_no_chest_pain_but_cough_was_ruled_out')
  expect(read({text}, {negation: true})).toBe('|fever|no|chest_pain|but|cough|was_ruled|out')
  expect(read({text: 'Denies without fever'}, {negation: true})).toBe('|denies|without|fever')
})
