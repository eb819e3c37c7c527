import fc from 'fast-check'
import {expect, test} from 'vitest'
import {failureOf, inPieces} from './test-folder.ts'
import {textPieces} from './text-pieces.ts'

async function decode(bytes: Uint8Array, size: number): Promise<string> {
  let text = ''
  for await (const piece of textPieces(inPieces(bytes, size), 'x.xml', () => text.split('\n').length)) text += piece
  return text
}

// Characters of one to four bytes, and the mark that is dropped at the start.
const anyText = fc.string({unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\ufeff'), maxLength: 40})

test('textPieces(...) gives the same text however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.integer({min: 1, max: 9}), async (text, size) => {
      expect(await decode(Buffer.from(text), size)).toBe(text.replace(/^\ufeff/, ''))
    })
  )
})

test('textPieces(...) drops a byte order mark at the start alone', async () => {
  for (const size of [1, 2, 3, 100]) {
    expect(await decode(Buffer.from('\ufeffa\ufeffé'), size)).toBe('a\ufeffé')
    expect(await decode(Buffer.from('ab\ufeff'), size)).toBe('ab\ufeff')
    expect(await decode(Buffer.alloc(0), size)).toBe('')
  }
})

test('textPieces(...) names the line of bytes that are not UTF-8, however they are cut', async () => {
  const [smile, e] = [Buffer.from('😀'), Buffer.from('é')]
  const broken: readonly (readonly [Buffer, number])[] = [
    [Buffer.concat([e, Buffer.from('\n\n'), Buffer.from([0xe9]), Buffer.from('abc\n'), smile]), 3],
    [Buffer.concat([smile, Buffer.from('\nab'), smile.subarray(0, 3), Buffer.from('\nab')]), 2],
    [Buffer.concat([Buffer.from('ab'), smile, Buffer.from('\n\n'), Buffer.from([0xe9]), Buffer.from('c')]), 3],
    [Buffer.concat([Buffer.from('\n\n\nabc'), smile.subarray(0, 2)]), 4],
    [Buffer.concat([Buffer.from('\nabc'), Buffer.from([0x80, 0x80]), e]), 2],
    [Buffer.from('\ufeffa', 'utf16le'), 1]
  ]
  for (const [bytes, line] of broken)
    for (let size = 1; size <= bytes.length; size++) {
      const error = await failureOf(() => decode(bytes, size))
      expect(error.message).toContain(`x.xml:${line}: not text in UTF-8; `)
    }
})
