import {AdfaError, checkOptions, whole} from '../../base/checks/index.ts'
import {type Rng, randomIndex, shuffled} from '../../base/numeric/index.ts'
import type {Family, FamilyScores} from './family-scores.ts'
import {
  bestFamilyBefore,
  type GraphSearch,
  graphSearch,
  looseBound,
  noGraph,
  type PackedFamilies,
  packFamilies
} from './search-result.ts'

export interface GreedyOptions {
  /** Number of climbs: from random orders and, every other time, from the best order with a few concepts moved. */
  readonly restarts: number
  /** Called between moves; true ends the search with the best graph so far. */
  readonly stop: () => boolean
}

export const greedyDefaults: GreedyOptions = {restarts: 20, stop: () => false}

/**
 * A good graph, by hill climbing over orders (Teyssier and Koller, 2005): an order of the concepts has a best graph, in which
 * each concept takes its best family among those before it, and a step moves one concept to its best place in the order.
 *
 * The bound is only the sum of the best families. The same scores and source give the same graph.
 * Cost: a few rounds per climb of m steps, each of O(m) look-ups of a best family.
 */
export function searchGreedy(scores: FamilyScores, random: Rng, options: Partial<GreedyOptions> = {}): GraphSearch {
  const {restarts, stop} = checkOptions('searchGreedy', greedyDefaults, {restarts: whole(1)}, options)
  const climber = new OrderClimber(scores)
  let best = climber.climb(randomOrder(scores, random), stop)
  const bound = looseBound(scores)
  let steps = 1
  for (; steps < restarts && best.score < bound && !stop(); steps++) {
    const order = steps % 2 === 0 ? randomOrder(scores, random) : kicked(best.order, random)
    const next = climber.climb(order, stop)
    if (next.score > best.score) best = next
  }
  const families = climber.familiesOf(best.order)
  if (families === undefined)
    throw new AdfaError(
      'bad-option',
      'hill climbing found no graph without a cycle; search exactly, or score more families'
    )
  const proven = bound <= families.reduce((sum, family) => sum + family.score, 0)
  const status = proven ? 'optimal' : stop() ? 'stopped' : 'heuristic'
  return graphSearch(families, bound, {status, method: 'greedy', steps})
}

/** Hill climbing over orders. */
export class OrderClimber {
  readonly #scores: FamilyScores
  readonly #packed: PackedFamilies
  /** The value of a concept without a family in the order: low enough that any order where all have one is better. */
  readonly #missing: number

  constructor(scores: FamilyScores) {
    this.#scores = scores
    this.#packed = packFamilies(scores)
    const sum = this.#packed.scores.reduce((most, score) => Math.max(most, Math.abs(score)), 1) * scores.length
    this.#missing = -4 * sum
  }

  /** The best order that moving single concepts leads to, and the score of its graph. */
  climb(start: readonly number[], stop: () => boolean): {order: number[]; score: number} {
    const walk = new OrderWalk(this.#packed, start, this.#missing)
    for (let moved = true; moved && !stop(); ) {
      moved = false
      for (const i of start) if (!stop() && walk.moveToBestPlace(i)) moved = true
    }
    return {order: [...walk.order], score: walk.score()}
  }

  /** The best family of each concept among those before it; undefined if a concept has none. */
  familiesOf(order: readonly number[]): Family[] | undefined {
    const position = positionsOf(order)
    const families = this.#scores.flatMap((list, i) => {
      const n = bestFamilyBefore(this.#packed, i, position)
      return n < 0 ? [] : [list[n - this.#packed.starts[i]]]
    })
    return families.length === order.length ? families : undefined
  }
}

/** An order in which neighbours are exchanged, with the score of each concept in it. */
class OrderWalk {
  readonly order: Int32Array
  readonly #position: Int32Array
  readonly #value: Float64Array
  readonly #families: PackedFamilies
  readonly #missing: number

  constructor(families: PackedFamilies, order: readonly number[], missing: number) {
    this.order = Int32Array.from(order)
    this.#position = positionsOf(order)
    this.#families = families
    this.#missing = missing
    this.#value = Float64Array.from(order, (_, i) => this.#valueOf(i))
  }

  score(): number {
    return this.#value.reduce((sum, value) => sum + value, 0)
  }

  /** Move concept i to where the order scores best; false if it is there already. */
  moveToBestPlace(i: number): boolean {
    const from = this.#position[i]
    let change = 0
    let most = this.#rounding()
    let place = from
    const note = () => {
      if (change <= most) return
      most = change
      place = this.#position[i]
    }
    while (this.#position[i] > 0) {
      change += this.#exchange(this.#position[i] - 1)
      note()
    }
    while (this.#position[i] < this.order.length - 1) {
      change += this.#exchange(this.#position[i])
      note()
    }
    while (this.#position[i] > place) this.#exchange(this.#position[i] - 1)
    return place !== from
  }

  /** A gain that may be mere rounding error. */
  #rounding(): number {
    return 1e-12 * this.#value.reduce((sum, value) => sum + Math.abs(value), 1)
  }

  /** Exchange the concepts at `at` and `at + 1`; returns the change of the score. */
  #exchange(at: number): number {
    const first = this.order[at]
    const second = this.order[at + 1]
    this.order[at] = second
    this.order[at + 1] = first
    this.#position[first] = at + 1
    this.#position[second] = at
    const before = this.#value[first] + this.#value[second]
    this.#value[first] = this.#valueOf(first)
    this.#value[second] = this.#valueOf(second)
    return this.#value[first] + this.#value[second] - before
  }

  #valueOf(i: number): number {
    const n = bestFamilyBefore(this.#families, i, this.#position)
    return n < 0 ? this.#missing : this.#families.scores[n]
  }
}

/** A random order in which parents common to all families of a concept, such as required ones, come before it. */
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

/** The order with a few concepts moved to other places. */
function kicked(order: readonly number[], random: Rng): number[] {
  const next = [...order]
  const moves = Math.min(order.length, 3 + Math.floor(order.length / 10))
  for (let n = 0; n < moves; n++) {
    const [moved] = next.splice(randomIndex(random, next.length), 1)
    next.splice(randomIndex(random, order.length), 0, moved)
  }
  return next
}

function positionsOf(order: readonly number[]): Int32Array {
  const position = new Int32Array(order.length)
  order.forEach((i, at) => {
    position[i] = at
  })
  return position
}
