import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type LinearSolverOptions, loadLinearSolver} from '../../base/linear/index.ts'
import type {Parents} from '../../base/network/index.ts'
import {mutualInformation, rng} from '../../base/numeric/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Moments} from '../moments/index.ts'
import {type BicOptions, bicScores, type FamilyScores} from './bic.ts'
import type {DegreeCertificate} from './degree.ts'
import {type EdgeConstraints, familyFilter} from './rules.ts'
import {exactSearchLimit, type GraphProgress, type GraphSearch, searchExact} from './search-exact.ts'
import {searchGreedy} from './search-greedy.ts'
import {bestForest, chowLiuTree} from './tree.ts'

export interface SearchOptions {
  /** `exact` runs until its graph is proven best or a limit is reached; `greedy` proves nothing. */
  readonly search: 'exact' | 'greedy'
  /** The most work of an integer program, in simplex steps times families: the same on every machine, unlike a time limit. */
  readonly workLimit: number
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

/** What every way to find a graph needs. */
export interface GraphTask {
  readonly moments: Moments
  /** The names of the concepts, for errors. */
  readonly names: readonly string[]
  readonly constraints: EdgeConstraints
  readonly search: SearchOptions
  readonly control: SearchControl
}

/** A graph and how it was found. */
export interface FoundGraph extends Partial<Omit<GraphSearch, 'parents' | 'method' | 'status' | 'bound'>> {
  readonly parents: Parents
  readonly method: GraphSearch['method'] | 'chow-liu' | 'independence-tests' | 'known' | 'custom'
  readonly status: GraphSearch['status'] | 'tested' | 'known' | 'custom'
  /** The number of families that a best graph was chosen from. */
  readonly families?: number
  /** The certificate of the independence tests. */
  readonly tests?: DegreeCertificate
}

/** The most scored families to hold: some 100 bytes each. */
const MOST_FAMILIES = 5e6

/** Climbs of a greedy search on its own: half a second for 50 concepts. */
const GREEDY_RESTARTS = 100

/**
 * Finds the tree of greatest mutual information: without rules the tree of Chow and Liu, rooted at the commonest concept;
 * with rules by a search over families of one parent, which may find a forest.
 */
export async function findTree(task: GraphTask): Promise<FoundGraph> {
  const {moments, names, constraints} = task
  if (areFree(constraints)) return {...chowLiuTree(moments), gap: 0, status: 'optimal', method: 'chow-liu'}
  // Without a penalty, the BIC score of a forest is N times its information minus a constant.
  const {sampleCount: N, conceptCount: m} = moments
  const scores = bicScores(moments.table, m, N, {maxParents: 1, penalty: 0, admits: familyFilter(names, constraints)})
  const found = await searchFamilies(task, scores, 1)
  const edges = found.parents.flatMap((list, child) => list.map(parent => moments.pair(parent, child)))
  const score = edges.reduce((sum, pair) => sum + mutualInformation(pair), 0)
  return {...found, score, gap: found.gap / N}
}

/** Finds the graph of best BIC score with at most `maxParents` parents per concept. */
export async function findBounded(task: GraphTask, bic: Omit<BicOptions, 'admits'>): Promise<FoundGraph> {
  const {moments, names, constraints} = task
  const {maxParents} = bic
  const m = moments.conceptCount
  if (maxParents === 1 && areFree(constraints))
    return {...bestForest(moments, bic), gap: 0, status: 'optimal', method: 'chow-liu'}
  const families = m * binomial(m - 1, maxParents)
  if (families > MOST_FAMILIES)
    throw new AdfaError(
      'bad-option',
      `${m} concepts have ${families.toExponential(1)} families of ${maxParents} parents, more than ` +
        `${MOST_FAMILIES.toExponential(0)}; allow fewer parents`
    )
  const admits = familyFilter(names, constraints)
  return searchFamilies(task, bicScores(moments.table, m, moments.sampleCount, {...bic, admits}), maxParents)
}

async function searchFamilies({names, search, control}: GraphTask, scores: FamilyScores, maxParents: number) {
  const without = scores.findIndex(families => families.length === 0)
  if (without >= 0)
    throw new AdfaError(
      'bad-option',
      `concept "${names[without]}": the required edges leave it no family of at most ${counted(maxParents, 'parent')}; ` +
        'require fewer edges or allow more parents'
    )
  const {bound: _, ...found} = await searchGraph(scores, search, control)
  return {...found, families: scores.reduce((sum, list) => sum + list.length, 0)}
}

/** Finds the best-scoring graph: by dynamic programming up to 22 concepts, by an integer program beyond. */
export async function searchGraph(
  scores: FamilyScores,
  options: SearchOptions,
  control: SearchControl
): Promise<GraphSearch> {
  const {search, workLimit, timeLimit, seed} = options
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
  return found.status === 'stopped' ? {...found, stoppedBy: stop() ? 'time' : 'work'} : found

  async function run(): Promise<GraphSearch> {
    const random = rng(seed).stream('structure')
    if (search === 'greedy') return searchGreedy(scores, random, {restarts: GREEDY_RESTARTS, stop})
    if (scores.length <= exactSearchLimit) return searchExact(scores)
    const {searchInteger} = await import('./search-integer.ts')
    const linear = await loadLinearSolver(control)
    return searchInteger(scores, linear, random, {workLimit, stop, ...(onProgress && {onProgress})})
  }
}

function areFree(constraints: EdgeConstraints): boolean {
  return Object.values(constraints).every(list => list.length === 0)
}

function binomial(n: number, k: number): number {
  return k <= 0 ? 1 : (n / k) * binomial(n - 1, k - 1)
}
