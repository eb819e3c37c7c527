import {AdfaError} from '../../base/checks/index.ts'
import type {Parents} from '../../base/network/index.ts'
import type {Family, FamilyScores} from './bic.ts'

/** A graph found for a decomposable score, and how good it is. */
export interface GraphSearch {
  /** Each list ascending; acyclic. */
  readonly parents: Parents
  readonly score: number
  /** Proven: no graph of the listed families scores more. */
  readonly bound: number
  /** bound - score. */
  readonly gap: number
  /** `optimal`: no graph scores more. `heuristic`: only the bound is proven. `stopped`: a limit ended the search. */
  readonly status: 'optimal' | 'heuristic' | 'stopped'
  readonly method: 'dynamic-programming' | 'integer-program' | 'greedy'
  /** Subsets visited, simplex steps, or climbs. */
  readonly steps: number
  /** Which limit ended a search that was stopped. */
  readonly stoppedBy?: 'work' | 'time'
}

/** The progress of a search. */
export interface GraphProgress {
  /** Given by searches with a proven bound. */
  readonly gap?: number
  /** Subsets, simplex steps, climbs or independence tests. */
  readonly steps: number
}

/** Makes the result of one family per concept; a bound below the score can only be rounding. */
export function graphSearch(
  families: readonly Family[],
  bound: number,
  {status, method, steps}: Pick<GraphSearch, 'status' | 'method' | 'steps'>
): GraphSearch {
  const score = families.reduce((sum, family) => sum + family.score, 0)
  const proven = status === 'optimal' ? score : Math.max(bound, score)
  const parents = families.map(family => family.parents)
  return {parents, score, bound: proven, gap: proven - score, status, method, steps}
}

/** Adds up the best family of every concept, cycles or not: a loose bound. */
export function looseBound(scores: FamilyScores): number {
  return scores.reduce((sum, [best]) => sum + (best?.score ?? Number.NEGATIVE_INFINITY), 0)
}

/** Makes the error of families that allow no acyclic graph. */
export function noGraph(): AdfaError {
  return new AdfaError(
    'bad-option',
    'the families allow no graph without a cycle; relax the constraints, or score more families (first of all the empty one)'
  )
}

/** The most concepts for {@link searchExact}: its memory is 9 bytes per subset, its time doubles with every concept. */
export const exactSearchLimit = 22

/**
 * Finds the best acyclic graph by dynamic programming over subsets (Silander and Myllymaki, 2006): a best graph over the set S
 * has a childless concept i whose parents lie in S \ {i}, and
 *
 *     best(S) = max over i in S of  best(S \ {i}) + the best family of i within S \ {i}.
 *
 * Concept i is bit i of a subset. The best family within a set is the first that fits in the list, which is best first; in
 * large sets it is found soon, so only best(S) and the chosen i are stored. Cost: O(m 2^m) such look-ups.
 */
export function searchExact(scores: FamilyScores): GraphSearch {
  const m = scores.length
  if (m > exactSearchLimit)
    throw new AdfaError(
      'bad-option',
      `dynamic programming over ${m} concepts; at most ${exactSearchLimit} are possible; use the integer program`
    )
  const masks = scores.map(families => Int32Array.from(families, ({parents}) => maskOf(parents)))
  const values = scores.map(families => Float64Array.from(families, family => family.score))
  const best = new Float64Array(2 ** m)
  const childless = new Uint8Array(2 ** m)
  for (let set = 1; set < best.length; set++) {
    let top = Number.NEGATIVE_INFINITY
    for (let i = 0; i < m; i++) {
      const rest = set & ~(1 << i)
      if (rest === set) continue
      const at = firstWithin(masks[i], rest)
      if (at === masks[i].length) continue
      const value = best[rest] + values[i][at]
      if (value > top) {
        top = value
        childless[set] = i
      }
    }
    best[set] = top
  }
  if (best[best.length - 1] === Number.NEGATIVE_INFINITY) throw noGraph()
  const chosen = new Int32Array(m)
  for (let set = best.length - 1; set > 0; ) {
    const i = childless[set]
    set &= ~(1 << i)
    chosen[i] = firstWithin(masks[i], set)
  }
  const families = scores.map((list, i) => list[chosen[i]])
  return graphSearch(families, best[best.length - 1], {
    status: 'optimal',
    method: 'dynamic-programming',
    steps: best.length
  })
}

/** Finds the first mask inside the set; returns the number of masks if there is none. */
function firstWithin(masks: Int32Array, set: number): number {
  let at = 0
  while (at < masks.length && (masks[at] & ~set) !== 0) at++
  return at
}

function maskOf(parents: readonly number[]): number {
  return parents.reduce((mask, parent) => mask | (1 << parent), 0)
}
