import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {inPieces, readAll, refusalOf, testFolder} from '../files/test-folder.ts'
import {utf8Bytes} from './encoding.ts'

const folder = testFolder()

/** The text that bytes are read as, in pieces of a size, and the notes. */
async function decoded(bytes: Uint8Array, size = 1000, encoding?: string): Promise<[string, string[]]> {
  const notes: string[] = []
  const parts: Uint8Array[] = []
  const onNote = (note: string) => notes.push(note)
  for await (const part of utf8Bytes(inPieces(bytes, size), {name: 'x.csv', encoding, onNote})) parts.push(part)
  return [Buffer.concat(parts).toString('utf8'), notes]
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const old = 'x.csv: read as Windows-1252 (Latin-1), since it is not UTF-8'

describe('utf8Bytes(...)', () => {
  test('hands UTF-8 on as it is, however the bytes come in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({unit: 'grapheme'}), fc.integer({min: 1, max: 20}), async (text, size) => {
        fc.pre(!text.includes('\0'))
        expect(await decoded(Buffer.from(text), size)).toEqual([text, []])
      })
    )
  })

  test('reads Windows-1252, every byte of it, and Latin-1', async () => {
    const bytes = Uint8Array.from({length: 96}, (_, at) => 0xa0 + at)
    expect(await decoded(bytes)).toEqual([Buffer.from(bytes).toString('latin1'), [old]])
    const quoted = Buffer.concat([Buffer.from('Fi'), Uint8Array.of(0x80, 0x93, 0x92, 0xe8), Buffer.from('vre\n')])
    expect(await decoded(quoted)).toEqual(['Fi€“’èvre\n', [old]])
  })

  test.each([
    ['utf-16le', false],
    ['utf-16be', true]
  ])('reads %s by its mark or its zero bytes', async (_, isBig) => {
    const text = 'id,text\r\n1,Fièvre 漢字 🩺\r\n'
    const note = ['x.csv: read as UTF-16']
    expect(await decoded(utf16(`\ufeff${text}`, isBig))).toEqual([text, note])
    for (const size of [1, 3, 7]) expect(await decoded(utf16(text, isBig), size)).toEqual([text, note])
  })

  test('decides by the text, not by the pieces that it comes in', async () => {
    const valid = Buffer.from('é'.repeat(600_000))
    const ascii = Buffer.from('a'.repeat(1_500_000))
    const texts = {
      'one Latin-1 letter far into ASCII': [Buffer.concat([ascii, Uint8Array.of(0xe9)]), true],
      'a wrong byte in UTF-8': [Buffer.concat([valid, Uint8Array.of(0xe9, 0x20), valid]), false],
      'a wrong byte before UTF-8': [Buffer.concat([Uint8Array.of(0xe9, 0x20), valid]), false],
      'a wrong byte beyond what decides': [Buffer.concat([valid, ascii, Uint8Array.of(0xe9)]), false],
      'bytes that are no text': [Buffer.from([1, 2, 0xe9, 0, 0xff, 7, 0x81]), false]
    } as const
    for (const [name, [bytes, isOld]] of Object.entries(texts))
      for (const size of [bytes.length, 1_000_003, 65_536])
        expect([name, size, (await decoded(bytes, size))[1]]).toEqual([name, size, isOld ? [old] : []])
  })

  test('an encoding can be given; what is not in it is an error', async () => {
    expect(await decoded(Buffer.from('胸痛', 'utf8'), 2, 'UTF8')).toEqual(['胸痛', []])
    expect((await decoded(Uint8Array.of(0xd0, 0xd8, 0xcd, 0xb4), 3, 'gbk'))[0]).toBe('胸痛')
    expect((await decoded(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 3, 'shift_jis'))[0]).toBe('日本')
    expect((await decoded(Uint8Array.of(0x92), 3, 'latin1'))[0]).toBe('’')
    const wrong = () => decoded(Buffer.from('ab\n\xff\xff', 'latin1'), 9, 'shift_jis')
    expect(await refusalOf(wrong)).toMatch(/^x\.csv: not text in SHIFT_JIS/)
    expect(await refusalOf(() => decoded(Buffer.from('a'), 9, 'klingon'), 'bad-option')).toMatch(
      /`encoding` must be one such as/
    )
  })
})

describe('documents', () => {
  const row = {id: '1', text: new Map([['text', 'Fièvre']])}

  test('in Windows-1252 and UTF-16 are read in text formats, also inside gzip, and said once', async () => {
    const csv = 'id,text\n1,Fièvre\n'
    const contents = {
      'a.csv': Buffer.from(csv, 'latin1'),
      'b.csv.gz': gzipSync(Buffer.from(csv, 'latin1')),
      'c.csv': utf16(`\ufeff${csv}`, false),
      'd.jsonl': Buffer.from('{"id":"1","text":"Fièvre"}\n', 'latin1'),
      'e.json': Buffer.from('[{"id":"1","text":"Fièvre"}]', 'latin1'),
      '1.txt': Buffer.from('Fièvre', 'latin1')
    }
    for (const [name, bytes] of Object.entries(contents)) {
      const notes: string[] = []
      const path = folder.file(name, bytes)
      const rows = await readAll(path, {onNote: note => notes.push(note)})
      expect([name, rows]).toEqual([name, [expect.objectContaining(row)]])
      expect(notes).toEqual([expect.stringMatching(/: read as (UTF-16|Windows-1252)/)])
    }
  })

  test('in UTF-8 with a wrong byte are refused by their line, with the way out', async () => {
    const bytes = Buffer.concat([Buffer.from('id,text\n1,Fièvre à é\n2,'), Uint8Array.of(0xe9), Buffer.from('\n')])
    const path = folder.file('bad.csv', bytes)
    expect(await refusalOf(() => readAll(path))).toMatch(/bad\.csv:3: not text in UTF-8; .* or name its `encoding`/)
    expect((await readAll(path, {encoding: 'latin1'}))[1].text.get('text')).toBe('é')
  })
})
