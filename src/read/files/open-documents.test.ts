import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import fs, {appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {gzipSync} from 'node:zlib'
import {afterEach, expect, test, vi} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {type DocumentSource, openDocuments} from './open-documents.ts'
import {documentFixture, failureOf, readAll, testFolder} from './test-folder.ts'

const folder = testFolder()
const options = {text: ['title', 'text']}

async function pass(source: DocumentSource): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of source.batches()) rows.push(...batch)
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

test('openDocuments(paths) gives the same rows for JSON Lines, CSV and TSV, plain and compressed', async () => {
  const rows = await readAll(documentFixture('notes.jsonl'))
  expect(rows[0]).toMatchObject({
    id: 'a1',
    features: ['code:410', '__proto__'],
    tags: ['cardiac', 'pain'],
    labels: undefined
  })
  expect([...rows[0].text.values()]).toEqual(['Chest pain', 'pt c/o chest pain, "sharp"\nno fever'])
  for (const name of ['notes.csv', 'notes.tsv', 'notes.jsonl.gz', 'notes.jsonl.zst', 'frames.jsonl.zst'])
    expect(await readAll(documentFixture(name))).toEqual(rows)
})

test('openDocuments(paths, {format}) takes the format from the option rather than from the name', async () => {
  const path = folder.file('notes.txt', readFileSync(documentFixture('notes.tsv')))
  expect(await readAll(path, {format: 'tsv'})).toEqual(await readAll(documentFixture('notes.jsonl')))
  const prose = folder.file('notes.data', 'Fever and chest pain')
  const rule = /notes\.data: neither the name nor the content shows the format.*`format`/
  expect((await failureOf(() => readAll(prose))).message).toMatch(rule)
})

test('openDocuments(paths) refuses files it cannot read before any work is done', async () => {
  const good = documentFixture('notes.jsonl')
  const missing = join(folder.path, 'missing.jsonl')
  const error = await failureOf(() => openDocuments([good, missing], options))
  expect(error.code).toBe('bad-file')
  expect(error.message).toBe(`${missing}: no such file; check the path`)
  const empty = join(folder.path, 'empty')
  mkdirSync(empty)
  expect((await failureOf(() => openDocuments([empty], options))).message).toContain('the folder has no text files')
  const tables = () => openDocuments([empty], {...options, format: 'csv'})
  expect((await failureOf(tables)).message).toContain('this is a folder')
})

test.skipIf(process.getuid?.() === 0)('openDocuments(paths) says at once when there is no permission', async () => {
  const path = folder.file('locked.jsonl', '{"text": "x"}')
  chmodSync(path, 0)
  expect((await failureOf(() => openDocuments([path], options))).message).toContain('no permission to read it')
})

test('openDocuments(paths, options) refuses bad options', async () => {
  const good = documentFixture('notes.jsonl')
  expect((await failureOf(() => openDocuments([], options))).code).toBe('bad-option')
  expect((await failureOf(() => openDocuments(['-', good, '-'], options))).message).toContain('(-) is given twice')
  expect((await failureOf(() => openDocuments([good], {...options, separator: ''}))).code).toBe('bad-option')
})

test.each([
  ['empty.jsonl', ''],
  ['blank.csv', 'id,text\n\n  \r\n'],
  ['blank.svm', '\n  \n# comment\n \t# comment\r\n'],
  ['blank.jsonl', '\n\n  \r\n'],
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

test('openDocuments(paths) refuses binary garbage under a good name', async () => {
  const garbage = Uint8Array.from({length: 5000}, (_, index) => (index * index * 31 + 200) & 255)
  for (const name of ['garbage.jsonl', 'garbage.csv', 'garbage.svm']) {
    const path = folder.file(name, garbage)
    expect((await failureOf(() => readAll(path))).message).toMatch(/garbage\.\w+:\d+: /)
  }
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
        await new Promise(resolve => setTimeout(resolve, 200))
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

test('openDocuments(["-"]) calls standard input by name in errors', async () => {
  withStandardInput(['{"text": "a"}\n', 'oops\n'])
  const source = openDocuments(['-'], options)
  expect((await failureOf(() => pass(source))).message).toMatch(/^standard input:2: not valid JSON/)
  await source.close()
  withStandardInput([])
  const empty = openDocuments(['-'], options)
  expect((await failureOf(() => pass(empty))).message).toMatch(/^standard input: the file holds no documents/)
  await empty.close()
  expect(spools()).toEqual([])
})

test('openDocuments(["-"]) refuses a line without an end while it is copied', async () => {
  const piece = Buffer.alloc(2 ** 20)
  let pieces = 0
  withStandardInput(
    (function* () {
      yield Buffer.from('{"text": "a"}\n')
      for (; pieces < 1000; pieces++) yield piece
    })()
  )
  const source = openDocuments(['-'], options)
  expect((await failureOf(() => pass(source))).message).toMatch(
    /^standard input:2: the line that begins here is over 16 MB/
  )
  expect(pieces).toBeLessThan(100)
  await source.close()
  expect(spools()).toEqual([])
})

test('openDocuments(["-"]) can be cancelled while it waits for standard input, and leaves nothing behind', async () => {
  const abort = new AbortController()
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(new Readable({read() {}}) as typeof process.stdin)
  const source = openDocuments(['-'], options)
  setTimeout(() => abort.abort(), 20)
  const error = await failureOf(async () => {
    for await (const _ of source.batches(abort.signal));
  })
  expect(error).toBeInstanceOf(AdfaError)
  expect(error.code).toBe('cancelled')
  expect(spools()).toEqual([])
  await source.close()
})

test('openDocuments(["-"]) leaves nothing behind when cancelled before its copy is open', async () => {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(new Readable({read() {}}) as typeof process.stdin)
  const {open} = fs
  const openFile = fs.promises.open
  const later = () => new Promise(resolve => setTimeout(resolve, 40))
  vi.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
    later().then(() => Reflect.apply(open, fs, args))
  })
  vi.spyOn(fs.promises, 'open').mockImplementation((...args) => later().then(() => openFile(...args)))
  syncBuiltinESMExports()
  const abort = new AbortController()
  const source = openDocuments(['-'], options)
  setTimeout(() => abort.abort(), 5)
  const error = await failureOf(async () => {
    for await (const _ of source.batches(abort.signal));
  })
  expect(error.code).toBe('cancelled')
  await source.close()
  await later()
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

test('openDocuments(["-"]) says when standard input breaks off, and leaves nothing behind', async () => {
  const broken = Object.assign(new Error('EIO: i/o error, read'), {code: 'EIO'})
  withStandardInput(
    (function* () {
      yield '{"text": "a"}\n'
      throw broken
    })()
  )
  const source = openDocuments(['-'], options)
  expect((await failureOf(() => pass(source))).message).toBe('standard input: cannot be read: EIO: i/o error, read')
  await source.close()
  expect(spools()).toEqual([])
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
