import fc from 'fast-check'
import {expect, test} from 'vitest'
import {ByteText} from './byte-text.ts'

const part = fc.oneof(
  fc.string({unit: 'binary', maxLength: 30}),
  fc.string({maxLength: 2000}),
  fc.double(),
  fc.integer(),
  fc.uint8Array({max: 127})
)

test('ByteText holds the UTF-8 of its parts, and begins again after each take', () => {
  const text = new ByteText()
  fc.assert(
    fc.property(fc.array(part), parts => {
      for (const each of parts)
        if (typeof each === 'string') text.text(each)
        else if (typeof each === 'number') text.number(each)
        else text.bytes(each)
      const expected = Buffer.concat(
        parts.map(each => (typeof each === 'object' ? Buffer.from(each) : Buffer.from(String(each))))
      )
      expect(text.length).toBe(expected.length)
      expect(Buffer.from(text.take())).toEqual(expected)
    })
  )
})

test('ByteText.take() gives bytes that later text does not change', () => {
  const text = new ByteText()
  text.text('one')
  const taken = text.take()
  text.text('two')
  expect(Buffer.from(taken).toString()).toBe('one')
  expect(Buffer.from(text.take()).toString()).toBe('two')
})
