import {clamp, exp, log, logit, sigmoid} from '../numeric/index.ts'
import type {Beliefs, ConceptEvidence} from './beliefs.ts'
import {jointTable, type PairNetwork, pairShift} from './pair-network.ts'

/**
 * The share of each coupling at which uncertain beliefs are passed on; labels count in full. Words of one document are
 * evidence of several concepts at once, and in full the same words would be counted again through each neighbour.
 */
export const PASSED_SHARE = 0.6

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

function transposed(table: Float64Array, m: number): Float64Array {
  return table.map((_, at) => table[(at % m) * m + Math.floor(at / m)])
}

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
  /** q and r at `i*m + k`, 0 on the diagonal, and their transposes. */
  readonly #with: Float64Array
  readonly #without: Float64Array
  readonly #withOf: Float64Array
  readonly #withoutOf: Float64Array
  /** 1 for a concept whose part in the others is the same in both rounds: settled or labelled. */
  readonly #fixed: Uint8Array
  /** Before the first round and after it. */
  readonly #before: Chances
  readonly #after: Chances
  #last: ConceptEvidence | undefined

  constructor(network: PairNetwork, share?: number) {
    const {prevalence: p} = network
    const m = p.length
    const chances = () => ({absent: new Float64Array(m), present: new Float64Array(m)})
    this.prior = p.map(value => logit(value))
    this.#network = network
    const {present, absent} = passedTables(network, share)
    this.#with = present
    this.#without = absent
    this.#withOf = transposed(present, m)
    this.#withoutOf = transposed(absent, m)
    this.#fixed = new Uint8Array(m)
    this.#before = chances()
    this.#after = chances()
  }

  run(evidence: ConceptEvidence, out: Float64Array): void {
    this.#last = evidence
    const fixed = this.#fixed
    const m = out.length
    for (let i = 0; i < m; i++) {
      out[i] = this.prior[i] + evidence.logOdds[i]
      fixed[i] = evidence.settled[i] || evidence.labels[i] !== -1 ? 1 : 0
    }
    this.#addFixed(evidence, out)
    for (let i = 0; i < m; i++) setChances(this.#before, i, exp(out[i] - this.prior[i]))
    for (let i = 0; i < m; i++) if (fixed[i] === 0) setChances(this.#after, i, this.#firstRound(i))
    for (let i = 0; i < m; i++) if (fixed[i] === 0) out[i] += this.#secondRound(i)
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
        if (labels[k] === -1) product *= this.#settledFactor(i, k, present[at])
        else out[i] += this.#labelPart(i, k, labels[k])
      }
      out[i] += log(product)
    }
  }

  /** The factor of a settled concept that is present with this probability. */
  #settledFactor(i: number, k: number, present: number): number {
    const at = i * this.prior.length + k
    const [q, r] = [this.#with[at], this.#without[at]]
    return ((1 - present) * (1 - q)) / (1 - r) + (present * q) / r
  }

  /** Labels count in full. */
  #labelPart(i: number, k: number, label: number): number {
    const {prevalence: p, couplings} = this.#network
    const coupling = couplings[i * p.length + k]
    return pairShift(p[i], p[k], coupling) + label * coupling
  }

  /** The likelihood ratio of all evidence on i after the messages of the first round. */
  #firstRound(i: number): number {
    const q = this.#with
    const r = this.#without
    const fixed = this.#fixed
    const {absent, present} = this.#before
    const m = absent.length
    const row = i * m
    let ratio = present[i] / absent[i]
    for (let from = 0; from < m; from += PRODUCT_LENGTH) {
      const to = Math.min(m, from + PRODUCT_LENGTH)
      let above = 1
      let below = 1
      for (let k = from; k < to; k++) {
        if (fixed[k] === 1) continue
        const more = present[k] - absent[k]
        above *= absent[k] + q[row + k] * more
        below *= absent[k] + r[row + k] * more
      }
      ratio *= above / below
    }
    return ratio
  }

  /**
   * The sum of the logarithms of the messages to i in the second round: the evidence on k after the first is divided by
   * the message that k received from i.
   */
  #secondRound(i: number): number {
    const q = this.#with
    const r = this.#without
    const qOf = this.#withOf
    const rOf = this.#withoutOf
    const fixed = this.#fixed
    const {absent, present} = this.#after
    const m = absent.length
    const row = i * m
    const own = this.#before.absent[i]
    const ownMore = this.#before.present[i] - own
    let sum = 0
    let ratio = 1
    for (let from = 0; from < m; from += PRODUCT_LENGTH) {
      const to = Math.min(m, from + PRODUCT_LENGTH)
      let above = 1
      let below = 1
      for (let k = from; k < to; k++) {
        if (fixed[k] === 1) continue
        const no = (own + qOf[row + k] * ownMore) * absent[k]
        const more = (own + rOf[row + k] * ownMore) * present[k] - no
        above *= no + q[row + k] * more
        below *= no + r[row + k] * more
      }
      ratio *= above / below
      if (ratio > 1e-150 && ratio < 1e150) continue
      sum += log(ratio)
      ratio = 1
    }
    return sum + log(ratio)
  }

  parts(i: number): Float64Array {
    const evidence = this.#last
    const m = this.prior.length
    const parts = new Float64Array(m)
    if (evidence === undefined || evidence.settled[i]) return parts
    for (let k = 0; k < m; k++) if (k !== i) parts[k] = this.#part(i, k, evidence)
    return parts
  }

  #part(i: number, k: number, {logOdds, labels}: ConceptEvidence): number {
    if (labels[k] !== -1) return this.#labelPart(i, k, labels[k])
    if (this.#fixed[k] === 1) return log(this.#settledFactor(i, k, sigmoid(this.prior[k] + logOdds[k])))
    return log(this.#message(i, k))
  }

  /** From k to i in the second round. */
  #message(i: number, k: number): number {
    const at = i * this.prior.length + k
    const own = this.#before.absent[i]
    const ownMore = this.#before.present[i] - own
    const no = (own + this.#withOf[at] * ownMore) * this.#after.absent[k]
    const more = (own + this.#withoutOf[at] * ownMore) * this.#after.present[k] - no
    return (no + this.#with[at] * more) / (no + this.#without[at] * more)
  }

  conditionalLogOdds(given: readonly number[], out: Float64Array): void {
    const {biases, couplings} = this.#network
    const m = out.length
    out.set(biases)
    for (const k of given) for (let i = 0; i < m; i++) out[i] += couplings[k * m + i]
  }
}

/** 1 / (1 + L) and L / (1 + L) of the evidence on each concept. */
interface Chances {
  readonly absent: Float64Array
  readonly present: Float64Array
}

function setChances({absent, present}: Chances, i: number, ratio: number): void {
  const bounded = clamp(ratio, 1 / SURE, SURE)
  absent[i] = 1 / (1 + bounded)
  present[i] = bounded * absent[i]
}
