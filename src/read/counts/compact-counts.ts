import {type Counts, type CountsHeader, CountsWriter} from './counts.ts'
import {createWordList, sizesOf} from './pattern-bytes.ts'
import {bytesIn, ownMemory, type Run, RunReader, type RunStore, RunWriter} from './runs.ts'
import {requirePatterns} from './table-statement.ts'

/** Counts as they are in a file, about two bytes per cell, where {@link Counts} take twelve. */
export interface CompactCounts extends CountsHeader {
  readonly documentCount: number
  readonly patternCount: number
  readonly run: Run
  readonly labelled: Float64Array
  /** Holds the pieces of the run that are not in memory; close it when the counts are needed no more. */
  readonly store?: RunStore | undefined
}

export function countsOfRun(header: CountsHeader, run: Run, labelled: Float64Array, store?: RunStore): CompactCounts {
  return {
    ...header,
    documentCount: run.reduce((sum, piece) => sum + piece.documentCount, 0),
    patternCount: run.reduce((sum, piece) => sum + piece.patternCount, 0),
    run,
    labelled,
    store
  }
}

/** Lay compact counts out in arrays. */
export function expandCounts(compact: CompactCounts): Counts {
  const {lexicon, run, store, labelled} = compact
  // A cell takes at least two bytes.
  const writer = new CountsWriter(compact, Math.ceil(bytesIn(run) / 2))
  const sizes = sizesOf(lexicon)
  const list = createWordList(sizes)
  const reader = new RunReader(run, store, sizes)
  while (reader.advance()) writer.append(reader, list, reader.words(reader.input, list))
  return writer.finish(labelled)
}

export function compactCounts(counts: Counts): CompactCounts {
  requirePatterns(counts, 'a counts file')
  const {lexicon, labelShare, seed, shards, protocol, members, memberStarts, wordStarts, labelled} = counts
  const writer = new RunWriter(ownMemory)
  for (let p = 0; p < counts.patternCount; p++) {
    const [from, to] = [wordStarts[p], wordStarts[p + 1]]
    writer.write(members, memberStarts[p], memberStarts[p + 1], counts.patternDocuments[p], {
      moveTo(out) {
        out.ascending(counts.wordIds, from, to)
        for (let at = from; at < to; at++) out.integer(counts.wordCounts[at])
      }
    })
  }
  return countsOfRun({lexicon, labelShare, seed, shards, protocol}, writer.finish(), labelled)
}
