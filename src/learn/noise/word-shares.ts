import {anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'

const WORDS = 5
/** Words are ranked by the lower limit of their share, so that rare ones do not lead by chance: 90% of a normal. */
const LIMIT_ERRORS = 1.645

/** For each concept P(A|word) of the five words that speak most for its anchor. */
export function bestWordShares(counts: Counts): number[][] {
  const totals = wordTotals(counts)
  const together = anchorWordCounts(counts)
  const n = totals.length
  return counts.lexicon.anchors.map((_, i) => {
    const found: {limit: number; share: number}[] = []
    for (let j = 0; j < n; j++) {
      const count = together[i * n + j]
      if (count > 0)
        found.push({limit: (count - LIMIT_ERRORS * Math.sqrt(count)) / totals[j], share: count / totals[j]})
    }
    return found
      .sort((a, b) => b.limit - a.limit)
      .slice(0, WORDS)
      .map(({share}) => share)
  })
}
