import {AdfaError} from '../checks/index.ts'
import {clamp, exp, log, logit, type Rng, rng, sigmoid} from '../numeric/index.ts'
import {eachState, logPartition, type PairNetwork, pairBiases, requiredCells} from './pair-network.ts'

/** Up to this many concepts marginals are sums over all states. */
const ENUMERATED = 12
const EXACT_ROUNDS = 200
/** The largest difference in log-odds that counts as none. */
const SETTLED = 1e-12
/** Chains that are sampled side by side. */
const CHAINS = 200
/** Rounds of sweeps; the biases are the mean of those after the first rounds. */
const ROUNDS = 40
const FIRST_ROUNDS = 10
const SWEEPS = 5
/** Sweeps that measure the marginals in the end. */
const CHECKS = 30
/** The share of the difference in log-odds by which a round moves each bias: smaller once it is near. */
const FIRST_STEP = 0.5
const LATER_STEP = 0.25
/** Marginals further from the prevalences than this, and by this share of them, are not those of sampling errors. */
const NEAR = 0.02
const NEAR_SHARE = 0.5
/** States with most concepts present may have this logarithm of a weight: e^-5 of that of the state without concepts. */
const CROWD_LIMIT = -5
const CROWD_SWEEPS = 50
/** By how much the size of all couplings is reduced where that is not enough: first by this, then by so many times as much. */
const FIRST_THRESHOLD = 0.1
const THRESHOLD_GROWTH = 1.4

/**
 * The network with biases at which its marginals are the prevalences: every round moves each bias by a share of the
 * difference in log-odds between prevalence and marginal, which is exact up to 12 concepts and the mean of
 * P(Y_i = 1 | others) over chains of Gibbs sampling beyond.
 *
 * The closed form of {@link pairBiases}, where this starts, is exact for a forest and off by up to 0.7 on real couplings.
 * Where most pairs attract each other, the marginals jump from too low to too high as the biases rise, or states with most
 * concepts present outweigh all others unseen by the chains; all couplings but required ones are then reduced in size by a
 * threshold until neither is so, and required ones that leave no such network are refused. Returns the threshold and the largest difference of a marginal as measured afterwards.
 * Cost: O(chains sweeps m), and m more for each concept that changes.
 */
export function matchBiases(network: PairNetwork): {
  readonly network: PairNetwork
  readonly threshold: number
  readonly residual: number
} {
  for (let threshold = 0; ; threshold = threshold === 0 ? FIRST_THRESHOLD : THRESHOLD_GROWTH * threshold) {
    const weaker = weakened(network, threshold)
    const {biases, marginals} = matchedBiases(weaker)
    const gaps = marginals.map((marginal, i) => Math.abs(marginal - network.prevalence[i]))
    const isNear = gaps.every((gap, i) => gap <= Math.max(NEAR, NEAR_SHARE * network.prevalence[i]))
    const found = {...weaker, biases}
    if (isNear && (gaps.length <= ENUMERATED || crowdWeight(found) < CROWD_LIMIT))
      return {network: found, threshold, residual: gaps.reduce((most, gap) => Math.max(most, gap), 0)}
    refuseCrowd(weaker)
  }
}

/** Where only required couplings are left, a higher threshold would change nothing. */
function refuseCrowd(network: PairNetwork): void {
  const required = requiredCells(network)
  if (network.couplings.every((coupling, at) => coupling === 0 || required.has(at)))
    throw new AdfaError(
      'bad-option',
      'edges: the required edges alone make so many concepts present at once that the network cannot have the prevalences; require fewer edges'
    )
}

/** Couplings, and the logarithms of their intervals, nearer to 0 by the threshold: dense weak ones go, strong and required ones stay. */
export function weakened(network: PairNetwork, threshold: number): PairNetwork {
  if (threshold === 0) return network
  const required = requiredCells(network)
  const nearer = (value: number) => Math.sign(value) * Math.max(0, Math.abs(value) - threshold)
  const couplings = network.couplings.map((value, at) => (required.has(at) ? value : nearer(value)))
  const [low, high] = [network.low, network.high].map(odds =>
    odds.map((value, at) => (required.has(at) ? value : exp(nearer(log(value)))))
  )
  return {...network, couplings, low, high, biases: pairBiases(network.prevalence, couplings)}
}

/**
 * A lower bound of the logarithm of the weight, beside the state without concepts, of states with most concepts present:
 * the mean-field bound of log Z from there. -Infinity if there are no such states that last.
 */
function crowdWeight({prevalence, biases, couplings}: PairNetwork): number {
  const m = biases.length
  const present = new Float64Array(m).fill(1)
  const field = (i: number) => {
    let sum = 0
    for (let k = 0; k < m; k++) sum += couplings[i * m + k] * present[k]
    return sum
  }
  for (let sweep = 0; sweep < CROWD_SWEEPS; sweep++)
    for (let i = 0; i < m; i++) present[i] = sigmoid(biases[i] + field(i))
  const usual = prevalence.reduce((sum, p) => sum + p, 0)
  if (present.reduce((sum, p) => sum + p, 0) < 2 * usual + 1) return Number.NEGATIVE_INFINITY
  let bound = 0
  for (let i = 0; i < m; i++) {
    const p = clamp(present[i], 1e-12, 1 - 1e-12)
    bound += p * (biases[i] + field(i) / 2) - p * log(p) - (1 - p) * log(1 - p)
  }
  return bound
}

function matchedBiases(network: PairNetwork) {
  const {prevalence, biases, couplings} = network
  if (couplings.every(coupling => coupling === 0)) return {biases, marginals: prevalence}
  return prevalence.length <= ENUMERATED ? exactBiases(network) : sampledBiases(network)
}

function exactBiases(network: PairNetwork) {
  const biases = network.biases.slice()
  for (let round = 1; ; round++) {
    const marginals = exactMarginals({...network, biases})
    const moved = move(biases, network.prevalence, marginals, FIRST_STEP)
    if (moved < SETTLED || round === EXACT_ROUNDS) return {biases, marginals}
  }
}

function exactMarginals(network: PairNetwork): Float64Array {
  const sums = new Float64Array(network.biases.length)
  const {logZ} = logPartition(network)
  eachState(network, (logWeight, present) => {
    const chance = exp(logWeight - logZ)
    for (let i = 0; i < sums.length; i++) if (present[i]) sums[i] += chance
  })
  return sums
}

function sampledBiases(network: PairNetwork) {
  const biases = network.biases.slice()
  const chains = new PairChains(network, rng(0).stream('biases'))
  const mean = new Float64Array(biases.length)
  for (let round = 0; round < ROUNDS; round++) {
    const isLate = round >= FIRST_ROUNDS
    move(biases, network.prevalence, chains.marginals(biases, SWEEPS), isLate ? LATER_STEP : FIRST_STEP)
    if (isLate) for (let i = 0; i < mean.length; i++) mean[i] += biases[i] / (ROUNDS - FIRST_ROUNDS)
  }
  return {biases: mean, marginals: chains.marginals(mean, CHECKS)}
}

/** Moves the biases by a share of the differences in log-odds; the largest of these. */
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

  /** Starts at independence. */
  constructor({prevalence, couplings}: PairNetwork, random: Rng) {
    this.#factor = couplings.map(coupling => exp(coupling))
    this.#inverse = couplings.map(coupling => exp(-coupling))
    this.#random = random
    this.#states = Array.from({length: CHAINS}, () => Uint8Array.from(prevalence, p => (random.next() < p ? 1 : 0)))
  }

  /** The mean of P(Y_i = 1 | others) over all states of some sweeps, which has less spread than that of the states. */
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
    return sums.map(sum => sum / (sweeps * CHAINS))
  }
}

function multiply(odds: Float64Array, factors: Float64Array, i: number): void {
  for (let k = 0, at = i * odds.length; k < odds.length; k++, at++) odds[k] *= factors[at]
}
