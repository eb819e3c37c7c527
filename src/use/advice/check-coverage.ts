import {fieldsOf, type Lexicon, nameHint, readVote, type TextOptions} from '../../read/data/index.ts'
import type {ConceptForms} from './anchor-forms.ts'
import {type AnchorStatistics, shareInterval} from './anchor-statistics.ts'
import {finding} from './finding.ts'
import type {MemberProfiles} from './member-profiles.ts'
import {fieldOf, nameWords} from './name-similarity.ts'

/** With fewer documents an anchor tells little. */
const LEAST_DOCUMENTS = 30
/** Above this share an anchor carries little information; one of few classes may hold in more documents. */
const COMMON_SHARE = 0.5
const COMMON_CLASSES = 1.5

/** Anchors that fire almost never or almost always, and members that never occur. */
export function checkCoverage(
  {counts, fired, words, N}: AnchorStatistics,
  {names, concepts, documents}: MemberProfiles
) {
  const {lexicon} = counts
  const known = lexicon.words.map((name, j) => ({name, documents: words[j]}))
  return lexicon.anchors.flatMap(({concept, any, not, exclusive}, i) => {
    const common = Math.max(COMMON_SHARE, COMMON_CLASSES / (exclusive?.size ?? Number.POSITIVE_INFINITY))
    const silent = names.filter((_, w) => concepts[w] === i && documents[w] === 0)
    const evidence = {documents: fired[i], share: fired[i] / N}
    const rare = {...evidence, of: N, least: LEAST_DOCUMENTS, features: any, hasVeto: not.length > 0}
    const hint = silent.map(name => nameHint(name, lexicon.reading, known)).find(found => found !== undefined)
    return [
      ...(fired[i] === 0 ? [finding(concept, 'fault', 'dead', rare)] : []),
      ...(fired[i] > 0 && fired[i] < LEAST_DOCUMENTS ? [finding(concept, 'warning', 'rare', rare)] : []),
      ...(fired[i] > common * N ? [finding(concept, fired[i] === N ? 'fault' : 'warning', 'always', evidence)] : []),
      ...(silent.length > 0 && fired[i] > 0
        ? [finding(concept, 'note', 'dead-member', {features: silent, ...(hint !== undefined && {hint})})]
        : [])
    ]
  })
}

/** Two anchors with at least this share of each other (lower limit) are one anchor. */
const SAME_SHARE = 0.9
/** An anchor with at least this share (lower limit) hardly fires without the other. */
const WITHIN_SHARE = 0.85
/** Confidence limits in standard errors: one of thousands of pairs exceeds this by chance. */
const OVERLAP_ERRORS = 3.5

/** Anchors that nearly always fire together: the same documents cannot represent two concepts. */
export function checkOverlap({counts, fired, pairs, m}: AnchorStatistics) {
  const {anchors} = counts.lexicon
  return anchors.flatMap(({concept}, i) =>
    anchors.flatMap(({concept: other}, k) => {
      const both = pairs[i * m + k]
      const share = shareInterval(both, fired[i], OVERLAP_ERRORS).low
      const backwards = shareInterval(both, fired[k], OVERLAP_ERRORS).low
      const isSame = share >= SAME_SHARE && backwards >= SAME_SHARE
      // Report the first of two equal anchors, and the inner one of two nested.
      if (i === k || share < WITHIN_SHARE || (isSame ? k < i : backwards > share)) return []
      const evidence = {other, together: both, documents: fired[i], otherDocuments: fired[k], isSame}
      return [finding(concept, 'warning', 'together', evidence)]
    })
  )
}

/** Counts keep only the text of the reason; files of earlier versions say "anchor". */
const SHARED = /^(?:anchor|member) '(.*)' is shared with "(.*)"; an? (?:anchor|member) belongs to /s

/** Anchors that were left out when the documents were counted; features shared with the same concepts in one finding. */
export function checkSkipped({anchors, skipped}: Lexicon) {
  const parsed = skipped.map(({concept, reason}) => {
    const [, feature, names] = SHARED.exec(reason) ?? []
    const kept = anchors.some(anchor => anchor.concept === concept) ? 'in part' : 'no'
    return {concept, reason, feature, names, kept} as const
  })
  const shared = parsed.flatMap(({concept, names, feature, kept}, at) => {
    const same = parsed.filter(other => other.concept === concept && other.names === names)
    if (feature === undefined || same[0] !== parsed[at]) return []
    const features = same.map(other => other.feature)
    return [finding(concept, 'fault', 'shared', {features, others: names.split('", "'), kept})]
  })
  const unusable = parsed.flatMap(({concept, reason, feature, kept}) =>
    feature === undefined ? [finding(concept, 'fault', kindOf(reason), {reason, kept})] : []
  )
  return [...shared, ...unusable]
}

function kindOf(reason: string): 'dead' | 'always' | 'unusable' {
  if (/^anchor .* (?:never occurs in|does not occur in) |^it has no anchor/s.test(reason)) return 'dead'
  return /^anchor .* fires in (?:all|every) /s.test(reason) ? 'always' : 'unusable'
}

/**
 * Anchor words of one concept inside an anchor phrase of another. The longest phrase is read first, so that in "calcified
 * granuloma" the word "granuloma" does not fire: the two anchors exclude each other.
 */
export function checkNested({anchors, reading}: Lexicon) {
  const members = anchors.map(({any}) => any.flatMap(name => readWords(name, reading)))
  return anchors.flatMap(({concept}, i) =>
    anchors.flatMap(({concept: other}, k) => {
      const pairs = members[i].flatMap(inner =>
        members[k].filter(outer => i !== k && contains(outer, inner)).map(outer => [inner.name, outer.name])
      )
      if (pairs.length === 0) return []
      const [features, phrases] = [0, 1].map(side => [...new Set(pairs.map(pair => pair[side]))])
      return [finding(concept, 'warning', 'nested', {features, phrases, other})]
    })
  )
}

interface Words {
  readonly name: string
  readonly field: string | undefined
  /** The words, a blank before and after each. */
  readonly spaced: string
}

/** Regular expressions have no words to compare; categories, numbers, lists and votes are not read as text. */
function readWords(name: string, reading: TextOptions): Words[] {
  const isValue = readVote(name) !== undefined || fieldOf(name, fieldsOf(reading).valueNames) !== undefined
  const words = isValue ? [] : nameWords(name, reading.text)
  return words.length === 0 ? [] : [{name, field: fieldOf(name, reading.text), spaced: ` ${words.join(' ')} `}]
}

function contains(outer: Words, inner: Words): boolean {
  const meet = outer.field === undefined || inner.field === undefined || outer.field === inner.field
  return meet && outer.spaced.length > inner.spaced.length && outer.spaced.includes(inner.spaced)
}

/** Other forms of an anchor's members (`findForms`). */
export function checkForms(found: readonly ConceptForms[]) {
  return found.flatMap(({concept, forms}) =>
    forms.length === 0
      ? []
      : [
          finding(concept, 'note', 'forms', {
            features: forms.map(({feature}) => feature),
            documents: forms.map(({documents}) => documents),
            isSampled: forms[0].isSampled
          })
        ]
  )
}
