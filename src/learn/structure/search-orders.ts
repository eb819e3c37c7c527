import {type Parents, topologicalOrder} from '../../base/network/index.ts'
import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import type {Family, FamilyScores} from './bic.ts'
import {refuse} from './rules.ts'

/** A graph found for a decomposable score, with its certificate. */
export interface GraphSearch {
  /** The parents of each concept in ascending order, without a cycle. */
  readonly parents: Parents
  readonly score: number
  /** A proven bound: no acyclic graph of the scored families has a score above `score + gap`. */
  readonly gap: number
  /** `optimal` if the gap is 0, `stopped` if a limit ended the search, and `heuristic` if the search does not try to close the gap. */
  readonly status: 'optimal' | 'heuristic' | 'stopped'
  readonly method: 'dynamic-programming' | 'integer-program' | 'greedy'
  /** The number of subsets visited, of simplex steps, or of climbs, depending on the method. */
  readonly steps: number
  /** The limit that ended a search of status `stopped`. */
  readonly stoppedBy?: 'work' | 'time'
}

/** The progress of a search. */
export interface GraphProgress {
  /** The proven gap so far, for searches that have one. */
  readonly gap?: number
  /** The number of steps so far, see {@link GraphSearch}, or of independence tests. */
  readonly steps: number
}

/** Returns a loose upper bound of the score: the sum of the best families of all concepts, which may form cycles. */
export function looseBound(scores: FamilyScores): number {
  return scores.reduce((sum, [best]) => sum + (best?.score ?? Number.NEGATIVE_INFINITY), 0)
}

/** The error for families that give no acyclic graph. */
const NO_GRAPH =
  'the families give no graph without a cycle; relax the constraints, or score more families (first of all the empty one)'

/** The most concepts for {@link searchExact}, which needs 9 bytes per subset and doubles its time with every concept. */
export const exactSearchLimit = 22

/**
 * Finds the best acyclic graph by dynamic programming over subsets (Silander and Myllymaki, 2006): a best graph over the set S
 * has a childless concept i whose parents lie in S \ {i}, and
 *
 *     best(S) = max over i in S of  best(S \ {i}) + the best family of i within S \ {i}.
 *
 * Concept i is bit i of a subset. The best family within a set is the first of the sorted list whose parents are all in the
 * set. In large sets it is found soon, so only best(S) and the chosen i are stored. Cost: O(m 2^m) such look-ups.
 */
export function searchExact(scores: FamilyScores): GraphSearch {
  const m = scores.length
  if (m > exactSearchLimit)
    throw refuse(`dynamic programming over ${m} concepts; at most ${exactSearchLimit} are possible`)
  const bits = (parents: readonly number[]) => parents.reduce((mask, parent) => mask | (1 << parent), 0)
  const masks = scores.map(families => Int32Array.from(families, ({parents}) => bits(parents)))
  const best = new Float64Array(2 ** m)
  const childless = new Uint8Array(2 ** m)
  for (let set = 1; set < best.length; set++) {
    let top = Number.NEGATIVE_INFINITY
    for (let i = 0; i < m; i++) {
      const rest = set & ~(1 << i)
      if (rest === set) continue
      const at = firstWithin(masks[i], rest)
      if (at === masks[i].length) continue
      const value = best[rest] + scores[i][at].score
      if (value > top) {
        top = value
        childless[set] = i
      }
    }
    best[set] = top
  }
  if (best[best.length - 1] === Number.NEGATIVE_INFINITY) throw refuse(NO_GRAPH)
  const parents: (readonly number[])[] = scores.map(() => [])
  for (let set = best.length - 1; set > 0; ) {
    const i = childless[set]
    set &= ~(1 << i)
    parents[i] = scores[i][firstWithin(masks[i], set)].parents
  }
  const score = best[best.length - 1]
  return {parents, score, gap: 0, status: 'optimal', method: 'dynamic-programming', steps: best.length}
}

/** Returns the index of the first mask that is a subset of `set`, or the number of masks if none is. */
function firstWithin(masks: Int32Array, set: number): number {
  let at = 0
  while (at < masks.length && (masks[at] & ~set) !== 0) at++
  return at
}

/** The default number of climbs. A hundred take half a second for 50 concepts. */
const CLIMBS = 100

export interface GreedyOptions {
  /** The number of climbs. All but the first start from the best order so far with some concepts moved, few and many in turn. */
  readonly climbs?: number
  /** Called between moves; true ends the search with the best graph so far. */
  readonly stop?: () => boolean
}

/**
 * Finds a good graph by hill climbing over orders (Teyssier and Koller, 2005). The best graph of an order gives each concept
 * its best family among the concepts before it, and a step moves one concept to its best position in the order.
 *
 * The only proven bound is the sum of the best families ({@link looseBound}). The same scores and seed give the same graph.
 * Cost: a climb takes a few rounds of m steps, and each step O(m) look-ups of a best family.
 */
export function searchGreedy(
  scores: FamilyScores,
  random: Rng,
  {climbs = CLIMBS, stop = () => false}: GreedyOptions = {}
): GraphSearch {
  let best = climbOrder(scores, firstOrder(scores), stop)
  const bound = looseBound(scores)
  let steps = 1
  for (; steps < climbs && best.score < bound && !stop(); steps++) {
    const moves = steps % 2 === 0 ? scores.length : 3 + Math.floor(scores.length / 10)
    const next = climbOrder(scores, displaced(best.order, moves, random), stop)
    if (next.score > best.score) best = next
  }
  if (best.parents === undefined) throw refuse(NO_GRAPH)
  const {parents, score} = best
  const status = score >= bound ? 'optimal' : stop() ? 'stopped' : 'heuristic'
  return {parents, score, gap: Math.max(0, bound - score), status, method: 'greedy', steps}
}

/**
 * Moves one concept after the other to its best position in the order, until none moves. Returns the order and the score of its
 * graph; `parents` is undefined if some concept has no family whose parents come before it.
 */
export function climbOrder(scores: FamilyScores, start: readonly number[], stop: () => boolean) {
  const order = Int32Array.from(start)
  const position = new Int32Array(order.length)
  for (const [at, i] of order.entries()) position[i] = at
  // A concept whose families all have a parent after it gets a score so low that any order without such a concept is better.
  const missing = -4 * scores.length * scores.flat().reduce((most, {score}) => Math.max(most, Math.abs(score)), 1)
  const familyScore = (i: number) => bestBefore(scores[i], i, position)?.score ?? missing
  const values = Float64Array.from(order, (_, i) => familyScore(i))

  /** Exchanges the concepts at `at` and `at + 1`; returns the change of the score. */
  const exchange = (at: number) => {
    const [first, second] = [order[at], order[at + 1]]
    order[at] = second
    order[at + 1] = first
    position[first] = at + 1
    position[second] = at
    const before = values[first] + values[second]
    values[first] = familyScore(first)
    values[second] = familyScore(second)
    return values[first] + values[second] - before
  }

  /** Moves concept i to its best position; returns false if it is there already. */
  const moveToBestPosition = (i: number) => {
    const from = position[i]
    let change = 0
    // Smaller gains may be rounding errors.
    let most = 1e-12 * values.reduce((sum, value) => sum + Math.abs(value), 1)
    let target = from
    const exchangeAndNote = (at: number) => {
      change += exchange(at)
      if (change <= most) return
      most = change
      target = position[i]
    }
    while (position[i] > 0) exchangeAndNote(position[i] - 1)
    while (position[i] < order.length - 1) exchangeAndNote(position[i])
    while (position[i] > target) exchange(position[i] - 1)
    return target !== from
  }

  for (let moved = true; moved && !stop(); ) {
    moved = false
    for (const i of start) if (!stop() && moveToBestPosition(i)) moved = true
  }
  const families = scores.flatMap((list, i) => bestBefore(list, i, position) ?? [])
  return {
    order: [...order],
    score: values.reduce((sum, value) => sum + value, 0),
    parents: families.length === order.length ? families.map(({parents}) => parents) : undefined
  }
}

/** Returns the best of the families of concept i whose parents all come before i; undefined if there is none. */
function bestBefore(families: readonly Family[], i: number, position: Int32Array): Family | undefined {
  return families.find(({parents}) => parents.every(parent => position[parent] < position[i]))
}

/** Returns an order in which each concept comes after the parents that all its families share, such as required ones. */
function firstOrder(scores: FamilyScores): readonly number[] {
  const shared = scores.map(([first, ...others]) =>
    (first?.parents ?? []).filter(parent => others.every(({parents}) => parents.includes(parent)))
  )
  const order = topologicalOrder(shared)
  if (order === undefined) throw refuse(NO_GRAPH)
  return order
}

/** Returns the order with `moves` randomly chosen concepts moved to random positions. */
function displaced(order: readonly number[], moves: number, random: Rng): number[] {
  const next = [...order]
  for (let n = 0; n < moves; n++) {
    const [moved] = next.splice(randomIndex(random, next.length), 1)
    next.splice(randomIndex(random, order.length), 0, moved)
  }
  return next
}
