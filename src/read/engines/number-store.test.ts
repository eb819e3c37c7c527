import {existsSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {testFolder} from '../files/test-folder.ts'
import {NumberStore} from './number-store.ts'
import {openSharedSpace} from './run-files.ts'

const folder = testFolder()

test('NumberStore gives back all blocks in their order, whatever stays in memory', () => {
  const number = fc.oneof(fc.nat(300), fc.constantFrom(65535, 65536, 4_000_000_000))
  const blocks = fc.array(fc.array(fc.array(number, {maxLength: 6}), {maxLength: 4}), {maxLength: 6})
  let files = 0
  fc.assert(
    fc.property(blocks, fc.constantFrom(Number.POSITIVE_INFINITY, 0, 10, 60), (lists, limit) => {
      const place = join(folder.path, `numbers-${files++}`)
      const space = openSharedSpace({folder: place, limit})
      const store = new NumberStore(space)
      for (const block of lists) {
        for (const list of block) store.append(list, list.length)
        store.endBlock()
      }
      const expected = lists.map(block => block.flatMap(list => [list.length, ...list]))
      expect(Array.from(store.blocks(), block => [...block])).toEqual(expected)
      // Twice: nothing is used up.
      expect(Array.from(store.blocks(), block => [...block])).toEqual(expected)
      const bytes = expected.map(block => block.length * (block.every(value => value < 65536) ? 2 : 4))
      expect(existsSync(place)).toBe(bytes.reduce((sum, size) => sum + size, 0) > limit)
      space.store.release()
    })
  )
  expect(files).toBeGreaterThan(50)
})
