import fc from 'fast-check'
import {afterAll, describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countsToBytes} from '../counts/index.ts'
import type {Anchors} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {openDocuments} from '../files/index.ts'
import {failureOf, testFolder} from '../files/test-folder.ts'
import type {DocumentBlock} from '../reading/index.ts'
import {type CountingOptions, countDocuments, countWith} from './count-with.ts'
import type {EngineControl} from './counting-engine.ts'
import {createCountTasks, NumberStore} from './document-pass.ts'
import {describeEngine} from './engine.contract.ts'
import {drawCorpora} from './test-corpora.ts'
import {jsonLines} from './test-corpus-files.ts'
import {drawQuestions, kept, sourceOf} from './test-source.ts'
import {type BlockSource, openCountWorkers, usualWorkers, workerEngine} from './worker-engine.ts'

const folder = testFolder()
const pools = [2, 3].map(openCountWorkers)
const [two, three] = pools
afterAll(() => Promise.all(pools.map(pool => pool.close())))

const questions = drawQuestions(400, rng(1))
const anchors = anchorsOf({python: 'title:python', git: ['git', 'text:branch'], regex: {any: ['regex'], not: ['how']}})
const given = (list: Anchors) => ({kind: 'given', anchors: list}) as const

// Starting threads for a corpus takes longer than to count it.
describeEngine({
  name: 'memory, two threads, text',
  corpora: drawCorpora(120, {text: true, seed: 1}),
  open: async ({rows}) =>
    workerEngine(openDocuments([folder.file('text.jsonl', jsonLines(rows))], {text: ['title', 'text']}), kept(two))
})

describeEngine({
  name: 'memory, three threads, several files',
  corpora: drawCorpora(120, {text: false, seed: 2}),
  async open({rows}) {
    const middle = Math.ceil(rows.length / 2)
    const parts = [rows.slice(0, middle), rows.slice(middle)].filter(part => part.length > 0)
    const paths = parts.map((part, at) => folder.file(`words-${at}.jsonl`, jsonLines(part)))
    return workerEngine(openDocuments(paths, {text: ['title', 'text']}), kept(three))
  }
})

async function bytesOf(
  source: BlockSource,
  options: Partial<CountingOptions>,
  pool?: (typeof pools)[number],
  control: EngineControl = {}
): Promise<Uint8Array> {
  const counts =
    pool === undefined
      ? countDocuments(source, given(anchors), options, control)
      : countWith(workerEngine(source, kept(pool)), given(anchors), options, control)
  return countsToBytes(await counts)
}

/** The lines of a file as a source of blocks of some lines each; the bytes of a block are new for every pass. */
function blocksOf(lines: readonly string[], linesAtOnce: number, onBlock?: (at: number) => void): BlockSource {
  return {
    batches: () => {
      throw new Error('blocks are read, not batches')
    },
    async *blocks(): AsyncGenerator<DocumentBlock> {
      for (let at = 0; at < lines.length; at += linesAtOnce) {
        onBlock?.(at / linesAtOnce)
        const bytes = new TextEncoder().encode(lines.slice(at, at + linesAtOnce).join('\n'))
        const fields = {text: ['title', 'text']}
        yield {name: 'x.jsonl', firstLine: at + 1, fields, bytes}
      }
    }
  }
}

const lines = questions.map(question => JSON.stringify(question))

describe('workerEngine(...) and one thread', () => {
  test('workerEngine(openDocuments(...)) parses JSON Lines, svmlight and tables alike', async () => {
    const paths = [
      folder.file('questions.jsonl', lines.join('\n')),
      folder.file('more.svm', questions.map(({tags}, at) => `${tags.join()} ${(at % 7) + 1}:1 9:1\n`).join('')),
      folder.file('table.csv', `id,text\n${questions.map(({id, text}) => `${id},${text}\n`).join('')}`)
    ]
    const open = () => openDocuments(paths, {text: ['title', 'text']})
    const expected = await bytesOf(open(), {labelShare: 0.5})
    for (const pool of pools) expect(await bytesOf(open(), {labelShare: 0.5}, pool)).toEqual(expected)
  })
})

describe('workerEngine(...), what it keeps', () => {
  test('a thread says so where it does not keep the documents, since they are too many', async () => {
    const {lexicon} = await countDocuments(blocksOf(lines, 50), given(anchors))
    const asides = {labelShare: 0, seed: 0, labels: undefined, sample: undefined}
    const documentsOf = async (keptBytes: number) => {
      const job = {stage: 'vocabulary', reading: lexicon, keptBytes, ...asides} as const
      const tasks = createCountTasks()
      tasks.begin(job)
      for await (const block of blocksOf(lines, 50).blocks?.() ?? []) tasks.block({block, number: 0})
      return tasks.count({lexicon, labelShare: 0, seed: 0})?.counted.documentCount
    }
    expect([await documentsOf(1e6), await documentsOf(1000)]).toEqual([400, undefined])
  })

  test('NumberStore gives back all documents, or forgets them beyond its limit', () => {
    const number = fc.oneof(fc.nat(300), fc.constantFrom(65535, 65536, 4_000_000_000))
    const list = fc.array(number, {maxLength: 6})
    const blocks = fc.array(fc.array(fc.record({tokens: list, members: list}), {maxLength: 4}), {maxLength: 6})
    fc.assert(
      fc.property(blocks, fc.constantFrom(Number.POSITIVE_INFINITY, 0, 10, 60), (blocks, limit) => {
        const store = new NumberStore(limit)
        for (const block of blocks) {
          for (const {tokens, members} of block) store.add([...tokens, 7], tokens.length, members)
          store.endBlock()
        }
        const numbers = blocks.map(block => block.flatMap(({tokens, members}) => [0, ...tokens, 0, ...members]))
        const bytes = numbers.map(block => block.length * (block.every(value => value < 65536) ? 2 : 4))
        expect(store.isWhole).toBe(bytes.reduce((sum, size) => sum + size, 0) <= limit)
        if (!store.isWhole) return
        const kept = Array.from({length: store.documentCount}, (_, d) => ({
          tokens: [...store.tokens(d)],
          members: [...store.members(d)]
        }))
        expect(kept).toEqual(blocks.flat())
      })
    )
  })
})

test('workerEngine(...) asks for the label of every document that has one, and names the fields that none has', async () => {
  const labels = new Map(['3', '390', 'nobody'].map(key => [key, new Map([['git', key === '3']])]))
  const rows = questions.map(({title, ...others}, at) =>
    at === 0 ? {title: `${title} python git regex`, ...others} : others
  )
  const options = {text: ['title', 'text', 'ghost', 'spectre'], labelShare: 1, skipBadAnchors: true}
  const told = async (pool?: (typeof pools)[number]) => {
    const [asked, unseen] = [new Set<string>(), [] as (readonly string[])[]]
    const get = (key: string) => labels.get(key) && asked.add(key) && labels.get(key)
    const control = {
      labels: {get, [Symbol.iterator]: () => labels.entries()},
      onUnseenFields: (names: readonly string[]) => unseen.push(names)
    }
    const bytes = await bytesOf(sourceOf(rows, 50), options, pool, control)
    return {bytes, asked: [...asked].sort(), unseen}
  }
  const one = await told()
  expect([one.asked, one.unseen]).toEqual([['3', '390'], [['ghost', 'spectre']]])
  expect(await told(three)).toEqual(one)
})

describe('workerEngine(...), what goes wrong', () => {
  test('workerEngine(...) throws the error of the earliest block, whichever thread was faster', async () => {
    // The first fault lies behind documents that take long, the second is found at once by the other thread.
    const slow = JSON.stringify({text: 'word '.repeat(200_000)})
    const lines = [slow, slow, slow, '{"first": fault}', ...Array.from({length: 4}, () => 'second fault')]
    for (const pool of pools) {
      const failure = await failureOf(() => bytesOf(blocksOf(lines, 4), {}, pool))
      expect([failure.code, failure.message]).toEqual(['bad-document', expect.stringMatching(/^x\.jsonl:4: not valid/)])
    }
    expect(await bytesOf(sourceOf(questions), {}, two)).toEqual(await bytesOf(sourceOf(questions), {}))
  })

  test('workerEngine(...) throws an error of reading after those of what was read before', async () => {
    const broken = (lines: readonly string[]): BlockSource => ({
      ...blocksOf(lines, 1),
      async *blocks() {
        yield* blocksOf(lines, 1).blocks?.() ?? []
        throw new Error('the disk is gone')
      }
    })
    await expect(bytesOf(broken(['oops']), {}, three)).rejects.toThrow(/x\.jsonl:1: not valid JSON/)
    await expect(bytesOf(broken(lines.slice(0, 3)), {}, three)).rejects.toThrow('the disk is gone')
  })

  test('workerEngine(...) reads no more than two blocks a thread ahead of what is counted', async () => {
    let read = 0
    let counted = 0
    let most = 0
    const source = blocksOf(lines, 10, at => {
      // The look at words and the one that counts each begin with block 0.
      if (at === 0) [read, counted] = [0, 0]
      read++
      most = Math.max(most, read - counted)
    })
    await bytesOf(source, {}, three, {onProgress: () => counted++})
    // One block more is in the hand of the reader.
    expect(most).toBeGreaterThan(3)
    expect(most).toBeLessThanOrEqual(7)
  })
})

test('usualWorkers(...) is one thread a core, at most 8, and none for small files, unknown sizes or a single core', () => {
  const workers = (byteCount: number | undefined, cores: number, name = 'a.jsonl') =>
    usualWorkers({byteCount, names: [name]}, cores)
  expect([undefined, 0, 59_999_999].map(size => workers(size, 4))).toEqual([0, 0, 0])
  expect([1, 2, 4, 16].map(cores => workers(60_000_000, cores))).toEqual([0, 2, 4, 8])
  expect([11_999_999, 12_000_000].map(size => workers(size, 4, 'a.jsonl.gz'))).toEqual([0, 4])
})
