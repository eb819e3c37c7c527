import {expect, it} from 'vitest'
import {phraseOf, type SelectedPiece} from './select-words.ts'

const word = (text: string, feature: string | undefined = `text:${text.toLowerCase()}`, isNegated = false) => ({
  text,
  feature,
  isNegated
})
const between = (text: string): SelectedPiece => ({text, feature: undefined, isNegated: false})

const smells = [word('smells'), between(' '), between('of'), between('\n  '), word('ETOH'), between('.')]
const negated = [word('chest', 'text:neg:chest', true), between(' '), word('pain', 'text:neg:pain', true)]
const bare = [word('chest', 'chest'), between(' '), word('pain', 'pain')]

it.each<[what: string, field: string, isText: boolean, pieces: SelectedPiece[], phrase: string | undefined]>([
  ['a single word', 'text', true, [between(' '), word('ETOH'), between(', ')], 'text:etoh'],
  ['neighbouring words, with one that is not kept', 'text', true, smells, 'text:smells of etoh'],
  ['features without their field', 'text', true, bare, 'chest pain'],
  ['negated words', 'text', true, negated, 'text:neg:chest pain'],
  ['words that are not all negated', 'text', true, [word('no'), between(' '), ...negated], 'text:no chest pain'],
  ['several features', 'features', false, [word('abd pain', 'abd pain'), word('stroke', 'stroke')], 'abd pain'],
  ['blanks and stops', 'text', true, [between(' , ')], undefined],
  ['nothing', 'text', true, [], undefined]
])('phraseOf(...) of %s', (_, field, isText, pieces, phrase) => {
  expect(phraseOf(field, isText, pieces)).toBe(phrase)
})
