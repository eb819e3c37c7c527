import {type BayesNetwork, forwardSampler, junctionTree} from '../../base/network/index.ts'
import {log, type Rng} from '../../base/numeric/index.ts'

/** Beyond this many cells a pass through the junction tree takes longer than one over the draws. */
const TREE_LIMIT = 2 ** 14
/** Draws of P(Y) where it is too wide for a junction tree: as many as documents in a middling corpus. */
const SAMPLES = 20_000

/** Sums over P(Y). Weights are finite and at least 0, two per concept: weights[2*i + y] is for Y_i = y. */
export interface NetworkSums {
  readonly conceptCount: number
  /** The number of draws that stand for P(Y); undefined where sums are exact. */
  readonly samples?: number
  /** log of the sum over y of P(y) prod_i weights[2*i + y_i]. */
  logTotal(weights: Float64Array): number
  /** The same, and in marginals[i] the share of the sum that has y_i = 1. */
  propagate(weights: Float64Array, marginals: Float64Array): number
}

/** Prepares sums over P(Y): exact by passes over a junction tree of moderate size, beyond that over draws. */
export function networkSums(network: BayesNetwork, random: Rng): NetworkSums {
  return junctionTree(network, {cellLimit: TREE_LIMIT}) ?? sampledSums(network, SAMPLES, random)
}

/**
 * Takes sums over draws of y in place of P(Y), the same draws for every call, so that problems solved with them stay convex
 * and smooth. Weights of absent concepts are above 0. Cost: one multiplication per concept that is on and draw.
 */
export function sampledSums(network: BayesNetwork, samples: number, random: Rng): NetworkSums {
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  const starts = new Uint32Array(samples + 1)
  const present: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    draw(y)
    for (let i = 0; i < m; i++) if (y[i] === 1) present.push(i)
    starts[sample + 1] = present.length
  }
  const concepts = Uint32Array.from(present)
  const ratio = new Float64Array(m)
  return {
    conceptCount: m,
    samples,
    logTotal: weights => propagate(weights, undefined),
    propagate
  }

  function propagate(weights: Float64Array, marginals: Float64Array | undefined): number {
    let absent = 1
    for (let i = 0; i < m; i++) {
      absent *= weights[2 * i]
      ratio[i] = weights[2 * i + 1] / weights[2 * i]
    }
    let total = 0
    marginals?.fill(0)
    for (let sample = 0; sample < samples; sample++) {
      let product = absent
      for (let at = starts[sample]; at < starts[sample + 1]; at++) product *= ratio[concepts[at]]
      total += product
      if (marginals !== undefined)
        for (let at = starts[sample]; at < starts[sample + 1]; at++) marginals[concepts[at]] += product
    }
    if (marginals !== undefined) for (let i = 0; i < m; i++) marginals[i] /= total
    return log(total / samples)
  }
}
