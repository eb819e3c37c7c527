import {
  type BayesNetwork,
  eliminationOrder,
  forwardSampler,
  junctionTree,
  topologicalOrder
} from '../../base/network/index.ts'
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

/** Prepares sums over P(Y): exact by passes over a forest or a junction tree of moderate size, beyond that over draws. */
export function networkSums(network: BayesNetwork, random: Rng): NetworkSums {
  const forest = forestSums(network)
  if (forest !== undefined) return forest
  const tree = eliminationOrder(network).size > TREE_LIMIT ? undefined : junctionTree(network)
  return tree ?? sampledSums(network, SAMPLES, random)
}

/**
 * Sums over P(Y) where every concept has at most one parent; undefined for other networks. Weights are 0 or within 1e-100 .. 1e100.
 * Method: one pass from the leaves to the roots and one back, O(m) each. Nothing is divided by a message that can be 0.
 */
export function forestSums({parents, cpt}: BayesNetwork): NetworkSums | undefined {
  const order = topologicalOrder(parents)
  if (order === undefined || parents.some(list => list.length > 1)) return undefined
  const m = parents.length
  const forest: Forest = {
    order: Int32Array.from(order),
    parent: Int32Array.from(parents, list => list[0] ?? -1),
    p0: Float64Array.from(cpt, table => table[0]),
    p1: Float64Array.from(cpt, table => table[table.length - 1]),
    below: new Float64Array(2 * m)
  }
  return {
    conceptCount: m,
    logTotal: weights => passUp(forest, weights),
    propagate(weights, marginals) {
      const total = passUp(forest, weights)
      if (Number.isFinite(total)) passDown(forest, marginals)
      else marginals.fill(Number.NaN)
      return total
    }
  }
}

interface Forest {
  /** Parents before their children. */
  readonly order: Int32Array
  /** -1 for a root. */
  readonly parent: Int32Array
  /** P(y_i = 1 | parent = 0) and P(y_i = 1 | parent = 1); of a root twice the same. */
  readonly p0: Float64Array
  readonly p1: Float64Array
  /** At 2*i + y: the weights of y_i = y and of everything below, after the pass up. */
  readonly below: Float64Array
}

/** The log of the sum. Products that leave 2^-100 .. 2^100 are divided by the larger of the two. */
function passUp({order, parent, p0, p1, below}: Forest, weights: Float64Array): number {
  below.set(weights)
  let logTotal = 0
  let total = 1
  for (let at = order.length - 1; at >= 0; at--) {
    const i = order[at]
    const [k, off, on] = [parent[i], below[2 * i], below[2 * i + 1]]
    const message0 = (1 - p0[i]) * off + p0[i] * on
    if (k < 0) total *= message0
    else {
      below[2 * k] *= message0
      below[2 * k + 1] *= (1 - p1[i]) * off + p1[i] * on
      const larger = Math.max(below[2 * k], below[2 * k + 1])
      if (larger < 2 ** -100 || larger > 2 ** 100) {
        below[2 * k] /= larger
        below[2 * k + 1] /= larger
        total *= larger
      }
    }
    if (!(total > 2 ** -100 && total < 2 ** 100)) {
      if (!(total > 0 && total < Number.POSITIVE_INFINITY)) return log(total)
      logTotal += log(total)
      total = 1
    }
  }
  return logTotal + log(total)
}

function passDown({order, parent, p0, p1, below}: Forest, marginals: Float64Array): void {
  for (let at = 0; at < order.length; at++) {
    const i = order[at]
    const [k, off, on] = [parent[i], below[2 * i], below[2 * i + 1]]
    const q0 = share(p0[i] * on, (1 - p0[i]) * off)
    marginals[i] = k < 0 ? q0 : (1 - marginals[k]) * q0 + marginals[k] * share(p1[i] * on, (1 - p1[i]) * off)
  }
}

/** A state of probability 0 has no share. */
function share(on: number, off: number): number {
  return on === 0 ? 0 : on / (on + off)
}

/**
 * Sums over draws of y in place of P(Y), the same draws for every call, so that problems solved with them stay convex and
 * smooth. Weights of absent concepts are above 0. Cost: one multiplication per concept that is on and draw.
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
