import {expect, test} from 'vitest'
import {isFunctionWord} from './function-words.ts'

test.each(['the', 'The', 'of', "I'm", "don't", "what's", "couldn't"])('isFunctionWord("%s")', word => {
  expect(isFunctionWord(word)).toBe(true)
})

test.each(['fever', "patient's", 'theory', "o'clock", ''])('not isFunctionWord("%s")', word => {
  expect(isFunctionWord(word)).toBe(false)
})
