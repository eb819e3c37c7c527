import {exp, log, logit, type Rng, rng} from '../numeric/index.ts'
import {type BayesNetwork, logPrior, networkEdges as parentEdges} from './bayes-network.ts'

/**
 * P(Y) as a pairwise Markov network: P(y) is proportional to exp(sum_i b_i y_i + sum_{i<k} J_ik y_i y_k).
 *
 * J_ik is the log odds ratio of a pair when all other concepts are absent; b_i are set so that the marginals are the
 * prevalences: as sum-product computes them by {@link pairNetwork}, and more closely by `matchBiases`.
 */
export interface PairNetwork {
  /** P(Y_i = 1). */
  readonly prevalence: Float64Array
  /** J, at `i*m + k`: symmetric, 0 on the diagonal. */
  readonly couplings: Float64Array
  /** The 5% and 95% points of the odds ratio of each pair, at `i*m + k`; 1 on the diagonal. */
  readonly low: Float64Array
  readonly high: Float64Array
  /** b. */
  readonly biases: Float64Array
  /** Pairs that are edges whatever their interval is: someone knows of them. */
  readonly required?: readonly (readonly [number, number])[]
}

/** P(Y) of a model. */
export type Network = BayesNetwork | PairNetwork

export function isPairNetwork(network: Network): network is PairNetwork {
  return 'couplings' in network
}

export function networkSize(network: Network): number {
  return isPairNetwork(network) ? network.prevalence.length : network.parents.length
}

/** The edges people read: of pairs, those whose interval excludes 1 and required ones, the commoner concept first; ordered by the second. */
export function networkEdges(network: Network): [number, number][] {
  if (!isPairNetwork(network)) return parentEdges(network)
  const {prevalence: p, low, high} = network
  const m = p.length
  const required = requiredCells(network)
  const edges: [number, number][] = []
  for (let k = 0; k < m; k++)
    for (let i = 0; i < m; i++) {
      const isFirst = p[i] > p[k] || (p[i] === p[k] && i < k)
      const at = i * m + k
      if (i !== k && isFirst && (low[at] > 1 || high[at] < 1 || required.has(at))) edges.push([i, k])
    }
  return edges
}

/** Where the required pairs are in the couplings, both ways. */
export function requiredCells({prevalence: {length: m}, required = []}: PairNetwork): ReadonlySet<number> {
  return new Set(required.flatMap(([i, k]) => [i * m + k, k * m + i]))
}

/** A pair network from its prevalences and couplings, with these biases or those of {@link pairBiases}. */
export function pairNetwork(parts: Omit<PairNetwork, 'biases'> & {readonly biases?: Float64Array}): PairNetwork {
  return {...parts, biases: parts.biases ?? pairBiases(parts.prevalence, parts.couplings)}
}

/**
 * b_i = logit p_i + sum_k log P(Y_k=0|Y_i=1) / P(Y_k=0|Y_i=0), each from the pair's own table: the tables of the pairs are
 * then a fixed point of sum-product. Exact for a forest.
 */
export function pairBiases(prevalence: Float64Array, couplings: Float64Array): Float64Array {
  const m = prevalence.length
  return prevalence.map((p, i) => {
    let bias = logit(p)
    for (let k = 0; k < m; k++) if (k !== i) bias += pairShift(p, prevalence[k], couplings[i * m + k])
    return bias
  })
}

/** log P(Y_k=0|Y_i=1) / P(Y_k=0|Y_i=0) of a pair with coupling J. */
export function pairShift(pi: number, pk: number, coupling: number): number {
  if (coupling === 0) return 0
  const [absent, , present] = jointTable(pi, pk, coupling)
  return log(present / pi) - log(absent / (1 - pi))
}

/** P(Y_i, Y_k), cell `2*yi + yk`, with these singles and log odds ratio (Plackett 1965). */
export function jointTable(pi: number, pk: number, logOddsRatio: number): [number, number, number, number] {
  const ratio = exp(logOddsRatio)
  const s = 1 + (pi + pk) * (ratio - 1)
  // The smaller root of a quadratic, in the form that subtracts nothing from itself at ratio 1.
  const both = (2 * ratio * pi * pk) / (s + Math.sqrt(s * s - 4 * ratio * (ratio - 1) * pi * pk))
  return [1 - pi - pk + both, pk - both, pi - both, both]
}

/** log P(y) of any network, with the standard error of its constant: 0 where that is exact. */
export interface LogPrior {
  of(y: ArrayLike<number>): number
  readonly standardError: number
}

/** Prepares log P(y) for many y; for pairs the constant is found once, here. */
export function createLogPrior(network: Network): LogPrior {
  if (!isPairNetwork(network)) return {of: y => logPrior(network, y), standardError: 0}
  const {logZ, standardError} = logPartition(network)
  return {of: y => logWeight(network, y) - logZ, standardError}
}

/** log P(y) + log Z. */
export function logWeight({biases, couplings}: PairNetwork, y: ArrayLike<number>): number {
  const m = biases.length
  let sum = 0
  for (let i = 0; i < m; i++) {
    if (!y[i]) continue
    sum += biases[i]
    for (let k = 0; k < i; k++) if (y[k]) sum += couplings[i * m + k]
  }
  return sum
}

/** Up to this many concepts all states are summed. */
const ENUMERATED = 16
const TEMPERATURES = 200
const CHAINS = 200

/**
 * log Z: exact by enumeration up to 16 concepts, beyond by annealed importance sampling from independence (Neal 2001)
 * with a stated standard error, infinite where a state it did not visit outweighs the rest. Cost: O(2^m), or O(chains temperatures m) and m more for each concept that changes.
 */
export function logPartition(network: PairNetwork, seed = 0): {readonly logZ: number; readonly standardError: number} {
  if (network.biases.length <= ENUMERATED) return enumerated(network)
  const found = annealed(network, rng(seed).stream('log Z'))
  const crowded = crowdedWeight(network)
  return crowded < found.logZ ? found : {logZ: crowded, standardError: Number.POSITIVE_INFINITY}
}

/**
 * log P(y) + log Z of the likeliest state near "all present", by changing one concept at a time. Where most pairs attract
 * each other, such states may outweigh all that annealing visits: then P(y) is not that of the prevalences.
 */
function crowdedWeight(network: PairNetwork): number {
  const {biases, couplings} = network
  const m = biases.length
  const y = new Uint8Array(m).fill(1)
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    for (let i = 0; i < m; i++) {
      let field = biases[i]
      for (let k = 0; k < m; k++) if (y[k] && k !== i) field += couplings[i * m + k]
      const value = field > 0 ? 1 : 0
      if (value === y[i]) continue
      y[i] = value
      isMoving = true
    }
  }
  return y.includes(1) ? logWeight(network, y) : Number.NEGATIVE_INFINITY
}

/** Calls `visit` with log P(y) + log Z of every y, in the order of a Gray code: each differs from the one before by one concept. */
export function eachState(
  {biases, couplings}: Pick<PairNetwork, 'biases' | 'couplings'>,
  visit: (logWeight: number, present: Uint8Array) => void
): void {
  const m = biases.length
  const field = biases.slice()
  const present = new Uint8Array(m)
  let weight = 0
  visit(weight, present)
  for (let state = 1; state < 2 ** m; state++) {
    const i = 31 - Math.clz32(state & -state)
    const sign = present[i] ? -1 : 1
    weight += sign * field[i]
    present[i] ^= 1
    for (let k = 0; k < m; k++) field[k] += sign * couplings[k * m + i]
    visit(weight, present)
  }
}

function enumerated(network: PairNetwork) {
  let top = 0
  let sum = 0
  eachState(network, weight => {
    if (weight > top) {
      sum = sum * exp(top - weight) + 1
      top = weight
    } else sum += exp(weight - top)
  })
  return {logZ: top + log(sum), standardError: 0}
}

function annealed({prevalence: p, biases, couplings}: PairNetwork, random: Rng) {
  const m = p.length
  const alone = p.map(share => logit(share))
  const field = new Float64Array(m)
  const y = new Uint8Array(m)
  const flip = (i: number) => {
    const sign = y[i] ? -1 : 1
    y[i] ^= 1
    for (let k = 0; k < m; k++) field[k] += sign * couplings[k * m + i]
  }
  const logWeights = Array.from({length: CHAINS}, () => {
    field.fill(0)
    y.fill(0)
    for (let i = 0; i < m; i++) if (random.next() < p[i]) flip(i)
    let logWeight = 0
    for (let t = 1; t <= TEMPERATURES; t++) {
      const heat = t / TEMPERATURES
      for (let i = 0; i < m; i++) if (y[i]) logWeight += (biases[i] - alone[i] + field[i] / 2) / TEMPERATURES
      for (let i = 0; i < m; i++) {
        const logOdds = (1 - heat) * alone[i] + heat * (biases[i] + field[i])
        if (random.next() < 1 / (1 + exp(-logOdds)) !== (y[i] === 1)) flip(i)
      }
    }
    return logWeight
  })
  const top = Math.max(...logWeights)
  const weights = logWeights.map(value => exp(value - top))
  const mean = weights.reduce((sum, w) => sum + w, 0) / CHAINS
  const square = weights.reduce((sum, w) => sum + (w / mean - 1) ** 2, 0) / (CHAINS - 1)
  const start = p.reduce((sum, share) => sum - log(1 - share), 0)
  return {logZ: start + top + log(mean), standardError: Math.sqrt(square / CHAINS)}
}
