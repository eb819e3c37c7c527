import {type Counts, type CountsHeader, comparePatterns, type PatternCount, packCounts} from './counts.ts'
import {addEqualPatterns} from './merge-counts.ts'

/** Counts from patterns that something else grouped: in any order, and equal ones, which are added up, any number of times. */
export function countsFromPatterns(
  header: CountsHeader,
  patterns: readonly PatternCount[],
  labelled = new Float64Array(4 * header.lexicon.anchors.length)
): Counts {
  const sorted = [...patterns].sort((a, b) => comparePatterns(a.members, b.members))
  return packCounts(header, addEqualPatterns(sorted), labelled)
}
