import {expect, test} from 'vitest'
import {removeTemporaryFiles, reserveTemporaryFile} from '../../read/files/index.ts'
import {failureOf, testFolder} from '../../read/files/test-folder.ts'
import {cancellable, createPause} from './signals.ts'

const folder = testFolder()

test('cancellable(...) aborts on a signal, also beside temporary files, and takes its listeners away', async () => {
  const before = process.listenerCount('SIGTERM')
  const left: number[] = []
  const failure = await failureOf(() =>
    cancellable(async signal => {
      // The listener of temporary files would end this process.
      reserveTemporaryFile(folder.path, 'copy')
      process.emit('SIGTERM', 'SIGTERM')
      left.push(process.listenerCount('SIGTERM'))
      await new Promise(setImmediate)
      left.push(process.listenerCount('SIGTERM'))
      signal.throwIfAborted()
    })
  )
  expect(failure).toMatchObject({code: 'cancelled', details: {signal: 'SIGTERM'}})
  // A second signal finds only the listener of temporary files, which ends the program.
  expect(left).toEqual([before + 2, before + 1])
  removeTemporaryFiles()
  expect(process.listenerCount('SIGTERM')).toBe(before)
})

test('cancellable(...) fails after a signal even if the work finishes', async () => {
  expect(await cancellable(async () => 7)).toBe(7)
  await expect(cancellable(() => Promise.reject(new Error('of its own')))).rejects.toThrow('of its own')
  const work = async () => void process.emit('SIGINT', 'SIGINT')
  expect((await failureOf(() => cancellable(work))).code).toBe('cancelled')
})

test('createPause() lets events through once the work has taken a while', async () => {
  const pause = createPause()
  const start = performance.now()
  let isThrough = false
  setImmediate(() => {
    isThrough = true
  })
  expect(pause()).toBeUndefined()
  while (!isThrough && performance.now() - start < 5000) await pause()
  expect(isThrough).toBe(true)
})
