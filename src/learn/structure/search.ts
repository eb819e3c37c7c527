import {throwIfCancelled} from '../../base/checks/index.ts'
import {type LinearSolverOptions, loadLinearSolver} from '../../base/linear/index.ts'
import {maximumSpanningTree, type Parents} from '../../base/network/index.ts'
import {log, mutualInformation, rng} from '../../base/numeric/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Moments} from '../moments/index.ts'
import {type BicOptions, bicScores, type FamilyScores} from './bic.ts'
import {type EdgeConstraints, familyFilter, refuse} from './rules.ts'
import {exactSearchLimit, type GraphProgress, type GraphSearch, searchExact, searchGreedy} from './search-orders.ts'

export interface SearchOptions {
  /** `exact` runs until its graph is proven best or a limit is reached; `greedy` proves nothing. */
  readonly search: 'exact' | 'greedy'
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
export interface FoundGraph extends Partial<Omit<GraphSearch, 'parents' | 'method' | 'status'>> {
  readonly parents: Parents
  readonly method: GraphSearch['method'] | 'chow-liu' | 'independence-tests' | 'known' | 'custom'
  readonly status: GraphSearch['status'] | 'tested' | 'known' | 'custom'
  /** The number of families that a best graph was chosen from. */
  readonly families?: number
  readonly tests?: DegreeCertificate
}

/** The certificate of independence tests. */
export interface DegreeCertificate {
  readonly level: number
  readonly tests: number
  /** Weakest edges of concepts that had more than maxDegree neighbours after the tests. */
  readonly droppedForDegree: number
  /** Edges whose directions, each allowed one way only, would have closed a cycle. */
  readonly droppedForConstraints: number
  /** V-structures that the tests support but that contradict surer ones or the constraints. */
  readonly conflicts: number
}

/** The most scored families to hold: some 100 bytes each. */
const MAX_FAMILIES = 5e6

/** The most work of an integer program, in simplex steps times families: about 35 s for 50 generated concepts. */
const WORK_LIMIT = 5e8

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
    return {parents: bestForest(moments, bic), gap: 0, status: 'optimal', method: 'chow-liu'}
  const families = m * binomial(m - 1, maxParents)
  if (families > MAX_FAMILIES)
    throw refuse(
      `${m} concepts have ${families.toExponential(1)} families of ${maxParents} parents, more than ` +
        `${MAX_FAMILIES.toExponential(0)}; allow fewer parents`
    )
  const admits = familyFilter(names, constraints)
  return searchFamilies(task, bicScores(moments.table, m, moments.sampleCount, {...bic, admits}), maxParents)
}

/** Finds the best-scoring graph: by dynamic programming up to 22 concepts, by an integer program beyond. */
async function searchFamilies({names, search, control}: GraphTask, scores: FamilyScores, maxParents: number) {
  const without = scores.findIndex(families => families.length === 0)
  if (without >= 0)
    throw refuse(
      `concept "${names[without]}": the required edges leave it no family of at most ${counted(maxParents, 'parent')}; ` +
        'require fewer edges or allow more parents'
    )
  const {clock, signal, onProgress} = control
  if (search.timeLimit !== undefined && clock === undefined)
    throw refuse('a time limit needs a clock; pass `clock`, such as () => performance.now() / 1000')
  const end = (clock?.() ?? 0) + (search.timeLimit ?? Number.POSITIVE_INFINITY)
  const stop = () => signal?.aborted === true || (clock !== undefined && clock() > end)
  const found = await run()
  throwIfCancelled(signal)
  const stoppedBy = found.status === 'stopped' && ({stoppedBy: stop() ? 'time' : 'work'} as const)
  return {...found, ...stoppedBy, families: scores.reduce((sum, list) => sum + list.length, 0)}

  async function run(): Promise<GraphSearch> {
    if (search.search === 'greedy') return searchGreedy(scores, rng(search.seed).stream('structure'), {stop})
    if (scores.length <= exactSearchLimit) return searchExact(scores)
    const {searchInteger} = await import('./search-integer.ts')
    return searchInteger(scores, await loadLinearSolver(control), {workLimit: WORK_LIMIT, stop, onProgress})
  }
}

function areFree(constraints: EdgeConstraints): boolean {
  return Object.values(constraints).every(list => list.length === 0)
}

function binomial(n: number, k: number): number {
  return k <= 0 ? 1 : (n / k) * binomial(n - 1, k - 1)
}

/**
 * Finds the tree of greatest mutual information (Chow and Liu), rooted at `root`, in O(m^2). Mutual information is computed
 * from each pair's own table alone, since simplex moments of pairs and singles may differ. Among equal edges the one to the
 * lower-numbered concept wins.
 */
export function chowLiuTree(moments: Moments, root?: number): {readonly parents: Parents; readonly score: number} {
  const information = (i: number, k: number) => mutualInformation(moments.pair(i, k))
  const parents = bestTree(moments, information, root)
  return {parents, score: parents.flatMap((list, i) => list.map(k => information(k, i))).reduce((a, b) => a + b, 0)}
}

/**
 * Finds the graph of best BIC score with at most one parent per concept. An edge is worth the same in both directions, N I minus
 * the cost of its own parameters, so the best graph is the maximum-weight spanning tree without its edges of weight 0
 * or less.
 */
function bestForest(moments: Moments, {penalty, parameters}: Pick<BicOptions, 'penalty' | 'parameters'>): Parents {
  const N = moments.sampleCount
  const worth = (i: number, k: number) => {
    const own = parameters([i, k]) - parameters([i]) - parameters([k])
    return N * mutualInformation(moments.pair(i, k)) - penalty * log(N) * own
  }
  return bestTree(moments, worth).map((list, i) => list.filter(k => worth(k, i) > 0))
}

/**
 * Finds the spanning tree of greatest worth. The default root is the commonest concept: singles and pairs of simplex moments differ
 * slightly, so the root must not depend on the order of the concepts.
 */
function bestTree(moments: Moments, worth: (i: number, k: number) => number, root?: number): Parents {
  const concepts = Array.from({length: moments.conceptCount}, (_, i) => i)
  const commonest = concepts.reduce((best, i) => (moments.single(i) > moments.single(best) ? i : best), 0)
  const {parent} = maximumSpanningTree(moments.conceptCount, worth, root ?? commonest)
  return Array.from(parent, k => (k < 0 ? [] : [k]))
}
