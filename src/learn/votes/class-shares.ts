import {clamp, goldenSection, log, logit, sigmoid} from '../../base/numeric/index.ts'
import {softmax} from './vote-weights.ts'

/** Usual log-odds of the precision of votes for a class, and of the share of its documents that have one. */
const USUAL_PRECISION = 1.4
const USUAL_COVERAGE = 0.4
/** The variance of ln p C, where C classes have prevalences p. */
const BALANCE_VARIANCE = 0.49
const MOST_COVERED = 0.97
/** The penalty beyond that. */
const STEEP = 100
const FIRING_RANGE = [1e-3, 0.97] as const

/** Prevalence and precision of the anchor of a class. */
export interface ClassShares {
  readonly prevalence: number
  readonly precision: number
}

const SWEEPS = 200
const SETTLED = 1e-7
/** How far each variable is searched around its last value, and to which width. */
const REACH = 2
const SEARCH_WIDTH = 1e-8

/**
 * The precisions R and prevalences p, with sum 1, that make
 *
 *     sum over classes of (logit R - 1.4)^2 + (logit t - 0.4)^2 + (ln p C)^2 / 0.49,    t = R P(A) / p
 *
 * least, one variable after the other; t is kept below 0.97 by a penalty. Cost: O(sweeps C^2).
 */
export function mostProbableShares(firing: readonly number[]): ClassShares[] {
  const a = firing.map(share => clamp(share, ...FIRING_RANGE))
  const C = a.length
  // logit R, then ln p but for a common constant.
  const z = [...a.map(() => 0), ...a.map(() => 0)]
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let moved = 0
    for (let v = 0; v < 2 * C; v++) {
      const before = z[v]
      const evaluate = (at: number) => ({at, value: -classCost(a, z.with(v, at))})
      z[v] = goldenSection(evaluate, [before - REACH, before + REACH], SEARCH_WIDTH).best.at
      moved = Math.max(moved, Math.abs(z[v] - before))
    }
    if (moved < SETTLED) break
  }
  return Array.from(softmax(z.slice(C)), (prevalence, c) => ({prevalence, precision: sigmoid(z[c])}))
}

export function classCost(firing: readonly number[], z: readonly number[]): number {
  const C = firing.length
  return softmax(z.slice(C)).reduce((sum, p, c) => {
    const t = (sigmoid(z[c]) * firing[c]) / p
    const beyond = Math.max(0, log(t / MOST_COVERED))
    const parts = [z[c] - USUAL_PRECISION, logit(Math.min(t, MOST_COVERED)) - USUAL_COVERAGE]
    return sum + parts[0] ** 2 + parts[1] ** 2 + STEEP * beyond ** 2 + log(p * C) ** 2 / BALANCE_VARIANCE
  }, 0)
}
