import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {LinearSolver} from '../../base/linear/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {FamilyScores} from './family-scores.ts'
import type {GraphProgress, GraphSearch} from './graph-search.ts'
import {exactSearchLimit, searchExact} from './search-exact.ts'
import {searchGreedy} from './search-greedy.ts'
import {searchInteger} from './search-integer.ts'

export interface SearchOptions {
  /** `exact` goes on until its graph is proven to be the best, or a limit is reached; `greedy` proves nothing. */
  readonly search: 'exact' | 'greedy'
  /** Steps of the simplex method in an integer program, at most: the same on every machine, unlike a time limit. */
  readonly stepLimit: number
  /** Seconds, at most; undefined for no limit. Needs a clock. */
  readonly timeLimit: number | undefined
  readonly seed: number
}

export interface SearchControl {
  readonly onProgress?: (progress: GraphProgress) => void
  /** Cancels: the search throws. */
  readonly signal?: AbortSignal
  /** Seconds, from anywhere. */
  readonly clock?: () => number
  /** The exact search of more than 22 concepts needs one. */
  readonly linearSolver?: LinearSolver
}

/** Climbs of the greedy search, where nothing follows it: half a second at 50 concepts. */
const GREEDY_RESTARTS = 100

/** The best graph of a score by the engine that suits its size: subsets to 22 concepts, then an integer program. */
export function searchGraph(scores: FamilyScores, options: SearchOptions, control: SearchControl): GraphSearch {
  const {search, stepLimit, timeLimit, seed} = options
  const {clock, signal, linearSolver, onProgress} = control
  if (timeLimit !== undefined && clock === undefined)
    throw new AdfaError('bad-option', 'a time limit needs a clock: pass one, such as () => performance.now() / 1000')
  const end = (clock?.() ?? 0) + (timeLimit ?? Number.POSITIVE_INFINITY)
  const stop = () => signal?.aborted === true || (clock !== undefined && clock() > end)
  const found = run()
  throwIfCancelled(signal)
  return found

  function run(): GraphSearch {
    const random = rng(seed).stream('structure')
    if (search === 'greedy') return searchGreedy(scores, random, {restarts: GREEDY_RESTARTS, stop})
    if (scores.length <= exactSearchLimit) return searchExact(scores)
    if (linearSolver === undefined)
      throw new AdfaError(
        'bad-option',
        `an exact search of ${scores.length} concepts needs a linear solver; pass one in the control ` +
          '(linearSolver: await loadLinearSolver()), or search greedily'
      )
    return searchInteger(scores, linearSolver, random, {stepLimit, stop, ...(onProgress && {onProgress})})
  }
}
