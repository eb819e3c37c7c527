import {AdfaError} from '../checks/index.ts'
import {clamp, exp, log, logit, type Rng, rng} from '../numeric/index.ts'
import {type PairNetwork, pairBiases, requiredCells} from './pair-network.ts'

/** Up to this many concepts marginals are sums over all states; beyond, they are sampled. */
const ENUMERATED = 12
const EXACT_ROUNDS = 200
/** The largest difference in log-odds at which exact biases are final. */
const SETTLED = 1e-12
/** Chains that are sampled side by side from empty states, and from full ones. */
const CHAINS = 200
const CROWDED_CHAINS = 100
/** Rounds of sweeps; the biases are the mean over the rounds after the first ones. */
const ROUNDS = 40
const FIRST_ROUNDS = 10
const SWEEPS = 5
/** Sweeps that measure the marginals in the end, and sweeps in which chains may forget that they started with every concept. */
const CHECKS = 60
const FORGETTING = 50
/** The share of the difference in log-odds by which a round moves each bias: smaller once it is near. */
const FIRST_STEP = 0.5
const LATER_STEP = 0.25
/**
 * A network is accepted if each sampled marginal is within .01 plus 10% of its prevalence, and their sum within 5%. Sampling alone
 * stays below .015 on the eight corpora of `research/quality`.
 */
const NEAR = 0.01
const NEAR_SHARE = 0.1
const NEAR_SUM = 0.05
/** Couplings are multiplied by this until the network is accepted; below the least share, they are 0. */
const SHRINK = 0.9
const MIN_SHARE = 0.05

export interface MatchedNetwork {
  readonly network: PairNetwork
  /** The factor of all couplings but required ones. */
  readonly share: number
  /** The largest difference between a prevalence and a marginal. */
  readonly residual: number
}

/**
 * Finds biases at which the marginals of the network are its prevalences: every round moves each bias by a share of the
 * difference in log-odds between prevalence and marginal, which is exact up to 12 concepts and the mean of
 * P(Y_i = 1 | others) over chains of Gibbs sampling beyond.
 *
 * Where many pairs attract each other, the network may have a second mode with most concepts present. Chains then stay in the
 * mode in which they are, and what they say about its weight is wrong. So biases are matched by chains that start without any
 * concept, and checked by others that start with all of them: both must have the prevalences, which they only do where one mode
 * is left. Otherwise all couplings but required ones are multiplied by 0.9, 0.81, ...; required ones that alone are too strong
 * are refused.
 * Cost: O(chains sweeps m), and m more for each concept that changes.
 */
export function matchBiases(network: PairNetwork): MatchedNetwork {
  for (let share = 1; ; share = share * SHRINK < MIN_SHARE ? 0 : share * SHRINK) {
    const weaker = weakened(network, share)
    const {biases, marginals} = matchedBiases(weaker)
    if (marginals.every(found => isNear(found, network.prevalence)))
      return {
        network: {...weaker, biases},
        share,
        residual: Math.max(...marginals.map(found => largestGap(found, network.prevalence)))
      }
    if (share === 0)
      throw new AdfaError(
        'bad-option',
        'edges: the required edges alone make so many concepts present at once that the network cannot have the prevalences; require fewer edges'
      )
  }
}

/** Tells whether the marginals, and their sum, are close enough to the prevalences to accept the network. */
function isNear(marginals: Float64Array, prevalence: Float64Array): boolean {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  return (
    Math.abs(sum(marginals) - sum(prevalence)) <= NEAR_SUM * sum(prevalence) &&
    marginals.every((marginal, i) => Math.abs(marginal - prevalence[i]) <= NEAR + NEAR_SHARE * prevalence[i])
  )
}

function largestGap(marginals: Float64Array, prevalence: Float64Array): number {
  return marginals.reduce((most, marginal, i) => Math.max(most, Math.abs(marginal - prevalence[i])), 0)
}

/** Multiplies couplings, and the logarithms of their intervals, by the share; required ones stay. */
export function weakened(network: PairNetwork, share: number): PairNetwork {
  if (share === 1) return network
  const required = requiredCells(network)
  const couplings = network.couplings.map((value, at) => (required.has(at) ? value : share * value))
  const [low, high] = [network.low, network.high].map(odds =>
    odds.map((value, at) => (required.has(at) ? value : exp(share * log(value))))
  )
  return {...network, couplings, low, high, biases: pairBiases(network.prevalence, couplings)}
}

/** Returns matched biases, with every estimate of the marginals at these biases. */
function matchedBiases(network: PairNetwork): {readonly biases: Float64Array; readonly marginals: Float64Array[]} {
  const {prevalence, biases, couplings} = network
  if (couplings.every(coupling => coupling === 0)) return {biases, marginals: [prevalence]}
  return prevalence.length <= ENUMERATED ? exactBiases(network) : sampledBiases(network)
}

function exactBiases(network: PairNetwork) {
  const biases = network.biases.slice()
  for (let round = 1; ; round++) {
    const marginals = exactMarginals({...network, biases})
    const moved = move(biases, network.prevalence, marginals, FIRST_STEP)
    if (moved < SETTLED || round === EXACT_ROUNDS) return {biases, marginals: [marginals]}
  }
}

/** Sums over all states in the order of a Gray code: each differs from the one before by one concept. Cost: O(m 2^m). */
function exactMarginals({biases, couplings}: PairNetwork): Float64Array {
  const m = biases.length
  const field = biases.slice()
  const present = new Uint8Array(m)
  const sums = new Float64Array(m)
  let [logWeight, top, total] = [0, 0, 1]
  for (let state = 1; state < 2 ** m; state++) {
    const changed = 31 - Math.clz32(state & -state)
    const sign = present[changed] ? -1 : 1
    logWeight += sign * field[changed]
    present[changed] ^= 1
    for (let k = 0; k < m; k++) field[k] += sign * couplings[k * m + changed]
    // Weights are relative to the largest so far.
    const rise = Math.max(0, logWeight - top)
    if (rise > 0) {
      const scale = exp(-rise)
      top = logWeight
      total *= scale
      for (let i = 0; i < m; i++) sums[i] *= scale
    }
    const weight = exp(logWeight - top)
    total += weight
    for (let i = 0; i < m; i++) if (present[i]) sums[i] += weight
  }
  return sums.map(sum => sum / total)
}

function sampledBiases(network: PairNetwork) {
  const biases = network.biases.slice()
  const random = rng(0).stream('biases')
  const sparse = new PairChains(network, CHAINS, 0, random)
  const mean = new Float64Array(biases.length)
  for (let round = 0; round < ROUNDS; round++) {
    const isLate = round >= FIRST_ROUNDS
    move(biases, network.prevalence, sparse.marginals(biases, SWEEPS), isLate ? LATER_STEP : FIRST_STEP)
    if (isLate) for (let i = 0; i < mean.length; i++) mean[i] += biases[i] / (ROUNDS - FIRST_ROUNDS)
  }
  const crowded = new PairChains(network, CROWDED_CHAINS, 1, random)
  crowded.marginals(mean, FORGETTING)
  return {biases: mean, marginals: [sparse.marginals(mean, CHECKS), crowded.marginals(mean, CHECKS)]}
}

/** Moves the biases by a share of the differences in log-odds, and returns the largest of these. */
function move(biases: Float64Array, prevalence: Float64Array, marginals: Float64Array, share: number): number {
  let most = 0
  for (let i = 0; i < biases.length; i++) {
    const difference = logit(prevalence[i]) - logit(clamp(marginals[i], 1e-6, 1 - 1e-6))
    biases[i] += share * difference
    most = Math.max(most, Math.abs(difference))
  }
  return most
}

/** States of the network, changed one concept at a time given the others. */
class PairChains {
  /** exp(J) and exp(-J). */
  readonly #factor: Float64Array
  readonly #inverse: Float64Array
  readonly #states: readonly Uint8Array[]
  readonly #random: Rng

  /** All concepts start at `value`. */
  constructor({couplings, biases}: PairNetwork, count: number, value: 0 | 1, random: Rng) {
    this.#factor = couplings.map(coupling => exp(coupling))
    this.#inverse = couplings.map(coupling => exp(-coupling))
    this.#random = random
    this.#states = Array.from({length: count}, () => new Uint8Array(biases.length).fill(value))
  }

  /** Returns the mean of P(Y_i = 1 | others) over all states of some sweeps, which has less spread than that of the states. */
  marginals(biases: Float64Array, sweeps: number): Float64Array {
    const alone = biases.map(bias => exp(bias))
    const m = biases.length
    const odds = new Float64Array(m)
    const sums = new Float64Array(m)
    // One draw until the next change: `unchanged` is the probability that all since the last one stay as they are.
    let draw = this.#random.next()
    let unchanged = 1
    for (const present of this.#states) {
      odds.set(alone)
      for (let i = 0; i < m; i++) if (present[i]) multiply(odds, this.#factor, i)
      for (let sweep = 0; sweep < sweeps; sweep++)
        for (let i = 0; i < m; i++) {
          const absent = 1 / (1 + odds[i])
          sums[i] += 1 - absent
          unchanged *= present[i] ? 1 - absent : absent
          if (draw < unchanged) continue
          present[i] = 1 - present[i]
          multiply(odds, present[i] ? this.#factor : this.#inverse, i)
          draw = this.#random.next()
          unchanged = 1
        }
    }
    return sums.map(sum => sum / (sweeps * this.#states.length))
  }
}

function multiply(odds: Float64Array, factors: Float64Array, i: number): void {
  for (let k = 0, at = i * odds.length; k < odds.length; k++, at++) odds[k] *= factors[at]
}
