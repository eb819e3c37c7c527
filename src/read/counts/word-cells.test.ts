import {expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {ByteReader, ByteWriter, createWordList} from './pattern-bytes.ts'
import {WordCells} from './word-cells.ts'

test.each([1, 32, 33, 100, 5000])(
  'WordCells adds words of a vocabulary of %i up in any order, a pattern at a time',
  size => {
    const random = rng(size)
    const cells = new WordCells(size)
    const list = createWordList({memberCount: 0, wordCount: size})
    for (const share of [0, 0.001, 0.05, 0.5, 1]) {
      const words = Array.from({length: size}, (_, j) => j).filter(() => random.next() < share)
      const once = Uint32Array.from([9999, ...shuffled(words, random), 9999])
      const ids = Uint32Array.from(shuffled(words, random))
      cells.addOccurrences(once, 1, once.length - 1)
      cells.addCounts({ids, counts: Float64Array.from(ids, j => 3 * j)}, ids.length)
      cells.addOccurrences(once, 1, once.length - 1)
      const out = new ByteWriter()
      cells.moveTo(out)
      const input = new ByteReader(out.written())
      const count = input.ascending(list.ids) ?? -1
      input.integers(list.counts, count)
      expect([...list.ids.subarray(0, count)]).toEqual(words)
      expect([...list.counts.subarray(0, count)]).toEqual(words.map(j => 2 + 3 * j))
      expect(input.isAtEnd).toBe(true)
    }
  }
)
