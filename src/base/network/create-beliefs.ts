import {clamp, exp, log} from '../numeric/index.ts'
import {type BayesNetwork, priorLogOdds} from './bayes-network.ts'
import {createMessages, type NetworkMessages} from './network-messages.ts'
import {type Beliefs, type ConceptEvidence, PairBeliefs} from './pair-beliefs.ts'
import {isPairNetwork, type Network} from './pair-network.ts'

/** Creates the beliefs over a network. `couplingFactor` multiplies the couplings in messages; a directed network ignores it. */
export function createBeliefs(network: Network, couplingFactor?: number): Beliefs {
  return isPairNetwork(network) ? new PairBeliefs(network, couplingFactor) : new DirectedBeliefs(network)
}

/** The number of sweeps of loopy belief propagation, which is used where a junction tree would be too large. */
const LOOPY_SWEEPS = 10
/** A label is evidence of plus or minus these log-odds. Odds of evidence are clamped to keep products with messages in range. */
const LABEL_LOG_ODDS = 60
const MAX_ODDS = 1e24

/** Computes beliefs over a directed network: exactly on a forest or small junction tree, by loopy belief propagation otherwise. */
class DirectedBeliefs implements Beliefs {
  readonly isExact: boolean
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
    this.isExact = this.#messages.isExact
    this.#odds = new Float64Array(m)
    this.#children = network.parents.map((_, i) => network.parents.flatMap((list, k) => (list.includes(i) ? [k] : [])))
    this.prior = new Float64Array(m)
    this.#propagate(new Float64Array(m), new Int8Array(m).fill(-1), this.prior)
  }

  run(evidence: ConceptEvidence, out: Float64Array): void {
    this.#last = evidence
    this.#propagate(evidence.logOdds, evidence.labels, out)
    // An anchor that fired decides on its concept: the other concepts add nothing to its own evidence.
    const {isFired, logOdds} = evidence
    for (let i = 0; i < out.length; i++) if (isFired[i]) out[i] = this.prior[i] + logOdds[i]
  }

  #propagate(logOdds: Float64Array, labels: Int8Array, out: Float64Array): void {
    const [messages, odds] = [this.#messages, this.#odds]
    for (let i = 0; i < odds.length; i++) {
      const own = labels[i] === -1 ? logOdds[i] : LABEL_LOG_ODDS * (2 * labels[i] - 1)
      odds[i] = clamp(exp(own), 1 / MAX_ODDS, MAX_ODDS)
    }
    messages.reset()
    const sweeps = messages.isExact ? 1 : LOOPY_SWEEPS
    for (let sweep = 0; sweep < sweeps; sweep++) messages.sweep(odds, labels, 0)
    for (let i = 0; i < odds.length; i++) out[i] = log(odds[i])
  }

  /**
   * Returns for each other concept k by how much the log-odds of i fall when the evidence on k is removed. Entry i is the rest: what
   * the other concepts contribute together, minus the sum of these falls.
   */
  parts(i: number): Float64Array {
    const evidence = this.#last
    const m = this.prior.length
    const parts = new Float64Array(m)
    if (evidence === undefined || evidence.isFired[i]) return parts
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

  /** Sets out[i] to the prior log-odds of Y_i given all other concepts, of which those in `present` are 1 and the rest 0. */
  conditionalLogOdds(present: readonly number[], out: Float64Array): void {
    const y = new Uint8Array(out.length)
    for (const k of present) y[k] = 1
    for (let i = 0; i < out.length; i++) out[i] = priorLogOdds(this.#network, this.#children[i], y, i)
  }
}
