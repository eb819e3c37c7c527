import fc from 'fast-check'
import {expect, test} from 'vitest'
import {failureOf, inPieces, refusalOf} from '../files/test-folder.ts'
import {type CsvRecord, csvRecords} from './read-csv.ts'

async function cut(content: string | Uint8Array, pieceSize = 1_000_000, separator = ','): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  const pieces = inPieces(Buffer.from(content), pieceSize)
  for await (const batch of csvRecords(pieces, separator.charCodeAt(0), 'x.csv')) records.push(...batch)
  return records
}

const errorOf = (content: string | Uint8Array) => refusalOf(() => cut(content))

const awkwardText = fc.string({unit: fc.constantFrom('a', 'é', '🍺', '"', ',', '\t', '\n', '\r', ' '), maxLength: 6})
const anyTable = fc
  .integer({min: 1, max: 4})
  .chain(width => fc.array(fc.array(awkwardText, {minLength: width, maxLength: width}), {maxLength: 6}))

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

test('csvRecords(...) gives back the cells that were written, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTable,
      fc.constantFrom(',', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({min: 1, max: 9}),
      fc.boolean(),
      async (table, separator, end, size, endsWithLine) => {
        const text = table.map(cells => cells.map(quoted).join(separator)).join(end) + (endsWithLine ? end : '')
        const records = await cut(text, size, separator)
        expect(records.map(record => record.cells)).toEqual(table)
        let line = 1
        for (const [index, cells] of table.entries()) {
          expect(records[index].line).toBe(line)
          line += 1 + cells.join('').split('\n').length - 1
        }
      }
    ),
    {numRuns: 300}
  )
})

test('csvRecords(...) gives the same records or the same error for any bytes in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(awkwardText, awkwardText, fc.integer({min: 1, max: 5}), async (start, rest, size) => {
      const outcome = (pieceSize: number) => cut(start + rest, pieceSize).catch(error => error.message)
      expect(await outcome(size)).toEqual(await outcome(1000))
    }),
    {numRuns: 1000}
  )
})

test('csvRecords(...) takes cells without quotes as they are, skips empty lines and counts them', async () => {
  expect(await cut('\ufeffa, b ,5" pipe\r\n\r\n\n,,\nlast')).toEqual([
    {line: 1, cells: ['a', ' b ', '5" pipe']},
    {line: 4, cells: ['', '', '']},
    {line: 5, cells: ['last']}
  ])
})

test('csvRecords(...) hands on records as the pieces come, so that memory does not grow', async () => {
  let batchCount = 0
  for await (const batch of csvRecords(inPieces(Buffer.from('a,"b\n"\n'.repeat(1000)), 100), 44, 'x.csv'))
    if (batch.length > 0) batchCount++
  expect(batchCount).toBeGreaterThan(50)
})

test('csvRecords(...) drops a byte order mark before a quoted cell, even when it comes in pieces', async () => {
  for (const size of [1, 2, 3, 100]) expect(await cut('\ufeff"a",b', size)).toEqual([{line: 1, cells: ['a', 'b']}])
})

test.each<[string | Uint8Array, RegExp]>([
  [
    'a,b\n"x\ny",z\n1,"never\nclosed\n',
    /^x\.csv:4: .* a quote that is never closed; a cell that begins with " must end with "$/
  ],
  ['a,b\n"x"y,z\n', /^x\.csv:2: .* text after a closing quote; .* twice, as ""/],
  [Buffer.from('a\n"b\n\xff"\n', 'latin1'), /^x\.csv:3: not text in UTF-8/]
])('csvRecords(...) refuses %j with its line', async (content, message) => {
  expect(await errorOf(content)).toMatch(message)
})

test('csvRecords(...) refuses a record over 16 MB without reading on, in linear time', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\n"')
    for (;;) yield piece
  }
  const piece = Buffer.alloc(8_000_000, 'x')
  const error = await failureOf(async () => {
    for await (const _ of csvRecords(endless(), 44, 'x.csv'));
  })
  expect(error.message).toMatch(/^x\.csv:2: the record that begins here is over 16 MB; .* quote that is never closed/)
})
