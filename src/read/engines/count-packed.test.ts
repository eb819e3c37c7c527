import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {countCorpus, countsToBytes, packCorpus} from '../counts/index.ts'
import {anyCorpus} from '../counts/test-corpora.ts'
import {failureOf} from '../files/test-folder.ts'
import {countPacked} from './count-packed.ts'
import {openCountWorkers} from './worker-engine.ts'

const workers = openCountWorkers(2)
afterAll(() => workers.close())

test('countPacked(packCorpus(corpus)) is countCorpus(corpus), byte for byte, in this thread and on two others', async () => {
  await fc.assert(
    fc.asyncProperty(anyCorpus, fc.constantFrom(0, 0.5, 1), async (corpus, labelShare) => {
      const expected = countsToBytes(countCorpus(corpus, {labelShare, seed: 3}))
      const packed = packCorpus(corpus, {labelShare, seed: 3, isShared: true})
      expect(countsToBytes(await countPacked(packed))).toEqual(expected)
      expect(countsToBytes(await countPacked(packed, {workers}))).toEqual(expected)
    }),
    {numRuns: 60}
  )
})

test('countPacked(...) refuses to copy documents to threads', async () => {
  const [corpus] = fc.sample(anyCorpus, 1)
  const failure = await failureOf(() => countPacked(packCorpus(corpus), {workers}))
  expect([failure.code, failure.message]).toEqual([
    'bad-option',
    expect.stringMatching(/not in shared memory.*isShared/)
  ])
})

test('countPacked(...) stops when it is cancelled', async () => {
  const [corpus] = fc.sample(anyCorpus, 1)
  const signal = AbortSignal.abort()
  const failure = await failureOf(() => countPacked(packCorpus(corpus, {isShared: true}), {workers, signal}))
  expect(failure.code).toBe('cancelled')
})
