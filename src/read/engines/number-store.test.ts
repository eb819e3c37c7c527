import fc from 'fast-check'
import {expect, test} from 'vitest'
import {NumberStore} from './number-store.ts'

test('NumberStore gives back all blocks in their order, or forgets them beyond its limit', () => {
  const number = fc.oneof(fc.nat(300), fc.constantFrom(65535, 65536, 4_000_000_000))
  const blocks = fc.array(fc.array(fc.array(number, {maxLength: 6}), {maxLength: 4}), {maxLength: 6})
  fc.assert(
    fc.property(blocks, fc.constantFrom(Number.POSITIVE_INFINITY, 0, 10, 60), (lists, limit) => {
      const store = new NumberStore(limit)
      for (const block of lists) {
        for (const list of block) store.append(list, list.length)
        store.endBlock()
      }
      const expected = lists.map(block => block.flatMap(list => [list.length, ...list]))
      const bytes = expected.map(block => block.length * (block.every(value => value < 65536) ? 2 : 4))
      expect(store.isWhole).toBe(bytes.reduce((sum, size) => sum + size, 0) <= limit)
      expect(Array.from(store.takeBlocks(), block => [...block])).toEqual(store.isWhole ? expected : [])
    })
  )
})
