import {clamp} from '../../base/numeric/index.ts'
import {counted, nameList, percent} from '../../base/text/index.ts'
import {MIN_PRECISION, twoAnchorRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {fieldsOf, type Lexicon, readVote, type TextOptions} from '../../read/data/index.ts'
import type {ConceptForms} from './anchor-forms.ts'
import type {Finding} from './finding.ts'
import type {LabelledShare, MemberLabels} from './member-labels.ts'
import {type MemberProfiles, similarity} from './member-profiles.ts'
import {fieldOf, nameWords} from './name-similarity.ts'

/**
 * Members of an anchor that belong to another concept: they occur with the words of another anchor's member, not with those
 * of their own anchor. This detects two swapped members without labels.
 *
 * A member is compared with the nearest other member of its own anchor and with the nearest member of any other anchor,
 * by the similarity of their words (member-profiles.ts). A difference of similarity has a standard error of about
 * sqrt(2) / |z|, z being the member's profile, whose entries have variance 1.
 */

/** Members in fewer documents are not compared. */
const LEAST_MEMBER_DOCUMENTS = 30
/** Nor are members whose profile is within this many standard errors of noise. */
const LEAST_SIGNAL = 5
const LEAST = {margin: 0.15, foreign: 0.6, errors: 5}

export function checkMembers({anchors}: Lexicon, profiles: MemberProfiles): Finding[] {
  const {names, concepts, documents, signal, noise} = profiles
  const isClear = (w: number) => signal[w] > 0 && signal[w] >= LEAST_SIGNAL * Math.sqrt(2 * noise[w])
  const judged = names.map((_, w) => w).filter(w => documents[w] >= LEAST_MEMBER_DOCUMENTS && isClear(w))
  return judged.flatMap((w): Finding[] => {
    const nearest = (isOwn: boolean) =>
      judged
        .filter(member => member !== w && (concepts[member] === concepts[w]) === isOwn)
        .map(member => ({member, similarity: similarity(profiles, w, member)}))
        .reduce<Nearest>((best, next) => (best && best.similarity >= next.similarity ? best : next), undefined)
    const [own, foreign] = [nearest(true), nearest(false)]
    if (own === undefined || foreign === undefined) return []
    const margin = foreign.similarity - own.similarity
    const errors = (margin * Math.sqrt(signal[w])) / Math.SQRT2
    if (!(margin >= LEAST.margin && foreign.similarity >= LEAST.foreign && errors >= LEAST.errors)) return []
    const other = anchors[concepts[foreign.member]].concept
    const [feature, otherFeature, ownFeature] = [w, foreign.member, own.member].map(member => names[member])
    // Noise may exceed either end.
    const [foreignLikeness, ownLikeness] = [foreign, own].map(({similarity}) => percent(clamp(similarity, 0, 1)))
    return [
      {
        concept: anchors[concepts[w]].concept,
        severity: 'warning',
        kind: 'foreign-member',
        message:
          `the words around '${feature}' are those around '${otherFeature}' of "${other}" (${foreignLikeness} alike) ` +
          `rather than those around '${ownFeature}' of its own anchor (${ownLikeness})`,
        evidence: {
          feature,
          otherFeature,
          other,
          ownFeature,
          foreignLikeness: foreign.similarity,
          ownLikeness: own.similarity,
          standardErrors: errors
        },
        remedy: `if it was meant for "${other}", move it there; otherwise read some documents with it, and remove it if it means something else`
      }
    ]
  })
}

type Nearest = {readonly member: number; readonly similarity: number} | undefined

/** Members that fire alone in fewer labelled documents are not judged by them. */
const LEAST_LABELLED = 5

/**
 * Members that lower the precision of their anchor, by labels: where such a member alone fires, the share of documents that
 * have the concept is below 45%, and below that where another member fires, at the ends of their 90% intervals.
 */
export function checkWeakMembers({anchors}: Lexicon, labels: readonly MemberLabels[]): Finding[] {
  const members = anchors.flatMap(({concept, any}) => any.map(feature => ({concept, feature})))
  return labels.flatMap(({alone, others}, k): Finding[] => {
    if (alone.documents < LEAST_LABELLED || others.documents === 0) return []
    if (!(alone.precision.high < Math.min(MIN_PRECISION, others.precision.low))) return []
    const {concept, feature} = members[k]
    return [
      {
        concept,
        severity: 'warning',
        kind: 'weak-member',
        message: `where '${feature}' alone fires, the concept is present in ${shareText(alone)}; where another member fires, in ${shareText(others)}`,
        evidence: {
          feature,
          precision: alone.precision.value,
          labelled: alone.documents,
          othersPrecision: others.precision.value,
          othersLabelled: others.documents
        },
        remedy: 'drop this member; move it to "not" if the concept is absent even where other members fire beside it'
      }
    ]
  })
}

function shareText({documents, precision: {value, low, high}}: LabelledShare): string {
  return `${percent(value)} of ${counted(documents, 'labelled document')} (${percent(low)} to ${percent(high)})`
}

/** So many contradicting words are beyond chance. */
const REJECTED_LIMIT = 3
/** Pairs of members whose rates differ by more than this do not indicate one concept. */
const SPREAD_LIMIT = 0.3

/**
 * The rank test of anchors with two or more members: all other words and anchors depend on them through the concept
 * alone, so that their covariances with one member are proportional to those with another (`twoAnchorRates`).
 */
export function checkRank(counts: Counts): Finding[] {
  return counts.lexicon.anchors.flatMap(({any, concept}, i): Finding[] => {
    const rates = any.length < 2 ? undefined : twoAnchorRates(counts, i)
    if (rates === undefined || typeof rates === 'string') return []
    const {pair, usedViews, rejectedViews, pairSpread, impossiblePairs} = rates.certificate
    const isSpread = impossiblePairs > 0 || pairSpread > SPREAD_LIMIT
    if (rejectedViews.length === 0 && !isSpread) return []
    const depend =
      `${nameList(rejectedViews)} ${rejectedViews.length === 1 ? 'depends' : 'depend'} on one of '${pair[0]}' and '${pair[1]}' ` +
      'in a way that the concept does not explain'
    const details = [
      ...(rejectedViews.length > 0 ? [depend] : []),
      ...(isSpread ? ['different pairs of its members give different rates'] : [])
    ]
    return [
      {
        concept,
        severity: rejectedViews.length >= REJECTED_LIMIT || isSpread ? 'warning' : 'note',
        kind: 'members-disagree',
        message: `the members of its anchor do not indicate one concept alone: ${details.join('; ')}`,
        evidence: {pair, rejected: rejectedViews, used: usedViews.length, pairSpread, impossiblePairs},
        remedy: 'fixed phrases and side meanings do this; veto them with "not", or drop the less specific member'
      }
    ]
  })
}

/**
 * Anchor words of one concept inside an anchor phrase of another. The longest phrase is read first, so that in "calcified
 * granuloma" the word "granuloma" does not fire: the two anchors exclude each other.
 */
export function checkNested({anchors, reading}: Lexicon): Finding[] {
  const members = anchors.map(({any}) => any.flatMap(name => readWords(name, reading)))
  return anchors.flatMap(({concept}, i) =>
    anchors.flatMap(({concept: other}, k): Finding[] => {
      const pairs = members[i].flatMap(inner =>
        members[k].filter(outer => i !== k && contains(outer, inner)).map(outer => [inner.name, outer.name])
      )
      if (pairs.length === 0) return []
      const [features, phrases] = [0, 1].map(side => [...new Set(pairs.map(pair => pair[side]))])
      return [
        {
          concept,
          severity: 'warning',
          kind: 'nested',
          message: `its anchor ${nameList(features)} is part of ${nameList(phrases)} of "${other}", and does not fire where that occurs`,
          evidence: {features, phrases, other},
          remedy: `if "${other}" is a kind of "${concept}", their relation will be underestimated; otherwise this is harmless`
        }
      ]
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

const SHOWN_FORMS = 5

/** Notes other forms of an anchor's members (`findForms`). */
export function checkForms(found: readonly ConceptForms[]): Finding[] {
  return found.flatMap(({concept, forms}): Finding[] => {
    if (forms.length === 0) return []
    const shown = forms.slice(0, SHOWN_FORMS).map(({feature, where}) => `'${feature}' ${where}`)
    const rest = forms.length > SHOWN_FORMS ? ` and ${forms.length - SHOWN_FORMS} more` : ''
    return [
      {
        concept,
        severity: 'note',
        kind: 'forms',
        message: `other forms of its anchor occur: ${shown.join(', ')}${rest}`,
        evidence: {features: forms.map(({feature}) => feature)},
        remedy: 'add those that mean the same',
        tool: 'forms'
      }
    ]
  })
}
