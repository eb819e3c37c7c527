import type {Counts} from './counts.ts'
import {requirePatterns} from './table-statement.ts'

/** Whether each member of a concept's anchor fired in the documents of pattern p: cell `p*M + w`, for its M members w. */
export function memberFlags({lexicon, ...counts}: Counts, concept: number): Uint8Array {
  requirePatterns(counts, 'telling the features of one anchor apart')
  const memberCount = lexicon.anchors[concept].any.length
  const first = lexicon.anchors.slice(0, concept).reduce((sum, {any}) => sum + any.length, 0)
  const flags = new Uint8Array(counts.patternCount * memberCount)
  for (let p = 0; p < counts.patternCount; p++)
    for (let at = counts.memberStarts[p]; at < counts.memberStarts[p + 1]; at++) {
      const w = counts.members[at] - first
      if (w >= 0 && w < memberCount) flags[p * memberCount + w] = 1
    }
  return flags
}
