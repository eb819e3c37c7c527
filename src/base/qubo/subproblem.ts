import type {BinaryQuadratic} from './binary-function.ts'
import {pairIndex} from './pair-index.ts'
import type {SpinRelaxation} from './spin-relaxation.ts'
import {TriangleCuts} from './triangle-cuts.ts'

/** A quadratic function with some variables fixed: a function of the free ones, plus a constant. */
export interface Subproblem {
  /** For each variable of the whole function 0, 1, or -1 where it is free. */
  readonly fixed: Int8Array
  /** The free variables, ascending. */
  readonly free: Int32Array
  readonly rest: BinaryQuadratic
  readonly constant: number
}

export function restrict(q: BinaryQuadratic, fixed: Int8Array): Subproblem {
  const {size: m, linear, quadratic} = q
  const free = Int32Array.from(fixed.keys()).filter(i => fixed[i] < 0)
  const place = new Int32Array(m)
  free.forEach((i, at) => {
    place[i] = at
  })
  const u = Float64Array.from(free, i => linear[i])
  const w = new Float64Array((free.length * (free.length - 1)) / 2)
  let constant = 0
  for (let i = 0; i < m; i++) if (fixed[i] === 1) constant += linear[i]
  let at = 0
  for (let i = 0; i < m; i++) {
    for (let k = i + 1; k < m; k++, at++) {
      if (fixed[i] < 0 && fixed[k] < 0) w[pairIndex(place[i], place[k], free.length)] = quadratic[at]
      else if (fixed[i] < 0 && fixed[k] === 1) u[place[i]] += quadratic[at]
      else if (fixed[k] < 0 && fixed[i] === 1) u[place[k]] += quadratic[at]
      else if (fixed[i] === 1 && fixed[k] === 1) constant += quadratic[at]
    }
  }
  return {fixed, free, rest: {size: free.length, linear: u, quadratic: w}, constant}
}

/** A full point from the values of the free variables. */
export function expand({fixed, free}: Subproblem, values: Uint8Array): Uint8Array {
  const y = Uint8Array.from(fixed)
  free.forEach((i, at) => {
    y[i] = values[at]
  })
  return y
}

/**
 * The same function of signs: with `y_i = (1 + x_0 x_i) / 2`, `constant + sum_{a<b} J_ab x_a x_b` over m + 1 signs, variable
 * i being sign i + 1. J is a full symmetric matrix.
 */
export function spinForm({size: m, linear, quadratic}: BinaryQuadratic): {J: Float64Array; constant: number} {
  const n = m + 1
  const J = new Float64Array(n * n)
  let constant = 0
  let at = 0
  for (let i = 1; i < n; i++) {
    constant += linear[i - 1] / 2
    J[i] += linear[i - 1] / 2
    for (let k = i + 1; k < n; k++, at++) {
      const w = quadratic[at] / 4
      constant += w
      J[i] += w
      J[k] += w
      J[i * n + k] = w
      J[k * n + i] = w
    }
  }
  for (let i = 1; i < n; i++) J[i * n] = J[i]
  return {J, constant}
}

/** Vectors and cuts of a relaxation, with the variables they belong to. */
export interface RelaxationState {
  readonly free: Int32Array
  readonly vectors: Float64Array
  readonly cuts: TriangleCuts
}

/**
 * A state after more variables are fixed: their vectors are dropped, and in cuts their sign becomes that of x_0 or the
 * opposite. A cut with x_0 twice is void and is dropped too.
 */
export function inheritState(from: RelaxationState, {fixed, free}: Subproblem): RelaxationState {
  const rank = from.vectors.length / (from.free.length + 1)
  const vectors = new Float64Array((free.length + 1) * rank)
  vectors.set(from.vectors.subarray(0, rank))
  const place = new Int32Array(from.free.length + 1)
  const sign = new Int8Array(from.free.length + 1).fill(1)
  let next = 1
  from.free.forEach((i, at) => {
    if (fixed[i] >= 0) {
      sign[at + 1] = 2 * fixed[i] - 1
      return
    }
    vectors.set(from.vectors.subarray((at + 1) * rank, (at + 2) * rank), next * rank)
    place[at + 1] = next++
  })
  const cuts = new TriangleCuts()
  const {a, b, c, beta, gamma, multiplier} = from.cuts
  for (let at = 0; at < from.cuts.count; at++) {
    const ends = [
      {place: place[a[at]], sign: sign[a[at]]},
      {place: place[b[at]], sign: sign[b[at]] * beta[at]},
      {place: place[c[at]], sign: sign[c[at]] * gamma[at]}
    ].sort((x, y) => x.place - y.place)
    if (ends[0].place === ends[1].place) continue
    const [x, y, z] = ends
    cuts.add(x.place, y.place, z.place, x.sign * y.sign, x.sign * z.sign, multiplier[at])
  }
  return {free, vectors, cuts}
}

/** What remains to be searched: every point below the target agrees with one of the parts. */
interface NodeSplit {
  readonly parts: readonly {readonly fixed: Int8Array; readonly bound: number}[]
  /** A lower bound of all points that agree with none of them, at least the target; infinite when there are none. */
  readonly closed: number
}

/**
 * Divide a subproblem whose relaxation has just been proven: fix the variables of which one value cannot lead below the
 * target, then split on the variable that is least decided and matters most.
 */
export function splitNode(sub: Subproblem, relaxation: SpinRelaxation, target: number): NodeSplit {
  const {products, norms} = relaxation
  const forced = relaxation.forcedBounds()
  const fixed = sub.fixed.slice()
  let closed = Number.POSITIVE_INFINITY
  let chosen = 0
  let best = Number.NEGATIVE_INFINITY
  for (let a = 1; a < relaxation.n; a++) {
    const without0 = forced[2 * a] >= target
    const without1 = forced[2 * a + 1] >= target
    if (without0) closed = Math.min(closed, forced[2 * a])
    if (without1) closed = Math.min(closed, forced[2 * a + 1])
    if (without0 && without1) return {parts: [], closed}
    if (without0 || without1) fixed[sub.free[a - 1]] = without0 ? 1 : 0
    const score = (1 - products[a] * products[a]) * Math.sqrt(norms[a])
    if (without0 || without1 || score <= best) continue
    best = score
    chosen = a
  }
  if (chosen === 0) return {parts: [{fixed, bound: Number.NEGATIVE_INFINITY}], closed}
  const parts = [0, 1].map(value => {
    const part = fixed.slice()
    part[sub.free[chosen - 1]] = value
    return {fixed: part, bound: forced[2 * chosen + value]}
  })
  return {parts, closed}
}
