import {subsetsOf} from './family-scores.ts'
import type {IndependenceTest} from './independence-test.ts'

/** Tests whether i and k (i < k) are independent given other concepts, ascending. */
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
  /** Called before each pair's tests of a round; throw to end the search. */
  readonly onPair: (progress: SkeletonProgress) => void
}

export interface SkeletonProgress {
  /** How many concepts the tests of this round condition on. */
  readonly conditioning: number
  /** The share of the pairs that this round has tested. */
  readonly share: number
  readonly tests: number
}

/** Two concepts, i < k, and the result of their tests. */
export interface TestedPair {
  readonly i: number
  readonly k: number
  readonly joined: boolean
  /** The concepts given which they are independent; undefined if none were found. */
  readonly separator: readonly number[] | undefined
  /** The test that came nearest to independence. */
  readonly test: IndependenceTest
}

export interface Skeleton {
  /** All pairs, in lexicographic order. */
  readonly pairs: readonly TestedPair[]
  readonly tests: number
  /** Edges that no test removed but that were the weakest of a concept with more than maxDegree. */
  readonly droppedForDegree: number
}

/**
 * Which concepts an edge joins: those that no set of at most maxDegree neighbours separates (PC-stable, Colombo and
 * Maathuis, 2014).
 *
 * All pairs begin joined. In rounds for sets of 0, 1, ... maxDegree concepts, a pair is tested given every set of neighbours
 * of either, as they were when the round began, and separated when a test finds independence. At the end, pairs with a
 * common neighbour are tested given every set of the remaining neighbours, and the separator is the set of the largest
 * p-value (PC-max, Ramsey, 2016): the first set found may only hide a weak dependence. Nothing depends on the order of the
 * concepts. A test without degrees of freedom separates no pair, except given nothing, which keeps the edges of a concept
 * that others determine. Where chance leaves a concept more than maxDegree neighbours, the weakest are dropped.
 * Cost: O(m^2 d^K) tests, d the most neighbours when the sets have grown to K = maxDegree.
 */
export function skeletonSearch(conceptCount: number, test: PairTest, options: SkeletonOptions): Skeleton {
  const {maxDegree, level, isRequired, onPair} = options
  const pairs = allPairs(conceptCount, options)
  let tests = 0
  const testGiven = (pair: OpenPair, given: readonly number[]) => {
    tests++
    const result = test(pair.i, pair.k, given)
    if ((result.degreesOfFreedom === 0 && given.length > 0) || weakestFirst(result, pair.test) >= 0) return
    pair.test = result
    if (result.pValue > level) pair.separator = given
  }
  for (let conditioning = 0; conditioning <= maxDegree; conditioning++) {
    const around = neighbourLists(conceptCount, pairs)
    pairs.forEach((pair, at) => {
      onPair({conditioning, share: at / pairs.length, tests})
      if (pair.separator !== undefined || isRequired(pair.i, pair.k)) return
      for (const given of conditioningSets(around, pair, conditioning)) testGiven(pair, given)
      if (pair.separator !== undefined) pair.joined = false
    })
  }
  const droppedForDegree = limitDegree(conceptCount, pairs, maxDegree)
  const around = neighbourLists(conceptCount, pairs)
  for (const pair of pairs) {
    if (pair.joined || !around[pair.i].some(j => around[pair.k].includes(j))) continue
    for (let size = 0; size <= maxDegree; size++)
      for (const given of conditioningSets(around, pair, size)) testGiven(pair, given)
  }
  return {pairs, tests, droppedForDegree}
}

/** A pair under test. */
interface OpenPair extends TestedPair {
  joined: boolean
  separator: readonly number[] | undefined
  test: IndependenceTest
}

/** The result before the first test: no evidence of independence. */
const UNTESTED: IndependenceTest = {statistic: Number.POSITIVE_INFINITY, degreesOfFreedom: 0, pValue: 0}

function allPairs(conceptCount: number, {isRequired, isBarred}: SkeletonOptions): OpenPair[] {
  const pairs: OpenPair[] = []
  for (let i = 0; i < conceptCount; i++)
    for (let k = i + 1; k < conceptCount; k++)
      pairs.push({i, k, joined: isRequired(i, k) || !isBarred(i, k), separator: undefined, test: UNTESTED})
  return pairs
}

function neighbourLists(conceptCount: number, pairs: readonly TestedPair[]): number[][] {
  const lists: number[][] = Array.from({length: conceptCount}, () => [])
  for (const {i, k, joined} of pairs) {
    if (!joined) continue
    lists[i].push(k)
    lists[k].push(i)
  }
  return lists.map(list => list.sort((a, b) => a - b))
}

/** The sets of `size` neighbours of i, or of k, each once. */
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

/** Nearest to independence first: by p-value or, where both underflow, by statistic. */
export function weakestFirst(a: IndependenceTest, b: IndependenceTest): number {
  return b.pValue - a.pValue || a.statistic - b.statistic || 0
}

/** Separate the weakest pairs of concepts with too many neighbours; returns their number. Untested pairs are the strongest. */
function limitDegree(conceptCount: number, pairs: readonly OpenPair[], maxDegree: number): number {
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
