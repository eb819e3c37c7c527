import {AdfaError} from '../checks/index.ts'
import {clamp, exp, log, logit, type Rng, rng} from '../numeric/index.ts'
import {type PairNetwork, pairBiases, requiredIndices} from './pair-network.ts'

/** Marginals are summed over all states of up to this many concepts, and sampled for more. */
const MAX_ENUMERATED_CONCEPTS = 12
/** Exact biases have converged when prevalences and marginals differ by less than the tolerance in log-odds. */
const TOLERANCE = 1e-12
const EXACT_ROUNDS = 200
/** Sparse chains start with no concept present, crowded chains with all. */
const SPARSE_CHAINS = 200
const CROWDED_CHAINS = 100
/** Sampled biases are the mean over all rounds but the first ones; each round has a few sweeps. */
const ROUNDS = 40
const FIRST_ROUNDS = 10
const ROUND_SWEEPS = 5
/** Final sweeps measure the marginals; before these, the crowded chains have a burn-in. */
const CHECK_SWEEPS = 60
const BURN_IN_SWEEPS = 50
/** A round adds this factor times the difference in log-odds between prevalence and marginal to each bias. */
const FIRST_STEP = 0.5
const LATER_STEP = 0.25
/**
 * A network is accepted if each marginal differs from its prevalence by at most .01 plus 10% of it, and the sum of all marginals from
 * that of the prevalences by 5%. The error of sampled marginals stays below .015 on the eight corpora of `research/quality`.
 */
const MARGINAL_TOLERANCE = 0.01
const RELATIVE_TOLERANCE = 0.1
const SUM_TOLERANCE = 0.05
/** Couplings are multiplied by `SHRINKAGE` repeatedly until the network is accepted; a total factor below `MIN_FACTOR` becomes 0. */
const SHRINKAGE = 0.9
const MIN_FACTOR = 0.05

interface MatchedNetwork {
  readonly network: PairNetwork
  /** The factor by which all couplings except required ones were multiplied. */
  readonly factor: number
  /** The largest difference between a prevalence and its marginal, in absolute value. */
  readonly residual: number
}

/**
 * Finds biases for which the marginals of the network are its prevalences. Every round adds half or a quarter of the difference in
 * log-odds between prevalence and marginal to each bias. Marginals are exact for up to 12 concepts; for more, they are the mean of
 * P(Y_i = 1 | others) over chains of Gibbs sampling.
 *
 * If many pairs attract each other, the network may have a second mode with most concepts present. Chains then stay in the mode in
 * which they started and cannot tell its probability. So biases are matched by chains that start without any concept, and checked by
 * others that start with all of them: both have the prevalences as marginals only if there is one mode. If not, all couplings except
 * required ones are multiplied by 0.9, 0.81, ..., 0; if the required ones alone are too strong, this throws.
 * Cost: O(chains sweeps m), and O(m) for each change of a concept.
 */
export function matchBiases(network: PairNetwork): MatchedNetwork {
  for (let factor = 1; ; factor = factor * SHRINKAGE < MIN_FACTOR ? 0 : factor * SHRINKAGE) {
    const weaker = weakenCouplings(network, factor)
    const {biases, estimates} = matchedBiases(weaker)
    if (estimates.every(marginals => matchesPrevalence(marginals, network.prevalence)))
      return {
        network: {...weaker, biases},
        factor,
        residual: Math.max(...estimates.map(marginals => largestDifference(marginals, network.prevalence)))
      }
    if (factor === 0)
      throw new AdfaError(
        'bad-option',
        'edges: the required edges alone make so many concepts present at once that the network cannot have the prevalences; require fewer edges'
      )
  }
}

/** Tells whether the marginals and their sum are close enough to the prevalences to accept the network. */
function matchesPrevalence(marginals: Float64Array, prevalence: Float64Array): boolean {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  return (
    Math.abs(sum(marginals) - sum(prevalence)) <= SUM_TOLERANCE * sum(prevalence) &&
    marginals.every(
      (marginal, i) => Math.abs(marginal - prevalence[i]) <= MARGINAL_TOLERANCE + RELATIVE_TOLERANCE * prevalence[i]
    )
  )
}

function largestDifference(marginals: Float64Array, prevalence: Float64Array): number {
  return marginals.reduce((most, marginal, i) => Math.max(most, Math.abs(marginal - prevalence[i])), 0)
}

/** Multiplies all couplings except required ones, and the logarithms of the ends of their intervals, by a factor. */
export function weakenCouplings(network: PairNetwork, factor: number): PairNetwork {
  if (factor === 1) return network
  const required = requiredIndices(network)
  const couplings = network.couplings.map((value, at) => (required.has(at) ? value : factor * value))
  const [low, high] = [network.low, network.high].map(odds =>
    odds.map((value, at) => (required.has(at) ? value : exp(factor * log(value))))
  )
  return {...network, couplings, low, high, biases: pairBiases(network.prevalence, couplings)}
}

/** Returns matched biases, and every estimate of the marginals with them: one that is exact, or two that are sampled. */
function matchedBiases(network: PairNetwork): {readonly biases: Float64Array; readonly estimates: Float64Array[]} {
  const {prevalence, biases, couplings} = network
  if (couplings.every(coupling => coupling === 0)) return {biases, estimates: [prevalence]}
  return prevalence.length <= MAX_ENUMERATED_CONCEPTS ? exactBiases(network) : sampledBiases(network)
}

function exactBiases(network: PairNetwork) {
  const biases = network.biases.slice()
  for (let round = 1; ; round++) {
    const marginals = exactMarginals({...network, biases})
    const difference = moveBiases(biases, network.prevalence, marginals, FIRST_STEP)
    if (difference < TOLERANCE || round === EXACT_ROUNDS) return {biases, estimates: [marginals]}
  }
}

/** Sums over all states in the order of a Gray code, in which each state differs from the previous one by one concept. Cost: O(m 2^m). */
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
    // Weights, and sums of weights, are divided by the largest weight so far, so that none overflows.
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
  const sparse = new GibbsChains(network, SPARSE_CHAINS, 0, random)
  const mean = new Float64Array(biases.length)
  for (let round = 0; round < ROUNDS; round++) {
    const isLate = round >= FIRST_ROUNDS
    moveBiases(biases, network.prevalence, sparse.marginals(biases, ROUND_SWEEPS), isLate ? LATER_STEP : FIRST_STEP)
    if (isLate) for (let i = 0; i < mean.length; i++) mean[i] += biases[i] / (ROUNDS - FIRST_ROUNDS)
  }
  const crowded = new GibbsChains(network, CROWDED_CHAINS, 1, random)
  crowded.marginals(mean, BURN_IN_SWEEPS)
  return {biases: mean, estimates: [sparse.marginals(mean, CHECK_SWEEPS), crowded.marginals(mean, CHECK_SWEEPS)]}
}

/** Adds `step` times the difference in log-odds between prevalence and marginal to each bias; returns the largest difference. */
function moveBiases(biases: Float64Array, prevalence: Float64Array, marginals: Float64Array, step: number): number {
  let largest = 0
  for (let i = 0; i < biases.length; i++) {
    const difference = logit(prevalence[i]) - logit(clamp(marginals[i], 1e-6, 1 - 1e-6))
    biases[i] += step * difference
    largest = Math.max(largest, Math.abs(difference))
  }
  return largest
}

/** Chains of Gibbs sampling, which redraw one concept at a time given the others. */
class GibbsChains {
  /** exp(J) and exp(-J), at `i*m + k`. */
  readonly #factor: Float64Array
  readonly #inverse: Float64Array
  readonly #states: readonly Uint8Array[]
  readonly #random: Rng

  /** In all `count` chains every concept starts at `value`. */
  constructor({couplings, biases}: PairNetwork, count: number, value: 0 | 1, random: Rng) {
    this.#factor = couplings.map(coupling => exp(coupling))
    this.#inverse = couplings.map(coupling => exp(-coupling))
    this.#random = random
    this.#states = Array.from({length: count}, () => new Uint8Array(biases.length).fill(value))
  }

  /** Runs some sweeps and returns the mean of P(Y_i = 1 | others), which has a smaller variance than the mean of Y_i. */
  marginals(biases: Float64Array, sweeps: number): Float64Array {
    const emptyOdds = biases.map(bias => exp(bias))
    const m = biases.length
    const odds = new Float64Array(m)
    const sums = new Float64Array(m)
    // One random number serves until a concept changes: `unchanged` is the probability that none does since it was drawn.
    let draw = this.#random.next()
    let unchanged = 1
    for (const present of this.#states) {
      odds.set(emptyOdds)
      for (let i = 0; i < m; i++) if (present[i]) multiplyRow(odds, this.#factor, i)
      for (let sweep = 0; sweep < sweeps; sweep++)
        for (let i = 0; i < m; i++) {
          const absent = 1 / (1 + odds[i])
          sums[i] += 1 - absent
          unchanged *= present[i] ? 1 - absent : absent
          if (draw < unchanged) continue
          present[i] = 1 - present[i]
          multiplyRow(odds, present[i] ? this.#factor : this.#inverse, i)
          draw = this.#random.next()
          unchanged = 1
        }
    }
    return sums.map(sum => sum / (sweeps * this.#states.length))
  }
}

/** Multiplies the odds of all concepts by row i of a matrix of factors. */
function multiplyRow(odds: Float64Array, factors: Float64Array, i: number): void {
  for (let k = 0, at = i * odds.length; k < odds.length; k++, at++) odds[k] *= factors[at]
}
