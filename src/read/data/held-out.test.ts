import {expect, test} from 'vitest'
import {isHeldOut, parseRow} from './row.ts'

const row = (value: object) => parseRow(value, {text: ['text']}, 'row')
const numbers = Array.from({length: 4000}, (_, at) => at)

test('a quarter of the documents with tags is held out, by id', () => {
  const heldOut = numbers.filter(id => isHeldOut(row({id, text: 'a', tags: []})))
  expect(heldOut.length / numbers.length).toBeCloseTo(0.25, 1)
  const others = heldOut.filter(id => isHeldOut(row({text: `other ${id}`, tags: ['x'], id: String(id)})))
  expect(others).toEqual(heldOut)
})

test('without an id the content decides; without tags none is held out', () => {
  const byContent = numbers.filter(n => isHeldOut(row({text: `note ${n}`, tags: []})))
  expect(byContent.length / numbers.length).toBeCloseTo(0.25, 1)
  expect(numbers.filter(id => isHeldOut(row({id, text: 'a'})))).toEqual([])
})

test('the choice never changes', () => {
  const first = numbers.filter(id => isHeldOut(row({id, text: 'a', tags: []}))).slice(0, 8)
  expect(first).toMatchInlineSnapshot(`
    [
      14,
      18,
      19,
      27,
      30,
      36,
      40,
      44,
    ]
  `)
})
