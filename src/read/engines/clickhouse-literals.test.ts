import fc from 'fast-check'
import {expect, test} from 'vitest'
import {codeOf, encodable, literalSize, quoteName, quoteText} from './clickhouse-literals.ts'

/** Read a literal as the server does: up to the first quote that no backslash escapes. */
function readLiteral(text: string, quote: string): {value: string; rest: string} {
  let value = ''
  for (let at = 1; at < text.length; at++) {
    if (text[at] === quote) return {value, rest: text.slice(at + 1)}
    if (text[at] !== '\\') value += text[at]
    else if (text[++at] === 'x') {
      value += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16))
      at += 2
    } else value += text[at]
  }
  throw new Error('the literal has no end')
}

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom("'", '`', '\\', '\0', '\n', '\x7f', 'x', '0'), fc.string()),
  maxLength: 9
})

test('quoteText(...) and quoteName(...) keep every text inside its quotes, whole', () => {
  fc.assert(
    fc.property(anyText, text => {
      expect(readLiteral(`${quoteText(text)}, more`, "'")).toEqual({value: text, rest: ', more'})
      expect(readLiteral(`${quoteName(text)}.more`, '`')).toEqual({value: text, rest: '.more'})
      expect([...quoteText(text)].every(sign => sign >= ' ' && sign !== '\x7f')).toBe(true)
      expect(literalSize(text)).toBeGreaterThan(Buffer.byteLength(quoteText(text)) + 8)
    })
  )
})

test('codeOf(...) gives numbers to names, and none to an empty list', () => {
  expect(codeOf('t', {names: ["it's", 'b'], ids: [1, 7]})).toBe("transform(t, ['it\\'s','b'], [1,7], 0)")
  expect(codeOf('t', {names: [], ids: []})).toBe("transform(t, [''], [0], 0)")
})

test('encodable(...) leaves out names with half a character, which would be written as another', () => {
  const codes = {names: ['a', '\ud83d', '😀', 'x\ude00y'], ids: [1, 2, 3, 4]}
  expect(encodable(codes)).toEqual({names: ['a', '😀'], ids: [1, 3]})
})
