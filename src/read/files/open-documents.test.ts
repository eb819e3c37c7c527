import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import fs, {appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {setTimeout} from 'node:timers/promises'
import {gzipSync} from 'node:zlib'
import {afterEach, expect, test, vi} from 'vitest'
import type {ErrorCode} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {type DocumentOptions, type DocumentSource, openDocuments} from './open-documents.ts'
import {documentFixture, failureOf, readAll, refusalOf, testFolder, unlessRoot} from './test-folder.ts'

const folder = testFolder()
const options = {text: ['title', 'text']}

async function pass(source: DocumentSource, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of source.batches(signal)) rows.push(...batch)
  return rows
}

function spools(): string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith(`adfa.${process.pid}-`))
}

function withStandardInput(content: Iterable<string | Uint8Array>): void {
  const stream = Readable.from(
    (function* () {
      for (const chunk of content) yield Buffer.from(chunk)
    })()
  )
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(stream, {fd: 0 as const}) as typeof process.stdin)
}

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.unstubAllEnvs()
})

test('openDocuments(paths) reads several files of several formats in order, any number of times', async () => {
  const paths = ['notes.csv', 'notes.jsonl.zst', 'notes.svm'].map(documentFixture)
  const source = openDocuments(paths, options)
  const sizes = paths.map(path => readFileSync(path).length)
  expect(source.names).toEqual(paths)
  expect(source.byteCount).toBe(sizes[0] + sizes[1] + sizes[2])
  expect(source.bytesRead()).toBe(0)
  const rows = await pass(source)
  expect(source.bytesRead()).toBe(source.byteCount)
  expect(rows.map(row => row.id)).toEqual(['a1', 'a2', 'a3', 'a1', 'a2', 'a3', undefined, undefined, undefined])
  expect(await pass(source)).toEqual(rows)
  expect(source.bytesRead()).toBe(source.byteCount)
  await source.close()
})

test('openDocuments(paths, {format}) takes the format from the option rather than from the name', async () => {
  const path = folder.file('notes.txt', readFileSync(documentFixture('notes.tsv')))
  expect(await readAll(path, {format: 'tsv'})).toEqual(await readAll(documentFixture('notes.jsonl')))
  const prose = folder.file('notes.data', 'Fever and chest pain')
  const rule = /notes\.data: neither the name nor the content shows the format.*`format`/
  expect((await failureOf(() => readAll(prose))).message).toMatch(rule)
})

test.each<[string, ErrorCode, RegExp, () => unknown]>([
  [
    'a missing file',
    'bad-file',
    /missing\.jsonl: no such file/,
    () => open([good, join(folder.path, 'missing.jsonl')])
  ],
  ['an empty folder', 'bad-file', /the folder has no text files/, () => open([emptyFolder()])],
  ['a folder of tables', 'bad-file', /this is a folder/, () => open([emptyFolder()], {format: 'csv'})],
  ...unlessRoot('a protected file', 'bad-file' as const, /no permission/, () => open([protectedFile()])),
  ['no files', 'bad-option', /name at least one file/, () => open([])],
  ['standard input twice', 'bad-option', /\(-\) is given twice/, () => open(['-', good, '-'])],
  ['a bad separator', 'bad-option', /`separator`/, () => open([good], {separator: ''})]
])('openDocuments(paths) refuses %s before any work is done', async (_, code, message, work) => {
  expect(await refusalOf(work, code)).toMatch(message)
})

const good = documentFixture('notes.jsonl')
const open = (paths: readonly string[], more: Partial<DocumentOptions> = {}) =>
  openDocuments(paths, {...options, ...more})

function emptyFolder(): string {
  const path = join(folder.path, 'empty')
  mkdirSync(path, {recursive: true})
  return path
}

function protectedFile(): string {
  const path = folder.file('locked.jsonl', '{"text": "x"}')
  chmodSync(path, 0)
  return path
}

test.each([
  ['empty.jsonl', ''],
  ['blank.csv', 'id,text\n\n  \r\n'],
  ['blank.svm', '\n  \n# comment\n \t# comment\r\n'],
  ['blank.jsonl', '\n\n  \r\n\u00a0\n'],
  ['header.csv', 'id,text\n'],
  ['empty.csv', ''],
  ['comment.svm', '# nothing\n'],
  ['empty.jsonl.gz', gzipSync('')]
])('openDocuments(paths) refuses %s, which holds no documents, even beside others that do', async (name, content) => {
  const path = folder.file(name, content)
  const source = openDocuments([documentFixture('notes.jsonl'), path], options)
  const error = await failureOf(() => pass(source))
  expect(error.code).toBe('bad-file')
  expect(error.message).toContain(`${path}: the file holds no documents; at least one is needed`)
})

test('openDocuments(paths) notices that a file changed since it was opened, whether or not its size did', async () => {
  const changes = [
    (path: string) => appendFileSync(path, '{"text": "b"}\n'),
    (path: string) => fs.utimesSync(path, new Date(), new Date(Date.now() + 5000))
  ]
  for (const change of changes) {
    const path = folder.file('growing.jsonl', '{"text": "a"}\n')
    const source = openDocuments([path], options)
    await pass(source)
    change(path)
    expect((await failureOf(() => pass(source))).message).toContain(`${path}: the file changed while it was in use`)
  }
})

test('openDocuments(paths) does not read ahead of its reader, so memory does not grow with the file', async () => {
  // Hashes, since they hardly compress.
  const hash = (text: string) => createHash('sha512').update(text).digest('base64')
  const line = (_: unknown, index: number) =>
    JSON.stringify({text: ['a', 'b', 'c', 'd'].map(k => hash(k + index)).join(' ')})
  const content = Array.from({length: 30_000}, line).join('\n')
  for (const [name, bytes] of [
    ['big.jsonl', Buffer.from(content)],
    ['big.jsonl.gz', gzipSync(content, {level: 1})]
  ] as const) {
    const source = openDocuments([folder.file(name, bytes)], options)
    let documentCount = 0
    for await (const batch of source.batches()) {
      if (documentCount === 0) {
        // Time enough to read the whole file, if nothing held it back.
        await setTimeout(200)
        expect(source.bytesRead()).toBeLessThan(4_000_000)
        expect(bytes.length).toBeGreaterThan(8_000_000)
      }
      expect(batch.length).toBeLessThan(10_000)
      documentCount += batch.length
    }
    expect(documentCount).toBe(30_000)
  }
})

test('openDocuments(paths) can be left in the middle of a pass and read again', async () => {
  const path = folder.file('again.jsonl.gz', gzipSync('{"text": "a b c"}\n'.repeat(200_000)))
  const source = openDocuments([path], options)
  for await (const batch of source.batches()) {
    expect(batch.length).toBeGreaterThan(0)
    break
  }
  expect((await pass(source)).length).toBe(200_000)
})

test('openDocuments(["-"]) puts standard input aside, reads it several times and removes it on close', async () => {
  withStandardInput([gzipSync('{"id": 1, "text": "a"}\n'), gzipSync('{"id": 2, "text": "b"}\n')])
  const source = openDocuments(['-'], options)
  expect(source.names).toEqual(['standard input'])
  expect(source.byteCount).toBe(undefined)
  expect((await pass(source)).map(row => row.id)).toEqual([1, 2])
  expect((await pass(source)).map(row => row.id)).toEqual([1, 2])
  expect(source.byteCount).toBe(source.bytesRead())
  expect(spools().length).toBe(1)
  await source.close()
  expect(spools()).toEqual([])
  await expect(pass(source)).rejects.toThrow('after they were closed')
})

const piece = Buffer.alloc(2 ** 20)

function* endlessLine() {
  yield '{"text": "a"}\n'
  // A gigabyte is far more than may be read.
  for (let pieces = 0; pieces < 100; pieces++) yield piece
  throw new Error('the copy went on')
}

function* breaksOff() {
  yield '{"text": "a"}\n'
  throw Object.assign(new Error('EIO: i/o error, read'), {code: 'EIO'})
}

test.each<[string, ErrorCode, Iterable<string | Uint8Array>, RegExp]>([
  ['a broken line', 'bad-document', ['{"text": "a"}\n', 'oops\n'], /^standard input:2: not valid JSON/],
  ['nothing', 'bad-file', [], /^standard input: the file holds no documents/],
  [
    'a line without an end',
    'bad-document',
    endlessLine(),
    /^standard input:2: the line that begins here is over 16 MB/
  ],
  ['what breaks off', 'bad-file', breaksOff(), /^standard input: cannot be read: EIO: i\/o error, read$/]
])('openDocuments(["-"]) refuses %s by name, and leaves nothing behind', async (_, code, content, message) => {
  withStandardInput(content)
  const source = openDocuments(['-'], options)
  expect(await refusalOf(() => pass(source), code)).toMatch(message)
  await source.close()
  expect(spools()).toEqual([])
})

/** Makes every file take 40 ms to open. */
function openSlowly(): void {
  const {open} = fs
  const openFile = fs.promises.open
  vi.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
    setTimeout(40).then(() => Reflect.apply(open, fs, args))
  })
  vi.spyOn(fs.promises, 'open').mockImplementation((...args) => setTimeout(40).then(() => openFile(...args)))
  syncBuiltinESMExports()
}

test.each([
  ['while it waits for standard input', 20, () => {}],
  ['before its copy is open', 5, openSlowly]
])('openDocuments(["-"]) can be cancelled %s, and leaves nothing behind', async (_, milliseconds, prepare) => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(new Readable({read() {}}) as typeof process.stdin)
  prepare()
  const source = openDocuments(['-'], options)
  const work = () => pass(source, AbortSignal.timeout(milliseconds))
  await refusalOf(work, 'cancelled')
  await source.close()
  await setTimeout(40)
  expect(spools()).toEqual([])
})

test('openDocuments(["-"]) says when standard input cannot be put aside', async () => {
  withStandardInput(['{"text": "a"}\n'])
  vi.stubEnv('TMPDIR', join(folder.path, 'none'))
  const source = openDocuments(['-'], options)
  const error = await failureOf(() => pass(source))
  expect(error.code).toBe('cannot-write')
  expect(error.message).toMatch(/none\/adfa\..*\(a copy of standard input; TMPDIR .*its folder does not exist/)
  await source.close()
})

test.skipIf(!existsSync('/bin/sh') || process.platform === 'win32')(
  'openDocuments(paths) puts a named pipe aside like standard input',
  async () => {
    const path = join(folder.path, 'pipe.csv')
    if (spawnSync('mkfifo', [path]).status !== 0) return
    const source = openDocuments([path], options)
    const writer = spawn('/bin/sh', ['-c', `printf 'id,text\\n1,a\\n' > '${path}'`])
    expect((await pass(source)).map(row => row.id)).toEqual(['1'])
    expect((await pass(source)).map(row => row.id)).toEqual(['1'])
    writer.kill()
    await source.close()
    expect(spools()).toEqual([])
  }
)
