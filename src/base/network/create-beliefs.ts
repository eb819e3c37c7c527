import {clamp, exp, log} from '../numeric/index.ts'
import {type BayesNetwork, priorLogOdds} from './bayes-network.ts'
import {createMessages, type NetworkMessages} from './network-messages.ts'
import {type Beliefs, type ConceptEvidence, PairBeliefs} from './pair-beliefs.ts'
import {isPairNetwork, type Network} from './pair-network.ts'

export function createBeliefs(network: Network, share?: number): Beliefs {
  return isPairNetwork(network) ? new PairBeliefs(network, share) : new DirectedBeliefs(network)
}

/** Sweeps over a network that is too wide for exact sums. */
const LOOPY_SWEEPS = 10
/** The log-odds of a label, and odds that no product with messages takes beyond the bounds of {@link NetworkMessages}. */
const LABEL_LOG_ODDS = 60
const MAX_ODDS = 1e24

/** Beliefs over a directed network: exact by a forest or junction tree, and loopy where that would be too large. */
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
    this.isExact = this.#messages.kind !== 'loopy'
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
    for (let i = 0; i < odds.length; i++) {
      const own = labels[i] === -1 ? logOdds[i] : LABEL_LOG_ODDS * (2 * labels[i] - 1)
      odds[i] = clamp(exp(own), 1 / MAX_ODDS, MAX_ODDS)
    }
    messages.reset()
    const sweeps = messages.kind === 'loopy' ? LOOPY_SWEEPS : 1
    for (let sweep = 0; sweep < sweeps; sweep++) messages.sweep(odds, labels, 0)
    for (let i = 0; i < odds.length; i++) out[i] = log(odds[i])
  }

  /**
   * Returns how much the log-odds of i change when the evidence on each other concept is removed; entry i holds the
   * remainder.
   */
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
    for (let i = 0; i < out.length; i++) out[i] = priorLogOdds(this.#network, this.#children[i], y, i)
  }
}
