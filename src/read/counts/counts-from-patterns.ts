import {AdfaError} from '../../base/checks/index.ts'
import type {SkippedAnchor} from '../data/index.ts'
import {type Counts, type CountsHeader, comparePatterns, type PatternCount, packCounts, unpackCounts} from './counts.ts'
import {addEqualPatterns} from './merge-counts.ts'
import type {TableStatement} from './table-statement.ts'

/** Counts from patterns that something else grouped: in any order, and equal ones, which are added up, any number of times. */
export function countsFromPatterns(
  header: CountsHeader,
  patterns: readonly PatternCount[],
  labelled = new Float64Array(4 * header.lexicon.anchors.length)
): Counts {
  const sorted = [...patterns].sort((a, b) => comparePatterns(a.members, b.members))
  return packCounts(header, addEqualPatterns(sorted), labelled)
}

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

/** The counts that would have been made without these concepts; their anchors' features do not become words. */
export function dropConcepts(counts: Counts, dropped: readonly SkippedAnchor[]): Counts {
  const names = new Set(dropped.map(({concept}) => concept))
  const {anchors} = counts.lexicon
  const kept = anchors.map((_, i) => i).filter(i => !names.has(anchors[i].concept))
  if (kept.length === 0)
    throw new AdfaError(
      'bad-anchors',
      `no concept is left:${dropped.map(({concept, reason}) => `\n  concept "${concept}": ${reason}`).join('')}`
    )
  const newMember: number[] = []
  let members = 0
  for (const {concept, any} of anchors) for (const _ of any) newMember.push(names.has(concept) ? -1 : members++)
  const patterns = [...unpackCounts(counts)]
    .map(pattern => ({...pattern, members: pattern.members.map(member => newMember[member]).filter(id => id >= 0)}))
    .sort((a, b) => comparePatterns(a.members, b.members))
  const lexicon = {
    ...counts.lexicon,
    anchors: kept.map(i => anchors[i]),
    skipped: [...counts.lexicon.skipped, ...dropped]
  }
  const labelled = Float64Array.from(kept.flatMap(i => [...counts.labelled.subarray(4 * i, 4 * i + 4)]))
  return packCounts({...counts, lexicon}, addEqualPatterns(patterns), labelled)
}
