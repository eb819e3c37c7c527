import {afterAll, expect, test} from 'vitest'
import {errorOf} from '../../../test/expect.ts'
import {failureOf} from '../files/test-folder.ts'
import type {testTasks} from './test-threads.ts'
import {openThreads} from './threads.ts'

const file = new URL('./test-threads.ts', import.meta.url)
const open = (count = 2) => openThreads<typeof testTasks>(count, {file, data: {answer: 42}, stopped: 'try again'})
const threads = open()
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

test('openThreads(...) says that a thread stopped, as often as it is asked', async () => {
  const pool = open()
  for (const task of ['exit', 'double'] as const) {
    const failure = await failureOf(() => pool.run(([first]) => first.ask(task, 0)))
    expect([failure.code, failure.message]).toEqual([
      'cancelled',
      expect.stringMatching(/thread stopped.*; try again$/)
    ])
  }
  expect(await pool.run(([, second]) => second.ask('double', 3))).toBe(6)
  await pool.close()
})

test('openThreads(...) ends its threads at once and for good when it is cancelled', async () => {
  const pool = open()
  const cancel = new AbortController()
  const slow = pool.run(([first]) => first.ask('wait', 60_000), cancel.signal)
  setTimeout(() => cancel.abort(), 20)
  expect((await failureOf(() => slow)).message).toBe('cancelled before the work was done')
  expect((await failureOf(() => pool.run(([, other]) => other.ask('double', 5)))).message).toMatch(/thread stopped/)
  expect((await failureOf(() => pool.run(async () => 1, cancel.signal))).code).toBe('cancelled')
})

test.each([0, -1, 1.5, 1025, Number.NaN])('openThreads(%d) is refused', count => {
  expect(() => open(count)).toThrow(/`workers` must be a whole number from 1 to 1024; got/)
})
