import {exp, log, logit} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'

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
  /** b, at i. */
  readonly biases: Float64Array
  /** Pairs that a person requires: they are edges whatever their interval is. */
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

/**
 * Returns the edges that people read, ordered by the second concept: of a directed network all, parent first; of pairs the
 * required ones and those whose interval excludes 1, the commoner concept first.
 */
export function networkEdges(network: Network): [number, number][] {
  if (!isPairNetwork(network))
    return network.parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
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

/** Returns the places of the required pairs in the couplings, in both orders. */
export function requiredCells({prevalence: {length: m}, required = []}: PairNetwork): ReadonlySet<number> {
  return new Set(required.flatMap(([i, k]) => [i * m + k, k * m + i]))
}

/** Returns a pair network from its prevalences and couplings, by default with the biases of {@link pairBiases}. */
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
