import {throwIfCancelled} from '../../base/checks/index.ts'
import {directByRules, MixedGraph, type Parents} from '../../base/network/index.ts'
import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {anchorMatrices, type Moments, multiplyKronecker} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {subsetsOf} from './bic.ts'
import {type EdgeConstraints, familyFilter, refuse} from './rules.ts'
import type {GraphTask} from './search.ts'

/**
 * A setting of the other concepts is used when the strongest dependence that its margins allow is this many standard errors
 * from independence.
 */
const VISIBLE = 2

/**
 * A setting is left out if its standard deviation, given the settings before it, is below this share of the original.
 */
const DEPENDENT = 1e-5

/** The part of a {@link GraphTask} that independence tests need. */
interface TestTask extends Pick<GraphTask, 'names' | 'constraints' | 'control'> {
  readonly moments: Pick<Moments, 'table' | 'sampleCount'>
}

/**
 * Finds a graph in which no concept has more than maxDegree neighbours, by independence tests on recovered tables (the
 * paper's second way to learn structure, after Spirtes, Glymour and Scheines): the skeleton by PC-stable, directions from
 * the separators, and one acyclic graph that agrees with them. Finds the class of a true graph of that degree with
 * probability going to 1 if P(Y) has only the independences of the graph and the level falls with N as the default does.
 * The certificate counts contradictions. Cost: that of {@link skeletonSearch}.
 */
export function searchByTests(
  {moments, names, constraints, control}: TestTask,
  maxDegree: number,
  rates: readonly Rates[]
) {
  const level = defaultLevel(moments.sampleCount)
  const {requires, allows} = edgeRule(names, constraints, maxDegree)
  let steps = 0
  const test: PairTest = (i, k, given) => {
    throwIfCancelled(control.signal)
    control.onProgress?.({steps: steps++})
    const concepts = [i, k, ...given]
    const own = concepts.map(l => rates[l])
    return independenceTest(moments.table(concepts), own, moments.sampleCount)
  }
  const {pairs, tests, droppedForDegree} = skeletonSearch(names.length, test, {
    maxDegree,
    level,
    isRequired: (i, k) => requires(i, k) || requires(k, i),
    isBarred: (i, k) => !(allows(i, k) || allows(k, i))
  })
  const {graph, droppedForConstraints, conflicts} = orientEdges(names.length, pairs, allows)
  return {
    parents: extendGraph(graph),
    method: 'independence-tests',
    status: 'tested',
    tests: {level, tests, droppedForDegree, droppedForConstraints, conflicts}
  } as const
}

/**
 * Returns the level of a test on N documents at which BIC too would accept an edge for one parameter, P(chi-square of one
 * degree of freedom >= ln N). It is 0.0086 at a thousand documents and 0.0002 at a million, so that in the limit no false
 * edge remains; and ln N grows more slowly than the statistic of a true edge, so that no true edge is lost.
 */
export function defaultLevel(sampleCount: number): number {
  return chiSquareTail(log(sampleCount), 1)
}

/** Tells which edges are required, and which are allowed in their direction. Refuses required edges that exceed the degree. */
function edgeRule(names: readonly string[], constraints: EdgeConstraints, maxDegree: number) {
  const {required = [], forbidden = []} = constraints
  familyFilter(names, constraints) // refuses constraints that no graph satisfies
  const admits = familyFilter(names, {forbidden})
  for (const [i, name] of names.entries()) {
    const neighbours = new Set(required.filter(edge => edge.includes(i)).flat())
    if (neighbours.size - 1 > maxDegree)
      throw refuse(
        `${neighbours.size - 1} edges of concept "${name}" are required, but a concept may have at most ${maxDegree}; ` +
          'drop some of them, or allow more'
      )
  }
  const requires = (parent: number, child: number) => required.some(edge => edge[0] === parent && edge[1] === child)
  return {requires, allows: (parent: number, child: number) => admits(child, [parent]) && !requires(child, parent)}
}

/** Tests whether concepts i < k are independent given other concepts, which are in ascending order. */
export type PairTest = (i: number, k: number, given: readonly number[]) => IndependenceTest

export interface SkeletonOptions {
  /** The most concepts to condition on, and the most neighbours of a concept. */
  readonly maxDegree: number
  /** Two concepts whose test has a larger p-value count as independent. */
  readonly level: number
  /** Pairs (i < k) that are joined without a test. */
  readonly isRequired: (i: number, k: number) => boolean
  /** Pairs (i < k) that are never joined; they are still tested, to find what separates them. */
  readonly isBarred: (i: number, k: number) => boolean
}

/** Two concepts, i < k, and the result of their tests so far. */
export interface TestedPair {
  readonly i: number
  readonly k: number
  joined: boolean
  /** The concepts given which they are independent; undefined if none were found. */
  separator: readonly number[] | undefined
  /** The test that came nearest to independence. */
  test: IndependenceTest
}

/**
 * Joins the concepts that no set of at most maxDegree neighbours separates (PC-stable, Colombo and Maathuis, 2014).
 *
 * All pairs begin joined. In rounds for sets of 0, 1, ... maxDegree concepts, a pair is tested given every set of neighbours
 * of either, as they were when the round began. It is separated by the set of the largest p-value, if that exceeds the level.
 * Nothing depends on the order of the concepts. A test without degrees of freedom separates no pair, except given nothing,
 * which keeps the edges of a concept that others determine. Where chance leaves a concept more than maxDegree neighbours,
 * the weakest are dropped.
 * Cost: O(m^2 d^K) tests, d the most neighbours when the sets have grown to K = maxDegree.
 */
export function skeletonSearch(conceptCount: number, test: PairTest, options: SkeletonOptions) {
  const {maxDegree, level, isRequired, isBarred} = options
  const pairs = [...subsetsOf([...Array(conceptCount).keys()], 2)].map(([i, k]): TestedPair => {
    return {i, k, joined: isRequired(i, k) || !isBarred(i, k), separator: undefined, test: UNTESTED}
  })
  let tests = 0
  for (let size = 0; size <= maxDegree; size++) {
    const around = neighbourLists(conceptCount, pairs)
    for (const pair of pairs) {
      if (pair.separator !== undefined || isRequired(pair.i, pair.k)) continue
      for (const given of conditioningSets(around, pair, size)) {
        tests++
        const result = test(pair.i, pair.k, given)
        if ((result.degreesOfFreedom === 0 && size > 0) || weakestFirst(result, pair.test) >= 0) continue
        pair.test = result
        if (result.pValue > level) pair.separator = given
      }
      if (pair.separator !== undefined) pair.joined = false
    }
  }
  return {pairs, tests, droppedForDegree: limitDegree(conceptCount, pairs, maxDegree)}
}

/** The result before the first test: no evidence of independence. */
const UNTESTED: IndependenceTest = {statistic: Number.POSITIVE_INFINITY, degreesOfFreedom: 0, pValue: 0}

/** Lists the neighbours of each concept, ascending since the pairs are. */
function neighbourLists(conceptCount: number, pairs: readonly TestedPair[]): number[][] {
  const lists: number[][] = Array.from({length: conceptCount}, () => [])
  for (const {i, k, joined} of pairs) {
    if (!joined) continue
    lists[i].push(k)
    lists[k].push(i)
  }
  return lists
}

/** Lists the sets of `size` neighbours of i, or of k, each once. */
function* conditioningSets(
  around: readonly (readonly number[])[],
  {i, k}: TestedPair,
  size: number
): Generator<readonly number[]> {
  const ofFirst = around[i].filter(l => l !== k)
  yield* subsetsOf(ofFirst, size)
  const ofSecond = around[k].filter(l => l !== i)
  for (const given of subsetsOf(ofSecond, size)) if (!given.every(l => ofFirst.includes(l))) yield given
}

/** Sorts tests nearest to independence first: by p-value or, where both underflow, by statistic. */
function weakestFirst(a: IndependenceTest, b: IndependenceTest): number {
  return b.pValue - a.pValue || a.statistic - b.statistic || 0
}

/** Separates the weakest pairs of concepts with too many neighbours; returns their number. Untested pairs are the strongest. */
function limitDegree(conceptCount: number, pairs: readonly TestedPair[], maxDegree: number): number {
  const degree = neighbourLists(conceptCount, pairs).map(list => list.length)
  let dropped = 0
  for (const pair of pairs.filter(({joined}) => joined).sort((a, b) => weakestFirst(a.test, b.test))) {
    if (degree[pair.i] <= maxDegree && degree[pair.k] <= maxDegree) continue
    pair.joined = false
    degree[pair.i]--
    degree[pair.k]--
    dropped++
  }
  return dropped
}

/**
 * Directs the edges of a skeleton as far as their directions can be known; returns a graph with directed and undirected edges.
 *
 * First the edges that `allows(parent, child)` permits one way only, the strongest first. Then v-structures i -> j <- k
 * where i and k are joined to j but not to each other and j is not in their separator, the surest separation (largest
 * p-value) first; one that contradicts an earlier direction is skipped and counted. Then the consequences by Meek's rules.
 * Directed edges never make a cycle: an edge whose only allowed direction would close one is dropped and counted. A pair
 * without a separator decides nothing.
 */
export function orientEdges(
  conceptCount: number,
  pairs: readonly TestedPair[],
  allows: (parent: number, child: number) => boolean
) {
  const graph = new MixedGraph(conceptCount)
  for (const {i, k, joined} of pairs) if (joined) graph.join(i, k)
  let droppedForConstraints = 0
  for (const {i, k, joined} of pairs.toSorted((a, b) => weakestFirst(b.test, a.test))) {
    if (!joined || (allows(i, k) && allows(k, i))) continue
    const [from, to] = allows(i, k) ? [i, k] : [k, i]
    if (graph.hasPath(to, from)) {
      graph.removeEdge(i, k)
      droppedForConstraints++
    } else graph.direct(from, to)
  }
  let conflicts = 0
  for (const {i, k, joined, separator} of pairs.toSorted((a, b) => weakestFirst(a.test, b.test))) {
    if (joined || separator === undefined) continue
    for (const j of graph.neighbours(i)) {
      if (!graph.isJoined(j, k) || separator.includes(j)) continue
      if (graph.hasPath(j, i) || graph.hasPath(j, k)) conflicts++
      else for (const parent of [i, k]) graph.direct(parent, j)
    }
  }
  directByRules(graph)
  return {graph, droppedForConstraints, conflicts}
}

/**
 * Gives the undirected edges directions, one after the other and each with its consequences (Meek, 1995). It makes no cycle,
 * and no new v-structure where the directions of the graph are consistent.
 */
export function extendGraph(graph: MixedGraph): Parents {
  for (const [i, k] of graph.edges()) {
    if (!graph.isUndirected(i, k)) continue
    if (graph.hasPath(k, i)) graph.direct(k, i)
    else graph.direct(i, k)
    directByRules(graph)
  }
  return Array.from({length: graph.size}, (_, i) =>
    graph
      .neighbours(i)
      .filter(k => graph.isDirected(k, i))
      .sort((a, b) => a - b)
  )
}

export interface IndependenceTest {
  readonly statistic: number
  /** The number of settings of the other concepts that were used; 0 when none of them has power. */
  readonly degreesOfFreedom: number
  /** 1 without degrees of freedom. */
  readonly pValue: number
}

/**
 * Tests whether the first two concepts of a recovered table are independent given the others, by a score test that accounts
 * for anchor noise.
 *
 * For every setting s of the others, theta_s = mu_11s mu_00s - mu_10s mu_01s is 0 under independence. mu = R^-1 a, and
 * a, the table of the anchors, is that of N documents, so the covariance of theta is
 *
 *     C_ss' = sum over cells c of  a_c (R^-T g_s)_c (R^-T g_s')_c / N,
 *
 * with the gradients g_s and a = R mu0 taken at the nearest independent table mu0, the product of the margins of each
 * setting. (The term -a a' of a multinomial vanishes: g_s' mu0 = 2 theta_s(mu0) = 0.) The statistic theta' C^-1 theta
 * is chi-square with one degree of freedom per setting. Without noise it is exactly Pearson's.
 *
 * At mu itself the covariance of rare concepts that never occur together would be far too small. Settings without power
 * (rare, or with a constant concept) are left out, as they would only cost degrees of freedom. Where the recovered table
 * lies on the boundary it varies less than R^-1 a does, and the test errs towards independence. Rates are taken as known.
 *
 * Layout: `table` has 2^n cells, first concept most significant; `rates` in the same order. Cost: O(n 4^n).
 */
export function independenceTest(
  table: ArrayLike<number>,
  rates: readonly Rates[],
  sampleCount: number
): IndependenceTest {
  const settings = Array.from({length: table.length / 4}, (_, s) => readSetting(table, s))
  const a = new Float64Array(table.length)
  for (const {s, independent} of settings) putSetting(a, s, independent)
  multiplyKronecker(anchorMatrices(rates), a)
  const inverse = Float64Array.from(rates.flatMap(recovering))
  const covariance = (G: Float64Array, H: Float64Array) => {
    let sum = 0
    for (let cell = 0; cell < a.length; cell++) sum += a[cell] * G[cell] * H[cell]
    return sum / sampleCount
  }
  let statistic = 0
  /** Uncorrelated linear functions G of a, and their values z and variances (Gram-Schmidt). */
  const used: {readonly G: Float64Array; readonly z: number; readonly variance: number}[] = []
  for (const {s, independent, theta, strongest} of settings) {
    const [q00, q01, q10, q11] = independent
    const G = new Float64Array(table.length)
    putSetting(G, s, [q11, -q10, -q01, q00])
    multiplyKronecker(inverse, G)
    const alone = covariance(G, G)
    if (!(strongest > VISIBLE * Math.sqrt(alone))) continue
    let z = theta
    for (const other of used) {
      const slope = covariance(G, other.G) / other.variance
      for (let cell = 0; cell < G.length; cell++) G[cell] -= slope * other.G[cell]
      z -= slope * other.z
    }
    const variance = covariance(G, G)
    if (!(variance > DEPENDENT ** 2 * alone)) continue
    statistic += z ** 2 / variance
    used.push({G, z, variance})
  }
  return {statistic, degreesOfFreedom: used.length, pValue: chiSquareTail(statistic, used.length)}
}

/** Reads the cells 00, 01, 10, 11 of the first two concepts at a setting s of the others. */
function readSetting(table: ArrayLike<number>, s: number) {
  const [p00, p01, p10, p11] = [0, 1, 2, 3].map(at => table[(at * table.length) / 4 + s])
  const mass = p00 + p01 + p10 + p11
  const product = (row: number, column: number) => (mass > 0 ? (row * column) / mass : 0)
  const [q00, q01] = [product(p00 + p01, p00 + p10), product(p00 + p01, p01 + p11)]
  const [q10, q11] = [product(p10 + p11, p00 + p10), product(p10 + p11, p01 + p11)]
  return {
    s,
    independent: [q00, q01, q10, q11],
    theta: p11 * p00 - p10 * p01,
    // Moving x from cells 01 and 10 to 00 and 11 changes theta by x times the mass, until a cell is empty.
    strongest: mass * Math.max(Math.min(q01, q10), Math.min(q00, q11))
  }
}

function putSetting(table: Float64Array, s: number, cells: readonly number[]): void {
  for (const [at, value] of cells.entries()) table[(at * table.length) / 4 + s] = value
}

/** Returns the inverse transpose of an anchor's matrix P(A|Y), row-major. */
function recovering({truePositive: t, falsePositive: q}: Rates): number[] {
  const determinant = t - q
  return [t / determinant, -q / determinant, (t - 1) / determinant, (1 - q) / determinant]
}
