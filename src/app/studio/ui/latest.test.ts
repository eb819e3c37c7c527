import {expect, it} from 'vitest'
import {createAsker} from './answer.ts'

/** Questions that are answered by hand, and what was told. */
function asking() {
  const want = createAsker()
  const told: string[] = []
  const asked = new Map<string, {resolve(answer: string): void; reject(fault: Error): void}>()
  const ask = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      asked.set(name, {resolve, reject})
    })
  const wanted = (name: string) =>
    want(
      ask(name),
      answer => told.push(answer),
      ({message}) => told.push(message)
    )
  return {wanted, asked, told}
}

const settled = () => new Promise(resolve => setTimeout(resolve, 0))

it('asks one thing at a time, then only what is wanted still', async () => {
  const {wanted, asked, told} = asking()
  const drop = wanted('a')
  await settled()
  drop()
  for (const name of ['b', 'c']) wanted(name)()
  wanted('d')
  await settled()
  expect([...asked.keys()]).toEqual(['a'])
  asked.get('a')?.resolve('a')
  await settled()
  expect([...asked.keys()]).toEqual(['a', 'd'])
  asked.get('d')?.resolve('d')
  await settled()
  expect(told).toEqual(['d'])
})

it('tells a refusal and goes on', async () => {
  const {wanted, asked, told} = asking()
  wanted('a')
  wanted('b')
  await settled()
  asked.get('a')?.reject(new Error('no'))
  await settled()
  asked.get('b')?.resolve('b')
  await settled()
  expect(told).toEqual(['no', 'b'])
})
