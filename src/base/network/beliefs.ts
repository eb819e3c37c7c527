import {clamp, exp, log, logit} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {parentState} from './bayes-network.ts'
import {createMessages, type NetworkMessages} from './network-messages.ts'
import {isPairNetwork, type Network, type PairNetwork, pairBiases, pairShift} from './pair-network.ts'

/** The evidence of one document on the concepts. */
export interface ConceptEvidence {
  /** The log-likelihood ratio of the document's own evidence on each concept. */
  readonly logOdds: Float64Array
  /** 1 for a concept whose probability follows from its own evidence alone; it still affects the others. */
  readonly settled: Uint8Array
  /** 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** P(Y_i = 1 | evidence) of every concept for many documents; one document at a time. */
export interface Beliefs {
  /** The log-odds of each concept without evidence. */
  readonly prior: Float64Array
  /** out[i] = the log-odds of concept i; of a labelled concept, unspecified. */
  run(evidence: ConceptEvidence, out: Float64Array): void
  /**
   * What each other concept contributed to `out[i]` in the last run; `out[i]` is the prior, the evidence on i and the sum
   * of all contributions. At place i: the part that cannot be attributed to one concept.
   */
  parts(i: number): Float64Array
  /** out[i] = the log-odds of concept i when exactly the `given` concepts are present among the others. */
  conditionalLogOdds(given: readonly number[], out: Float64Array): void
}

/**
 * The share of each coupling at which uncertain beliefs are passed on; labels count in full. Words of one document are
 * evidence of several concepts at once, and in full the same words would be counted again through each neighbour.
 */
export const PASSED_SHARE = 0.7

export function createBeliefs(network: Network, share = PASSED_SHARE): Beliefs {
  return isPairNetwork(network) ? new PairBeliefs(network, share) : new DirectedBeliefs(network)
}

/** Log-odds beyond this count as certain. */
export const CERTAIN = 27
/** Products of messages stay inside these bounds. */
export const TOP = 1e250

/** What beliefs pass on: e^(rho J), at `i*m + k`, and the biases of the couplings rho J. */
export function passedPairs({prevalence, couplings}: PairNetwork, share = PASSED_SHARE) {
  const passed = couplings.map(coupling => share * coupling)
  return {factors: passed.map(value => exp(value)), biases: pairBiases(prevalence, passed)}
}

/**
 * Sum-product over the pairs with couplings rho J, in two rounds in which all concepts send at once. With E = e^(rho J)
 * and the odds o_k of k without the message of i, the message from k to i is (1 + E o_k) / (1 + o_k). The first round
 * takes o_k from the evidence on k; the second divides the odds of the first by its message. Messages are products of
 * odds: no logarithm inside. Cost: O(m^2) per document.
 */
class PairBeliefs implements Beliefs {
  readonly prior: Float64Array
  readonly #network: PairNetwork
  /** e^(rho J), at `i*m + k`. */
  readonly #factors: Float64Array
  readonly #biases: Float64Array
  /** `pairShift` of concept i and neighbour k at the passed share, and in full. */
  readonly #shifts: Float64Array
  readonly #fullShifts: Float64Array
  /** Odds from the concept's own evidence, and after the first round; 1 / (1 + odds) of both; odds / (1 + odds) of the latter. */
  readonly #own: Float64Array
  readonly #ownAbsent: Float64Array
  readonly #first: Float64Array
  readonly #absent: Float64Array
  readonly #present: Float64Array
  #last: ConceptEvidence | undefined

  constructor(network: PairNetwork, share: number) {
    const {prevalence: p, couplings} = network
    const m = p.length
    const passed = couplings.map(coupling => share * coupling)
    const shiftsOf = (values: Float64Array) =>
      values.map((value, at) => {
        const [i, k] = [Math.floor(at / m), at % m]
        return i === k ? 0 : pairShift(p[i], p[k], value)
      })
    this.prior = p.map(value => logit(value))
    this.#network = network
    const {factors, biases} = passedPairs(network, share)
    this.#factors = factors
    this.#biases = biases
    this.#shifts = shiftsOf(passed)
    this.#fullShifts = share === 1 ? this.#shifts : shiftsOf(couplings)
    this.#own = new Float64Array(m)
    this.#ownAbsent = new Float64Array(m)
    this.#first = new Float64Array(m)
    this.#absent = new Float64Array(m)
    this.#present = new Float64Array(m)
  }

  run(evidence: ConceptEvidence, out: Float64Array): void {
    this.#last = evidence
    const {logOdds, settled, labels} = evidence
    const m = out.length
    for (let i = 0; i < m; i++) out[i] = (settled[i] ? this.prior[i] : this.#biases[i]) + logOdds[i]
    this.#addLabels(evidence, out)
    for (let i = 0; i < m; i++) {
      // A labelled concept takes no part: its message is 1 at odds 0.
      const odds = labels[i] === -1 ? exp(clamp(out[i], -CERTAIN, CERTAIN)) : 0
      this.#own[i] = odds
      this.#ownAbsent[i] = 1 / (1 + odds)
    }
    this.#firstRound(settled, labels)
    for (let i = 0; i < m; i++) if (!settled[i] && labels[i] === -1) out[i] += log(this.#secondRound(i, settled))
  }

  /** Labels replace the passed share of their concept's coupling by the whole. */
  #addLabels({settled, labels}: ConceptEvidence, out: Float64Array): void {
    const m = out.length
    for (let k = 0; k < m; k++) {
      if (labels[k] === -1) continue
      for (let i = 0; i < m; i++)
        if (!settled[i] && i !== k) out[i] += this.#labelPart(i, k, labels[k]) - this.#shifts[i * m + k]
    }
  }

  #labelPart(i: number, k: number, label: number): number {
    const at = i * this.prior.length + k
    return this.#fullShifts[at] + label * this.#network.couplings[at]
  }

  #firstRound(settled: Uint8Array, labels: Int8Array): void {
    const m = labels.length
    const [factors, own, ownAbsent, first] = [this.#factors, this.#own, this.#ownAbsent, this.#first]
    for (let i = 0; i < m; i++) {
      let odds = own[i]
      if (!settled[i] && labels[i] === -1) {
        const row = i * m
        // The factor of i itself is e^0 = 1, and its message 1.
        for (let k = 0; k < m; k++) odds *= (1 + factors[row + k] * own[k]) * ownAbsent[k]
      }
      first[i] = Math.min(odds, TOP)
      this.#absent[i] = 1 / (1 + first[i])
      this.#present[i] = first[i] * this.#absent[i]
    }
  }

  /** The product of the messages to i in the second round. */
  #secondRound(i: number, settled: Uint8Array): number {
    const [factors, absent, present] = [this.#factors, this.#absent, this.#present]
    const m = absent.length
    const row = i * m
    const own = this.#own[i]
    const ownAbsent = this.#ownAbsent[i]
    let above = 1
    let below = 1
    for (let k = 0; k < m; k++) {
      const factor = factors[row + k]
      // The message of i to k in the first round; a settled concept did not receive it.
      const sent = settled[k] ? 1 : (1 + factor * own) * ownAbsent
      above *= sent * absent[k] + factor * present[k]
      below *= sent * absent[k] + present[k]
    }
    return clamp(above / below, 1 / TOP, TOP)
  }

  parts(i: number): Float64Array {
    const evidence = this.#last
    const m = this.prior.length
    const parts = new Float64Array(m)
    if (evidence === undefined || evidence.settled[i]) return parts
    for (let k = 0; k < m; k++) {
      if (k === i) continue
      const at = i * m + k
      const factor = this.#factors[at]
      const sent = evidence.settled[k] ? 1 : (1 + factor * this.#own[i]) * this.#ownAbsent[i]
      const [absent, present] = [sent * this.#absent[k], this.#present[k]]
      parts[k] =
        evidence.labels[k] === -1
          ? this.#shifts[at] + log((absent + factor * present) / (absent + present))
          : this.#labelPart(i, k, evidence.labels[k])
    }
    return parts
  }

  conditionalLogOdds(given: readonly number[], out: Float64Array): void {
    const {biases, couplings} = this.#network
    const m = out.length
    out.set(biases)
    for (const k of given) for (let i = 0; i < m; i++) out[i] += couplings[k * m + i]
  }
}

/** Sweeps over a network that is too wide for exact sums. */
const LOOPY_SWEEPS = 10

/** Exact through a forest or junction tree, loopy beyond its limits. */
class DirectedBeliefs implements Beliefs {
  readonly prior: Float64Array
  readonly #network: BayesNetwork
  readonly #messages: NetworkMessages
  readonly #odds: Float64Array
  readonly #children: readonly (readonly number[])[]
  #last: ConceptEvidence | undefined

  constructor(network: BayesNetwork) {
    const m = network.parents.length
    this.#network = network
    this.#messages = createMessages(network)
    this.#odds = new Float64Array(m)
    this.#children = network.parents.map((_, i) => network.parents.flatMap((list, k) => (list.includes(i) ? [k] : [])))
    this.prior = new Float64Array(m)
    this.#propagate(new Float64Array(m), new Int8Array(m).fill(-1), this.prior)
  }

  run(evidence: ConceptEvidence, out: Float64Array): void {
    this.#last = evidence
    this.#propagate(evidence.logOdds, evidence.labels, out)
    const {settled, logOdds} = evidence
    for (let i = 0; i < out.length; i++) if (settled[i]) out[i] = this.prior[i] + logOdds[i]
  }

  #propagate(logOdds: Float64Array, labels: Int8Array, out: Float64Array): void {
    const [messages, odds] = [this.#messages, this.#odds]
    for (let i = 0; i < odds.length; i++)
      odds[i] = evidenceOdds(labels[i] === -1 ? logOdds[i] : 60 * (2 * labels[i] - 1))
    messages.reset()
    const sweeps = messages.kind === 'loopy' ? LOOPY_SWEEPS : 1
    for (let sweep = 0; sweep < sweeps; sweep++) messages.sweep(odds, labels, 0)
    for (let i = 0; i < odds.length; i++) out[i] = log(odds[i])
  }

  /** The effect of removing the evidence on each other concept; they need not add up, and place i has the difference. */
  parts(i: number): Float64Array {
    const evidence = this.#last
    const m = this.prior.length
    const parts = new Float64Array(m)
    if (evidence === undefined || evidence.settled[i]) return parts
    const out = new Float64Array(m)
    this.#propagate(evidence.logOdds, evidence.labels, out)
    const whole = out[i]
    for (let k = 0; k < m; k++) {
      if (k === i || (evidence.labels[k] === -1 && evidence.logOdds[k] === 0)) continue
      this.#propagate(evidence.logOdds.with(k, 0), evidence.labels.with(k, -1), out)
      parts[k] = whole - out[i]
    }
    parts[i] = whole - this.prior[i] - evidence.logOdds[i] - parts.reduce((sum, part) => sum + part, 0)
    return parts
  }

  conditionalLogOdds(given: readonly number[], out: Float64Array): void {
    const y = new Uint8Array(out.length)
    for (const k of given) y[k] = 1
    for (let i = 0; i < out.length; i++) {
      const before = y[i]
      y[i] = 1
      const present = this.#logFamilies(i, y)
      y[i] = 0
      out[i] = present - this.#logFamilies(i, y)
      y[i] = before
    }
  }

  /** The terms of log P(y) that depend on Y_i. */
  #logFamilies(i: number, y: Uint8Array): number {
    const {parents, cpt} = this.#network
    return [i, ...this.#children[i]].reduce((sum, k) => {
      const p = cpt[k][parentState(parents[k], y)]
      return sum + log(y[k] ? p : 1 - p)
    }, 0)
  }
}

/** Odds that no product with messages takes beyond the bounds of {@link NetworkMessages}. */
function evidenceOdds(logOdds: number): number {
  return exp(clamp(logOdds, -2 * CERTAIN, 2 * CERTAIN))
}
