import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import {type Lexicon, nameHint} from '../../read/data/index.ts'
import {type AnchorStatistics, shareInterval} from './anchor-statistics.ts'
import {type Finding, splitReason} from './finding.ts'
import type {MemberProfiles} from './member-profiles.ts'

/** With fewer documents an anchor tells little. */
const LEAST_DOCUMENTS = 30
/** Above this share an anchor carries little information; one of few classes may hold in more documents. */
const COMMON_SHARE = 0.5
const COMMON_CLASSES = 1.5

/** Anchors that fire almost never or almost always, and members that never occur. */
export function checkCoverage(
  {counts, fired, words, N}: AnchorStatistics,
  {names, concepts, documents}: MemberProfiles
): Finding[] {
  const {lexicon} = counts
  const known = lexicon.words.map((name, j) => ({name, documents: words[j]}))
  return lexicon.anchors.flatMap(({concept, any, not, exclusive}, i) => {
    const common = Math.max(COMMON_SHARE, COMMON_CLASSES / (exclusive?.size ?? Number.POSITIVE_INFINITY))
    const silent = names.filter((_, w) => concepts[w] === i && documents[w] === 0)
    const findings: Finding[] = []
    const evidence = {documents: fired[i], share: fired[i] / N}
    if (fired[i] < LEAST_DOCUMENTS)
      findings.push({
        concept,
        severity: fired[i] === 0 ? 'fault' : 'warning',
        kind: fired[i] === 0 ? 'dead' : 'rare',
        message: `its anchor ${nameList(any)} fires in ${counted(fired[i], 'document')} of ${grouped(N)}; with fewer than ${LEAST_DOCUMENTS} little can be learned`,
        evidence,
        remedy: `check its spelling and field${not.length > 0 ? ' and its "not"' : ''}, remove the concept, or add words`,
        tool: 'suggestions'
      })
    if (fired[i] > common * N)
      findings.push({
        concept,
        severity: fired[i] === N ? 'fault' : 'warning',
        kind: 'always',
        message: `its anchor fires in ${percent(fired[i] / N)} of the documents, so it carries little information about the concept`,
        evidence,
        remedy:
          'choose rarer words, or veto the common uses with "not"; check for words that are mostly negated ("no effusion"), and for sources of votes that are often wrong'
      })
    if (silent.length > 0 && fired[i] > 0)
      findings.push({
        concept,
        severity: 'note',
        kind: 'dead-member',
        message: `${nameList(silent)} ${silent.length === 1 ? 'never occurs' : 'never occur'}; the rest of its anchor does`,
        evidence: {features: silent},
        remedy:
          silent.map(name => nameHint(name, lexicon.reading, known)).find(hint => hint !== undefined) ??
          'check the spelling, or remove it'
      })
    return findings
  })
}

/** Two anchors with at least this share of each other (lower limit) are one anchor. */
const SAME_SHARE = 0.9
/** An anchor with at least this share (lower limit) hardly fires without the other. */
const WITHIN_SHARE = 0.85
/** Confidence limits in standard errors: one of thousands of pairs exceeds this by chance. */
const OVERLAP_ERRORS = 3.5

/** Anchors that nearly always fire together: the same documents cannot represent two concepts. */
export function checkOverlap({counts, fired, pairs, m}: AnchorStatistics): Finding[] {
  const {anchors} = counts.lexicon
  return anchors.flatMap(({concept}, i) =>
    anchors.flatMap(({concept: other}, k): Finding[] => {
      const both = pairs[i * m + k]
      const share = shareInterval(both, fired[i], OVERLAP_ERRORS).low
      const backwards = shareInterval(both, fired[k], OVERLAP_ERRORS).low
      const isSame = share >= SAME_SHARE && backwards >= SAME_SHARE
      // Report the first of two equal anchors, and the inner one of two nested.
      if (i === k || share < WITHIN_SHARE || (isSame ? k < i : backwards > share)) return []
      return [
        {
          concept,
          severity: 'warning',
          kind: 'together',
          message: isSame
            ? `its anchor and that of "${other}" fire in the same documents: ${counted(both, 'document')} of ${fired[i]} and ${fired[k]}`
            : `its anchor hardly fires without that of "${other}": ${percent(both / fired[i])} of its ${counted(fired[i], 'document')} have both`,
          evidence: {other, together: both, documents: fired[i], otherDocuments: fired[k]},
          remedy: isSame
            ? 'merge the two concepts, or give each words of its own'
            : `fine if "${other}" is part of every "${concept}"; otherwise give it words of its own, or leave out the members that fire in both`
        }
      ]
    })
  )
}

/** Counts keep only the text of the reason; files of earlier versions say "anchor". */
const SHARED = /^(?:anchor|member) '(.*)' is shared with "(.*)"; an? (?:anchor|member) belongs to /s

/** Anchors that were left out when the documents were counted; features shared with the same concepts in one finding. */
export function checkSkipped({anchors, skipped}: Lexicon): Finding[] {
  const isKept = (concept: string) => anchors.some(anchor => anchor.concept === concept)
  const outcome = (concept: string) => (isKept(concept) ? 'the rest of its anchor is kept' : 'the concept is left out')
  const keptText = (concept: string) => (isKept(concept) ? 'in part' : 'no')
  const parsed = skipped.map(({concept, reason}) => {
    const [, feature, names] = SHARED.exec(reason) ?? []
    return {concept, reason, feature, names}
  })
  const shared = parsed.flatMap(({concept, names, feature}, at): Finding[] => {
    const same = parsed.filter(other => other.concept === concept && other.names === names)
    if (feature === undefined || same[0] !== parsed[at]) return []
    const features = same.map(other => other.feature)
    return [
      {
        concept,
        severity: 'fault',
        kind: 'shared',
        message: `${nameList(features)} ${features.length === 1 ? 'is a member' : 'are members'} of the anchor of "${names}" too; ${outcome(concept)}`,
        evidence: {features, others: names.split('", "'), kept: keptText(concept)},
        remedy: 'a member belongs to one concept alone: choose another, or merge the concepts'
      }
    ]
  })
  const unusable = parsed.flatMap(({concept, reason, feature}): Finding[] => {
    if (feature !== undefined) return []
    const {message, remedy} = splitReason(reason)
    const evidence = {reason, kept: keptText(concept)}
    return [
      {concept, severity: 'fault', kind: kindOf(reason), message: `${message}; ${outcome(concept)}`, evidence, remedy}
    ]
  })
  return [...shared, ...unusable]
}

function kindOf(reason: string): 'dead' | 'always' | 'unusable' {
  if (/^anchor .* (?:never occurs in|does not occur in) |^it has no anchor/s.test(reason)) return 'dead'
  return /^anchor .* fires in (?:all|every) /s.test(reason) ? 'always' : 'unusable'
}
