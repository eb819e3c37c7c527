import {anchorPairCounts, type Counts} from '../counts/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {withDefaults} from '../numeric/index.ts'
import {type Pull, pullStrength} from './pull.ts'
import {channelOf, independentTable} from './recover-table.ts'
import {simplexSolver} from './simplex-solver.ts'
import type {Divergence, SolveStatus, TableCertificate} from './table-solver.ts'

export interface MomentOptions {
  readonly polytope: 'simplex'
  readonly pull: Pull
  readonly divergence: Divergence
}

export const momentDefaults: MomentOptions = {polytope: 'simplex', pull: '10/N', divergence: 'kl'}

/** How good a set of recovered tables is: sums over all of them, and the worst status. */
export interface MomentCertificate {
  readonly objective: number
  readonly gap: number
  readonly steps: number
  readonly status: SolveStatus
}

/** The recovered moments of the concepts, of first and second order. */
export interface Moments {
  readonly latentCount: number
  /** How many documents they rest on. */
  readonly sampleCount: number
  /** P(Y_i = 1). */
  single(i: number): number
  /** P(Y_i, Y_k) as a fresh table, cell `2*yi + yk`, for any i != k. */
  pair(i: number, k: number): Float64Array
  readonly certificate: MomentCertificate
}

/**
 * mu-hat of Eq. 4 with the pull to independence, K = 2, over the simplex: every single and pair is its own problem, as in
 * Eq. 2. The target of the pull is the product of the prevalences that the anchors imply.
 * Cost: one 4-cell Newton solve a pair.
 */
export function recoverMoments(counts: Counts, noise: NoiseRates, options?: Partial<MomentOptions>): Moments {
  const {pull, divergence} = withDefaults('recoverMoments', momentDefaults, options)
  const m = counts.lexicon.anchors.length
  const N = counts.documentCount
  const lambda = pullStrength(pull, N)
  const fired = anchorPairCounts(counts)
  const total = new CertificateSum()
  const recover = (latents: readonly number[], observed: readonly number[]): Float64Array => {
    const solver = simplexSolver(
      latents.map(i => channelOf(noise, i)),
      divergence
    )
    const w = independentTable(latents.map(i => noise.prevalence[i])).map(cell => lambda * cell)
    total.add(
      solver.solve(
        observed.map(documents => documents / N),
        w,
        1
      )
    )
    return solver.mu
  }
  const singles = Float64Array.from({length: m}, (_, i) => {
    const on = fired[i * m + i]
    return recover([i], [N - on, on])[1]
  })
  const pairs = new Float64Array(2 * m * (m - 1))
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const both = fired[i * m + k]
      const onI = fired[i * m + i] - both
      const onK = fired[k * m + k] - both
      pairs.set(recover([i, k], [N - onI - onK - both, onK, onI, both]), pairStart(i, k, m))
    }
  return {
    latentCount: m,
    sampleCount: N,
    single: i => singles[i],
    pair: (i, k) => {
      if (i < k) return pairs.slice(pairStart(i, k, m), pairStart(i, k, m) + 4)
      const start = pairStart(k, i, m)
      return Float64Array.of(pairs[start], pairs[start + 2], pairs[start + 1], pairs[start + 3])
    },
    certificate: total.result()
  }
}

/** Where the table of i < k begins among all pairs, row-major. */
function pairStart(i: number, k: number, m: number): number {
  return 4 * (i * m - (i * (i + 1)) / 2 + (k - i - 1))
}

/** Adds certificates up: a sum is optimal only when every part is. */
export class CertificateSum {
  #objective = 0
  #gap = 0
  #steps = 0
  #status: SolveStatus = 'optimal'

  add({objective, gap, steps, status}: TableCertificate): void {
    this.#objective += objective
    this.#gap += gap
    this.#steps += steps
    if (status !== 'optimal') this.#status = status
  }

  result(): MomentCertificate {
    return {objective: this.#objective, gap: this.#gap, steps: this.#steps, status: this.#status}
  }
}
