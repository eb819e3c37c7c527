/**
 * Computes the evidence of a document on each concept: the log-odds of its words, of votes, and of the members of its anchor
 * (which fires if any of them does), which add up. The paper has one bit per anchor; several members, or precise ones, are
 * stronger evidence. Calibration and predictions share this code. Special cases of votes, classes and fields are here only.
 */

import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import {fitVotes, groupVotes, type VoteGroup, type VoteWeights, voteEvidence} from '../votes/index.ts'
import type {WordSample} from './word-sample.ts'
import type {MemberWeights, WordWeights} from './word-weights.ts'

/** The factor of the words' evidence where the anchor fired: 1 would cost .02 of average precision, 0 would cost .01. */
const FIRED_FACTOR = 0.3
/**
 * The factor of each member that fires beyond the first, if all members of an anchor are in one field: synonyms occur together,
 * and counted in full they made probabilities too extreme where anchors fired (calibration slopes .57 to .76 on three corpora
 * with word lists, .81 with this factor). Members of different fields count in full.
 */
const SYNONYM_FACTOR = 0.5
/** Precisions are kept this far from 0 and 1, which they reach only by rounding and whose log-odds are infinite. */
const PRECISION_FLOOR = 1e-12
/** The scores of documents, log-odds of their words, are clamped to this size before their means by member are compared. */
const MAX_SCORE = 8
/** In the slope of precision on score, the divisor, the mean score with the anchor minus that without, is at least this. */
const MIN_DIFFERENCE = 0.3
/** The prior variance of a member's precision around the precision of its anchor. */
const MEMBER_VARIANCE = 0.04
/** The precisions of members and of their anchors are clamped to this range. */
const PRECISION_RANGE = [0.05, 0.97] as const

type Rates = Readonly<Record<'truePositive' | 'falsePositive' | 'prevalence', ArrayLike<number>>>

/** The probabilities that the rates of one anchor imply by Bayes' rule. */
export interface AnchorFacts {
  readonly prevalence: number
  /** log P(A=0|Y=1) / P(A=0|Y=0), the log-odds that an anchor adds if it does not fire. */
  readonly silent: number
  /** P(Y=1|A=1), the anchor's precision. */
  readonly precision: number
  /** P(Y=1|A=0). */
  readonly missed: number
}

/** Applies Bayes' rule to the rates of each anchor. */
export function anchorFacts({truePositive, falsePositive, prevalence}: Rates): AnchorFacts[] {
  return Array.from(truePositive, (t, i) => {
    const e = falsePositive[i]
    const p = prevalence[i]
    const a = e + (t - e) * p
    return {prevalence: p, silent: log((1 - t) / (1 - e)), precision: (t * p) / a, missed: ((1 - t) * p) / (1 - a)}
  })
}

export type AnchorConstants = Pick<WordWeights, 'silent' | 'fired'>

/** Returns the classes, the concepts of exclusive groups. They are compared with each other, so calibration sets no constants. */
export function classesOf({anchors}: Pick<Lexicon, 'anchors'>): ReadonlySet<number> {
  return new Set(exclusiveGroups(anchors).flatMap(({concepts}) => concepts))
}

/** Returns, for each concept, the factor of each member of its anchor that fires beyond the first. */
export function memberFactors({anchors, reading: text}: Pick<Lexicon, 'anchors' | 'reading'>): number[] {
  const fieldOf = (feature: string) => text.text.findIndex(field => feature.startsWith(`${field}:`))
  return anchors.map(({any}) => (new Set(any.map(fieldOf)).size > 1 ? 1 : SYNONYM_FACTOR))
}

/** The part of the word weights that says how members, votes and words are added. */
export type EvidenceModel = Pick<WordWeights, 'firedShare' | 'members' | 'votes'>

/** Reads the evidence of one document at a time. */
export class EvidenceReader {
  /** The factor of the words' evidence on each concept where its anchor fired: 1 for classes, which words tell apart. */
  readonly firedFactors: readonly number[]
  /** Says whether members or votes count at all. */
  readonly hasMembers: boolean
  readonly memberCount: number
  /** 1 for classes with votes. */
  readonly #isVoted: Uint8Array
  readonly #memberFactors: readonly number[]
  /** The concept and the weight of each member; members are numbered through all concepts. */
  readonly #conceptOf: readonly number[]
  readonly #weights: readonly number[] | undefined
  readonly #readVotes: ReturnType<typeof voteEvidence>
  readonly #counts: Uint32Array
  readonly #fromMembers: Float64Array

  constructor(lexicon: Pick<Lexicon, 'anchors' | 'reading'>, {firedShare, members, votes = []}: EvidenceModel) {
    const {anchors} = lexicon
    const classes = classesOf(lexicon)
    this.firedFactors = anchors.map((_, i) => (classes.has(i) ? 1 : firedShare))
    this.hasMembers = members !== undefined || votes.length > 0
    this.#isVoted = new Uint8Array(anchors.length)
    for (const i of votes.flatMap(({concepts}) => concepts)) this.#isVoted[i] = 1
    this.#memberFactors = memberFactors(lexicon)
    this.#conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
    this.memberCount = this.#conceptOf.length
    this.#weights = members?.flat()
    this.#readVotes = voteEvidence(votes, anchors)
    this.#counts = new Uint32Array(anchors.length)
    this.#fromMembers = new Float64Array(anchors.length)
  }

  /** Returns the constants that follow from the rates by Bayes' rule or, for classes with votes, those of the prior. */
  constants(rates: Rates): AnchorConstants {
    const facts = anchorFacts(rates)
    return {
      silent: facts.map(({silent}, i) => (this.#isVoted[i] ? 0 : silent)),
      fired: facts.map(({precision, prevalence}, i) =>
        logit(this.#isVoted[i] ? prevalence : precision, PRECISION_FLOOR)
      )
    }
  }

  /**
   * Returns what the members that fired add to the log-odds of their concepts. For c members of a concept this is the mean of
   * their weights plus log(1 + s (c - 1)), with s of {@link memberFactors}, and 0 where none fired. For classes with votes it is
   * the evidence of the votes and of their absence. Members are numbered through all concepts.
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
      if (counts[i] > 0) out[i] = out[i] / counts[i] + log(1 + this.#memberFactors[i] * (counts[i] - 1))
    this.#readVotes(members, out)
    return out
  }

  /** Writes the log-odds that a document adds to each constant: to `silent` as if no anchor fired, to `fired` as if all did. */
  read(scores: Float64Array, members: ArrayLike<number>, silent: Float64Array, fired: Float64Array): void {
    const added = this.hasMembers ? this.fromMembers(members) : this.#fromMembers
    for (let i = 0; i < scores.length; i++) {
      silent[i] = scores[i] + this.#isVoted[i] * added[i]
      fired[i] = this.firedFactors[i] * scores[i] + added[i]
    }
  }
}

/** The evidence of a sample of documents; arrays hold document d, concept i at `d*m + i`. */
export interface SampleEvidence {
  readonly documents: number
  /** 1 where the anchor fired. */
  readonly isFired: Uint8Array
  /** The log-odds that a document adds to the constant, in case its anchor is silent, fired, or hidden. */
  readonly silent: Float64Array
  readonly fired: Float64Array
  readonly hidden: Float64Array
  /** The constants that follow from the rates by Bayes' rule. */
  readonly constants: AnchorConstants
  /** The concepts that keep these constants ({@link classesOf}). */
  readonly fixed: ReadonlySet<number>
}

/**
 * Learns the weights of members and votes from a sample of documents with the scores of their words, and computes the evidence of
 * these documents. `votes` are the weights learned from counts alone; from real documents they are fitted again, with the words.
 */
export function learnEvidence(
  sample: WordSample,
  given: {
    readonly lexicon: Pick<Lexicon, 'anchors' | 'reading'>
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
    firedShare: FIRED_FACTOR,
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
  const fixed = classesOf(lexicon)
  const evidence: SampleEvidence = {documents, isFired, silent, fired, hidden: scores, constants, fixed}
  return {model, memberPrecisions: learned?.precisions, evidence}
}

/** Fits the votes of a group to the documents of a sample, together with the evidence of their words. */
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
 * where r and q are the probabilities of the concept where the anchor fired and where it did not, s the scores of words, m_k, m_A
 * and m_0 their means where member k, any member and no member fired, n_k the number of documents of the member, and V = 0.04.
 * Log-odds are shifted so that {@link EvidenceReader.fromMembers} has the mean 0 over documents whose anchor fired. Returns
 * undefined if every anchor has one member, or if members are not known. Cost: O(m documents + members that fired).
 */
export function memberWeights(
  {documents, scores, fired, members}: WordSample,
  lexicon: Pick<Lexicon, 'anchors' | 'reading'>,
  facts: readonly Pick<AnchorFacts, 'precision' | 'missed'>[],
  voted: ReadonlySet<number>
): {readonly weights: MemberWeights; readonly precisions: number[][]} | undefined {
  const {anchors} = lexicon
  if (members === undefined || anchors.every(({any}, i) => any.length === 1 || voted.has(i))) return undefined
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  const m = facts.length
  const score = (d: number, i: number) => clamp(scores[d * m + i], -MAX_SCORE, MAX_SCORE)
  // The scores of concept i where its anchor did not fire ([i][0]) and did ([i][1]), and where member k fired.
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
    const r = clamp(precision, ...PRECISION_RANGE)
    const slope = (r - missed) / Math.max(mean - meanOf(none), MIN_DIFFERENCE)
    return firedBy
      .filter((_, k) => conceptOf[k] === i)
      .map(own => {
        const sampling = (slope * slope * variance) / Math.max(1, own.length)
        const change =
          own.length === 0 ? 0 : (slope * (meanOf(own) - mean) * MEMBER_VARIANCE) / (MEMBER_VARIANCE + sampling)
        return logit(clamp(r + change, ...PRECISION_RANGE))
      })
  })
  const reader = new EvidenceReader(lexicon, {firedShare: FIRED_FACTOR, members: rows})
  const sums = new Float64Array(m)
  for (const list of members) for (const [i, value] of reader.fromMembers(list).entries()) sums[i] += value
  const weights = rows.map((row, i) => {
    const shift = sums[i] / Math.max(1, byAnchor[i][1].length)
    return row.length === 1 ? [0] : row.map(weight => weight - shift)
  })
  return {weights, precisions: rows.map(row => row.map(sigmoid))}
}

/** Returns the mean of a list, which is 0 for an empty one. */
export function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
