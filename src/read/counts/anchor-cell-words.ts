import type {Counts} from './counts.ts'
import {requireOrder} from './table-statement.ts'

/**
 * How many documents of each cell of the anchors of `concepts` contain word j, at `cell*n + j`; of the bits of a cell
 * the first concept's is the most significant. Cost: one pass over the words of the patterns, however many cells.
 */
export function anchorCellWords(counts: Counts, concepts: readonly number[]): Float64Array {
  requireOrder(counts, concepts.length + 1, 'a table of anchors and words')
  const n = counts.lexicon.words.length
  const bit = new Float64Array(counts.lexicon.anchors.length)
  for (const [at, concept] of concepts.entries()) bit[concept] = 2 ** (concepts.length - 1 - at)
  const words = new Float64Array(2 ** concepts.length * n)
  for (let p = 0; p < counts.patternCount; p++) {
    let cell = 0
    for (let a = counts.conceptStarts[p]; a < counts.conceptStarts[p + 1]; a++) cell += bit[counts.concepts[a]]
    for (let at = counts.wordStarts[p]; at < counts.wordStarts[p + 1]; at++)
      words[cell * n + counts.wordIds[at]] += counts.wordCounts[at]
  }
  return words
}
