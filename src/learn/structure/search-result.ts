import type {Family, FamilyScores} from './family-scores.ts'

/** A graph found for a decomposable score, and how good it is. */
export interface GraphSearch {
  /** The parents of each concept, rising; without a cycle. */
  readonly parents: readonly (readonly number[])[]
  readonly score: number
  /** Proven: no graph of the listed families scores more. */
  readonly bound: number
  /** bound - score. */
  readonly gap: number
  /** `optimal`: no graph scores more. `heuristic`: nothing was proven but the bound. `stopped`: it was asked to stop. */
  readonly status: 'optimal' | 'heuristic' | 'stopped'
  readonly method: 'dynamic-programming' | 'integer-program' | 'greedy'
  /** Subsets looked at, steps of the simplex method, or climbs. */
  readonly steps: number
}

/** How far a search has come. */
export interface GraphProgress {
  /** Of a search that proves something. */
  readonly gap?: number
  /** As above, or tests of independence. */
  readonly steps: number
}

/** The result for one family a concept; a bound below the score can only be rounding. */
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

/** What the best family of every concept would score together, cycles or not: a bound, if a loose one. */
export function looseBound(scores: FamilyScores): number {
  return scores.reduce((sum, [best]) => sum + (best?.score ?? Number.NEGATIVE_INFINITY), 0)
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

/** The first, thus best, family of concept i whose parents all have a smaller `position` than i; -1 if there is none. */
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
