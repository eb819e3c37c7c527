/** Linear inequalities that hold on the marginal polytope: Eq. 3, triangles and hypermetrics, and searches for violated ones. */
import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import {pairColumn} from './problem.ts'

/** The inequality `sum_n values[n] x[indices[n]] >= lower` for the coordinates x = (p, q). */
export interface CutRow {
  readonly indices: readonly number[]
  readonly values: readonly number[]
  readonly lower: number
}

/** Finds rows that x violates, and reports each with its violation. */
export type Separate = (x: Float64Array, report: (violation: number, row: CutRow) => void) => void

/** The most rows added at a time, the most violated first. Of more rows, most turn out to be redundant. */
const ROWS_PER_ROUND = 500
/** Hypermetric rows violated by less than this may be rounding errors. */
const ROUNDING = 1e-9

/** Returns the left side of a row at x. */
export function rowProduct({indices, values}: CutRow, x: Float64Array): number {
  let sum = 0
  for (let n = 0; n < indices.length; n++) sum += values[n] * x[indices[n]]
  return sum
}

/** Returns a key that equal rows share. */
export function rowKey({indices, values}: CutRow): string {
  return `${indices}:${values}`
}

/** Returns the most violated rows that `isWanted` accepts, scaled so that the depth of a violation is a distance from x. */
export function deepestRows(
  separate: Separate,
  x: Float64Array,
  isWanted: (depth: number, row: CutRow) => boolean
): CutRow[] {
  const found: {depth: number; row: CutRow}[] = []
  separate(x, (violation, {indices, values, lower}) => {
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
    const row = {indices, values: values.map(value => value / length), lower: lower / length}
    if (isWanted(violation / length, row)) found.push({depth: violation / length, row})
  })
  found.sort((a, b) => b.depth - a.depth)
  return found.slice(0, ROWS_PER_ROUND).map(({row}) => row)
}

/**
 * Lists the rows of the local polytope (Eq. 3). In coordinates (p, q) tables agree on the concepts they share, so the rows only
 * say that the cells of every pair are at least 0; q >= 0 is a bound of the coordinate.
 */
export function localPolytopeRows(m: number): CutRow[] {
  const rows: CutRow[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const ik = pairColumn(i, k, m)
      rows.push({indices: [i, ik], values: [1, -1], lower: 0})
      rows.push({indices: [k, ik], values: [1, -1], lower: 0})
      rows.push({indices: [i, k, ik], values: [-1, -1, 1], lower: -1})
    }
  return rows
}

/**
 * Finds the violated triangle inequalities of m concepts, which on the complete graph imply all cycle inequalities:
 * q_ik + q_il - q_kl <= p_i for each corner, and p_i + p_k + p_l - q_ik - q_il - q_kl <= 1.
 */
export function violatedTriangles(m: number): Separate {
  return (x, report) => {
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) {
        const ik = pairColumn(i, k, m)
        for (let l = k + 1; l < m; l++) {
          const il = ik + l - k
          const kl = pairColumn(k, l, m)
          // Nearly all triangle inequalities hold, so rows are made only for violated ones.
          const atI = x[i] - x[ik] - x[il] + x[kl]
          const atK = x[k] - x[ik] - x[kl] + x[il]
          const atL = x[l] - x[il] - x[kl] + x[ik]
          const none = 1 - x[i] - x[k] - x[l] + x[ik] + x[il] + x[kl]
          if (atI < 0) report(-atI, {indices: [i, ik, il, kl], values: [1, -1, -1, 1], lower: 0})
          if (atK < 0) report(-atK, {indices: [k, ik, kl, il], values: [1, -1, -1, 1], lower: 0})
          if (atL < 0) report(-atL, {indices: [l, il, kl, ik], values: [1, -1, -1, 1], lower: 0})
          if (none < 0) report(-none, {indices: [i, k, l, ik, il, kl], values: [-1, -1, -1, 1, 1, 1], lower: -1})
        }
      }
  }
}

/**
 * Finds violated hypermetric inequalities. For integers b and k, (b.y + k)(b.y + k + 1) >= 0 holds for every 0/1 vector y, so
 * its mean, sum b_i^2 p_i + 2 sum b_i b_l q_il + (2k + 1) b.p + k(k + 1), is at least 0 on the marginal polytope. Three entries
 * of +-1 give the triangles, and five the pentagons, which no cycle inequalities imply.
 *
 * Method: from a random b in {-1, 0, 1}^m, the change of one entry that lowers the mean most, with the best k, until none does.
 * The search is a heuristic and may miss violated inequalities. Cost: O(m) per change.
 */
export function violatedHypermetrics(m: number, starts: number, random: Rng): Separate {
  const b = new Int8Array(m)
  /** P(Y_i = Y_k = 1), row-major, with P(Y_i = 1) on the diagonal. */
  const W = new Float64Array(m * m)
  return (x, report) => {
    for (let i = 0; i < m; i++) for (let k = 0; k < m; k++) W[i * m + k] = x[i === k ? i : pairColumn(i, k, m)]
    const known = new Set<string>()
    for (let start = 0; start < starts; start++) {
      b.fill(0)
      // Starts have 3, 5 or 7 nonzero entries, since changes of one entry seldom lead from triangles to pentagons.
      for (let n = 0; n < 3 + 2 * (start % 3); n++) b[randomIndex(random, m)] = random.next() < 0.5 ? -1 : 1
      const {value, k} = descend(b, W)
      const row = hypermetricRow(b, k)
      if (value >= -ROUNDING || known.has(rowKey(row))) continue
      known.add(rowKey(row))
      report(-value / 2, row)
    }
  }
}

/** Changes b, one entry at a time, while the mean of (b.y + k)(b.y + k + 1) falls; returns the mean and the best k. */
function descend(b: Int8Array, W: Float64Array): {value: number; k: number} {
  const m = b.length
  /** The means of (b.y) y_i, of (b.y)^2 and of b.y. */
  const products = new Float64Array(m)
  let square = 0
  let mean = 0
  for (let k = 0; k < m; k++) if (b[k] !== 0) for (let i = 0; i < m; i++) products[i] += b[k] * W[i * m + k]
  for (let i = 0; i < m; i++) {
    square += b[i] * products[i]
    mean += b[i] * W[i * m + i]
  }
  for (;;) {
    let best = hypermetricMean(square, mean) - 1e-12 // a smaller gain may be a rounding error
    let at = -1
    let change = 0
    for (let i = 0; i < m; i++)
      for (let by = -1 - b[i]; by <= 1 - b[i]; by++) {
        const p = W[i * m + i]
        const trial = hypermetricMean(square + 2 * by * products[i] + by * by * p, mean + by * p)
        if (trial >= best) continue
        best = trial
        at = i
        change = by
      }
    if (at < 0) return {value: hypermetricMean(square, mean), k: Math.round(-mean - 0.5)}
    const p = W[at * m + at]
    square += 2 * change * products[at] + change * change * p
    mean += change * p
    for (let i = 0; i < m; i++) products[i] += change * W[i * m + at]
    b[at] += change
  }
}

/** Returns the mean of (b.y + k)(b.y + k + 1) for the best k, from the means of (b.y)^2 and b.y. */
function hypermetricMean(square: number, mean: number): number {
  const k = Math.round(-mean - 0.5)
  return square + (2 * k + 1) * mean + k * (k + 1)
}

/** Returns the hypermetric row of b and k, divided by 2 so that it has the scale of the triangles. */
function hypermetricRow(b: Int8Array, k: number): CutRow {
  const m = b.length
  const indices: number[] = []
  const values: number[] = []
  for (let i = 0; i < m; i++) {
    if (b[i] === 0) continue
    indices.push(i)
    values.push((b[i] * b[i] + (2 * k + 1) * b[i]) / 2)
    for (let l = i + 1; l < m; l++)
      if (b[l] !== 0) {
        indices.push(pairColumn(i, l, m))
        values.push(b[i] * b[l])
      }
  }
  return {indices, values, lower: (-k * (k + 1)) / 2}
}
