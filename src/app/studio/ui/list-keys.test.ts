import fc from 'fast-check'
import {expect, test} from 'vitest'
import {stepInList, TypeAhead} from './keys.ts'

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

const names = ['alcohol', 'asthma', 'chest pain', 'Cellulitis', 'stroke']

test('letters typed in one go are one beginning', () => {
  const ahead = new TypeAhead()
  expect(ahead.find('c', 0, 0, names)).toBe(2)
  expect(ahead.find('e', 100, 2, names)).toBe(3)
  expect(ahead.find('s', 2000, 3, names)).toBe(4)
})

test('the name at hand stays while it still fits', () => {
  const ahead = new TypeAhead()
  expect(ahead.find('a', 0, 4, names)).toBe(0)
  expect(ahead.find('l', 100, 0, names)).toBe(0)
})

test('one letter again and again walks round the names that begin with it', () => {
  const ahead = new TypeAhead()
  expect([0, 100, 200].map((time, n) => ahead.find('a', time, n % 2, names))).toEqual([1, 0, 1])
})

test('a space belongs to a name, but begins none; other keys are not letters', () => {
  const ahead = new TypeAhead()
  expect(ahead.find(' ', 0, 0, names)).toBeUndefined()
  for (const [time, key] of [...'chest'].entries()) ahead.find(key, time, 0, names)
  expect(ahead.find(' ', 10, 2, names)).toBe(2)
  expect(ahead.find('Shift', 20, 0, names)).toBeUndefined()
  expect(ahead.find('x', 3000, 0, names)).toBeUndefined()
})
