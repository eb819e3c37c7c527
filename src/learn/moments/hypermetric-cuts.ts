import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import type {CutRow, Separate} from './cuts.ts'
import {pairColumn} from './layout.ts'

/** A mean above -ROUNDING may be rounding: b = 0 has mean 0. */
const ROUNDING = 1e-9

/**
 * Finds violated hypermetric inequalities. For whole numbers b and k, (b.y + k)(b.y + k + 1) >= 0 holds for every 0/1 vector y,
 * so its mean, sum b_i^2 p_i + 2 sum b_i b_k q_ik + (2k + 1) b.p + k(k + 1) >= 0, holds on the marginal polytope. Three
 * entries of +-1 give the triangles; five the pentagons, which no cycle implies.
 *
 * Method: from random b in {-1, 0, 1}^m, change the entry that lowers the mean most, with the best k, until none does.
 * A heuristic: it may miss violated inequalities. Cost: O(m) per change.
 */
export function violatedHypermetrics(m: number, starts: number, random: Rng): Separate {
  const b = new Int8Array(m)
  const load = new Float64Array(m)
  const W = new Float64Array(m * m)
  return (x, report) => {
    for (let i = 0, column = m; i < m; i++) {
      W[i * m + i] = x[i]
      for (let k = i + 1; k < m; k++, column++) W[i * m + k] = W[k * m + i] = x[column]
    }
    const known = new Set<string>()
    for (let start = 0; start < starts; start++) {
      b.fill(0)
      // Triangles, pentagons and heptagons: single changes do not lead from one kind to the next.
      for (let n = 0; n < 3 + 2 * (start % 3); n++) b[randomIndex(random, m)] = random.next() < 0.5 ? -1 : 1
      const value = descend(b, load, W, m)
      normalise(b)
      const name = b.join()
      if (value < -ROUNDING && !known.has(name)) {
        known.add(name)
        report(-value / 2, rowOf(b, bestK(b, x)))
      }
    }
  }
}

/** Changes b entry by entry while the mean falls; returns the mean. */
function descend(b: Int8Array, load: Float64Array, W: Float64Array, m: number): number {
  let square = 0
  let mean = 0
  for (let i = 0; i < m; i++) {
    let sum = 0
    for (let k = 0; k < m; k++) if (b[k] !== 0) sum += b[k] * W[i * m + k]
    load[i] = sum
    square += b[i] * sum
    mean += b[i] * W[i * m + i]
  }
  for (let value = meanOf(square, mean); ; ) {
    let best = value - 1e-12
    let at = -1
    let to = 0
    for (let i = 0; i < m; i++)
      for (let entry = -1; entry <= 1; entry++) {
        const change = entry - b[i]
        if (change === 0) continue
        const p = W[i * m + i]
        const trial = meanOf(square + 2 * change * load[i] + change * change * p, mean + change * p)
        if (trial < best) {
          best = trial
          at = i
          to = entry
        }
      }
    if (at < 0) return value
    const change = to - b[at]
    const p = W[at * m + at]
    square += 2 * change * load[at] + change * change * p
    mean += change * p
    for (let i = 0; i < m; i++) load[i] += change * W[i * m + at]
    b[at] = to
    value = best
  }
}

/** b and -b (with -k - 1 for k) are the same inequality: makes the first nonzero entry 1. */
function normalise(b: Int8Array): void {
  if ((b.find(entry => entry !== 0) ?? 0) < 0) for (let i = 0; i < b.length; i++) b[i] = -b[i]
}

/** The mean of (b.y + k)(b.y + k + 1) for the best k, from the means of (b.y)^2 and b.y. */
function meanOf(square: number, mean: number): number {
  const k = Math.round(-mean - 0.5)
  return square + (2 * k + 1) * mean + k * (k + 1)
}

function bestK(b: Int8Array, x: Float64Array): number {
  let mean = 0
  for (let i = 0; i < b.length; i++) mean += b[i] * x[i]
  return Math.round(-mean - 0.5)
}

/** Writes half of the inequality, which puts it on the scale of the triangles. */
function rowOf(b: Int8Array, k: number): CutRow {
  const m = b.length
  const indices: number[] = []
  const values: number[] = []
  for (let i = 0; i < m; i++) {
    if (b[i] === 0) continue
    const single = (b[i] * b[i] + (2 * k + 1) * b[i]) / 2
    if (single !== 0) {
      indices.push(i)
      values.push(single)
    }
    for (let l = i + 1; l < m; l++)
      if (b[l] !== 0) {
        indices.push(pairColumn(i, l, m))
        values.push(b[i] * b[l])
      }
  }
  return {indices, values, lower: (-k * (k + 1)) / 2}
}
