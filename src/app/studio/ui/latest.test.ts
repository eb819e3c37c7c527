import {expect, it} from 'vitest'
import {Latest} from './answer.ts'

/** A question that is answered by hand. */
function open<T>() {
  let answer: (value: T) => void = () => {}
  let refuse: (error: Error) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    answer = resolve
    refuse = reject
  })
  return {ask: () => promise, answer, refuse}
}

const settled = () => new Promise(resolve => setTimeout(resolve, 0))

it('asks one thing at a time, then only the last that was wanted', async () => {
  const latest = new Latest<string>()
  const first = open<string>()
  const asked: string[] = []
  latest.want(first.ask)
  for (const name of ['b', 'c', 'd'])
    latest.want(async () => {
      asked.push(name)
      return name
    })
  first.answer('a')
  await settled()
  expect(asked).toEqual(['d'])
  expect(latest.value.value).toBe('d')
})

it('keeps the last answer beside the fault of the next', async () => {
  const latest = new Latest<string>()
  latest.want(async () => 'a')
  await settled()
  const next = open<string>()
  latest.want(next.ask)
  next.refuse(new Error('no'))
  await settled()
  expect([latest.value.value, latest.fault.value]).toEqual(['a', 'no'])
})

it('drops an answer that comes after clearing', async () => {
  const latest = new Latest<string>()
  const late = open<string>()
  latest.want(late.ask)
  latest.clear()
  late.answer('late')
  await settled()
  expect(latest.value.value).toBeUndefined()
})
