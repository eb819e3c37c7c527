import {expect, test} from 'vitest'
import {sentence} from './sentence.ts'

test('a message becomes a sentence', () => {
  expect(sentence('check the spelling')).toBe('Check the spelling.')
  expect(sentence('did you mean "etoh"?')).toBe('Did you mean "etoh"?')
})
