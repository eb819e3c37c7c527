import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {workbook} from '../../../test/workbook.ts'
import type {RowReading} from '../data/index.ts'
import {readAll, testFolder} from '../files/test-folder.ts'
import {parquetOf} from '../files/test-parquet.ts'
import {readDocuments, recogniseFile, type SourceFile, type TablesApi} from '../reading/index.ts'
import {createTables} from './index.ts'

const folder = testFolder()

function fileOf(name: string, bytes: Uint8Array): SourceFile {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>])
  return {name, size: blob.size, stream: () => blob.stream()}
}

async function rowsOf(file: SourceFile, fields: RowReading, tables?: () => Promise<TablesApi>) {
  const rows = []
  for await (const batch of readDocuments([file], fields, {tables})) rows.push(...batch)
  return rows
}

const sheet = workbook({
  Notes: [
    ['id', 'note', 'temp', 'tags', 'day', 'seen'],
    [7, 'pt & "co" <x>', 36.6, 'pain|fall', new Date('2024-02-29'), true],
    [null, null, null, null, null, null],
    ['b', 12, '37.5', null, new Date('2024-03-01T13:45:00Z'), false]
  ]
})
const parquet = (codec: 'SNAPPY' | 'GZIP' | 'BROTLI' | 'UNCOMPRESSED') =>
  parquetOf(
    {
      id: {kind: 'whole', data: [1n, 2n, 2n ** 60n]},
      note: {kind: 'text', data: ['chest pain', null, 'fell ü']},
      tags: {kind: 'list', data: [['a'], null, ['b', 'c']]}
    },
    {codec, rowGroupSize: 2}
  )
const fields = {fields: ['note'], numbers: [{field: 'temp', width: 1}], categories: ['day', 'seen']}

describe('createTables() reads what the files of Node read', () => {
  test.each([
    ['a.xlsx', sheet, fields],
    ['named.csv', sheet, fields],
    ['a.xlsx', sheet, {fields: [], keepsRecords: 'only'} as const],
    ['snappy.parquet', parquet('SNAPPY'), {fields: ['note']}],
    ['gzip.parquet', parquet('GZIP'), {fields: ['note'], keepsRecords: true}],
    ['brotli.pq', parquet('BROTLI'), {fields: ['note']}],
    ['plain.parquet', parquet('UNCOMPRESSED'), {fields: [], keepsRecords: 'only'} as const]
  ])('%s', async (name, bytes, reading) => {
    const api = createTables()
    const rows = await rowsOf(fileOf(name, bytes), reading, async () => api)
    const ending = bytes === sheet ? 'xlsx' : 'parquet'
    expect(rows).toEqual(await readAll(folder.file(`node.${ending}`, bytes), reading))
    expect(rows.length).toBeGreaterThan(1)
  })

  test('progress ends with the size of the file', async () => {
    for (const [name, bytes] of [
      ['a.xlsx', sheet],
      ['a.parquet', parquet('SNAPPY')]
    ] as const) {
      let done = 0
      const control = {tables: async () => createTables(), onProgress: (bytes: number) => (done = bytes)}
      for await (const _ of readDocuments([fileOf(name, bytes)], {fields: ['note']}, control))
        expect(done).toBeGreaterThan(0)
      expect(done).toBe(bytes.length)
    }
  })

  test.each([
    ['cut.xlsx', sheet.subarray(0, sheet.length - 60), /cut\.xlsx: .*(damaged|cannot be read)/],
    ['text.xlsx', Buffer.from('id,note\n1,a\n'), /text\.xlsx: not an Excel workbook/],
    ['cut.parquet', parquet('SNAPPY').subarray(0, 100), /cut\.parquet: the Parquet file is cut short/],
    ['whole.parquet.gz', gzipSync(parquet('SNAPPY')), /compressed with gzip; .*decompress it first/],
    ['empty.xlsx', workbook({One: [['id', 'note']]}), /empty\.xlsx: .*no documents/]
  ])('%s is refused with the reason', async (name, bytes, message) => {
    await expect(rowsOf(fileOf(name, bytes), {fields: ['note']}, async () => createTables())).rejects.toThrow(message)
  })

  test('without the libraries, the command line is named', async () => {
    for (const [name, bytes, what] of [
      ['a.xlsx', sheet, 'a spreadsheet'],
      ['b.dat', parquet('SNAPPY'), 'a Parquet file']
    ] as const) {
      const file = fileOf(name, bytes)
      const refused = `${name}: this is ${what}`
      await expect(rowsOf(file, {fields: ['note']}, () => Promise.reject(new Error('gone')))).rejects.toThrow(refused)
      await expect(rowsOf(file, {fields: ['note']})).rejects.toThrow(`adfa init ${name}`)
      await expect(recogniseFile(file)).rejects.toThrow(refused)
      expect(await recogniseFile(file, true)).toEqual({
        kind: 'documents',
        format: bytes === sheet ? 'xlsx' : 'parquet'
      })
    }
  })
})
