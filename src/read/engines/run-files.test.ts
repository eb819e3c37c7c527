import {existsSync, readdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus, countsFileParts, countsToBytes, packCorpus} from '../counts/index.ts'
import {anyCorpus, largeCorpus} from '../counts/test-corpora.ts'
import {mergeOnThreads} from './merge-on-threads.ts'
import {keepingStore, openSharedSpace, RunFiles, reserveSharedSpace} from './run-files.ts'
import {openCountWorkers} from './worker-engine.ts'

const workers = openCountWorkers(2)
afterAll(() => workers.close())

const folders = () => readdirSync(tmpdir()).filter(name => name.startsWith(`adfa-runs.${process.pid}-`))

test('RunFiles gives back what was put, to another thread as well, and leaves nothing behind', async () => {
  const store = new RunFiles(reserveSharedSpace(1).folder)
  const parts = fc.sample(fc.uint8Array({minLength: 1, maxLength: 300}), {seed: 1, numRuns: 50})
  const stored = parts.map(part => store.put(part))
  const other = new RunFiles(reserveSharedSpace(1).folder)
  for (const from of [store, other])
    expect(stored.map((place, at) => from.get(place, parts[at].length))).toEqual(
      parts.map(part => Uint8Array.from(part))
    )
  await other.close()
  expect(existsSync(stored[0].file)).toBe(true)
  await store.close()
  expect(existsSync(stored[0].file)).toBe(false)
  expect(folders()).toEqual([])
})

test('RunFiles makes no file before it is needed', async () => {
  const store = new RunFiles(reserveSharedSpace(1).folder)
  expect(folders()).toEqual([])
  await store.close()
})

/** Count on both threads, each a half of the documents, in a space of this many bytes. */
async function countOnThreads(corpus: ReturnType<typeof largeCorpus>, memory: number) {
  const {header, labelled, ...documents} = packCorpus(corpus, {labelShare: 1, isShared: true})
  const space = reserveSharedSpace(2, memory)
  const middle = documents.documentCount >> 1
  const {store} = openSharedSpace(space)
  return keepingStore(store, async () => {
    const counted = await workers.run(([one, other]) =>
      Promise.all([
        one.ask('packed', {header, documents, from: 0, to: middle, space}),
        other.ask('packed', {header, documents, from: middle, to: documents.documentCount, space})
      ])
    )
    return {...(await mergeOnThreads(workers, header, counted, space)), labelled, store}
  })
}

test('mergeOnThreads(...) gives the bytes of one thread, from memory and from files', async () => {
  await fc.assert(
    fc.asyncProperty(anyCorpus, fc.constantFrom(0, 100, 1e6), async (corpus, memory) => {
      const counts = await countOnThreads(corpus, memory)
      const bytes = Buffer.concat([...countsFileParts(counts)])
      await counts.store?.close()
      expect(bytes).toEqual(Buffer.from(countsToBytes(countCorpus(corpus, {labelShare: 1}))))
    }),
    {seed: 1, numRuns: 40}
  )
  expect(folders()).toEqual([])
})

test('mergeOnThreads(...) of 300 kB of runs cuts them into ranges', async () => {
  const corpus = largeCorpus(rng(1), 12_000)
  const counts = await countOnThreads(corpus, 1e7)
  expect(counts.run.length).toBeGreaterThan(1)
  expect(Buffer.concat([...countsFileParts(counts)])).toEqual(
    Buffer.from(countsToBytes(countCorpus(corpus, {labelShare: 1})))
  )
})

test('keepingStore(...) closes the store after an error, and where nothing was put', async () => {
  const store = new RunFiles(reserveSharedSpace(1).folder)
  const stored = store.put(Uint8Array.of(1))
  await expect(keepingStore(store, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(stored.file)).toBe(false)
  const counts = await countOnThreads(largeCorpus(rng(2), 10), 1e6)
  expect(counts.store).toBe(undefined)
})
