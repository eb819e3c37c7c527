import {AdfaError} from '../../base/checks/index.ts'
import type {SkippedAnchor} from '../data/index.ts'
import {type Counts, comparePatterns, packCounts, unpackCounts} from './counts.ts'
import {addEqualPatterns} from './merge-counts.ts'

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
