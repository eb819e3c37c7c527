import {afterAll, expect, test} from 'vitest'
import {errorOf} from '../../../test/expect.ts'
import {failureOf} from '../files/test-folder.ts'
import type {testTasks} from './test-threads.ts'
import {openThreads} from './threads.ts'

const file = new URL('./test-threads.ts', import.meta.url)
const threads = openThreads<typeof testTasks>(2, {file, data: {answer: 42}, stopped: 'try again'})
afterAll(() => threads.close())

test('openThreads(...) answers in the order of the requests, also when a later task is quicker', async () => {
  const order: string[] = []
  const sum = await threads.run(async ([first, second]) => {
    const slow = first.ask('wait', 50).then(value => order.push('slow') && value)
    const quick = first.ask('double', 4).then(value => order.push('quick') && value)
    return (await slow) + (await quick) + (await second.ask('double', 1))
  })
  expect([sum, order]).toEqual([60, ['slow', 'quick']])
  expect(await threads.run(([, second]) => second.ask('data', undefined))).toEqual({answer: 42})
})

test('openThreads(...) hands on a refusal as an AdfaError with its details, and anything else with its stack', async () => {
  const refusal = await failureOf(() => threads.run(([first]) => first.ask('refuse', 'shrinkage')))
  expect([refusal.code, refusal.message, refusal.details]).toEqual(['bad-option', 'no', {option: 'shrinkage'}])
  expect(await errorOf(() => threads.run(([first]) => first.ask('fail', 'oops')))).toMatch(/^TypeError: oops\n/)
})

test('openThreads(...) says that a thread stopped, and starts it anew for the next piece of work', async () => {
  const failure = await failureOf(() =>
    threads.run(async ([first]) => {
      await first.ask('exit', 0).catch(() => {})
      return first.ask('double', 1)
    })
  )
  expect([failure.code, failure.message]).toEqual([
    'cancelled',
    'a worker thread stopped in the middle of its work; try again'
  ])
  expect(await threads.run(([first]) => first.ask('double', 3))).toBe(6)
})

test('openThreads(...) ends its threads at once when it is cancelled, one piece of work after another', async () => {
  const cancel = new AbortController()
  const slow = threads.run(([first]) => first.ask('wait', 60_000), cancel.signal)
  const next = threads.run(([first]) => first.ask('double', 5))
  setTimeout(() => cancel.abort(), 20)
  expect((await failureOf(() => slow)).message).toBe('cancelled before the work was done')
  expect(await next).toBe(10)
})
