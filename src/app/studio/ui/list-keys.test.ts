import fc from 'fast-check'
import {expect, test} from 'vitest'
import {stepInList} from './keys.ts'

test.each<[key: string, at: number, length: number, to: number | undefined, screen?: number]>([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 0, 3, 0],
  ['End', 0, 3, 2],
  ['PageDown', 3, 40, 13],
  ['PageDown', 3, 40, 7, 5],
  ['Tab', 0, 3, undefined],
  ['ArrowDown', -1, 0, undefined]
])('stepInList(%j, %i, %i)', (key, at, length, to, screen) => {
  expect(stepInList(key, at, length, screen)).toBe(to)
})

test('a key never leads outside of the list', () => {
  const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End')
  fc.assert(
    fc.property(keys, fc.integer({min: 1, max: 50}), fc.nat(49), (key, length, at) => {
      const to = stepInList(key, Math.min(at, length - 1), length)
      return to !== undefined && to >= 0 && to < length
    })
  )
})
