import type {AnchorStatistics} from './anchor-statistics.ts'
import {documentsOf, type Finding, listOf, percent} from './finding.ts'
import type {MemberProfiles} from './member-profiles.ts'

/** Below this many documents nothing is known well enough (the rule of `rateRefusals`). */
const LEAST_DOCUMENTS = 30
/** Above these shares an anchor tells little, and nothing, of where its concept is. */
const COMMON_SHARE = 0.5
const CONSTANT_SHARE = 0.9

/** Anchors that fire almost never or almost always, and features of theirs that never do. */
export function checkCoverage(
  {counts, fired, N}: AnchorStatistics,
  {names, concepts, documents}: MemberProfiles
): Finding[] {
  return counts.lexicon.anchors.flatMap(({concept, any, not}, i) => {
    const findings: Finding[] = []
    const evidence = {documents: fired[i], share: fired[i] / N}
    if (fired[i] < LEAST_DOCUMENTS)
      findings.push({
        concept,
        severity: 'fault',
        kind: fired[i] === 0 ? 'dead' : 'rare',
        message: `its anchor ${listOf(any)} fires in ${documentsOf(fired[i])} of ${N.toLocaleString('en')}; ${LEAST_DOCUMENTS} are needed to learn anything from it`,
        evidence,
        remedy: `check its spelling and field${not.length > 0 ? ' and its "not"' : ''}; add words (adfa suggest), or remove the concept`
      })
    if (fired[i] > COMMON_SHARE * N)
      findings.push({
        concept,
        severity: fired[i] > CONSTANT_SHARE * N ? 'fault' : 'warning',
        kind: 'always',
        message: `its anchor fires in ${percent(fired[i] / N)} of the documents, so it says little about which of them have the concept`,
        evidence,
        remedy:
          'choose rarer words, or veto the common uses with "not"; in notes, mind words that are mostly denied ("no effusion")'
      })
    const silent = names.filter((_, w) => concepts[w] === i && documents[w] === 0)
    if (silent.length > 0 && fired[i] > 0)
      findings.push({
        concept,
        severity: 'note',
        kind: 'dead-member',
        message: `${listOf(silent)} ${silent.length === 1 ? 'never occurs' : 'never occur'}; the rest of its anchor does`,
        evidence: {features: silent},
        remedy: 'check the spelling, or remove it'
      })
    return findings
  })
}
