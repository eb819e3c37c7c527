import {exp, log, logit} from '../numeric/index.ts'
import type {BayesNetwork} from './bayes-network.ts'

/**
 * P(Y) as a pairwise Markov network: P(y) is proportional to exp(sum_i b_i y_i + sum_{i<k} J_ik y_i y_k).
 *
 * J_ik is the log odds ratio of a pair when all other concepts are absent. The b_i are chosen so that the marginals are the
 * prevalences, approximately by {@link pairNetwork} and more closely by `matchBiases`.
 */
export interface PairNetwork {
  /** P(Y_i = 1). */
  readonly prevalence: Float64Array
  /** J_ik at `i*m + k`, symmetric with 0 on the diagonal. */
  readonly couplings: Float64Array
  /** The 5% and 95% quantiles of the odds ratio of each pair at `i*m + k`, 1 on the diagonal. */
  readonly low: Float64Array
  readonly high: Float64Array
  /** b_i. */
  readonly biases: Float64Array
  /** The pairs that a person requires, which are edges whatever their interval is. */
  readonly required?: readonly (readonly [number, number])[]
}

/** The distribution P(Y) of a model. */
export type Network = BayesNetwork | PairNetwork

export function isPairNetwork(network: Network): network is PairNetwork {
  return 'couplings' in network
}

export function networkSize(network: Network): number {
  return isPairNetwork(network) ? network.prevalence.length : network.parents.length
}

/**
 * Returns the edges to show, ordered by their second concept. Of a directed network these are all edges, with the parent first; of a
 * pair network, the required pairs and those whose interval excludes an odds ratio of 1, with the more common concept first.
 */
export function networkEdges(network: Network): [number, number][] {
  if (!isPairNetwork(network))
    return network.parents.flatMap((list, child) => list.map((parent): [number, number] => [parent, child]))
  const {prevalence: p, low, high} = network
  const m = p.length
  const required = requiredIndices(network)
  const edges: [number, number][] = []
  for (let k = 0; k < m; k++)
    for (let i = 0; i < m; i++) {
      const isFirst = p[i] > p[k] || (p[i] === p[k] && i < k)
      const at = i * m + k
      if (i !== k && isFirst && (low[at] > 1 || high[at] < 1 || required.has(at))) edges.push([i, k])
    }
  return edges
}

/** Returns the indices of the required pairs in the couplings, `i*m + k` and `k*m + i`. */
export function requiredIndices({prevalence: {length: m}, required = []}: PairNetwork): ReadonlySet<number> {
  return new Set(required.flatMap(([i, k]) => [i * m + k, k * m + i]))
}

/** Completes a pair network by the biases of {@link pairBiases}, if none are given. */
export function pairNetwork(parts: Omit<PairNetwork, 'biases'> & {readonly biases?: Float64Array}): PairNetwork {
  return {...parts, biases: parts.biases ?? pairBiases(parts.prevalence, parts.couplings)}
}

/**
 * Returns b_i = logit(p_i) + sum_k log(P(Y_k=0|Y_i=1) / P(Y_k=0|Y_i=0)), where each term comes from the pair's own table. The tables
 * of the pairs are then a fixed point of sum-product, and on a forest the marginals equal the prevalences.
 */
export function pairBiases(prevalence: Float64Array, couplings: Float64Array): Float64Array {
  const m = prevalence.length
  return prevalence.map((p, i) => {
    let bias = logit(p)
    for (let k = 0; k < m; k++) if (k !== i) bias += pairShift(p, prevalence[k], couplings[i * m + k])
    return bias
  })
}

/** Returns log(P(Y_k=0|Y_i=1) / P(Y_k=0|Y_i=0)) of a pair with this coupling. */
export function pairShift(pi: number, pk: number, coupling: number): number {
  if (coupling === 0) return 0
  const [neither, , onlyI] = jointTable(pi, pk, coupling)
  return log(onlyI / pi) - log(neither / (1 - pi))
}

/** Returns the table P(Y_i, Y_k), cell `2*yi + yk`, with the given prevalences and log odds ratio (Plackett 1965). */
export function jointTable(pi: number, pk: number, logOddsRatio: number): [number, number, number, number] {
  const ratio = exp(logOddsRatio)
  const s = 1 + (pi + pk) * (ratio - 1)
  // This form of the quadratic formula avoids 0 / 0 at a ratio of 1.
  const both = (2 * ratio * pi * pk) / (s + Math.sqrt(s * s - 4 * ratio * (ratio - 1) * pi * pk))
  return [1 - pi - pk + both, pk - both, pi - both, both]
}
