import {AdfaError} from '../../base/checks/index.ts'
import type {Parents} from '../../base/network/index.ts'
import type {Family, FamilyScores} from './family-scores.ts'

/** A graph found for a decomposable score, and how good it is. */
export interface GraphSearch {
  /** Each list ascending; acyclic. */
  readonly parents: Parents
  readonly score: number
  /** Proven: no graph of the listed families scores more. */
  readonly bound: number
  /** bound - score. */
  readonly gap: number
  /** `optimal`: no graph scores more. `heuristic`: only the bound is proven. `stopped`: a limit or `stop` ended the search. */
  readonly status: 'optimal' | 'heuristic' | 'stopped'
  readonly method: 'dynamic-programming' | 'integer-program' | 'greedy'
  /** Subsets visited, simplex steps, or climbs. */
  readonly steps: number
}

/** The progress of a search. */
export interface GraphProgress {
  /** Only of a search with a proven bound. */
  readonly gap?: number
  /** As above, or independence tests. */
  readonly steps: number
}

/** The result for one family per concept; a bound below the score can only be rounding. */
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

/** The total score of the best family of every concept, cycles or not: a loose bound. */
export function looseBound(scores: FamilyScores): number {
  return scores.reduce((sum, [best]) => sum + (best?.score ?? Number.NEGATIVE_INFINITY), 0)
}

/** The families make no acyclic graph. */
export function noGraph(): AdfaError {
  return new AdfaError(
    'bad-option',
    'the families allow no graph without a cycle; relax the constraints, or score more families (first of all the empty one)'
  )
}

/**
 * Family scores in flat arrays: family n of all belongs to the concept i with `starts[i] <= n < starts[i + 1]`, best first,
 * and has the parents `parents[parentStarts[n]] .. parents[parentStarts[n + 1] - 1]`.
 */
export interface PackedFamilies {
  readonly starts: Int32Array
  readonly scores: Float64Array
  readonly parentStarts: Int32Array
  readonly parents: Int32Array
  /** The concept of each family. */
  readonly children: Int32Array
}

export function packFamilies(scores: FamilyScores): PackedFamilies {
  const all = scores.flat()
  return {
    starts: startsOf(scores),
    scores: Float64Array.from(all, family => family.score),
    parentStarts: startsOf(all.map(family => family.parents)),
    parents: Int32Array.from(all.flatMap(family => family.parents)),
    children: Int32Array.from(scores.flatMap((families, i) => families.map(() => i)))
  }
}

/** The first and thus best family of concept i whose parents all have a smaller `position` than i, or -1. */
export function bestFamilyBefore(families: PackedFamilies, i: number, position: ArrayLike<number>): number {
  const {starts, parentStarts, parents} = families
  for (let n = starts[i]; n < starts[i + 1]; n++) {
    let at = parentStarts[n]
    const end = parentStarts[n + 1]
    while (at < end && position[parents[at]] < position[i]) at++
    if (at === end) return n
  }
  return -1
}

function startsOf(lists: readonly (readonly unknown[])[]): Int32Array {
  const starts = new Int32Array(lists.length + 1)
  lists.forEach((list, n) => {
    starts[n + 1] = starts[n] + list.length
  })
  return starts
}
