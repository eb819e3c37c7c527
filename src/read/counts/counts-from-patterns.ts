import {AdfaError} from '../../base/checks/index.ts'
import {type SkippedAnchor, skippedLines} from '../data/index.ts'
import {type Counts, comparePatterns, type PatternCount, packCounts, type TablesHeader, unpackCounts} from './counts.ts'

/** Counts from anchor patterns in any order; equal patterns are added up. */
export function countsFromPatterns(
  header: TablesHeader,
  patterns: readonly PatternCount[],
  labelled?: Float64Array
): Counts {
  const sorted = patterns.toSorted((a, b) => comparePatterns(a.members, b.members))
  const merged: PatternCount[] = []
  for (let from = 0, to = 1; from < sorted.length; from = to++) {
    while (to < sorted.length && comparePatterns(sorted[from].members, sorted[to].members) === 0) to++
    merged.push(to - from === 1 ? sorted[from] : sumPatterns(sorted.slice(from, to)))
  }
  return packCounts(header, merged, labelled)
}

function sumPatterns(same: readonly PatternCount[]): PatternCount {
  const sums = new Map<number, number>()
  for (const {wordIds, wordCounts} of same)
    for (let at = 0; at < wordIds.length; at++) sums.set(wordIds[at], (sums.get(wordIds[at]) ?? 0) + wordCounts[at])
  const wordIds = [...sums.keys()].sort((a, b) => a - b)
  return {
    members: same[0].members,
    documents: same.reduce((sum, {documents}) => sum + documents, 0),
    wordIds,
    wordCounts: wordIds.map(j => sums.get(j) ?? 0)
  }
}

/** The counts as if made without these concepts, except that the features of their anchors do not become words. */
export function dropConcepts(counts: Counts, dropped: readonly SkippedAnchor[]): Counts {
  const names = new Set(dropped.map(({concept}) => concept))
  const {anchors} = counts.lexicon
  const kept = [...anchors.keys()].filter(i => !names.has(anchors[i].concept))
  if (kept.length === 0) throw new AdfaError('bad-anchors', `no concept is left:${skippedLines(dropped)}`)
  let memberCount = 0
  const newMember = anchors.flatMap(({concept, any}) => any.map(() => (names.has(concept) ? -1 : memberCount++)))
  const patterns = Array.from(unpackCounts(counts), pattern => ({
    ...pattern,
    members: pattern.members.map(member => newMember[member]).filter(member => member >= 0)
  }))
  const skipped = [...counts.lexicon.skipped, ...dropped]
  const lexicon = {...counts.lexicon, anchors: kept.map(i => anchors[i]), skipped}
  const labelled = Float64Array.from(kept.flatMap(i => [...counts.labelled.subarray(4 * i, 4 * i + 4)]))
  return countsFromPatterns({...counts, lexicon}, patterns, labelled)
}
