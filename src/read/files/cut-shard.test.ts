import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type DocumentOptions, openDocuments} from './open-documents.ts'
import {failureOf, testFolder} from './test-folder.ts'

const folder = testFolder()
const elsewhere = testFolder()

/** What a pass over some documents gives: their ids in order, the bytes said to be read, and the bytes there are. */
async function pass(paths: readonly string[], options: Partial<DocumentOptions> = {}) {
  const source = openDocuments(paths, {text: ['text'], ...options})
  const ids: unknown[] = []
  for await (const batch of source.batches()) for (const row of batch) ids.push(row.id ?? row.features.join())
  return {ids, bytesRead: source.bytesRead()}
}

async function shardsOf(paths: readonly string[], of: number, options: Partial<DocumentOptions> = {}) {
  const passes = []
  for (let shard = 1; shard <= of; shard++) passes.push(await pass(paths, {...options, shard: {shard, of}}))
  return passes
}

/** Every document once and in order, and no byte counted twice or left out. */
async function expectCut(paths: readonly string[], of: number, options: Partial<DocumentOptions> = {}): Promise<void> {
  const whole = await pass(paths, options)
  const shards = await shardsOf(paths, of, options)
  expect(shards.flatMap(({ids}) => ids)).toEqual(whole.ids)
  expect(shards.reduce((sum, {bytesRead}) => sum + bytesRead, 0)).toBe(whole.bytesRead)
}

const anyText = fc.string({unit: fc.constantFrom('a', 'é', '漢', '🍺', ' ', '\ufeff', '"', '\\'), maxLength: 30})
const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n', '\n \n')
const anyLines = fc.array(fc.tuple(anyText, lineEnd), {minLength: 1, maxLength: 8})
const anyFile = fc.record({
  lines: anyLines,
  hasMark: fc.boolean(),
  isEnded: fc.boolean(),
  isCompressed: fc.nat(4).map(n => n === 0)
})

describe('openDocuments(paths, {shard})', () => {
  test('puts every document into exactly one shard, in order', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFile, {minLength: 1, maxLength: 3}),
        fc.integer({min: 1, max: 40}),
        async (files, of) => {
          let id = 0
          const paths = files.map(({lines, hasMark, isEnded, isCompressed}, at) => {
            const body = lines.map(([text, end]) => `${JSON.stringify({id: id++, text})}${end}`).join('')
            const content = `${hasMark ? '\ufeff' : ''}${isEnded ? body : body.trimEnd()}`
            return folder.file(`${run}-${at}.jsonl`, isCompressed ? gzipSync(content) : content)
          })
          run++
          await expectCut(paths, of)
        }
      ),
      {seed: 1, numRuns: 60}
    )
  })

  test('cuts at every single byte of a file alike', async () => {
    const rows = ['é', '', '🍺🍺', 'a'].map((text, id) => JSON.stringify({id, text}))
    const content = Buffer.from(`\ufeff${rows.join('\r\n')}`)
    const path = folder.file('bytes.jsonl', content)
    await expectCut([path], content.length)
    await expectCut([path], 3 * content.length)
  })

  test('keeps a line whole that is longer than a shard and than a piece', async () => {
    const rows = [10, 3_000_000, 0, 1_500_000].map((length, id) => ({id, text: 'x'.repeat(length)}))
    const path = folder.file('long.jsonl', rows.map(row => JSON.stringify(row)).join('\n'))
    await expectCut([path], 2)
    await expectCut([path], 7)
    const [, second, third] = await shardsOf([path], 7)
    expect([second.ids, third.ids]).toEqual([[], []])
  })

  test('gives a file that cannot be cut whole to the shard in which it begins', async () => {
    const line = (id: number) => `${JSON.stringify({id, text: 'x'})}\n`
    const [table, packed, plain] = [
      folder.file('table.csv', `id,text\n${Array.from({length: 40}, (_, at) => `${at},x\n`).join('')}`),
      folder.file('packed.jsonl', gzipSync(Array.from({length: 900}, (_, at) => line(100 + at)).join(''))),
      folder.file('plain.jsonl', Array.from({length: 20}, (_, at) => line(1000 + at)).join(''))
    ]
    await expectCut([plain, table, packed], 5)
    await expectCut([table, plain, packed, table], 13)
    const shards = await shardsOf([table, packed], 60)
    expect(shards.filter(({ids}) => ids.includes('39')).map(({ids}) => ids.length)).toEqual([40])
    expect(shards.filter(({ids}) => ids.includes(999)).map(({ids}) => ids.length)).toEqual([900])
  })

  test('refuses a broken line in the shard that has it, and no other', async () => {
    const good = `${JSON.stringify({id: 1, text: 'x'})}\n`
    const path = folder.file('broken.jsonl', `${good.repeat(12)}{"id": \n${good.repeat(8)}`)
    for (const shard of [1, 2, 4]) expect((await pass([path], {shard: {shard, of: 4}})).ids.length).toBeGreaterThan(0)
    const {message} = await failureOf(() => pass([path], {shard: {shard: 3, of: 4}}))
    expect(message).toMatch(/broken\.jsonl \(lines from byte \d+ on\):\d+: not valid JSON/)
    const first = folder.file('first.jsonl', `${good}{\n${good.repeat(9)}`)
    expect((await failureOf(() => pass([first], {shard: {shard: 1, of: 2}}))).message).toContain('first.jsonl:2: not')
  })

  test('refuses an empty file in one shard only, even as the last', async () => {
    const full = folder.file('full.jsonl', `${JSON.stringify({id: 1, text: 'x'})}\n`)
    const empty = folder.file('empty.jsonl', '')
    for (const paths of [[full, empty], [empty, full], [empty]]) {
      const failures: Error[] = []
      for (let shard = 1; shard <= 3; shard++)
        await pass(paths, {shard: {shard, of: 3}}).catch(error => failures.push(error))
      expect(failures.map(error => error.message)).toEqual([
        expect.stringMatching(/empty\.jsonl: the file holds no documents/)
      ])
    }
  })
})

describe('openDocuments(paths, {shard}), the job', () => {
  const line = `${JSON.stringify({id: 1, text: 'x'})}\n`
  const a = folder.file('a.jsonl', line)
  const b = folder.file('b.jsonl', line.repeat(2))
  const jobOf = (paths: readonly string[], options: Partial<DocumentOptions> = {}) =>
    openDocuments(paths, {text: ['text'], shard: {shard: 1, of: 2}, ...options}).job

  test('is the same for every shard and in every folder, another for other names, sizes, order and reading', () => {
    expect(jobOf([a, b])).toMatch(/^2 files, 60 bytes, fingerprint [0-9a-f]{16}$/)
    expect(jobOf([a, b], {shard: {shard: 2, of: 3}})).toBe(jobOf([a, b]))
    expect(jobOf([elsewhere.file('a.jsonl', line), b])).toBe(jobOf([a, b]))
    const others = [[b, a], [a], [b], [folder.file('c.jsonl', line)]].map(paths => jobOf(paths))
    const jobs = [jobOf([a, b]), ...others, jobOf([a, b], {format: 'jsonl'}), jobOf([a, b], {separator: ';'})]
    expect(new Set(jobs).size).toBe(jobs.length)
  })

  test.each([
    [[a], {shard: 0, of: 4}, /from 1 to 4; got 0/],
    [[a], {shard: 5, of: 4}, /from 1 to 4; got 5/],
    [[a], {shard: 1.5, of: 4}, /got 1.5/],
    [[a], {shard: 1, of: 1e9}, /`of` must be a whole number from 1 to 1,000,000; got/],
    [[a, '-'], {shard: 1, of: 2}, /standard input cannot be cut into shards.*save it to a file/]
  ])('openDocuments(%j, {shard: %j}) is refused', (paths, shard, message) => {
    expect(() => openDocuments(paths, {text: ['text'], shard})).toThrow(message)
  })
})
