/**
 * The evidence of a document on each concept: log-odds of its words, of the members of its anchor that fired and of the
 * votes of sources, which add up. The paper has one bit per anchor; members that fire together, or are more precise, tell more.
 * Calibration and predictions read it by the same code, and what is special about votes, classes and fields is here only.
 */

import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {fitVotes, groupVotes, type VoteGroup, type VoteWeights, voteEvidence} from '../votes/index.ts'
import type {WordSample} from './word-sample.ts'
import type {MemberWeights, WordWeights} from './word-weights.ts'

/** The share of the words that counts where the anchor fired: all of them cost .02 of average precision, none .01. */
const FIRED_SHARE = 0.3
/**
 * What each further member that fires adds, as a share of the first, where all members of an anchor are in one field:
 * synonyms occur together, and in full they made fired anchors overconfident (slopes .57 to .76 on three corpora with word
 * lists, .81 at a half). Members of different fields count in full.
 */
const SYNONYM_SHARE = 0.5
/** A precision this close to 0 or 1 is rounding. */
const EDGE = 1e-12
/** Scores are cut off here before members are compared by them: single documents would decide otherwise. */
const FURTHEST_SCORE = 8
/** The least difference of mean scores, where the anchor fired and where it did not, that a precision is scaled by. */
const MIN_DIFFERENCE = 0.3
/** The variance of the precisions of the members of one anchor, before their words are seen. */
const MEMBER_VARIANCE = 0.04
/** Members may have precisions in this range, whole anchors in the next. */
const PRECISION_RANGE = [0.05, 0.97] as const
const UNION_RANGE = [0.03, 0.97] as const

type Rates = Readonly<Record<'truePositive' | 'falsePositive' | 'prevalence', ArrayLike<number>>>

/** What the rates of one anchor imply by Bayes' rule. */
export interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0). */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0). */
  readonly missed: number
}

export function anchorFacts({truePositive, falsePositive, prevalence}: Rates): AnchorFacts[] {
  return Array.from(truePositive, (t, i) => {
    const e = falsePositive[i]
    const p = prevalence[i]
    const a = e + (t - e) * p
    return {prevalence: p, silent: log((1 - t) / (1 - e)), precision: (t * p) / a, missed: ((1 - t) * p) / (1 - a)}
  })
}

/** The constants of each concept: log-odds added where its anchor is silent, and in place of the prior where it fired. */
export interface AnchorConstants {
  readonly silent: readonly number[]
  readonly fired: readonly number[]
}

/** Returns the concepts of exclusive groups: they are compared with each other, so their constants are not matched one by one. */
export function classesOf({anchors}: Pick<Lexicon, 'anchors'>): ReadonlySet<number> {
  return new Set(exclusiveGroups(anchors).flatMap(({concepts}) => concepts))
}

/** Returns how much each further member that fires adds, as a share of the first, one number per concept. */
export function memberShares({anchors, text}: Pick<Lexicon, 'anchors' | 'text'>): number[] {
  const fieldOf = (feature: string) => text.fields.findIndex(field => feature.startsWith(`${field}:`))
  return anchors.map(({any}) => (new Set(any.map(fieldOf)).size > 1 ? 1 : SYNONYM_SHARE))
}

/** How members, votes and words count beside each other. */
export type EvidenceModel = Pick<WordWeights, 'firedShare' | 'members' | 'votes'>

/** Reads the evidence of one document at a time. */
export class EvidenceReader {
  /** The share of the words that counts where the anchor fired: all for classes, which words compare. */
  readonly firedShares: readonly number[]
  /** Whether members or votes count at all. */
  readonly hasMembers: boolean
  readonly memberCount: number
  /** 1 for classes whose sources vote. */
  readonly #isVoted: Uint8Array
  readonly #shares: readonly number[]
  /** The concept and the weight of each member, numbered through all concepts. */
  readonly #conceptOf: readonly number[]
  readonly #weights: readonly number[] | undefined
  readonly #readVotes: ReturnType<typeof voteEvidence>
  readonly #counts: Uint32Array
  readonly #fromMembers: Float64Array

  constructor(lexicon: Pick<Lexicon, 'anchors' | 'text'>, {firedShare, members, votes = []}: EvidenceModel) {
    const {anchors} = lexicon
    const classes = classesOf(lexicon)
    this.firedShares = anchors.map((_, i) => (classes.has(i) ? 1 : firedShare))
    this.hasMembers = members !== undefined || votes.length > 0
    this.#isVoted = new Uint8Array(anchors.length)
    for (const i of votes.flatMap(({concepts}) => concepts)) this.#isVoted[i] = 1
    this.#shares = memberShares(lexicon)
    this.#conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
    this.memberCount = this.#conceptOf.length
    this.#weights = members?.flat()
    this.#readVotes = voteEvidence(votes, anchors)
    this.#counts = new Uint32Array(anchors.length)
    this.#fromMembers = new Float64Array(anchors.length)
  }

  /** The constants by Bayes' rule; votes have weights of their own, in place of the rates. */
  constants(rates: Rates): AnchorConstants {
    const facts = anchorFacts(rates)
    return {
      silent: facts.map(({silent}, i) => (this.#isVoted[i] ? 0 : silent)),
      fired: facts.map(({precision, prevalence}, i) => logit(this.#isVoted[i] ? prevalence : precision, EDGE))
    }
  }

  /**
   * Returns what the members that fired add to the log-odds of their concepts: the mean of their weights and
   * log(1 + s (c - 1)) for c members that fired and the share s of {@link memberShares}, 0 where none fired; for classes
   * whose sources vote, the votes and their absence. Members are numbered through all concepts.
   */
  fromMembers(members: ArrayLike<number>): Float64Array {
    const [out, counts] = [this.#fromMembers.fill(0), this.#counts.fill(0)]
    if (this.#weights !== undefined)
      for (let at = 0; at < members.length; at++) {
        const i = this.#conceptOf[members[at]]
        out[i] += this.#weights[members[at]]
        counts[i]++
      }
    for (let i = 0; i < out.length; i++)
      if (counts[i] > 0) out[i] = out[i] / counts[i] + log(1 + this.#shares[i] * (counts[i] - 1))
    this.#readVotes(members, out)
    return out
  }

  /** Fills what a document adds to the constants of every concept, where its anchor is silent and where it fired. */
  read(scores: Float64Array, members: ArrayLike<number>, silent: Float64Array, fired: Float64Array): void {
    const added = this.hasMembers ? this.fromMembers(members) : this.#fromMembers
    for (let i = 0; i < scores.length; i++) {
      silent[i] = scores[i] + this.#isVoted[i] * added[i]
      fired[i] = this.firedShares[i] * scores[i] + added[i]
    }
  }
}

/** The evidence of the documents of a sample, document d, concept i at `d*m + i`. */
export interface SampleEvidence {
  readonly documents: number
  /** 1 where the anchor fired. */
  readonly isFired: Uint8Array
  /** What is added to a constant where the anchor is silent, where it fired, and where anchors are hidden. */
  readonly silent: Float64Array
  readonly fired: Float64Array
  readonly hidden: Float64Array
  /** The constants by Bayes' rule. */
  readonly constants: AnchorConstants
  /** Concepts that keep these constants. */
  readonly unmatched: ReadonlySet<number>
}

/**
 * Learns how the members of anchors and the votes of sources count beside the words, from a sample of documents with the
 * scores of their words. `votes` is what the votes of the groups count by the counts alone; with real documents, not drawn ones,
 * they are fitted once more, with words as evidence beside them.
 */
export function learnEvidence(
  sample: WordSample,
  given: {
    readonly lexicon: Pick<Lexicon, 'anchors' | 'text'>
    readonly rates: Rates
    readonly groups: readonly VoteGroup[]
    readonly votes: readonly VoteWeights[]
    readonly isFromDocuments: boolean
  }
) {
  const {lexicon, rates, groups, isFromDocuments} = given
  const facts = anchorFacts(rates)
  const m = facts.length
  const votes = isFromDocuments ? groups.map(group => votesWithWords(group, sample, m)) : given.votes
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const learned = memberWeights(sample, lexicon, facts, voted)
  const model: EvidenceModel = {
    firedShare: FIRED_SHARE,
    ...(learned && {members: learned.weights}),
    ...(votes.length > 0 && {votes})
  }
  const reader = new EvidenceReader(lexicon, model)
  const {documents, scores, fired: isFired, members} = sample
  const [silent, fired] = [new Float64Array(scores.length), new Float64Array(scores.length)]
  for (let d = 0; d < documents; d++) {
    const row = (all: Float64Array) => all.subarray(d * m, (d + 1) * m)
    reader.read(row(scores), members?.[d] ?? [], row(silent), row(fired))
  }
  const constants = reader.constants(rates)
  const unmatched = classesOf(lexicon)
  const evidence: SampleEvidence = {documents, isFired, silent, fired, hidden: scores, constants, unmatched}
  return {model, memberPrecisions: learned?.precisions, evidence}
}

/** Fits the votes of a group to the documents of a sample, with words as evidence beside them. */
function votesWithWords(group: VoteGroup, {documents, scores, members}: WordSample, m: number): VoteWeights {
  const voted = Array.from({length: documents}, (_, d) => ({
    votes: groupVotes(group, members?.[d] ?? []),
    documents: 1,
    words: group.concepts.map(i => scores[d * m + i])
  }))
  return fitVotes(group, voted).weights
}

/**
 * Estimates the precision r_k of each member from the words of the documents where it fired, and its log-odds:
 *
 *     r_k = r + g (m_k - m_A) V / (V + g^2 var_A(s) / n_k),    g = (r - q) / max(m_A - m_0, 0.3)
 *
 * with r and q the probabilities of the concept where the anchor fired and where it did not, s the scores of words,
 * m_k, m_A and m_0 their means where member k fired, where any did and where none did, n_k the documents of the member and
 * V = 0.04. Each row is shifted so that the mean of {@link EvidenceReader.fromMembers} over documents whose anchor fired
 * is 0. Undefined where every anchor has one member, or where members are not known. Cost: O(m documents + members that
 * fired).
 */
export function memberWeights(
  {documents, scores, fired, members}: WordSample,
  lexicon: Pick<Lexicon, 'anchors' | 'text'>,
  facts: readonly Pick<AnchorFacts, 'precision' | 'missed'>[],
  voted: ReadonlySet<number>
): {readonly weights: MemberWeights; readonly precisions: number[][]} | undefined {
  const {anchors} = lexicon
  if (members === undefined || anchors.every(({any}, i) => any.length === 1 || voted.has(i))) return undefined
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  const m = facts.length
  const score = (d: number, i: number) => clamp(scores[d * m + i], -FURTHEST_SCORE, FURTHEST_SCORE)
  // Scores of a concept where its anchor did not fire and where it did, and where each member fired.
  const byAnchor: number[][][] = facts.map(() => [[], []])
  const firedBy: number[][] = conceptOf.map(() => [])
  for (let d = 0; d < documents; d++) {
    for (let i = 0; i < m; i++) byAnchor[i][fired[d * m + i]].push(score(d, i))
    for (const k of members[d]) firedBy[k].push(score(d, conceptOf[k]))
  }
  const rows = facts.map(({precision, missed}, i) => {
    const [none, any] = byAnchor[i]
    const mean = meanOf(any)
    const variance = meanOf(any.map(value => (value - mean) ** 2))
    const r = clamp(precision, ...UNION_RANGE)
    const slope = (r - missed) / Math.max(mean - meanOf(none), MIN_DIFFERENCE)
    return firedBy
      .filter((_, k) => conceptOf[k] === i)
      .map(own => {
        const chance = (slope * slope * variance) / Math.max(1, own.length)
        const change =
          own.length === 0 ? 0 : (slope * (meanOf(own) - mean) * MEMBER_VARIANCE) / (MEMBER_VARIANCE + chance)
        return logit(clamp(r + change, ...PRECISION_RANGE))
      })
  })
  const reader = new EvidenceReader(lexicon, {firedShare: FIRED_SHARE, members: rows})
  const sums = new Float64Array(m)
  for (const list of members) for (const [i, value] of reader.fromMembers(list).entries()) sums[i] += value
  const weights = rows.map((row, i) => {
    const shift = sums[i] / Math.max(1, byAnchor[i][1].length)
    return row.length === 1 ? [0] : row.map(weight => weight - shift)
  })
  return {weights, precisions: rows.map(row => row.map(sigmoid))}
}

/** Returns the mean of a list; 0 for an empty one. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
