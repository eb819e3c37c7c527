import {pairIndex} from '../../base/qubo/index.ts'
import type {MomentLayout} from './moment-layout.ts'

/** `sum_n values[n] x[indices[n]] >= lower`. */
export interface CutRow {
  readonly indices: readonly number[]
  readonly values: readonly number[]
  readonly lower: number
}

/** Reports every row that x violates, and by how much; x are coordinates (p, q, r). */
export type Separate = (x: Float64Array, report: Report) => void

export type Report = (violation: number, row: CutRow) => void

/**
 * Triangle inequalities, which on the complete graph are all cycle inequalities:
 * q_ik + q_il - q_kl <= p_i for each corner, and p_i + p_k + p_l - q_ik - q_il - q_kl <= 1.
 */
export function violatedTriangles({conceptCount: m}: MomentLayout): Separate {
  return (x, report) =>
    forEachTriple(m, (i, k, l, ik, il, kl) => {
      // Nearly all hold: only violated rows are written out.
      const atI = x[i] - x[ik] - x[il] + x[kl]
      const atK = x[k] - x[ik] - x[kl] + x[il]
      const atL = x[l] - x[il] - x[kl] + x[ik]
      const none = 1 - x[i] - x[k] - x[l] + x[ik] + x[il] + x[kl]
      if (atI < 0) report(-atI, {indices: [i, ik, il, kl], values: [1, -1, -1, 1], lower: 0})
      if (atK < 0) report(-atK, {indices: [k, ik, kl, il], values: [1, -1, -1, 1], lower: 0})
      if (atL < 0) report(-atL, {indices: [l, il, kl, ik], values: [1, -1, -1, 1], lower: 0})
      if (none < 0) report(-none, {indices: [i, k, l, ik, il, kl], values: [-1, -1, -1, 1, 1, 1], lower: -1})
    })
}

/** Calls `visit` with the concepts of every triple and the columns of its pairs and itself: seven numbers, to allocate nothing. */
export function forEachTriple(
  m: number,
  visit: (i: number, k: number, l: number, ik: number, il: number, kl: number, ikl: number) => void
): void {
  let ikl = m + (m * (m - 1)) / 2
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++, ikl++)
        visit(i, k, l, m + pairIndex(i, k, m), m + pairIndex(i, l, m), m + pairIndex(k, l, m), ikl)
}
