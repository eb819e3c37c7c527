import type {MomentLayout} from './moment-layout.ts'
import {forEachTriple, type Report, type Separate} from './violated-rows.ts'

/** Cells of pairs below 0: all these rows together are the local polytope of K = 2. */
export function violatedPairs({conceptCount: m}: MomentLayout): Separate {
  return (x, report) => {
    const check = checker(x, report)
    for (let i = 0, ik = m; i < m; i++)
      for (let k = i + 1; k < m; k++, ik++) {
        check([i, ik], [1, -1], 0)
        check([k, ik], [1, -1], 0)
        check([i, k, ik], [-1, -1, 1], -1)
      }
  }
}

/** Cells of triples below 0: with those of pairs, the local polytope of K = 3. */
export function violatedTriples({conceptCount: m}: MomentLayout): Separate {
  return (x, report) => {
    const check = checker(x, report)
    forEachTriple(m, (i, k, l, ik, il, kl, ikl) => {
      for (const pair of [ik, il, kl]) check([pair, ikl], [1, -1], 0)
      check([i, ik, il, ikl], [1, -1, -1, 1], 0)
      check([k, ik, kl, ikl], [1, -1, -1, 1], 0)
      check([l, il, kl, ikl], [1, -1, -1, 1], 0)
      check([i, k, l, ik, il, kl, ikl], [-1, -1, -1, 1, 1, 1, -1], -1)
    })
  }
}

function checker(x: Float64Array, report: Report) {
  return (indices: readonly number[], values: readonly number[], lower: number) => {
    let slack = -lower
    for (let n = 0; n < indices.length; n++) slack += values[n] * x[indices[n]]
    if (slack < 0) report(-slack, {indices, values, lower})
  }
}
