import {type Counts, type CountsHeader, CountsWriter} from './counts.ts'
import type {PackedDocuments} from './packed-documents.ts'
import {PatternTable} from './pattern-table.ts'
import {WordCells} from './word-cells.ts'

/**
 * Count the documents from one number up to another, grouped by anchor pattern, labels apart (`labelled`).
 *
 * Patterns are numbered through a hash table, documents dealt out by pattern (a counting sort), then each pattern in turn
 * adds up its words in one row of cells that stays in the processor's cache. Cost: one increment a word; memory, beside
 * the result, two numbers a document and what the patterns take.
 */
export function countPackedRange(
  header: CountsHeader,
  documents: PackedDocuments,
  from: number,
  to: number,
  labelled: Float64Array
): Counts {
  const {words, wordStarts} = documents
  const wordCount = header.lexicon.words.length
  const {table, starts, order, occurrences} = groupByPattern(documents, from, to)
  const cells = new WordCells(wordCount)
  const most = occurrences.reduce((sum, count) => sum + Math.min(count, wordCount), 0)
  const writer = new CountsWriter(header, most)
  for (const pattern of table.sorted()) {
    for (let at = starts[pattern]; at < starts[pattern + 1]; at++)
      cells.addOccurrences(words, wordStarts[order[at]], wordStarts[order[at] + 1])
    cells.moveTo(writer)
    const place = table.membersOf(pattern)
    writer.endPattern(place.members, place.from, place.to, starts[pattern + 1] - starts[pattern])
  }
  return writer.finish(labelled)
}

/** The patterns, the documents of pattern p, `order[starts[p] .. starts[p+1])`, and how many words these have together. */
function groupByPattern({memberStarts, members, wordStarts}: PackedDocuments, from: number, to: number) {
  const table = new PatternTable()
  const patternOf = new Uint32Array(to - from)
  for (let d = from; d < to; d++) patternOf[d - from] = table.numberOf(members, memberStarts[d], memberStarts[d + 1])
  const starts = new Uint32Array(table.size + 1)
  const occurrences = new Float64Array(table.size)
  for (let d = from; d < to; d++) {
    const pattern = patternOf[d - from]
    starts[pattern + 1]++
    occurrences[pattern] += wordStarts[d + 1] - wordStarts[d]
  }
  for (let pattern = 0; pattern < table.size; pattern++) starts[pattern + 1] += starts[pattern]
  const next = starts.slice()
  const order = new Uint32Array(to - from)
  for (let at = 0; at < patternOf.length; at++) order[next[patternOf[at]]++] = from + at
  return {table, starts, order, occurrences}
}
