import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {type VoteWeights, voteEvidence} from '../votes/index.ts'
import type {WordSample} from './word-sample.ts'

/** The log-odds of members, a row per concept: added up by {@link memberEvidence}. */
export type MemberWeights = readonly (readonly number[])[]

/** Scores beyond this say no more. */
const FURTHEST_SCORE = 8
/** The least difference of mean scores, where the anchor fired and where it did not, that a precision is scaled by. */
const LEAST_DIFFERENCE = 0.3
/** The variance of the precisions of the members of one anchor, before their words are seen. */
const MEMBER_VARIANCE = 0.04
const PRECISION_RANGE = [0.05, 0.97] as const
/** Precisions of whole anchors, as far as members may differ from them. */
const UNION_RANGE = [0.03, 0.97] as const

/**
 * Each member's precision r_k, estimated from the words of the documents where it fired, and its log-odds:
 *
 *     r_k = r + g (m_k - m_A) V / (V + g^2 var_A(s) / n_k),    g = (r - q) / max(m_A - m_0, 0.3)
 *
 * with r and q the probabilities of the concept where the anchor fired and where it did not, s the scores of words,
 * m_k, m_A and m_0 their means where member k fired, where any did and where none did, n_k the documents of the member and
 * V = 0.04. Each row is shifted so that the mean of {@link memberEvidence} over documents
 * whose anchor fired is 0. Undefined where every anchor has one member, or where members are not known. Cost: O(m documents + members that fired).
 */
export function memberWeights(
  {documents, scores, fired, members}: WordSample,
  facts: readonly {readonly precision: number; readonly missed: number}[],
  voted: ReadonlySet<number> = new Set()
): {readonly weights: MemberWeights; readonly precisions: number[][]} | undefined {
  // Votes of classes have weights of their own.
  const counted = members?.concepts.filter(i => !voted.has(i)) ?? []
  if (members === undefined || counted.length === new Set(counted).size) return undefined
  const m = facts.length
  const score = (d: number, i: number) => clamp(scores[d * m + i], -FURTHEST_SCORE, FURTHEST_SCORE)
  // Per concept, where its anchor did not fire and where it did; per member, where it fired.
  const anchors = facts.map(() => [new Sums(), new Sums()])
  const single = members.concepts.map(() => new Sums())
  for (let d = 0; d < documents; d++) {
    for (let i = 0; i < m; i++) anchors[i][fired[d * m + i]].add(score(d, i))
    for (const k of members.fired[d]) single[k].add(score(d, members.concepts[k]))
  }
  const rows: number[][] = facts.map(() => [])
  single.forEach(({count, mean}, k) => {
    const i = members.concepts[k]
    const [silent, any] = anchors[i]
    const r = clamp(facts[i].precision, ...UNION_RANGE)
    const slope = (r - facts[i].missed) / Math.max(any.mean - silent.mean, LEAST_DIFFERENCE)
    const chance = (slope * slope * any.variance) / Math.max(1, count)
    const change = count === 0 ? 0 : (slope * (mean - any.mean) * MEMBER_VARIANCE) / (MEMBER_VARIANCE + chance)
    rows[i].push(logit(clamp(r + change, ...PRECISION_RANGE)))
  })
  const evidence = sampleEvidence(members, {members: rows}, documents)
  const weights = rows.map((row, i) => {
    if (row.length === 1) return [0]
    let sum = 0
    for (let d = 0; d < documents; d++) sum += evidence[d * m + i]
    const shift = sum / Math.max(1, anchors[i][1].count)
    return row.map(weight => weight - shift)
  })
  return {weights, precisions: rows.map(row => row.map(sigmoid))}
}

class Sums {
  count = 0
  #sum = 0
  #squares = 0

  add(value: number): void {
    this.count++
    this.#sum += value
    this.#squares += value * value
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.#sum / this.count
  }

  get variance(): number {
    return this.count === 0 ? 0 : Math.max(0, this.#squares / this.count - this.mean ** 2)
  }
}

/** What members add to the log-odds of their concepts; see `WordWeights`. */
export interface MemberModel {
  readonly members?: MemberWeights | undefined
  readonly votes?: readonly VoteWeights[] | undefined
}

/** {@link memberEvidence} of every document of a sample; document d, concept i at `d*m + i`. */
export function sampleEvidence(
  {fired, concepts}: NonNullable<WordSample['members']>,
  model: MemberModel,
  documents: number
): Float64Array {
  const sizes = new Array<number>(Math.max(...concepts) + 1).fill(0)
  for (const i of concepts) sizes[i]++
  const m = sizes.length
  const out = new Float64Array(documents * m)
  const read = memberEvidence(model, sizes)
  for (let d = 0; d < documents; d++) read(fired[d], out.subarray(d * m, (d + 1) * m))
  return out
}

/**
 * What the members that fired add to the log-odds of their concepts: the mean of their weights and the logarithm of their
 * number, 0 where none fired; for classes of groups with votes, these ({@link voteEvidence}). Members are numbered through all
 * concepts, of which concept i has `sizes[i]`. The function returned fills `out`.
 */
export function memberEvidence(
  {members, votes = []}: MemberModel,
  sizes: readonly number[]
): (fired: ArrayLike<number>, out: Float64Array) => void {
  const conceptOf = sizes.flatMap((size, i) => new Array<number>(size).fill(i))
  const flat = members?.flat()
  const readVotes = voteEvidence(votes, conceptOf)
  const voted = new Set(votes.flatMap(({concepts}) => concepts))
  const counts = new Uint32Array(sizes.length)
  return (fired, out) => {
    counts.fill(0)
    out.fill(0)
    if (flat !== undefined)
      for (let at = 0; at < fired.length; at++) {
        const i = conceptOf[fired[at]]
        if (voted.has(i)) continue
        out[i] += flat[fired[at]]
        counts[i]++
      }
    for (let i = 0; i < out.length; i++) if (counts[i] > 0) out[i] = out[i] / counts[i] + log(counts[i])
    readVotes(fired, out)
  }
}
