import fc from 'fast-check'
import {expect, test} from 'vitest'
import {stepInList, TypeAhead} from './list-keys.ts'

test('keys walk through a list and stop at its ends', () => {
  expect(stepInList('ArrowDown', 0, 3)).toBe(1)
  expect(stepInList('ArrowDown', 2, 3)).toBe(2)
  expect(stepInList('ArrowUp', 0, 3)).toBe(0)
  expect(stepInList('End', 0, 3)).toBe(2)
  expect(stepInList('Home', 2, 3)).toBe(0)
  expect(stepInList('PageDown', 3, 40)).toBe(13)
  expect(stepInList('PageUp', 3, 40)).toBe(0)
  expect(stepInList('PageDown', 3, 40, 5)).toBe(7)
  expect(stepInList('Tab', 0, 3)).toBeUndefined()
  expect(stepInList('ArrowDown', -1, 0)).toBeUndefined()
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
