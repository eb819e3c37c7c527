import {clamp, exp, log, logit, sigmoid} from '../numeric/index.ts'
import {jointTable, type PairNetwork, pairShift} from './pair-network.ts'

/** The evidence of one document on the concepts. */
export interface ConceptEvidence {
  /** The log-likelihood ratio of the document's own evidence on each concept. */
  readonly logOdds: Float64Array
  /** 1 for a concept whose anchor fired: its probability follows from its own evidence alone, but it still affects the others. */
  readonly isFired: Uint8Array
  /** 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** P(Y_i = 1 | evidence) of every concept for many documents; one document at a time. */
export interface Beliefs {
  /** Says whether the probabilities are exact for the network, up to rounding. */
  readonly isExact: boolean
  /** The log-odds of each concept without evidence. */
  readonly prior: Float64Array
  /** out[i] = the log-odds of concept i; of a labelled concept, unspecified. */
  run(evidence: ConceptEvidence, out: Float64Array): void
  /**
   * What each other concept contributed to `out[i]` in the last run; `out[i]` is the prior, the evidence on i and the sum
   * of all contributions. Entry i holds the part that cannot be attributed to one concept.
   */
  parts(i: number): Float64Array
  /** out[i] = the log-odds of concept i when exactly the `given` concepts are present among the others. */
  conditionalLogOdds(given: readonly number[], out: Float64Array): void
}

/**
 * The share of each coupling at which uncertain beliefs are passed on; labels count in full. Words of one document are
 * evidence of several concepts at once, and in full the same words would be counted again through each neighbour.
 */
const PASSED_SHARE = 0.6

/** A likelihood ratio beyond this counts as certain. */
const SURE = 1e12
/** So many messages are multiplied before their quotient is taken: longer products could leave the range of numbers. */
const PRODUCT_LENGTH = 16

/**
 * P(Y_k=1) where Y_i is present and where it is absent, at `i*m + k`, with couplings rho J; 0 on the diagonal. And the
 * likelihood ratio that counts as certain.
 */
export function passedTables({prevalence: p, couplings}: PairNetwork, share = PASSED_SHARE) {
  const m = p.length
  const [present, absent] = [new Float64Array(m * m), new Float64Array(m * m)]
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      if (i === k) continue
      const [, second, , both] = jointTable(p[i], p[k], share * couplings[i * m + k])
      present[i * m + k] = both / p[i]
      absent[i * m + k] = second / (1 - p[i])
    }
  return {present, absent, sure: SURE}
}

/** Numbers per pair in the table of {@link PairBeliefs}, and per concept in its state. */
const STRIDE = 4

/**
 * Sum-product over the pairs with couplings rho J, in two rounds in which all concepts send at once.
 *
 * Messages are relative to those without evidence, at which they start, so that no evidence leaves the prior. With
 * q = P(Y_k=1|Y_i=1), r = P(Y_k=1|Y_i=0) of the pair's own table, and the likelihood ratio L of all evidence on k but
 * that from i, the message from k to i is (1 - q + q L) / (1 - r + r L). Numerators and denominators are multiplied apart:
 * no logarithm or division inside. Cost: O(m^2) per document.
 */
export class PairBeliefs implements Beliefs {
  readonly isExact = false
  readonly prior: Float64Array
  readonly #network: PairNetwork
  /** q and r of i, k and of k, i at `4*(i*m + k)`, 0 on the diagonal: what a message needs is in one place. */
  readonly #tables: Float64Array
  /** 1 for a concept whose part in the others is the same in both rounds: its anchor fired, or it is labelled. */
  readonly #fixed: Uint8Array
  /**
   * 1 / (1 + L) and L / (1 + L) of the evidence on each concept before the first round, and the same after it, at `4*i`;
   * of a fixed concept, which sends no messages, 0.
   */
  readonly #state: Float64Array
  #last: ConceptEvidence | undefined

  constructor(network: PairNetwork, share?: number) {
    const {prevalence: p} = network
    const m = p.length
    this.prior = p.map(value => logit(value))
    this.#network = network
    const {present, absent} = passedTables(network, share)
    // Concepts receive messages two by two, which takes a fifth less time; an odd last one has an idle fixed one beside it.
    const even = m + (m % 2)
    this.#tables = new Float64Array(STRIDE * m * even)
    for (let at = 0; at < m * m; at++) {
      const back = (at % m) * m + Math.floor(at / m)
      this.#tables.set([present[at], absent[at], present[back], absent[back]], STRIDE * at)
    }
    this.#fixed = new Uint8Array(even).fill(1)
    this.#state = new Float64Array(STRIDE * even)
  }

  run(evidence: ConceptEvidence, out: Float64Array): void {
    this.#last = evidence
    const fixed = this.#fixed
    const m = out.length
    for (let i = 0; i < m; i++) {
      out[i] = this.prior[i] + evidence.logOdds[i]
      fixed[i] = evidence.isFired[i] || evidence.labels[i] !== -1 ? 1 : 0
    }
    this.#addFixed(evidence, out)
    this.#state.fill(0)
    for (let i = 0; i < m; i++) if (fixed[i] === 0) this.#setChances(STRIDE * i, exp(out[i] - this.prior[i]))
    for (let i = 0; i < m; i += 2) this.#firstRound(i)
    for (let i = 0; i < m; i += 2) this.#secondRound(i, out)
  }

  #setChances(at: number, ratio: number): void {
    const bounded = clamp(ratio, 1 / SURE, SURE)
    const absent = 1 / (1 + bounded)
    this.#state[at] = absent
    this.#state[at + 1] = bounded * absent
  }

  #addFixed({labels}: ConceptEvidence, out: Float64Array): void {
    const fixed: number[] = []
    for (let k = 0; k < out.length; k++) if (this.#fixed[k] === 1) fixed.push(k)
    if (fixed.length === 0) return
    const present = fixed.map(k => sigmoid(out[k]))
    for (let i = 0; i < out.length; i++) {
      if (this.#fixed[i] === 1) continue
      let product = 1
      for (let at = 0; at < fixed.length; at++) {
        const k = fixed[at]
        if (labels[k] === -1) product *= this.#firedFactor(i, k, present[at])
        else out[i] += this.#labelPart(i, k, labels[k])
      }
      out[i] += log(product)
    }
  }

  /** Returns the factor of a concept whose anchor fired and that is present with this probability. */
  #firedFactor(i: number, k: number, present: number): number {
    const at = STRIDE * (i * this.prior.length + k)
    const q = this.#tables[at]
    const r = this.#tables[at + 1]
    return ((1 - present) * (1 - q)) / (1 - r) + (present * q) / r
  }

  /** Returns what a labelled concept adds to the log-odds of i: its coupling counts in full. */
  #labelPart(i: number, k: number, label: number): number {
    const {prevalence: p, couplings} = this.#network
    const coupling = couplings[i * p.length + k]
    return pairShift(p[i], p[k], coupling) + label * coupling
  }

  /** Sets the evidence on i and j = i + 1 after the messages of the first round. */
  #firstRound(i: number): void {
    const tables = this.#tables
    const state = this.#state
    const length = STRIDE * this.prior.length
    let ratio = state[STRIDE * i + 1] / state[STRIDE * i]
    let ratioOfJ = state[STRIDE * i + STRIDE + 1] / state[STRIDE * i + STRIDE]
    for (let from = 0; from < length; from += PRODUCT_LENGTH * STRIDE) {
      const to = Math.min(length, from + PRODUCT_LENGTH * STRIDE)
      let above = 1
      let below = 1
      let aboveOfJ = 1
      let belowOfJ = 1
      for (let k = from, at = i * length + from, atJ = at + length; k < to; k += STRIDE, at += STRIDE, atJ += STRIDE) {
        const absent = state[k]
        if (absent === 0) continue
        const more = state[k + 1] - absent
        above *= absent + tables[at] * more
        below *= absent + tables[at + 1] * more
        aboveOfJ *= absent + tables[atJ] * more
        belowOfJ *= absent + tables[atJ + 1] * more
      }
      ratio *= above / below
      ratioOfJ *= aboveOfJ / belowOfJ
    }
    if (this.#fixed[i] === 0) this.#setChances(STRIDE * i + 2, ratio)
    if (this.#fixed[i + 1] === 0) this.#setChances(STRIDE * i + STRIDE + 2, ratioOfJ)
  }

  /**
   * Adds the logarithms of the messages to i and j = i + 1 in the second round: the evidence on k after the first is
   * divided by the message that k received.
   */
  #secondRound(i: number, out: Float64Array): void {
    const tables = this.#tables
    const state = this.#state
    const length = STRIDE * this.prior.length
    const own = state[STRIDE * i]
    const ownMore = state[STRIDE * i + 1] - own
    const ownOfJ = state[STRIDE * i + STRIDE]
    const ownMoreOfJ = state[STRIDE * i + STRIDE + 1] - ownOfJ
    let ratio = 1
    let ratioOfJ = 1
    for (let from = 0; from < length; from += PRODUCT_LENGTH * STRIDE) {
      const to = Math.min(length, from + PRODUCT_LENGTH * STRIDE)
      let above = 1
      let below = 1
      let aboveOfJ = 1
      let belowOfJ = 1
      for (let k = from, at = i * length + from, atJ = at + length; k < to; k += STRIDE, at += STRIDE, atJ += STRIDE) {
        const absent = state[k + 2]
        if (absent === 0) continue
        const present = state[k + 3]
        const no = (own + tables[at + 2] * ownMore) * absent
        const more = (own + tables[at + 3] * ownMore) * present - no
        above *= no + tables[at] * more
        below *= no + tables[at + 1] * more
        const noOfJ = (ownOfJ + tables[atJ + 2] * ownMoreOfJ) * absent
        const moreOfJ = (ownOfJ + tables[atJ + 3] * ownMoreOfJ) * present - noOfJ
        aboveOfJ *= noOfJ + tables[atJ] * moreOfJ
        belowOfJ *= noOfJ + tables[atJ + 1] * moreOfJ
      }
      ratio = this.#within(i, ratio * (above / below), out)
      ratioOfJ = this.#within(i + 1, ratioOfJ * (aboveOfJ / belowOfJ), out)
    }
    if (this.#fixed[i] === 0) out[i] += log(ratio)
    if (this.#fixed[i + 1] === 0) out[i + 1] += log(ratioOfJ)
  }

  /** Returns the ratio, or 1 where it nears the end of the range of numbers: its logarithm is then added at once. */
  #within(i: number, ratio: number, out: Float64Array): number {
    if ((ratio > 1e-150 && ratio < 1e150) || this.#fixed[i] === 1) return ratio
    out[i] += log(ratio)
    return 1
  }

  parts(i: number): Float64Array {
    const evidence = this.#last
    const m = this.prior.length
    const parts = new Float64Array(m)
    if (evidence === undefined || evidence.isFired[i]) return parts
    for (let k = 0; k < m; k++) if (k !== i) parts[k] = this.#part(i, k, evidence)
    return parts
  }

  #part(i: number, k: number, {logOdds, labels}: ConceptEvidence): number {
    if (labels[k] !== -1) return this.#labelPart(i, k, labels[k])
    if (this.#fixed[k] === 1) return log(this.#firedFactor(i, k, sigmoid(this.prior[k] + logOdds[k])))
    return log(this.#message(i, k))
  }

  /** Returns the message from k to i in the second round. */
  #message(i: number, k: number): number {
    const at = STRIDE * (i * this.prior.length + k)
    const [q, r, qBack, rBack] = this.#tables.subarray(at, at + STRIDE)
    const [own, owned] = this.#state.subarray(STRIDE * i, STRIDE * i + 2)
    const [absent, present] = this.#state.subarray(STRIDE * k + 2, STRIDE * k + STRIDE)
    const no = (own + qBack * (owned - own)) * absent
    const more = (own + rBack * (owned - own)) * present - no
    return (no + q * more) / (no + r * more)
  }

  conditionalLogOdds(given: readonly number[], out: Float64Array): void {
    const {biases, couplings} = this.#network
    const m = out.length
    out.set(biases)
    for (const k of given) for (let i = 0; i < m; i++) out[i] += couplings[k * m + i]
  }
}
