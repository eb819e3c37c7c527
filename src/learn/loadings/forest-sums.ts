import {type BayesNetwork, topologicalOrder} from '../../base/network/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {NetworkSums} from './tilted-network.ts'

/** A share of the variance: concepts that always occur together would leave the covariance singular. */
const LEAST_RESIDUAL = 1e-6

/** Sums over P(Y) of a forest, with the inverse of its covariance. */
export interface ForestSums extends NetworkSums {
  readonly newtonStep: NonNullable<NetworkSums['newtonStep']>
  /** What `propagate` returns, in a third of the time. */
  logTotal(weights: Float64Array): number
}

/**
 * Sums over P(Y) where every concept has at most one parent; undefined for other networks. Weights are 0 or within 1e-100 .. 1e100.
 *
 * Method: one pass from the leaves to the roots and one back. Weighted, P(Y) is still a forest with P(y_i = 1 | parent = y) = q_y,
 * so its covariance is that of a linear regression of each concept on its parent, with the slope b_i = q_1 - q_0 and the residual
 * variance e_i: the inverse covariance J has d'Jd = sum_i (d_i - b_i d_parent)^2 / e_i, one term per edge.
 * Cost: O(m) per call, `newtonStep` included. Nothing is divided by a message that can be 0.
 */
export function forestSums({parents, cpt}: BayesNetwork): ForestSums | undefined {
  const order = topologicalOrder(parents)
  if (order === undefined || parents.some(list => list.length > 1)) return undefined
  const m = parents.length
  const numbers = () => new Float64Array(m)
  const forest = {
    order: Int32Array.from(order),
    parent: Int32Array.from(parents, list => list[0] ?? -1),
    /** P(y_i = 1 | parent = 0) and P(y_i = 1 | parent = 1); of a root twice the same. */
    p0: Float64Array.from(cpt, table => table[0]),
    p1: Float64Array.from(cpt, table => table[table.length - 1]),
    /** At 2*i + y: the weights of y_i = y and of everything below. */
    below: new Float64Array(2 * m),
    slope: numbers(),
    residual: numbers()
  }
  const work = {pull: numbers(), stiffness: numbers(), change: numbers()}
  const logTotal = (weights: Float64Array) => passUp(forest, weights)
  return {
    conceptCount: m,
    logTotal,
    propagate(weights, marginals) {
      const total = logTotal(weights)
      if (Number.isFinite(total)) passDown(forest, marginals)
      else marginals.fill(Number.NaN)
      return total
    },
    newtonStep: (wantedChange, isHeld, step) => newtonStep(forest, work, {wantedChange, isHeld, step})
  }
}

interface Forest {
  /** Parents before their children. */
  readonly order: Int32Array
  /** -1 for a root. */
  readonly parent: Int32Array
  readonly p0: Float64Array
  readonly p1: Float64Array
  readonly below: Float64Array
  readonly slope: Float64Array
  readonly residual: Float64Array
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

function passDown({order, parent, p0, p1, below, slope, residual}: Forest, marginals: Float64Array): void {
  for (let at = 0; at < order.length; at++) {
    const i = order[at]
    const [k, off, on] = [parent[i], below[2 * i], below[2 * i + 1]]
    const q0 = share(p0[i] * on, (1 - p0[i]) * off)
    const q1 = k < 0 ? q0 : share(p1[i] * on, (1 - p1[i]) * off)
    const parentOn = k < 0 ? 0 : marginals[k]
    marginals[i] = (1 - parentOn) * q0 + parentOn * q1
    slope[i] = q1 - q0
    residual[i] = (1 - parentOn) * q0 * (1 - q0) + parentOn * q1 * (1 - q1)
    const least = LEAST_RESIDUAL * marginals[i] * (1 - marginals[i])
    if (residual[i] < least) residual[i] = least
  }
}

/** A state of probability 0 has no share. */
function share(on: number, off: number): number {
  return on === 0 ? 0 : on / (on + off)
}

/**
 * With d the change of the means, Jd is the step. d is `wantedChange` for concepts that are free; for those held, whose step is 0,
 * it follows from their neighbours: block elimination from the leaves, then back. Of the held concepts below i, `stiffness` is
 * the term of d_i^2 that their elimination leaves and `pull` that of d_i.
 */
function newtonStep(
  {order, parent, slope, residual}: Forest,
  {pull, stiffness, change}: {readonly [name in 'pull' | 'stiffness' | 'change']: Float64Array},
  {wantedChange, isHeld, step}: {wantedChange: Float64Array; isHeld: Uint8Array; step: Float64Array}
): void {
  pull.fill(0)
  stiffness.fill(0)
  for (let at = order.length - 1; at >= 0; at--) {
    const [i, k] = [order[at], parent[order[at]]]
    if (k < 0 || !isHeld[k]) continue
    const divisor = isHeld[i] ? 1 + residual[i] * stiffness[i] : residual[i]
    pull[k] += (slope[i] * (isHeld[i] ? pull[i] : wantedChange[i])) / divisor
    stiffness[k] += (slope[i] ** 2 * (isHeld[i] ? stiffness[i] : 1)) / divisor
  }
  for (let at = 0; at < order.length; at++) {
    const [i, k] = [order[at], parent[order[at]]]
    const explained = k < 0 ? 0 : slope[i] * change[k]
    const divisor = 1 + residual[i] * stiffness[i]
    // The residual of d over its variance.
    const force = isHeld[i]
      ? (pull[i] - stiffness[i] * explained) / divisor
      : (wantedChange[i] - explained) / residual[i]
    change[i] = isHeld[i] ? (residual[i] * pull[i] + explained) / divisor : wantedChange[i]
    step[i] = force
    if (k >= 0) step[k] -= slope[i] * force
  }
}
