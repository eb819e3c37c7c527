import {spawn} from 'node:child_process'
import {once} from 'node:events'
import fs, {chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'
import {Writable} from 'node:stream'
import {fileURLToPath} from 'node:url'
import {gunzipSync} from 'node:zlib'
import {afterEach, expect, test, vi} from 'vitest'
import {failureOf, refusalOf, testFolder, unlessRoot} from './test-folder.ts'
import {checkWritable, makeFolder, openAtomicWriter, writeAtomically} from './write-atomically.ts'

const folder = testFolder()

afterEach(() => {
  vi.restoreAllMocks()
})

function temporaryFiles(): string[] {
  return readdirSync(folder.path).filter(name => name.endsWith('.tmp'))
}

/** Make the disk fail, as a full or broken one does. */
async function breakDisk(method: 'write' | 'sync', code: string): Promise<void> {
  const failure = Object.assign(new Error(`${code}: failed`), {code})
  const handle = await open(folder.file('probe', ''))
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  if (method === 'sync') vi.spyOn(prototype, 'sync').mockRejectedValue(failure)
  else
    for (const write of ['write', 'writev'] as const)
      vi.spyOn(fs, write).mockImplementation((...args: unknown[]) => (args.at(-1) as (error: Error) => void)(failure))
}

test('writeAtomically(path, content) writes text and bytes, compressed when the name ends in .gz', async () => {
  const bytes = Uint8Array.from({length: 300_000}, (_, index) => index % 251)
  for (const content of ['{"a": "é🍺"}', bytes, '', 'many words '.repeat(50_000)]) {
    const files = ['one.json', 'one.gz', 'two.gz'].map(name => join(folder.path, name))
    for (const path of files) await writeAtomically(path, content)
    const [plain, packed, again] = files.map(path => readFileSync(path))
    expect(plain.equals(Buffer.from(content))).toBe(true)
    expect(gunzipSync(packed).equals(plain)).toBe(true)
    expect(again.equals(packed)).toBe(true)
  }
  expect(temporaryFiles()).toEqual([])
})

test('openAtomicWriter(path) keeps the old content until commit', async () => {
  const path = folder.file('kept.jsonl', 'old')
  const writer = await openAtomicWriter(path)
  for (let line = 0; line < 20_000; line++) await writer.write(`line ${line}\n`)
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(temporaryFiles()).toEqual([
    expect.stringMatching(new RegExp(`^\\.kept\\.jsonl\\.${process.pid}-[-0-9a-f]+\\.tmp$`))
  ])
  await writer.commit()
  expect(readFileSync(path, 'utf8')).toBe(Array.from({length: 20_000}, (_, line) => `line ${line}\n`).join(''))
  expect(temporaryFiles()).toEqual([])
  await writer.abort()
  expect(existsSync(path)).toBe(true)
})

test('openAtomicWriter(path) takes bytes that the caller changes afterwards', async () => {
  const path = join(folder.path, 'reused')
  const writer = await openAtomicWriter(path)
  const bytes = Buffer.from('a')
  await writer.write(bytes)
  bytes[0] = 98
  await writer.write(bytes)
  await writer.commit()
  expect(readFileSync(path, 'utf8')).toBe('ab')
})

test('abort() leaves the old content and nothing else', async () => {
  const path = folder.file('aborted.gz', 'old')
  const writer = await openAtomicWriter(path)
  await writer.write('x'.repeat(200_000))
  await writer.abort()
  await writer.abort()
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(temporaryFiles()).toEqual([])
  await expect(writer.write('x')).rejects.toThrow('after it was closed')
})

test('openAtomicWriter(path) keeps permissions and follows links', async () => {
  const path = folder.file('secret.json', 'old')
  chmodSync(path, 0o600)
  const link = join(folder.path, 'link.json')
  symlinkSync(path, link)
  await writeAtomically(link, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.runIf(process.platform === 'linux')('openAtomicWriter(path) writes through an open descriptor', async () => {
  const path = folder.file('open.txt', '')
  const file = await open(path, 'a')
  await file.write('first\n')
  const descriptor = `/dev/fd/${file.fd}`
  const {ino} = statSync(path)
  await checkWritable(descriptor)
  await writeAtomically(descriptor, 'second\n')
  await writeAtomically(`/proc/self/fd/${file.fd}`, 'third\n')
  await file.close()
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\nthird\n')
  expect(statSync(path).ino).toBe(ino)
  // Closed: no file may be made in its place.
  expect((await failureOf(() => openAtomicWriter(descriptor))).code).toBe('cannot-write')
})

test('openAtomicWriter(path) takes names as long as the system does', async () => {
  const path = join(folder.path, `${'n'.repeat(250)}.json`)
  await writeAtomically(path, 'x')
  expect(readFileSync(path, 'utf8')).toBe('x')
})

test.each<[string, RegExp, () => string]>([
  ['a missing folder', /its folder does not exist; create/, () => join(folder.path, 'none', 'x.json')],
  ['a folder', /it is a folder/, () => folder.path],
  ['a file as folder', /a file where a folder should be/, () => join(folder.file('plain', ''), 'x.json')],
  ['.zst', /zstd is only read.*\.gz/, () => join(folder.path, 'x.jsonl.zst')],
  ['a link that leads nowhere', /it is a link to nowhere\.json, which does not exist/, () => linkTo('nowhere.json')],
  ['a link in a circle', /its links lead in a circle/, () => linkTo('link to circle', 'circle')],
  ...unlessRoot('a file that is protected', /no permission/, () => protectedFile())
])('openAtomicWriter(path) and checkWritable(path) refuse %s', async (_, message, make) => {
  const path = make()
  for (const work of [openAtomicWriter, checkWritable]) {
    const refusal = await refusalOf(() => work(path), 'cannot-write')
    expect(refusal).toMatch(message)
    expect(refusal).toContain(`${path}: cannot be written: `)
  }
  expect(temporaryFiles()).toEqual([])
})

function linkTo(target: string, name = 'dangling'): string {
  const path = join(folder.path, `link to ${name}`)
  symlinkSync(target, path)
  return path
}

function protectedFile(): string {
  const path = folder.file('protected.json', 'old')
  chmodSync(path, 0o444)
  return path
}

test.each([
  ['write', 'ENOSPC', 'full.jsonl', 'the disk is full; free some space or write elsewhere'],
  ['write', 'ENOSPC', 'full.jsonl.gz', 'the disk is full; free some space or write elsewhere'],
  ['sync', 'EIO', 'late.json', 'EIO: failed; write elsewhere']
] as const)('a disk that fails at %s by %s leaves the old %s and nothing else', async (method, code, name, reason) => {
  const path = folder.file(name, 'old')
  await breakDisk(method, code)
  const writer = await openAtomicWriter(path)
  // Compressed output reaches the disk late: then commit is the one that fails.
  const noise = Uint8Array.from({length: 200_000}, (_, index) => (index * index * 31) >> 3)
  const work = () => writer.write(noise).then(() => writer.commit())
  expect(await refusalOf(work, 'cannot-write')).toBe(`${path}: cannot be written: ${reason}`)
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(temporaryFiles()).toEqual([])
  await writer.abort()
})

test.skipIf(!existsSync('/dev/full'))('writeAtomically(path) writes to devices directly and hears them', async () => {
  await writeAtomically('/dev/null', 'x')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  const error = await failureOf(() => writeAtomically('/dev/full', 'x'))
  expect(error.message).toBe('/dev/full: cannot be written: the disk is full; free some space or write elsewhere')
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
})

/** Standard output whose bytes go to `write`. */
function withStandardOutput(write: (chunk: Buffer) => Error | undefined): Writable {
  const stream = new Writable({write: (chunk, _encoding, done) => done(write(chunk))})
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(stream as typeof process.stdout)
  return stream
}

test('writeAtomically("-", content) writes to standard output, and says when its reader has gone', async () => {
  const chunks: Buffer[] = []
  const stream = withStandardOutput(chunk => {
    chunks.push(chunk)
    return undefined
  })
  await writeAtomically('-', 'some é')
  expect(Buffer.concat(chunks).toString()).toBe('some é')
  expect(stream.writableEnded).toBe(false)
  withStandardOutput(() => Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}))
  expect(await refusalOf(() => writeAtomically('-', 'x'), 'cannot-write')).toMatch(
    /^standard output: cannot be written: its reader has stopped/
  )
})

test('checkWritable(path) takes what can be written, and leaves nothing behind', async () => {
  const path = folder.file('kept.json', 'old')
  const fresh = join(folder.path, 'not-there-yet.json')
  for (const good of [path, '-', fresh]) await checkWritable(good)
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect([temporaryFiles(), existsSync(fresh)]).toEqual([[], false])
})

test.each(['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'temporary files go when the process ends by %s',
  async how => {
    const module = fileURLToPath(new URL('./index.ts', import.meta.url))
    const path = join(folder.path, `child-${how}.json`)
    const program = `
    import {openAtomicWriter} from ${JSON.stringify(module)}
    const writer = await openAtomicWriter(${JSON.stringify(path)})
    await writer.write('x'.repeat(100000))
    process.stdout.write('ready')
    if (${JSON.stringify(how)} === 'exit') process.exit(3)
    setInterval(() => {}, 1000)
  `
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
    // Its output may arrive after its exit.
    const closed = once(child, 'close')
    let complaint = ''
    child.stderr.on('data', data => {
      complaint += data
    })
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (how !== 'exit') {
      expect(temporaryFiles().length).toBe(1)
      child.kill(how)
    }
    await closed
    expect(complaint).toBe(how === 'exit' ? '' : '\nadfa: interrupted; no partial files were left\n')
    expect([child.exitCode, child.signalCode]).toEqual(how === 'exit' ? [3, null] : [null, how])
    expect(temporaryFiles()).toEqual([])
    expect(existsSync(path)).toBe(false)
  }
)

test('makeFolder(...) makes a folder and those above it, and says in plain words why it cannot', async () => {
  const path = join(folder.path, 'a/b/c')
  for (let round = 0; round < 2; round++) await makeFolder(path)
  expect(existsSync(path)).toBe(true)
  const file = folder.file('a file', '')
  for (const bad of [file, join(file, 'below')])
    expect((await failureOf(() => makeFolder(bad))).code).toBe('cannot-write')
})
