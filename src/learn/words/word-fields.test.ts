import {expect, test} from 'vitest'
import {textDefaults} from '../../read/data/index.ts'
import {wordFields} from './word-fields.ts'

test('wordFields(...) numbers the fields that have words, features as one of them', () => {
  const text = {...textDefaults, fields: ['title', 'abstract', 'text']}
  const words = ['age:old', 'text:fever', 'text:title:x', 'title:cough']
  expect(wordFields({words, text})).toEqual({of: Uint8Array.of(0, 2, 2, 1), count: 3})
  expect(wordFields({words: ['text:a', 'text:b'], text})).toEqual({of: new Uint8Array(2), count: 1})
  expect(wordFields({words: [], text})).toEqual({of: new Uint8Array(0), count: 0})
})
