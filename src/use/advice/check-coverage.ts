import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import {type Lexicon, nameHint, readVote, type SkippedAnchor} from '../../read/data/index.ts'
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
  const hintOf = (name: string) =>
    nameHint(
      name,
      lexicon.reading,
      lexicon.words.map((word, j) => ({name: word, documents: words[j]}))
    )
  return lexicon.anchors.flatMap(({concept, any, not, exclusive}, i) => {
    const common = Math.max(COMMON_SHARE, COMMON_CLASSES / (exclusive?.size ?? Number.POSITIVE_INFINITY))
    const isVoted = any.every(name => readVote(name) !== undefined)
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
        remedy: isVoted
          ? 'check the sources that vote for it most often, and leave out those that are often wrong'
          : 'choose rarer words, or veto the common uses with "not"; in notes, check for words that are mostly negated ("no effusion")'
      })
    const silent = names.filter((_, w) => concepts[w] === i && documents[w] === 0)
    if (silent.length > 0 && fired[i] > 0)
      findings.push({
        concept,
        severity: 'note',
        kind: 'dead-member',
        message: `${nameList(silent)} ${silent.length === 1 ? 'never occurs' : 'never occur'}; the rest of its anchor does`,
        evidence: {features: silent},
        remedy: silent.map(hintOf).find(hint => hint !== undefined) ?? 'check the spelling, or remove it'
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
  const findings: Finding[] = []
  const {anchors} = counts.lexicon
  const name = (i: number) => anchors[i].concept
  const exclude = (i: number, k: number) =>
    anchors[i].exclusive !== undefined && anchors[i].exclusive?.group === anchors[k].exclusive?.group
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      const both = pairs[i * m + k]
      if (i === k) continue
      const share = shareInterval(both, fired[i], OVERLAP_ERRORS).low
      const backwards = shareInterval(both, fired[k], OVERLAP_ERRORS).low
      const isSame = share >= SAME_SHARE && backwards >= SAME_SHARE
      // Report the first of two equal anchors, and the inner one of two nested.
      if (share < WITHIN_SHARE || (isSame && k < i) || (!isSame && backwards > share)) continue
      findings.push({
        concept: name(i),
        severity: 'warning',
        kind: 'together',
        message: isSame
          ? `its anchor and that of "${name(k)}" fire in the same documents: ${counted(both, 'document')} of ${fired[i]} and ${fired[k]}`
          : `its anchor hardly fires without that of "${name(k)}": ${percent(both / fired[i])} of its ${counted(fired[i], 'document')} have both`,
        evidence: {other: name(k), together: both, documents: fired[i], otherDocuments: fired[k]},
        remedy: isSame
          ? 'merge the two concepts, or give each words of its own'
          : exclude(i, k)
            ? `the two exclude each other, so one of them is wrong there: leave out the members that fire in both`
            : `fine if "${name(k)}" is part of every "${name(i)}"; otherwise give it words of its own`
      })
    }
  return findings
}

/** Anchors that were left out when the documents were counted; features shared with the same concepts in one finding. */
export function checkSkipped({anchors, skipped}: Lexicon): Finding[] {
  const kept = new Set(anchors.map(({concept}) => concept))
  const shared = new Map<string, SharedFeatures>()
  const findings: Finding[] = []
  for (const {concept, reason} of skipped) {
    // Counts keep only the text of the reason; files of earlier versions say "anchor".
    const [, feature, names] =
      /^(?:anchor|member) '(.*)' is shared with "(.*)"; an? (?:anchor|member) belongs to /s.exec(reason) ?? []
    if (feature === undefined) {
      findings.push(unusable({concept, reason}, kept.has(concept)))
      continue
    }
    const key = JSON.stringify([concept, names])
    const features = [...(shared.get(key)?.features ?? []), feature]
    shared.set(key, {concept, features, others: names.split('", "')})
  }
  return [...[...shared.values()].map(group => sharedFinding(group, kept.has(group.concept))), ...findings]
}

interface SharedFeatures {
  readonly concept: string
  readonly features: readonly string[]
  readonly others: readonly string[]
}

function sharedFinding({concept, features, others}: SharedFeatures, isKept: boolean): Finding {
  return {
    concept,
    severity: 'fault',
    kind: 'shared',
    message: `${nameList(features)} ${features.length === 1 ? 'is a member' : 'are members'} of the anchor of ${others.map(name => `"${name}"`).join(', ')} too; ${outcome(isKept)}`,
    evidence: {features, others, kept: isKept ? 'in part' : 'no'},
    remedy: 'a member belongs to one concept alone: choose another, or merge the concepts'
  }
}

function unusable({concept, reason}: SkippedAnchor, isKept: boolean): Finding {
  const {message, remedy} = splitReason(reason)
  const kind = /^anchor .* (?:never occurs in|does not occur in) |^it has no anchor/s.test(reason)
    ? 'dead'
    : /^anchor .* fires in (?:all|every) /s.test(reason)
      ? 'always'
      : 'unusable'
  return {
    concept,
    severity: 'fault',
    kind,
    message: `${message}; ${outcome(isKept)}`,
    evidence: {reason, kept: isKept ? 'in part' : 'no'},
    remedy
  }
}

function outcome(isKept: boolean): string {
  return isKept ? 'the rest of its anchor is kept' : 'the concept is left out'
}
