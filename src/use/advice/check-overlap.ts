import {type AnchorStatistics, shareLimits} from './anchor-statistics.ts'
import {documentsOf, type Finding, percent} from './finding.ts'

/** Two anchors with at least this share of each other (lower limit) are one anchor. */
const SAME_SHARE = 0.9
/** An anchor with at least this share (lower limit) hardly fires without the other. */
const WITHIN_SHARE = 0.85
/** Limits are this many standard errors away: one of thousands of pairs comes so far by chance. */
const LIMIT_ERRORS = 3.5

/** Anchors that fire together nearly always: the same documents cannot stand for two concepts. */
export function checkOverlap({counts, fired, pairs, m}: AnchorStatistics): Finding[] {
  const findings: Finding[] = []
  const name = (i: number) => counts.lexicon.anchors[i].concept
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      const both = pairs[i * m + k]
      if (i === k) continue
      const share = shareLimits(both, fired[i], LIMIT_ERRORS).low
      const backwards = shareLimits(both, fired[k], LIMIT_ERRORS).low
      const isSame = share >= SAME_SHARE && backwards >= SAME_SHARE
      // Of two that are one the first is named, of one inside another the inner one.
      if (share < WITHIN_SHARE || (isSame && k < i) || (!isSame && backwards > share)) continue
      findings.push({
        concept: name(i),
        severity: isSame ? 'fault' : 'warning',
        kind: 'together',
        message: isSame
          ? `its anchor and that of "${name(k)}" fire in the same documents: ${documentsOf(both)} of ${fired[i]} and ${fired[k]}`
          : `its anchor hardly fires without that of "${name(k)}": ${percent(both / fired[i])} of its ${documentsOf(fired[i])} have both`,
        evidence: {other: name(k), together: both, documents: fired[i], otherDocuments: fired[k]},
        remedy: isSame
          ? 'merge the two concepts, or give each words of its own'
          : `fine if "${name(k)}" is part of every "${name(i)}"; otherwise give it words of its own`
      })
    }
  return findings
}
