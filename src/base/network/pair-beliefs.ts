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

/** Computes the log-odds of P(Y_i = 1 | evidence) for every concept, one document at a time. */
export interface Beliefs {
  /** Whether the probabilities are exact for the network, up to rounding. */
  readonly isExact: boolean
  /** The log-odds of each concept without evidence. */
  readonly prior: Float64Array
  /** Sets out[i] to the log-odds of concept i given the evidence; the entry of a labelled concept is unspecified. */
  run(evidence: ConceptEvidence, out: Float64Array): void
  /**
   * Returns what each other concept contributed to `out[i]` in the last run: `out[i]` is the sum of the prior log-odds, the evidence
   * on i and all contributions. Entry i is the contribution that cannot be attributed to a single concept.
   */
  parts(i: number): Float64Array
  /** Sets out[i] to the prior log-odds of Y_i given all other concepts, of which those in `present` are 1 and the rest 0. */
  conditionalLogOdds(present: readonly number[], out: Float64Array): void
}

/**
 * Couplings are multiplied by this factor in messages from unlabelled concepts. The same words are evidence on several concepts, so
 * messages with full couplings would count them again through each neighbour. The factor was chosen by hand on tagged corpora.
 */
const COUPLING_FACTOR = 0.6

/** The likelihood ratio of the evidence on a concept is clamped to [1 / SURE, SURE]. */
const SURE = 1e12
/** The numerators and the denominators of this many messages are multiplied before they are divided; more might leave the range. */
const PRODUCT_LENGTH = 16

/**
 * Returns P(Y_k=1|Y_i=1) as `present` and P(Y_k=1|Y_i=0) as `absent`, at `i*m + k` and 0 on the diagonal, from tables of pairs whose
 * couplings are multiplied by the factor. `sure` is the bound of likelihood ratios.
 */
export function messageTables({prevalence: p, couplings}: PairNetwork, couplingFactor = COUPLING_FACTOR) {
  const m = p.length
  const [present, absent] = [new Float64Array(m * m), new Float64Array(m * m)]
  for (let i = 0; i < m; i++)
    for (let k = 0; k < m; k++) {
      if (i === k) continue
      const [, second, , both] = jointTable(p[i], p[k], couplingFactor * couplings[i * m + k])
      present[i * m + k] = both / p[i]
      absent[i * m + k] = second / (1 - p[i])
    }
  return {present, absent, sure: SURE}
}

/** The number of values per pair in `#tables` and per concept in `#state`. */
const STRIDE = 4

/**
 * Computes beliefs over a pair network by two rounds of sum-product, in each of which all concepts send at once.
 *
 * Each message is divided by the one without evidence, so that without evidence the prior remains. With q = P(Y_k=1|Y_i=1) and
 * r = P(Y_k=1|Y_i=0) from the pair's own table, and L the likelihood ratio of all evidence on k except that from i, the message from
 * k to i is (1 - q + q L) / (1 - r + r L). Numerators and denominators are multiplied separately, so that the inner loops need
 * neither a logarithm nor a division. Cost: O(m^2) per document.
 */
export class PairBeliefs implements Beliefs {
  readonly isExact = false
  readonly prior: Float64Array
  readonly #network: PairNetwork
  /** At `4*(i*m + k)`, q and r (see the comment of the class) of the message from k to i, then from i to k; all 0 if i = k. */
  readonly #tables: Float64Array
  /** 1 for a concept that contributes the same to the others in both rounds, since its anchor fired or it is labelled. */
  readonly #fixed: Uint8Array
  /**
   * 1 / (1 + L) and L / (1 + L) for the likelihood ratio L of the evidence on concept i before the first round, then after it, at
   * `4*i`. All are 0 for a fixed concept, which sends no messages.
   */
  readonly #state: Float64Array
  #last: ConceptEvidence | undefined

  constructor(network: PairNetwork, couplingFactor?: number) {
    const {prevalence: p} = network
    const m = p.length
    this.prior = p.map(value => logit(value))
    this.#network = network
    const {present, absent} = messageTables(network, couplingFactor)
    // Computing the messages to two concepts at a time takes 20% less time. If m is odd, a dummy concept without effect is added.
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
    for (let i = 0; i < m; i++) if (fixed[i] === 0) this.#setEvidence(STRIDE * i, exp(out[i] - this.prior[i]))
    for (let i = 0; i < m; i += 2) this.#firstRound(i)
    for (let i = 0; i < m; i += 2) this.#secondRound(i, out)
  }

  /** Stores 1 / (1 + L) and L / (1 + L) of a likelihood ratio L at indices `at` and `at + 1` of the state. */
  #setEvidence(at: number, ratio: number): void {
    const bounded = clamp(ratio, 1 / SURE, SURE)
    const absent = 1 / (1 + bounded)
    this.#state[at] = absent
    this.#state[at + 1] = bounded * absent
  }

  /** Adds to the log-odds of all other concepts what the fixed concepts contribute. */
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

  /** Returns the factor of the odds of i from concept k, whose anchor fired and which is present with this probability. */
  #firedFactor(i: number, k: number, present: number): number {
    const at = STRIDE * (i * this.prior.length + k)
    const q = this.#tables[at]
    const r = this.#tables[at + 1]
    return ((1 - present) * (1 - q)) / (1 - r) + (present * q) / r
  }

  /** Returns what the label of concept k adds to the log-odds of i, with the full coupling of the pair. */
  #labelPart(i: number, k: number, label: number): number {
    const {prevalence: p, couplings} = this.#network
    const coupling = couplings[i * p.length + k]
    return pairShift(p[i], p[k], coupling) + label * coupling
  }

  /** Sets the evidence on i and j = i + 1 after the messages of the first round; the ratio of a fixed concept is NaN and unused. */
  #firstRound(i: number): void {
    const tables = this.#tables
    const state = this.#state
    const length = STRIDE * this.prior.length
    let ratio = state[STRIDE * i + 1] / state[STRIDE * i]
    let ratioOfJ = state[STRIDE * i + STRIDE + 1] / state[STRIDE * i + STRIDE]
    for (let from = 0; from < length; from += PRODUCT_LENGTH * STRIDE) {
      const to = Math.min(length, from + PRODUCT_LENGTH * STRIDE)
      let numerator = 1
      let denominator = 1
      let numeratorOfJ = 1
      let denominatorOfJ = 1
      for (let k = from, at = i * length + from, atJ = at + length; k < to; k += STRIDE, at += STRIDE, atJ += STRIDE) {
        const absent = state[k]
        if (absent === 0) continue
        const difference = state[k + 1] - absent
        numerator *= absent + tables[at] * difference
        denominator *= absent + tables[at + 1] * difference
        numeratorOfJ *= absent + tables[atJ] * difference
        denominatorOfJ *= absent + tables[atJ + 1] * difference
      }
      ratio *= numerator / denominator
      ratioOfJ *= numeratorOfJ / denominatorOfJ
    }
    if (this.#fixed[i] === 0) this.#setEvidence(STRIDE * i + 2, ratio)
    if (this.#fixed[i + 1] === 0) this.#setEvidence(STRIDE * i + STRIDE + 2, ratioOfJ)
  }

  /**
   * Adds the logarithms of the messages to i and j = i + 1 in the second round. The message from k to i uses the evidence on k after
   * the first round, divided by the message that i sent to k.
   */
  #secondRound(i: number, out: Float64Array): void {
    const tables = this.#tables
    const state = this.#state
    const length = STRIDE * this.prior.length
    const own = state[STRIDE * i]
    const ownDifference = state[STRIDE * i + 1] - own
    const ownOfJ = state[STRIDE * i + STRIDE]
    const ownDifferenceOfJ = state[STRIDE * i + STRIDE + 1] - ownOfJ
    let ratio = 1
    let ratioOfJ = 1
    for (let from = 0; from < length; from += PRODUCT_LENGTH * STRIDE) {
      const to = Math.min(length, from + PRODUCT_LENGTH * STRIDE)
      let numerator = 1
      let denominator = 1
      let numeratorOfJ = 1
      let denominatorOfJ = 1
      for (let k = from, at = i * length + from, atJ = at + length; k < to; k += STRIDE, at += STRIDE, atJ += STRIDE) {
        const absent = state[k + 2]
        if (absent === 0) continue
        const present = state[k + 3]
        const without = (own + tables[at + 2] * ownDifference) * absent
        const difference = (own + tables[at + 3] * ownDifference) * present - without
        numerator *= without + tables[at] * difference
        denominator *= without + tables[at + 1] * difference
        const withoutOfJ = (ownOfJ + tables[atJ + 2] * ownDifferenceOfJ) * absent
        const differenceOfJ = (ownOfJ + tables[atJ + 3] * ownDifferenceOfJ) * present - withoutOfJ
        numeratorOfJ *= withoutOfJ + tables[atJ] * differenceOfJ
        denominatorOfJ *= withoutOfJ + tables[atJ + 1] * differenceOfJ
      }
      ratio = this.#keepInRange(i, ratio * (numerator / denominator), out)
      ratioOfJ = this.#keepInRange(i + 1, ratioOfJ * (numeratorOfJ / denominatorOfJ), out)
    }
    if (this.#fixed[i] === 0) out[i] += log(ratio)
    if (this.#fixed[i + 1] === 0) out[i + 1] += log(ratioOfJ)
  }

  /** Returns the ratio or, if its next product could leave the range of doubles, adds its logarithm to out[i] and returns 1. */
  #keepInRange(i: number, ratio: number, out: Float64Array): number {
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
    const [own, ownPresent] = this.#state.subarray(STRIDE * i, STRIDE * i + 2)
    const [absent, present] = this.#state.subarray(STRIDE * k + 2, STRIDE * k + STRIDE)
    const without = (own + qBack * (ownPresent - own)) * absent
    const difference = (own + rBack * (ownPresent - own)) * present - without
    return (without + q * difference) / (without + r * difference)
  }

  /** Sets out[i] to the prior log-odds of Y_i given the others, b_i plus its couplings to the concepts that are `present`. */
  conditionalLogOdds(present: readonly number[], out: Float64Array): void {
    const {biases, couplings} = this.#network
    const m = out.length
    out.set(biases)
    for (const k of present) for (let i = 0; i < m; i++) out[i] += couplings[k * m + i]
  }
}
