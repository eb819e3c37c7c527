import {pairIndex} from '../../base/qubo/index.ts'
import type {CutRow, Separate} from './cut-program.ts'
import type {MomentLayout} from './moment-layout.ts'

/** Cells of pairs that are below 0; with all of them held a program is the local polytope of K = 2. */
export function violatedPairs({conceptCount: m}: MomentLayout): Separate {
  return (x, report) => {
    for (let i = 0, ik = m; i < m; i++)
      for (let k = i + 1; k < m; k++, ik++) {
        check(x, [i, ik], [1, -1], 0, report)
        check(x, [k, ik], [1, -1], 0, report)
        check(x, [i, k, ik], [-1, -1, 1], -1, report)
      }
  }
}

/**
 * Triangle inequalities, which on the complete graph are all the cycle inequalities there are:
 * q_ik + q_il - q_kl <= p_i for each corner, and p_i + p_k + p_l - q_ik - q_il - q_kl <= 1.
 */
export function violatedTriangles({conceptCount: m}: MomentLayout): Separate {
  return (x, report) =>
    forEachTriple(m, (i, k, l, ik, il, kl) => {
      // Nearly all hold: the rows are written out only for those that do not.
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

/** Cells of triples that are below 0; with those of pairs, the local polytope of K = 3. */
export function violatedTriples({conceptCount: m}: MomentLayout): Separate {
  return (x, report) =>
    forEachTriple(m, (i, k, l, ik, il, kl, ikl) => {
      for (const pair of [ik, il, kl]) check(x, [pair, ikl], [1, -1], 0, report)
      check(x, [i, ik, il, ikl], [1, -1, -1, 1], 0, report)
      check(x, [k, ik, kl, ikl], [1, -1, -1, 1], 0, report)
      check(x, [l, il, kl, ikl], [1, -1, -1, 1], 0, report)
      check(x, [i, k, l, ik, il, kl, ikl], [-1, -1, -1, 1, 1, 1, -1], -1, report)
    })
}

function check(
  x: Float64Array,
  indices: readonly number[],
  values: readonly number[],
  lower: number,
  report: (violation: number, row: CutRow) => void
): void {
  let slack = -lower
  for (let n = 0; n < indices.length; n++) slack += values[n] * x[indices[n]]
  if (slack < 0) report(-slack, {indices, values, lower})
}

/** Calls `visit` with the concepts of every triple, the columns of its pairs, and its own. */
function forEachTriple(
  m: number,
  visit: (i: number, k: number, l: number, ik: number, il: number, kl: number, ikl: number) => void
): void {
  let ikl = m + (m * (m - 1)) / 2
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let l = k + 1; l < m; l++, ikl++)
        visit(i, k, l, m + pairIndex(i, k, m), m + pairIndex(i, l, m), m + pairIndex(k, l, m), ikl)
}
