import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {inPieces, readAll, refusalOf, testFolder} from '../files/test-folder.ts'
import {readJsonArray} from './document-block.ts'

const folder = testFolder()

async function rowsOf(text: string, size: number): Promise<unknown[]> {
  const rows: unknown[] = []
  const context = {name: 'x.json', fields: {text: ['text']}}
  for await (const batch of readJsonArray(inPieces(Buffer.from(text), size), context)) rows.push(...batch)
  return rows
}

describe('readJsonArray(...)', () => {
  test('reads what JSON.parse reads, however it is laid out and comes in pieces', async () => {
    const text = fc.oneof(fc.string({unit: 'grapheme'}), fc.constantFrom('}', ']', '{"', '\\"', ',', '\\'))
    const document = fc.record({id: fc.nat(), text, other: fc.jsonValue()})
    const layouts = fc.record({
      documents: fc.array(document),
      indent: fc.integer({min: 0, max: 2}),
      size: fc.integer({min: 1, max: 40})
    })
    await fc.assert(
      fc.asyncProperty(layouts, async ({documents, indent, size}) => {
        const rows = await rowsOf(`\ufeff \n${JSON.stringify(documents, null, indent)}\n`, size)
        expect(rows).toEqual(
          documents.map(({id, text: note}) => expect.objectContaining({id, text: new Map([['text', note]])}))
        )
      })
    )
  })

  test('is what .json and .jsonl hold that begin with a bracket', async () => {
    const content = '[\n  {"id": 1, "text": "a"},\n  {"id": 2, "text": "b"}\n]\n'
    for (const name of ['a.json', 'b.jsonl', 'c']) {
      const rows = await readAll(folder.file(name, content))
      expect([name, rows.map(({id}) => id)]).toEqual([name, [1, 2]])
    }
    const long = folder.file('long.json', '[{"id": 12345678901234567891, "text": "a"}]')
    expect((await readAll(long))[0].id).toBe('12345678901234567891')
    const none = folder.file('none.json', '[]')
    expect(await refusalOf(() => readAll(none), 'bad-file')).toContain('the file holds no documents')
  })

  test.each([
    [
      '[{"text":"a"}\n{"text":"b"}]',
      `x.json:2: nothing stands where ',' is expected; a file that begins with [ is one array`
    ],
    ['[{"text":"a"},\n]', `x.json:2: ',]' stands where ']' is expected`],
    ['[{"text":"a"}] {}', `x.json:1: ']' stands where ',' is expected`],
    ['[{"text":"a"}] end', `x.json:1: ']end' stands where ']' is expected`],
    [`[\n${'1,'.repeat(50)}`, `x.json:2: '[1,1,1,`],
    ['[\n1]', `x.json:2: '[1]' stands where '[]' is expected`],
    ['[{"text":"a"},\n\n{"text":b}]', 'x.json:3: not valid JSON'],
    ['[\n{"text":"a"', 'x.json:2: the object that begins here is never closed'],
    ['[{"text":"a"}\n', `x.json:1: nothing stands where ']' is expected`],
    ['[{"note":"a"}]', 'x.json:1: the row has no usable field']
  ])('refuses %j by its line', async (text, message) => {
    for (const size of [1, 100]) expect(await refusalOf(() => rowsOf(text, size))).toContain(message)
  })

  test('refuses an object of over 16 MB', async () => {
    const text = `[{"text":"${'x'.repeat(17_000_000)}"}]`
    expect(await refusalOf(() => rowsOf(text, 1_000_000))).toContain(
      'x.json:1: the document that begins here is over 16 MB'
    )
  })
})
