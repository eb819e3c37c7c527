import {type Counts, type CountsHeader, comparePatterns, packCounts} from './counts.ts'
import type {TableStatement} from './table-statement.ts'

/** What one set of united anchors adds to all tables; may be negative. */
export interface SetCount {
  /** Ascending. */
  readonly concepts: readonly number[]
  readonly documents: number
  readonly wordIds: Uint32Array
  readonly wordCounts: Float64Array
}

/** Counts put together from tables. Which member of an anchor fired is not known; the first stands for it. */
export function countsOfTables(
  {lexicon, labelShare, seed, protocol}: CountsHeader,
  tables: TableStatement,
  sets: readonly SetCount[],
  labelled: Float64Array
): Counts {
  const firstMember: number[] = []
  let members = 0
  for (const {any} of lexicon.anchors) {
    firstMember.push(members)
    members += any.length
  }
  const patterns = sets
    .filter(({documents, wordIds}) => documents !== 0 || wordIds.length > 0)
    .map(({concepts, ...numbers}) => ({...numbers, members: concepts.map(i => firstMember[i])}))
    .sort((a, b) => comparePatterns(a.members, b.members))
  return packCounts({lexicon, labelShare, seed, protocol, tables}, patterns, labelled)
}
