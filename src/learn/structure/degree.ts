import {throwIfCancelled} from '../../base/checks/index.ts'
import {directByRules, MixedGraph, type Parents} from '../../base/network/index.ts'
import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {anchorMatrices, inverseAnchorMatrices, type Moments, multiplyKronecker} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {subsetsOf} from './bic.ts'
import {type EdgeConstraints, familyFilter, refuse} from './rules.ts'
import type {GraphTask} from './search.ts'

/** A stratum (a state of the conditioning concepts) is used if its margins allow a dependence of this many standard errors. */
const MIN_POWER = 2

/** A stratum is left out if its estimate, given the strata before it, has less than this fraction of its standard deviation. */
const MIN_RESIDUAL = 1e-5

/** The part of a {@link GraphTask} that independence tests need. */
interface TestTask extends Pick<GraphTask, 'names' | 'constraints' | 'control'> {
  readonly moments: Pick<Moments, 'table' | 'sampleCount'>
}

/**
 * Finds a graph in which no concept has more than maxDegree neighbours, by independence tests on recovered tables (the paper's
 * second way to learn structure, after Spirtes, Glymour and Scheines). PC-stable gives the skeleton, the separators give
 * directions, and the result is one acyclic graph that agrees with them. If the independences of P(Y) are those of a graph of
 * that degree, the result is Markov equivalent to this graph with a probability that goes to 1 as N grows, since the level of the
 * tests falls with N. The certificate counts contradictions between tests. Almost all of the cost is {@link skeletonSearch}.
 */
export function searchByTests(
  {moments, names, constraints, control}: TestTask,
  maxDegree: number,
  rates: readonly Rates[]
) {
  const level = defaultLevel(moments.sampleCount)
  const {requires, allows} = edgeRules(names, constraints, maxDegree)
  let steps = 0
  const test: PairTest = (i, k, given) => {
    throwIfCancelled(control.signal)
    control.onProgress?.({steps: steps++})
    const concepts = [i, k, ...given]
    const ratesOfTable = concepts.map(l => rates[l])
    return independenceTest(moments.table(concepts), ratesOfTable, moments.sampleCount)
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
 * Returns the significance level of a test on N documents, P(chi-square of one degree of freedom >= ln N): a test of one degree
 * of freedom then accepts an edge where BIC does. The level is 0.0086 at a thousand documents and 0.0002 at a million, so that in
 * the limit no false edge remains; and ln N grows more slowly than the statistic of a true edge, so that no true edge is lost.
 */
export function defaultLevel(sampleCount: number): number {
  return chiSquareTail(log(sampleCount), 1)
}

/** Returns functions that tell which directed edges are required and allowed. Refuses required edges that exceed the degree. */
function edgeRules(names: readonly string[], constraints: EdgeConstraints, maxDegree: number) {
  const {required = [], forbidden = []} = constraints
  // This call only refuses constraints that no graph satisfies.
  familyFilter(names, constraints)
  const admits = familyFilter(names, {forbidden})
  for (const [i, name] of names.entries()) {
    const neighbours = new Set(required.flatMap(edge => (edge.includes(i) ? edge.filter(k => k !== i) : [])))
    if (neighbours.size > maxDegree)
      throw refuse(
        `${neighbours.size} edges of concept "${name}" are required, but a concept may have at most ${maxDegree}; ` +
          'drop some of them, or allow more'
      )
  }
  const requires = (parent: number, child: number) => required.some(edge => edge[0] === parent && edge[1] === child)
  return {requires, allows: (parent: number, child: number) => admits(child, [parent]) && !requires(child, parent)}
}

/** Tests whether concepts i < k are independent given the concepts `given`, in ascending order. */
export type PairTest = (i: number, k: number, given: readonly number[]) => IndependenceTest

export interface SkeletonOptions {
  /** The most concepts that a test conditions on, and the most neighbours of a concept. */
  readonly maxDegree: number
  /** The significance level: concepts count as independent if the p-value is larger. */
  readonly level: number
  /** Tells whether concepts i < k are joined without a test. */
  readonly isRequired: (i: number, k: number) => boolean
  /** Tells whether concepts i < k must not be joined. They are tested all the same, to find a separator. */
  readonly isBarred: (i: number, k: number) => boolean
}

/** Two concepts i < k, and the result of their tests so far. */
export interface TestedPair {
  readonly i: number
  readonly k: number
  isJoined: boolean
  /** The concepts given which the two are independent; undefined if none were found. */
  separator: readonly number[] | undefined
  /** The test of this pair with the largest p-value so far. */
  test: IndependenceTest
}

/**
 * Joins the concepts that no set of at most maxDegree neighbours separates (PC-stable, Colombo and Maathuis, 2014).
 *
 * All pairs begin joined. In rounds for sets of 0, 1, ... maxDegree concepts, a pair is tested given every set of this size of
 * neighbours of one of its concepts, as they were at the beginning of the round. The set with the largest p-value separates the
 * pair, if this p-value exceeds the level. At the end, separated pairs with a common neighbour are tested given every set of the
 * remaining neighbours (PC-max, Ramsey, 2016): the first set found may only hide a weak dependence, and separators decide the
 * directions of edges. Nothing depends on the order of the concepts. A test without degrees of freedom
 * separates a pair only if it conditions on nothing, so that a concept which others determine keeps its edges. If chance leaves
 * a concept more than maxDegree neighbours, the weakest edges are dropped.
 * Cost: O(m^2 d^K) tests, K = maxDegree and d the most neighbours of a concept in the last round.
 */
export function skeletonSearch(conceptCount: number, test: PairTest, options: SkeletonOptions) {
  const {maxDegree, level, isRequired, isBarred} = options
  const pairs = [...subsetsOf([...Array(conceptCount).keys()], 2)].map(([i, k]): TestedPair => {
    return {i, k, isJoined: isRequired(i, k) || !isBarred(i, k), separator: undefined, test: UNTESTED}
  })
  let tests = 0
  const testGivenEach = (pair: TestedPair, neighbours: readonly (readonly number[])[], size: number) => {
    for (const given of conditioningSets(neighbours, pair, size)) {
      tests++
      const result = test(pair.i, pair.k, given)
      if ((result.degreesOfFreedom === 0 && size > 0) || weakestFirst(result, pair.test) >= 0) continue
      pair.test = result
      if (result.pValue > level) pair.separator = given
    }
  }
  for (let size = 0; size <= maxDegree; size++) {
    const neighbours = neighbourLists(conceptCount, pairs)
    for (const pair of pairs) {
      if (pair.separator !== undefined || isRequired(pair.i, pair.k)) continue
      testGivenEach(pair, neighbours, size)
      if (pair.separator !== undefined) pair.isJoined = false
    }
  }
  const droppedForDegree = limitDegree(conceptCount, pairs, maxDegree)
  const neighbours = neighbourLists(conceptCount, pairs)
  for (const pair of pairs) {
    if (pair.isJoined || !neighbours[pair.i].some(j => neighbours[pair.k].includes(j))) continue
    for (let size = 0; size <= maxDegree; size++) testGivenEach(pair, neighbours, size)
  }
  return {pairs, tests, droppedForDegree}
}

/** Stands for the result of a pair that was not tested, which counts as dependent. */
const UNTESTED: IndependenceTest = {statistic: Number.POSITIVE_INFINITY, degreesOfFreedom: 0, pValue: 0}

/** Lists the neighbours of each concept in ascending order, given pairs in ascending order. */
function neighbourLists(conceptCount: number, pairs: readonly TestedPair[]): number[][] {
  const lists: number[][] = Array.from({length: conceptCount}, () => [])
  for (const {i, k, isJoined} of pairs) {
    if (!isJoined) continue
    lists[i].push(k)
    lists[k].push(i)
  }
  return lists
}

/** Lists the sets of `size` neighbours of i without k, then those sets of neighbours of k without i that were not listed yet. */
function* conditioningSets(
  neighbours: readonly (readonly number[])[],
  {i, k}: TestedPair,
  size: number
): Generator<readonly number[]> {
  const ofFirst = neighbours[i].filter(l => l !== k)
  yield* subsetsOf(ofFirst, size)
  const ofSecond = neighbours[k].filter(l => l !== i)
  for (const given of subsetsOf(ofSecond, size)) if (!given.every(l => ofFirst.includes(l))) yield given
}

/** Compares tests so that the weakest dependence comes first: by p-value or, if both p-values underflow to 0, by statistic. */
function weakestFirst(a: IndependenceTest, b: IndependenceTest): number {
  return b.pValue - a.pValue || a.statistic - b.statistic || 0
}

/** Drops the weakest edges of concepts with too many neighbours; returns how many. Untested pairs count as the strongest. */
function limitDegree(conceptCount: number, pairs: readonly TestedPair[], maxDegree: number): number {
  const degree = neighbourLists(conceptCount, pairs).map(list => list.length)
  let dropped = 0
  for (const pair of pairs.filter(({isJoined}) => isJoined).sort((a, b) => weakestFirst(a.test, b.test))) {
    if (degree[pair.i] <= maxDegree && degree[pair.k] <= maxDegree) continue
    pair.isJoined = false
    degree[pair.i]--
    degree[pair.k]--
    dropped++
  }
  return dropped
}

/**
 * Directs the edges of a skeleton as far as their directions can be known; returns a graph with directed and undirected edges.
 *
 * First it directs the edges that `allows(parent, child)` permits one way only, the strongest first. Then it directs
 * v-structures i -> j <- k, where i and k are joined to j but not to each other and j is not in their separator, in descending
 * order of the p-value of i and k; one that contradicts an earlier direction is skipped and counted. Meek's rules then direct
 * the edges whose direction follows from these. Directed edges never make a cycle: an edge whose only allowed direction would
 * close one is dropped and counted. Pairs without a separator give no v-structure.
 */
export function orientEdges(
  conceptCount: number,
  pairs: readonly TestedPair[],
  allows: (parent: number, child: number) => boolean
) {
  const graph = new MixedGraph(conceptCount)
  for (const {i, k, isJoined} of pairs) if (isJoined) graph.join(i, k)
  let droppedForConstraints = 0
  for (const {i, k, isJoined} of pairs.toSorted((a, b) => weakestFirst(b.test, a.test))) {
    if (!isJoined || (allows(i, k) && allows(k, i))) continue
    const [from, to] = allows(i, k) ? [i, k] : [k, i]
    if (graph.hasPath(to, from)) {
      graph.removeEdge(i, k)
      droppedForConstraints++
    } else graph.direct(from, to)
  }
  let conflicts = 0
  for (const {i, k, isJoined, separator} of pairs.toSorted((a, b) => weakestFirst(a.test, b.test))) {
    if (isJoined || separator === undefined) continue
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
 * Directs the undirected edges one after the other, after each also those whose direction then follows (Meek, 1995), and
 * returns the parents. It makes no cycle, and no new v-structure if the directions of the graph are consistent.
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
  /** The number of strata that were used; 0 if none of them has power. */
  readonly degreesOfFreedom: number
  /** The p-value is 1 without degrees of freedom. */
  readonly pValue: number
}

/**
 * Tests whether the first two concepts of a recovered table are independent given the others, by a score test that accounts for
 * anchor noise. A stratum s is a configuration of the other concepts.
 *
 * Under independence, theta_s = mu_11s mu_00s - mu_10s mu_01s of the recovered table mu is 0 in every stratum. As mu = R^-1 a,
 * with a the table of the anchors in N documents and R the probabilities of anchors given concepts, the covariance of theta is
 *
 *     C_ss' = sum over cells c of  a_c (R^-T g_s)_c (R^-T g_s')_c / N,
 *
 * with the gradients g_s and a = R mu0 taken at the nearest independent table mu0, in each stratum the product of the margins.
 * (The term -a a' of a multinomial vanishes: g_s' mu0 = 2 theta_s(mu0) = 0.) The statistic theta' C^-1 theta is chi-square with
 * one degree of freedom per stratum. Without noise it is exactly Pearson's.
 *
 * Taken at mu itself, the covariance of rare concepts that never occur together would be far too small. Strata without power
 * (rare ones, or those in which a concept is constant) are left out, as they would only cost degrees of freedom. A recovered
 * table with cells of 0 varies less than R^-1 a, so there the test errs towards independence. Rates are taken as known.
 *
 * Layout: `table` has 2^n cells, the first concept most significant, and `rates` are in the same order. Cost: O(n 4^n).
 */
export function independenceTest(
  table: ArrayLike<number>,
  rates: readonly Rates[],
  sampleCount: number
): IndependenceTest {
  const strata = Array.from({length: table.length / 4}, (_, s) => readStratum(table, s))
  const a = new Float64Array(table.length)
  for (const {s, independent} of strata) writeStratum(a, s, independent)
  multiplyKronecker(anchorMatrices(rates), a)
  const inverse = inverseAnchorMatrices(rates)
  const covariance = (G: Float64Array, H: Float64Array) => {
    let sum = 0
    for (let cell = 0; cell < a.length; cell++) sum += a[cell] * G[cell] * H[cell]
    return sum / sampleCount
  }
  let statistic = 0
  /** Uncorrelated linear functions G of the anchor table with their values z and variances, by Gram-Schmidt. */
  const used: {readonly G: Float64Array; readonly z: number; readonly variance: number}[] = []
  for (const {s, independent, theta, strongest} of strata) {
    const [q00, q01, q10, q11] = independent
    const G = new Float64Array(table.length)
    writeStratum(G, s, [q11, -q10, -q01, q00])
    multiplyKronecker(inverse, G, undefined, 0, true)
    const unconditional = covariance(G, G)
    if (!(strongest > MIN_POWER * Math.sqrt(unconditional))) continue
    let z = theta
    for (const other of used) {
      const slope = covariance(G, other.G) / other.variance
      for (let cell = 0; cell < G.length; cell++) G[cell] -= slope * other.G[cell]
      z -= slope * other.z
    }
    const variance = covariance(G, G)
    if (!(variance > MIN_RESIDUAL ** 2 * unconditional)) continue
    statistic += z ** 2 / variance
    used.push({G, z, variance})
  }
  return {statistic, degreesOfFreedom: used.length, pValue: chiSquareTail(statistic, used.length)}
}

/**
 * Reads stratum s of a table: theta, its cells 00, 01, 10, 11 if both concepts were independent, and the largest |theta| that its
 * margins allow.
 */
function readStratum(table: ArrayLike<number>, s: number) {
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

/** Writes the cells 00, 01, 10, 11 of stratum s. */
function writeStratum(table: Float64Array, s: number, cells: readonly number[]): void {
  for (const [at, value] of cells.entries()) table[(at * table.length) / 4 + s] = value
}
