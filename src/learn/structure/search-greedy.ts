import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type Rng, randomIndex, shuffled} from '../../base/numeric/index.ts'
import type {Family, FamilyScores} from './bic.ts'
import {type GraphSearch, graphSearch, looseBound, noGraph} from './search-exact.ts'

export interface GreedyOptions {
  /** Number of climbs: from random orders and, every other time, from the best order with a few concepts moved. */
  readonly restarts: number
  /** Called between moves; true ends the search with the best graph so far. */
  readonly stop: () => boolean
}

export const greedyDefaults: GreedyOptions = {restarts: 20, stop: () => false}

/**
 * Finds a good graph by hill climbing over orders (Teyssier and Koller, 2005): an order of the concepts has a best graph, in
 * which each concept takes its best family among those before it, and a step moves one concept to its best place.
 *
 * The bound is only the sum of the best families. The same scores and source give the same graph.
 * Cost: a few rounds per climb of m steps, each of O(m) look-ups of a best family.
 */
export function searchGreedy(scores: FamilyScores, random: Rng, options: Partial<GreedyOptions> = {}): GraphSearch {
  const {restarts, stop} = withDefaults('searchGreedy', greedyDefaults, options)
  let best = climbOrder(scores, randomOrder(scores, random), stop)
  const bound = looseBound(scores)
  let steps = 1
  for (; steps < restarts && best.score < bound && !stop(); steps++) {
    const order = steps % 2 === 0 ? randomOrder(scores, random) : kicked(best.order, random)
    const next = climbOrder(scores, order, stop)
    if (next.score > best.score) best = next
  }
  if (best.families === undefined)
    throw new AdfaError(
      'bad-option',
      'hill climbing found no graph without a cycle; search exactly, or score more families'
    )
  const proven = bound <= best.families.reduce((sum, family) => sum + family.score, 0)
  const status = proven ? 'optimal' : stop() ? 'stopped' : 'heuristic'
  return graphSearch(best.families, bound, {status, method: 'greedy', steps})
}

/** A climb ends with an order, the score of its graph, and the graph's families unless a concept has none. */
interface Climb {
  readonly order: readonly number[]
  readonly score: number
  readonly families: readonly Family[] | undefined
}

/** Moves one concept after the other to its best place in the order, until none moves. */
export function climbOrder(scores: FamilyScores, start: readonly number[], stop: () => boolean): Climb {
  const order = Int32Array.from(start)
  const position = new Int32Array(order.length)
  for (const [at, i] of order.entries()) position[i] = at
  const missing = -4 * scores.length * scores.flat().reduce((most, {score}) => Math.max(most, Math.abs(score)), 1)
  // A concept without a family in the order counts so little that any order where all have one is better.
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

  /** Moves concept i to where the order scores best; false if it is there already. */
  const moveToBestPlace = (i: number) => {
    const from = position[i]
    let change = 0
    // Smaller gains may be rounding errors.
    let most = 1e-12 * values.reduce((sum, value) => sum + Math.abs(value), 1)
    let place = from
    const exchangeAndNote = (at: number) => {
      change += exchange(at)
      if (change <= most) return
      most = change
      place = position[i]
    }
    while (position[i] > 0) exchangeAndNote(position[i] - 1)
    while (position[i] < order.length - 1) exchangeAndNote(position[i])
    while (position[i] > place) exchange(position[i] - 1)
    return place !== from
  }

  for (let moved = true; moved && !stop(); ) {
    moved = false
    for (const i of start) if (!stop() && moveToBestPlace(i)) moved = true
  }
  const families = scores.flatMap((list, i) => bestBefore(list, i, position) ?? [])
  return {
    order: [...order],
    score: values.reduce((sum, value) => sum + value, 0),
    families: families.length === order.length ? families : undefined
  }
}

/** Finds the first and thus best family of concept i whose parents all come before it. */
function bestBefore(families: readonly Family[], i: number, position: Int32Array): Family | undefined {
  for (const family of families) {
    const {parents} = family
    let at = 0
    while (at < parents.length && position[parents[at]] < position[i]) at++
    if (at === parents.length) return family
  }
  return undefined
}

/** Draws an order in which parents common to all families of a concept, such as required ones, come before it. */
function randomOrder(scores: FamilyScores, random: Rng): number[] {
  const shared = scores.map(([first, ...others]) =>
    (first?.parents ?? []).filter(parent => others.every(({parents}) => parents.includes(parent)))
  )
  const waiting = new Set(shuffled([...scores.keys()], random))
  const order: number[] = []
  while (waiting.size > 0) {
    const next = [...waiting].find(i => !shared[i].some(parent => waiting.has(parent)))
    if (next === undefined) throw noGraph()
    waiting.delete(next)
    order.push(next)
  }
  return order
}

/** Moves a few concepts of the order to other places. */
function kicked(order: readonly number[], random: Rng): number[] {
  const next = [...order]
  const moves = Math.min(order.length, 3 + Math.floor(order.length / 10))
  for (let n = 0; n < moves; n++) {
    const [moved] = next.splice(randomIndex(random, next.length), 1)
    next.splice(randomIndex(random, order.length), 0, moved)
  }
  return next
}
