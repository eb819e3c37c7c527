import {expect, test} from 'vitest'
import {pieces, sentence} from './sentence.ts'

test('a message becomes a sentence', () => {
  expect(sentence('check the spelling')).toBe('Check the spelling.')
  expect(sentence('did you mean "etoh"?')).toBe('Did you mean "etoh"?')
})

test('quoted features are code, apostrophes are not', () => {
  expect(pieces("'etoh' never occurs")).toEqual([
    {text: 'etoh', isCode: true},
    {text: ' never occurs', isCode: false}
  ])
  expect(pieces("the concept's word ('a b', 'c')").filter(({isCode}) => isCode)).toEqual([
    {text: 'a b', isCode: true},
    {text: 'c', isCode: true}
  ])
  expect(pieces("it's the patients' own")).toEqual([{text: "it's the patients' own", isCode: false}])
})
