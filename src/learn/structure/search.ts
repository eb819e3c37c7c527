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
  /** `exact` runs until its graph is proven optimal or a limit is reached. `greedy` proves only a loose bound. */
  readonly search: 'exact' | 'greedy'
  /** The most seconds that a search may take, or undefined. A limit needs a clock. */
  readonly timeLimit: number | undefined
  readonly seed: number
}

export interface SearchControl extends LinearSolverOptions {
  readonly onProgress?: (progress: GraphProgress) => void
  /** The search throws after this signal was aborted. */
  readonly signal?: AbortSignal
  /** Returns seconds since any fixed time. */
  readonly clock?: () => number
}

/** The input of every search for a graph. */
export interface GraphTask {
  readonly moments: Moments
  /** The names of the concepts, for errors. */
  readonly names: readonly string[]
  readonly constraints: EdgeConstraints
  readonly search: SearchOptions
  readonly control: SearchControl
}

/** A graph, and how it was found. */
export interface FoundGraph extends Partial<Omit<GraphSearch, 'parents' | 'method' | 'status'>> {
  readonly parents: Parents
  readonly method: GraphSearch['method'] | 'chow-liu' | 'independence-tests' | 'known' | 'custom'
  readonly status: GraphSearch['status'] | 'tested' | 'known' | 'custom'
  readonly tests?: DegreeCertificate
}

/** The certificate of a graph found by independence tests. */
export interface DegreeCertificate {
  /** The significance level of the tests, and their number. */
  readonly level: number
  readonly tests: number
  /** The number of weak edges dropped from concepts that had more neighbours after the tests than `degree:K` allows. */
  readonly droppedForDegree: number
  /** The number of edges dropped since the only direction that the constraints allow would have closed a cycle. */
  readonly droppedForConstraints: number
  /** The number of v-structures that tests support but that contradict the constraints or a v-structure of larger p-value. */
  readonly conflicts: number
}

/** What a certificate says of a maximum spanning tree, which is found exactly. */
const CHOW_LIU = {gap: 0, status: 'optimal', method: 'chow-liu'} as const

/** The most families to score, which take some 100 bytes each. */
const MAX_FAMILIES = 5e6

/** The most work of an integer program, in simplex steps times families. It takes about 35 s for 50 generated concepts. */
const WORK_LIMIT = 5e8

/**
 * Finds the tree of greatest mutual information. Without constraints it is the tree of Chow and Liu, rooted at the most
 * prevalent concept. With constraints it is found by a search over families of one parent, and may be a forest.
 */
export async function findTree(task: GraphTask): Promise<FoundGraph> {
  const {moments, names, constraints} = task
  const {sampleCount: N, conceptCount: m} = moments
  // Without a penalty, the BIC score of a forest is N times the mutual information of its edges minus a constant.
  const bic = {maxParents: 1, penalty: 0, admits: familyFilter(names, constraints)}
  const found = areEmpty(constraints)
    ? {...CHOW_LIU, parents: chowLiuTree(moments)}
    : await searchFamilies(task, bicScores(moments.table, m, N, bic), 1)
  const edges = found.parents.flatMap((list, child) => list.map(parent => moments.pair(parent, child)))
  const score = edges.reduce((sum, pair) => sum + mutualInformation(pair), 0)
  return {...found, score, gap: found.gap / N}
}

/** Finds the graph of best BIC score in which no concept has more than `maxParents` parents. */
export async function findBounded(task: GraphTask, bic: Omit<BicOptions, 'admits'>): Promise<FoundGraph> {
  const {moments, names, constraints} = task
  const {maxParents} = bic
  const m = moments.conceptCount
  if (maxParents === 1 && areEmpty(constraints)) return {...CHOW_LIU, parents: bestForest(moments, bic)}
  const families = m * binomial(m - 1, maxParents)
  if (families > MAX_FAMILIES)
    throw refuse(
      `${m} concepts have ${families.toExponential(1)} families of ${maxParents} parents, more than ` +
        `${MAX_FAMILIES.toExponential(0)}; allow fewer parents`
    )
  const admits = familyFilter(names, constraints)
  return searchFamilies(task, bicScores(moments.table, m, moments.sampleCount, {...bic, admits}), maxParents)
}

/** Finds the graph of best score: greedily if asked, else by dynamic programming (up to 22 concepts) or an integer program. */
async function searchFamilies({names, search, control}: GraphTask, scores: FamilyScores, maxParents: number) {
  const familyless = scores.findIndex(families => families.length === 0)
  if (familyless >= 0)
    throw refuse(
      `concept "${names[familyless]}": the required edges leave it no family of at most ${counted(maxParents, 'parent')}; ` +
        'require fewer edges or allow more parents'
    )
  const {clock, signal, onProgress} = control
  if (search.timeLimit !== undefined && clock === undefined)
    throw refuse('a time limit needs a clock; pass `clock`, such as () => performance.now() / 1000')
  const end = (clock?.() ?? 0) + (search.timeLimit ?? Number.POSITIVE_INFINITY)
  const stop = () => signal?.aborted === true || (clock !== undefined && clock() > end)
  const found = await run()
  throwIfCancelled(signal)
  return {...found, ...(found.status === 'stopped' && ({stoppedBy: stop() ? 'time' : 'work'} as const))}

  async function run(): Promise<GraphSearch> {
    if (search.search === 'greedy') return searchGreedy(scores, rng(search.seed).stream('structure'), {stop})
    if (scores.length <= exactSearchLimit) return searchExact(scores)
    const {searchInteger} = await import('./search-integer.ts')
    return searchInteger(scores, await loadLinearSolver(control), {workLimit: WORK_LIMIT, stop, onProgress})
  }
}

function areEmpty(constraints: EdgeConstraints): boolean {
  return Object.values(constraints).every(list => list.length === 0)
}

function binomial(n: number, k: number): number {
  return k <= 0 ? 1 : (n / k) * binomial(n - 1, k - 1)
}

/**
 * Finds the tree of greatest mutual information (Chow and Liu), rooted at `root`, in O(m^2). The mutual information of a pair
 * is computed from its own table alone, since tables of pairs and of single concepts recovered over the simplex may disagree.
 */
export function chowLiuTree(moments: Moments, root?: number): Parents {
  return bestTree(moments, (i, k) => mutualInformation(moments.pair(i, k)), root)
}

/**
 * Finds the graph of best BIC score in which no concept has more than one parent. An edge raises the score by N I minus the cost
 * of its parameters, in either direction. So the best graph is the maximum spanning tree of these weights without edges of weight
 * 0 or less.
 */
function bestForest(moments: Moments, {penalty, parameters}: Pick<BicOptions, 'penalty' | 'parameters'>): Parents {
  const N = moments.sampleCount
  const weight = (i: number, k: number) => {
    const added = parameters([i, k]) - parameters([i]) - parameters([k])
    return N * mutualInformation(moments.pair(i, k)) - penalty * log(N) * added
  }
  return bestTree(moments, weight).map((list, i) => list.filter(k => weight(k, i) > 0))
}

/**
 * Finds the maximum spanning tree, rooted by default at the most prevalent concept. The conditional probabilities depend on the
 * root, as tables of singles and of pairs disagree slightly, so the root must not depend on the order of the concepts.
 */
function bestTree(moments: Moments, weight: (i: number, k: number) => number, root?: number): Parents {
  const concepts = Array.from({length: moments.conceptCount}, (_, i) => i)
  const commonest = concepts.reduce((best, i) => (moments.single(i) > moments.single(best) ? i : best), 0)
  const {parent} = maximumSpanningTree(moments.conceptCount, weight, root ?? commonest)
  return Array.from(parent, k => (k < 0 ? [] : [k]))
}
