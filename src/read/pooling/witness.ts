import type {NumberPlaces} from './concept-sets.ts'
import {type DocumentGroup, type DocumentTable, firedIn} from './document-groups.ts'
import {type Change, type DocumentChange, type Effect, type Feature, Moves} from './moves.ts'

/** What is told so far. */
export interface Tellings {
  /** Whether the number at a place may change by this much without disagreeing with what is told of it. */
  allows(place: number, change: number): boolean
  /** The groups of concepts whose labels are told. */
  labels(): readonly (readonly number[])[]
}

/** Other documents: what they change, and which numbers and labels must be withheld for that. */
export interface Witness {
  readonly effect: Effect
  readonly withhold: readonly number[]
  readonly withholdLabels: readonly (readonly number[])[]
}

/** A cell of a table: the variables that its documents have and lack. */
interface Cell {
  readonly has: readonly Feature[]
  readonly lacks: readonly Feature[]
}

/** How many groups, and how many moves, are tried before the best move so far is taken. */
const MOST_GROUPS = 40
const LARGE_GROUPS = 20
const MOST_MOVES = 600

/**
 * Finds, for a withheld number, other documents that agree with everything released and differ in the number; where
 * there are none, other numbers to withhold so that there are.
 *
 * The best moves change a number and tables that contain it alone: the corners of a cube. For anchors i and k in groups
 * that have the same other anchors, one document loses i from {i, k} and one gains it in {}; for anchor i and a word,
 * the word moves from a document with i to one without. Values of a block are exchanged.
 */
export class WitnessSearch {
  readonly #table: DocumentTable
  readonly #places: NumberPlaces
  readonly #told: Tellings
  readonly #moves: Moves
  /** The groups in which each concept's anchor fired. */
  readonly #withConcept: readonly (readonly DocumentGroup[])[]

  constructor(table: DocumentTable, places: NumberPlaces, told: Tellings) {
    this.#table = table
    this.#places = places
    this.#told = told
    this.#moves = new Moves(table, places)
    const concepts = Array.from({length: places.concepts}, (_, i) => i)
    this.#withConcept = concepts.map(i => table.groups.filter(group => group.concepts.includes(i)))
  }

  /**
   * Other documents that differ in a cell of a table: in how many have all variables of the number at `place` but lack
   * those at the bits of `absent`; 0 stands for the number itself. Undefined if there are none at all, as for a single
   * document.
   */
  find(place: number, absent: number): Witness | undefined {
    const cell = this.#cell(place, absent)
    const parts = this.#partsOf(cell)
    let best: Witness | undefined
    let [least, tried] = [Number.POSITIVE_INFINITY, 0]
    for (const changes of this.#candidates(cell)) {
      const effect = this.#moves.effect(changes)
      if (effect === undefined || !isChanged(parts, effect)) continue
      const witness = this.#witness(effect)
      const cost = this.#cost(witness)
      if (cost < least) best = witness
      least = Math.min(cost, least)
      if (cost === 0 || ++tried >= MOST_MOVES) break
    }
    return best
  }

  /** Whether a cell changes. */
  changes(effect: Effect, place: number, absent: number): boolean {
    return isChanged(this.#partsOf(this.#cell(place, absent)), effect)
  }

  #cell(place: number, absent: number): Cell {
    const table = this.#features(place)
    return {
      has: table.filter((_, bit) => !(absent & (1 << bit))),
      lacks: table.filter((_, bit) => absent & (1 << bit))
    }
  }

  /** The numbers that add up to a cell. */
  #partsOf({has, lacks}: Cell): Part[] {
    const m = this.#places.concepts
    return subsets(lacks).map(more => {
      const features = [...has, ...more]
      const fired = features.filter(feature => feature < m).toSorted((a, b) => a - b)
      const column = (features.find(feature => feature >= m) ?? m - 1) - m
      return {sign: (-1) ** more.length, place: this.#places.of(fired, column)}
    })
  }

  #features(place: number): Feature[] {
    const column = this.#places.word(place)
    return [...this.#places.set(place), ...(column < 0 ? [] : [this.#places.concepts + column])]
  }

  #witness(effect: Effect): Witness {
    const withhold = [...effect.numbers].flatMap(([place, change]) => (this.#told.allows(place, change) ? [] : [place]))
    const withholdLabels = this.#told.labels().filter(concepts => !isBalanced(concepts, effect.documents))
    return {effect, withhold, withholdLabels}
  }

  /** About how much is lost with what a move makes us withhold: smaller numbers are parts of larger tables. */
  #cost({withhold, withholdLabels}: Witness): number {
    const {concepts, maxOrder} = this.#places
    let cost = 4 * withholdLabels.flat().length
    for (const place of withhold) cost += this.#features(place).length < maxOrder ? 1 + concepts : 1
    return cost
  }

  *#candidates(cell: Cell): Generator<readonly Change[]> {
    const table = [...cell.has, ...cell.lacks]
    const [whole, ...parts] = subsets(table).slice(0, -1)
    yield* this.#cubes(cell, whole)
    for (const feature of table) yield* this.#swaps(cell, feature)
    for (const part of parts) yield* this.#cubes(cell, part)
    yield* this.#transfers(cell)
  }

  /** Moves at the corners of a cube over `part`, of documents that are otherwise in the cell. */
  *#cubes(target: Cell, part: readonly Feature[]): Generator<readonly Change[]> {
    const {cell, chosen} = this.#rest(target, part)
    // The word, if there is one.
    const feature = Math.max(...part)
    const others = part.filter(other => other !== feature)
    for (const partner of this.#moves.partners(feature))
      for (const context of this.#contexts(cell, part, partner))
        for (const sign of [1, -1]) {
          const changes = subsets(others).map(corner => {
            const gains = sign * (-1) ** (others.length - corner.length) > 0
            return this.#moves.exchange([...context, ...corner], gains ? [feature, partner] : [partner, feature])
          })
          const found = changes.filter(change => change !== undefined)
          if (found.length === changes.length) yield found.map(change => ({...change, chosen}))
        }
  }

  /** One document that is otherwise in the cell gains or loses a feature, and another the reverse. */
  *#swaps(target: Cell, feature: Feature): Generator<readonly Change[]> {
    const {cell, chosen} = this.#rest(target, [feature])
    const large = this.#table.groups.slice(0, LARGE_GROUPS)
    for (const partner of this.#moves.partners(feature))
      for (const [gains, loses] of [
        [feature, partner],
        [partner, feature]
      ])
        for (const context of this.#contexts(cell, [feature], partner)) {
          const first = this.#moves.exchange(context, [gains, loses])
          if (first === undefined) continue
          for (const {concepts} of large) {
            const elsewhere = concepts.filter(i => i !== feature && i !== partner)
            const second = this.#moves.exchange(elsewhere, [loses, gains])
            if (second === undefined || second.from === first.from) continue
            yield [
              {...first, chosen},
              {...second, chosen: reversed(chosen)}
            ]
          }
        }
  }

  /** One document of the cell becomes one of another group, or the reverse, whatever else that changes. */
  *#transfers(target: Cell): Generator<readonly Change[]> {
    const {cell, chosen} = this.#rest(target, [])
    const {groups} = this.#table
    for (const group of groups.filter(({concepts}) => isIn(cell, concepts)))
      for (const other of groups) {
        if (other === group) continue
        yield [{from: group, to: other.concepts, chosen}]
        yield [{from: other, to: group.concepts, chosen: reversed(chosen)}]
      }
  }

  /** What else documents have or lack to be in the cell when only `part` is changed. */
  #rest({has, lacks}: Cell, part: readonly Feature[]): {readonly cell: Cell; readonly chosen: Change['chosen']} {
    const isAnchor = (feature: Feature) => !this.#moves.isWord(feature) && !part.includes(feature)
    const word = [...has, ...lacks].find(feature => this.#moves.isWord(feature) && !part.includes(feature))
    const chosen = word === undefined ? undefined : {column: word - this.#places.concepts, isHad: has.includes(word)}
    return {cell: {has: has.filter(isAnchor), lacks: lacks.filter(isAnchor)}, chosen}
  }

  /** The concepts of the largest groups in a cell, without those of the part and the partner. */
  *#contexts(cell: Cell, part: readonly Feature[], partner: Feature | undefined): Generator<number[]> {
    const {has} = cell
    const seen = new Set<string>()
    let found = 0
    for (const {concepts} of has.length === 0 ? this.#table.groups : this.#withConcept[has[0]]) {
      if (!isIn(cell, concepts)) continue
      const context = concepts.filter(i => !part.includes(i) && i !== partner)
      if (!seen.has(context.join())) yield context
      seen.add(context.join())
      if (++found === MOST_GROUPS) return
    }
  }
}

function isIn({has, lacks}: Cell, concepts: readonly number[]): boolean {
  return has.every(i => concepts.includes(i)) && !lacks.some(i => concepts.includes(i))
}

function reversed(chosen: Change['chosen']): Change['chosen'] {
  return chosen && {...chosen, isHad: !chosen.isHad}
}

/** A number that is added to a cell, or taken from it. */
interface Part {
  readonly sign: number
  readonly place: number
}

function isChanged(parts: readonly Part[], {numbers}: Effect): boolean {
  return parts.reduce((sum, {sign, place}) => sum + sign * (numbers.get(place) ?? 0), 0) !== 0
}

/** All subsets, the whole first. */
function subsets<T>(items: readonly T[]): T[][] {
  return Array.from({length: 2 ** items.length}, (_, at) => items.filter((_, bit) => !(at & (1 << bit)))).toSorted(
    (a, b) => b.length - a.length
  )
}

/** Whether these anchors fire together in as many documents as before, so that the same labels fit. */
function isBalanced(concepts: readonly number[], documents: readonly DocumentChange[]): boolean {
  const changes = new Map<string, number>()
  for (const [fired, sign] of documents) {
    const key = firedIn(concepts, fired)
    changes.set(key, (changes.get(key) ?? 0) + sign)
  }
  return [...changes.values()].every(change => change === 0)
}
