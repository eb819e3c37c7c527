import {rng} from '../numeric/index.ts'
import type {BinaryQuadratic} from './binary-function.ts'
import {RANK, SpinRelaxation} from './spin-relaxation.ts'
import {spinForm} from './subproblem.ts'
import {TriangleCuts} from './triangle-cuts.ts'

function unitVectors(n: number, seed: number): Float64Array {
  const random = rng(seed)
  const vectors = Float64Array.from({length: n * RANK}, () => random.next() - 0.5)
  for (let a = 0; a < n; a++) {
    const v = vectors.subarray(a * RANK, (a + 1) * RANK)
    const size = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
    for (let d = 0; d < RANK; d++) v[d] /= size
  }
  return vectors
}

/** A relaxation with random vectors and no cuts. */
export function relax(q: BinaryQuadratic, seed = 1): SpinRelaxation {
  const {J, constant} = spinForm(q)
  return new SpinRelaxation(J, constant, unitVectors(q.size + 1, seed), new TriangleCuts())
}

export const noTarget = {target: Number.POSITIVE_INFINITY, stop: () => false}
