import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type LinearSolverOptions, loadLinearSolver} from '../../base/linear/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {FamilyScores} from './family-scores.ts'
import {searchGreedy} from './search-greedy.ts'
import {type GraphProgress, type GraphSearch, graphSearch, noGraph} from './search-result.ts'

export interface SearchOptions {
  /** `exact` runs until its graph is proven best or a limit is reached; `greedy` proves nothing. */
  readonly search: 'exact' | 'greedy'
  /** The most simplex steps of an integer program: the same on every machine, unlike a time limit. */
  readonly stepLimit: number
  /** The most seconds, or undefined. Needs a clock. */
  readonly timeLimit: number | undefined
  readonly seed: number
}

export interface SearchControl extends LinearSolverOptions {
  readonly onProgress?: (progress: GraphProgress) => void
  /** When aborted, the search throws. */
  readonly signal?: AbortSignal
  /** Seconds since any fixed time. */
  readonly clock?: () => number
}

/** Climbs of a greedy search on its own: half a second for 50 concepts. */
const GREEDY_RESTARTS = 100

/** The best graph of a score by the method that suits its size: subsets up to 22 concepts, then an integer program. */
export async function searchGraph(
  scores: FamilyScores,
  options: SearchOptions,
  control: SearchControl
): Promise<GraphSearch> {
  const {search, stepLimit, timeLimit, seed} = options
  const {clock, signal, onProgress} = control
  if (timeLimit !== undefined && clock === undefined)
    throw new AdfaError(
      'bad-option',
      'a time limit needs a clock; pass `clock`, such as () => performance.now() / 1000'
    )
  const end = (clock?.() ?? 0) + (timeLimit ?? Number.POSITIVE_INFINITY)
  const stop = () => signal?.aborted === true || (clock !== undefined && clock() > end)
  const found = await run()
  throwIfCancelled(signal)
  return found

  async function run(): Promise<GraphSearch> {
    const random = rng(seed).stream('structure')
    if (search === 'greedy') return searchGreedy(scores, random, {restarts: GREEDY_RESTARTS, stop})
    if (scores.length <= exactSearchLimit) return searchExact(scores)
    const {searchInteger} = await import('./search-integer.ts')
    const linear = await loadLinearSolver(control)
    return searchInteger(scores, linear, random, {stepLimit, stop, ...(onProgress && {onProgress})})
  }
}

/** The most concepts for {@link searchExact}: its memory is 9 bytes per subset, its time doubles with every concept. */
export const exactSearchLimit = 22

/**
 * The best acyclic graph, by dynamic programming over subsets (Silander and Myllymaki, 2006): a best graph over the set S
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

/** The index of the first mask inside the set, or the number of masks if there is none. */
function firstWithin(masks: Int32Array, set: number): number {
  let at = 0
  while (at < masks.length && (masks[at] & ~set) !== 0) at++
  return at
}

function maskOf(parents: readonly number[]): number {
  return parents.reduce((mask, parent) => mask | (1 << parent), 0)
}
