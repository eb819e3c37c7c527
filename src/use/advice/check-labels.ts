import {type AnchorStatistics, excessErrors, shareLimits} from './anchor-statistics.ts'
import {type Finding, percent} from './finding.ts'

/** Labelled documents with the concept, and with the anchor, below which labels say nothing against it. */
const LEAST_LABELLED = 10
/** The rule of `rateRefusals`; a fault only if the upper limit is below it too. */
const LEAST_PRECISION = 0.45
const LIMIT_ERRORS = 2
const DEPENDENCE_ERRORS = 3

/** Anchors that labelled documents contradict: no commoner with their concept than without, or mostly false. */
export function checkLabels({counts, m}: AnchorStatistics): Finding[] {
  const findings: Finding[] = []
  for (let i = 0; i < m; i++) {
    const [absent, falsely, missed, hit] = counts.labelled.subarray(4 * i, 4 * i + 4)
    const [present, fired, N] = [missed + hit, falsely + hit, absent + falsely + missed + hit]
    if (present < LEAST_LABELLED || fired < LEAST_LABELLED) continue
    const isUnrelated = excessErrors(hit, present, fired, N) < DEPENDENCE_ERRORS
    const {high} = shareLimits(hit, fired, LIMIT_ERRORS)
    if (!isUnrelated && high >= LEAST_PRECISION) continue
    const [t, e] = [hit / present, falsely / Math.max(1, absent + falsely)]
    findings.push({
      concept: counts.lexicon.anchors[i].concept,
      severity: 'fault',
      kind: 'wrong-labels',
      message: isUnrelated
        ? `labels say that its anchor fires in ${percent(t)} of the documents that have the concept and in ${percent(e)} of those that do not: it is no sign of it`
        : `labels say that only ${percent(hit / fired)} of the documents where its anchor fires have the concept; ${percent(LEAST_PRECISION)} is needed`,
      evidence: {labelled: N, withConcept: present, withAnchor: fired, withBoth: hit, precisionAtMost: high},
      remedy: isUnrelated
        ? 'was it swapped with the anchor of another concept? check it against its name, or choose another'
        : 'choose narrower words or veto with "not"; was it swapped with the anchor of another concept?'
    })
  }
  return findings
}
