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
