import {chmodSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {sourceBytes} from '../reading/index.ts'
import {parquetOf} from '../reading/test-parquet.ts'
import {diskFile, readBinaryFile, readRecords, readTextFile, type TableRecord} from './disk-file.ts'
import {cannotRead, cannotWrite} from './file-error.ts'
import {documentFixture, failureOf, refusalOf, testFolder, unlessRoot} from './test-folder.ts'

const folder = testFolder()

async function readAllBytes(path: string): Promise<void> {
  for await (const _ of sourceBytes(diskFile(path)));
}

test('diskFile(path) gives the bytes between two places, up to the end of the file', async () => {
  const file = diskFile(folder.file('digits', '0123456789'))
  const text = async (from: number, to: number) => Buffer.from(await file.slice(from, to).arrayBuffer()).toString()
  expect([await text(0, 3), await text(7, 10), await text(8, 20)]).toEqual(['012', '789', '89'])
})

test.each<[string, RegExp, () => string]>([
  ['a missing file', /: no such file; check the path$/, () => join(folder.path, 'none')],
  ['a folder', /: this is a folder, not a file/, () => folder.path],
  ['a file as folder', /a file where a folder should be/, () => join(folder.file('plain', 'x'), 'y')],
  ...unlessRoot('a protected file', /: no permission to read it/, () => protectedFile()),
  ['gzip data that is cut', /: the gzip data is damaged or cut/, () => folder.file('cut.gz', packed.subarray(0, 12))]
])('readers of files refuse %s, with the reason and a way out', async (_, message, make) => {
  const path = make()
  for (const read of [readAllBytes, readTextFile, readBinaryFile])
    expect(await refusalOf(() => read(path), 'bad-file')).toMatch(message)
})

const packed = gzipSync('hello')

function protectedFile(): string {
  const path = folder.file('locked', 'x')
  chmodSync(path, 0)
  return path
}

test('readTextFile(path) gives the text, decompressed and without a byte order mark', async () => {
  const notes = readFileSync(documentFixture('notes.jsonl'), 'utf8')
  for (const name of ['notes.jsonl', 'notes.jsonl.gz', 'notes.jsonl.zst'])
    expect(await readTextFile(documentFixture(name))).toBe(notes)
  expect(await readTextFile(folder.file('mark.json', '\ufeff{}'))).toBe('{}')
  expect(await readTextFile(folder.file('empty', ''))).toBe('')
  const other = folder.file('x.json', Buffer.from([0x7b, 0xff]))
  expect(await refusalOf(() => readTextFile(other), 'bad-file')).toContain('x.json: not text in UTF-8')
})

test('readBinaryFile(path) gives the bytes, decompressed', async () => {
  const bytes = Uint8Array.from({length: 3_000_000}, (_, index) => index % 251)
  expect(Buffer.compare(await readBinaryFile(folder.file('x.counts', bytes)), bytes)).toBe(0)
  expect(Buffer.compare(await readBinaryFile(folder.file('x.counts.gz', gzipSync(bytes))), bytes)).toBe(0)
})

async function all(path: string): Promise<TableRecord[]> {
  const records: TableRecord[] = []
  for await (const batch of readRecords(path)) records.push(...batch)
  return records
}

test('readRecords(...) gives the cells of a table by column, with their line', async () => {
  const path = folder.file('t.csv', 'a, __proto__ \n1,"x, ""y"""\n\n,2\n')
  expect((await all(path)).map(({where, values}) => [where, [...values.keys()], [...values.values()]])).toEqual([
    [`${path}:2`, ['a', '__proto__'], ['1', 'x, "y"']],
    [`${path}:4`, ['a', '__proto__'], ['', '2']]
  ])
})

test('readRecords(...) gives the values of JSON Lines and of Parquet as they are', async () => {
  const lines = folder.file('t.jsonl', '{"a": [1], "b": null}\n\n{"a": "x"}\n')
  expect((await all(lines)).map(({where, values}) => [where, Object.fromEntries(values)])).toEqual([
    [`${lines}:1`, {a: [1], b: null}],
    [`${lines}:3`, {a: 'x'}]
  ])
  const columns = {a: {kind: 'whole', data: [1n, 2n, null]}, b: {kind: 'list', data: [['x'], [], ['y', 'z']]}} as const
  const parquet = folder.file('t.parquet', parquetOf(columns, {rowGroupSize: 2}))
  expect((await all(parquet)).map(({where, values}) => [where, values.get('a') ?? null, values.get('b')])).toEqual([
    [`${parquet}, row 1`, 1, ['x']],
    [`${parquet}, row 2`, 2, []],
    [`${parquet}, row 3`, null, ['y', 'z']]
  ])
})

test.each([
  ['t.csv', 'a,b\n1\n', /t\.csv:2: the record that begins here has 1 cell; the first line names 2 columns/],
  ['t.jsonl', '{"a": 1}\nnull\n', /t\.jsonl:2: the row is not an object/],
  ['t.jsonl', '{"a": 1\n', /t\.jsonl:1: not valid JSON/],
  ['t.parquet', 'PAR', /t\.parquet: this is not a Parquet file/],
  ['t.svm', '1 1:1\n', /t\.svm: a table has columns/]
])('readRecords(...) refuses %s with %j', async (name, content, message) => {
  const path = folder.file(name, content)
  expect((await failureOf(() => all(path))).message).toMatch(message)
})

test('cannotRead(...) and cannotWrite(...) keep the cause, and an error for the user as it is', () => {
  for (const explain of [cannotRead, cannotWrite]) {
    const cause = Object.assign(new Error('EIO: something'), {code: 'EIO'})
    expect(explain('x', cause)).toMatchObject({message: expect.stringContaining('EIO'), cause, details: {path: 'x'}})
    const plain = new AdfaError('bad-document', 'x:3: ...')
    expect(explain('y', plain)).toBe(plain)
  }
})
