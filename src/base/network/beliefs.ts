import {clamp, exp, log, logit, sigmoid} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'
import {parentState} from './bayes-network.ts'
import {createMessages, type NetworkMessages} from './network-messages.ts'
import {isPairNetwork, jointTable, type Network, type PairNetwork, pairShift} from './pair-network.ts'

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
export const PASSED_SHARE = 0.6

export function createBeliefs(network: Network, share = PASSED_SHARE): Beliefs {
  return isPairNetwork(network) ? new PairBeliefs(network, share) : new DirectedBeliefs(network)
}

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
class PairBeliefs implements Beliefs {
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

  constructor(network: PairNetwork, share: number) {
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
    const [q, r, fixed, {absent, present}] = [this.#with, this.#without, this.#fixed, this.#before]
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
    const [q, r, qOf, rOf, fixed] = [this.#with, this.#without, this.#withOf, this.#withoutOf, this.#fixed]
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
  return clamp(exp(logOdds), 1 / SURE ** 2, SURE ** 2)
}
