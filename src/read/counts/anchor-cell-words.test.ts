import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readGolden, sampleCounts} from '../../../test/golden.ts'
import {anchorCellWords} from './anchor-cell-words.ts'
import {anchorTable, anchorWordCounts, wordTotals} from './anchor-tables.ts'

describe('anchorCellWords', () => {
  const golden = readGolden('m8')
  const counts = sampleCounts(golden)
  const {m, n} = golden

  test('anchorCellWords(...) equals the tables of one word after the other, whatever the concepts and their order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Array.from({length: m}, (_, i) => i)), concepts => {
        const words = anchorCellWords(counts, concepts)
        expect(words).toHaveLength(2 ** concepts.length * n)
        for (let j = 0; j < n; j++) {
          const table = anchorTable(counts, concepts, [j])
          for (let cell = 0; cell < 2 ** concepts.length; cell++) expect(words[cell * n + j]).toBe(table[2 * cell + 1])
        }
      }),
      {numRuns: 30}
    )
  })

  test('anchorCellWords(...) of no concept counts all documents, of one those with its anchor and without', () => {
    expect(anchorCellWords(counts, [])).toEqual(wordTotals(counts))
    expect(anchorCellWords(counts, [3]).subarray(n)).toEqual(anchorWordCounts(counts).subarray(3 * n, 4 * n))
  })
})
