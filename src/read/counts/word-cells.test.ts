import {expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {CountsWriter} from './counts.ts'
import {lexiconWith} from './test-corpora.ts'
import {WordCells} from './word-cells.ts'

test.each([1, 32, 33, 100, 5000])(
  'WordCells adds words of a vocabulary of %i up in any order, a pattern at a time',
  size => {
    const random = rng(size)
    const header = {lexicon: lexiconWith([1], size), labelShare: 0, seed: 0}
    const cells = new WordCells(size)
    const writer = new CountsWriter(header)
    const expected: [number, number][] = []
    for (const share of [0, 0.001, 0.05, 0.5, 1]) {
      const words = Array.from({length: size}, (_, j) => j).filter(() => random.next() < share)
      const once = Uint32Array.from([9999, ...shuffled(words, random), 9999])
      const wordIds = Uint32Array.from(shuffled(words, random))
      cells.addOccurrences(once, 1, once.length - 1)
      cells.addCounts(
        wordIds,
        Float64Array.from(wordIds, j => 3 * j),
        0,
        wordIds.length
      )
      cells.addOccurrences(once, 1, once.length - 1)
      cells.moveTo(writer)
      expected.push(...words.map((j): [number, number] => [j, 2 + 3 * j]))
    }
    const counts = writer.wordCounts.finish()
    expect([...writer.wordIds.finish()].map((j, at) => [j, counts[at]])).toEqual(expected)
  }
)
