import {MIN_PRECISION, twoAnchorRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import {finding} from './finding.ts'
import type {MemberLabels} from './member-labels.ts'
import {type MemberProfiles, similarity} from './member-profiles.ts'

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

export function checkMembers({anchors}: Lexicon, profiles: MemberProfiles) {
  const {names, concepts, documents, signal, noise} = profiles
  const isClear = (w: number) => signal[w] > 0 && signal[w] >= LEAST_SIGNAL * Math.sqrt(2 * noise[w])
  const judged = names.map((_, w) => w).filter(w => documents[w] >= LEAST_MEMBER_DOCUMENTS && isClear(w))
  return judged.flatMap(w => {
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
    const evidence = {
      feature,
      otherFeature,
      other,
      ownFeature,
      foreignLikeness: foreign.similarity,
      ownLikeness: own.similarity,
      standardErrors: errors
    }
    return [finding(anchors[concepts[w]].concept, 'warning', 'foreign-member', evidence)]
  })
}

type Nearest = {readonly member: number; readonly similarity: number} | undefined

/** Members that fire alone in fewer labelled documents are not judged by them. */
const LEAST_LABELLED = 5

/**
 * Members that lower the precision of their anchor, by labels: where such a member alone fires, the share of documents that
 * have the concept is below 45%, and below that where another member fires, at the ends of their 90% intervals.
 */
export function checkWeakMembers({anchors}: Lexicon, labels: readonly MemberLabels[]) {
  const members = anchors.flatMap(({concept, any}) => any.map(feature => ({concept, feature})))
  return labels.flatMap(({alone, others}, k) => {
    if (alone.documents < LEAST_LABELLED || others.documents === 0) return []
    if (!(alone.precision.high < Math.min(MIN_PRECISION, others.precision.low))) return []
    const {concept, feature} = members[k]
    const evidence = {
      feature,
      precision: alone.precision.value,
      labelled: alone.documents,
      othersPrecision: others.precision.value,
      othersLabelled: others.documents,
      interval: [alone.precision.low, alone.precision.high],
      othersInterval: [others.precision.low, others.precision.high]
    } as const
    return [finding(concept, 'warning', 'weak-member', evidence)]
  })
}

/** So many contradicting words are beyond chance. */
const REJECTED_LIMIT = 3
/** Pairs of members whose rates differ by more than this do not indicate one concept. */
const SPREAD_LIMIT = 0.3

/**
 * The rank test of anchors with two or more members: all other words and anchors depend on them through the concept
 * alone, so that their covariances with one member are proportional to those with another (`twoAnchorRates`).
 */
export function checkRank(counts: Counts) {
  return counts.lexicon.anchors.flatMap(({any, concept}, i) => {
    const rates = any.length < 2 ? undefined : twoAnchorRates(counts, i)
    if (rates === undefined || typeof rates === 'string') return []
    const {pair, usedViews, rejectedViews, pairSpread, impossiblePairs} = rates.certificate
    const isSpread = impossiblePairs > 0 || pairSpread > SPREAD_LIMIT
    if (rejectedViews.length === 0 && !isSpread) return []
    const isSure = rejectedViews.length >= REJECTED_LIMIT || isSpread
    const evidence = {
      pair,
      rejected: rejectedViews,
      used: usedViews.length,
      pairSpread,
      impossiblePairs,
      isSpread
    }
    return [finding(concept, isSure ? 'warning' : 'note', 'members-disagree', evidence)]
  })
}
