import type {NumberPlaces} from './concept-sets.ts'
import type {DocumentGroup, DocumentTable} from './document-groups.ts'
import {type Effect, type Feature, type Move, Moves} from './moves.ts'
import type {Telling} from './withhold-small.ts'

/** What is told so far, by the places of the numbers. */
export interface Tellings {
  /** The number itself. */
  value(place: number): number
  telling(place: number): Telling
  /** Whether the released interval holds a value. */
  holds(place: number, value: number): boolean
  /** Whether the number is never released: documents with none of the values of a block. */
  isHidden(place: number): boolean
}

/** Other documents: by how much they change numbers, and which of these must be withheld for that. */
export interface Witness {
  readonly effect: Effect
  readonly withhold: readonly number[]
}

/** How many groups, and how many moves, are tried before the best move so far is taken. */
const MOST_GROUPS = 40
const LARGE_GROUPS = 20
const MOST_MOVES = 600

/**
 * Finds, for a withheld number, other documents that agree with everything released and differ in the number; where there
 * are none, other numbers to withhold so that there are.
 *
 * The best moves change a number and tables that contain it alone: the corners of a cube. For anchors i and k in groups that
 * have the same other anchors, one document loses i from {i, k} and one gains it in {}; for anchor i and a word, the word moves
 * from a document with i to one without. Values of a block are exchanged.
 */
export class WitnessSearch {
  readonly #table: DocumentTable
  readonly #places: NumberPlaces
  readonly #told: Tellings
  readonly #moves: Moves

  constructor(table: DocumentTable, places: NumberPlaces, told: Tellings) {
    this.#table = table
    this.#places = places
    this.#told = told
    this.#moves = new Moves(table, places)
  }

  /**
   * Other documents that differ in a cell of a table: in how many have all variables of the number at `place` but lack those at
   * the bits of `absent`; 0 stands for the number itself. Undefined if there are none at all, as for a single document.
   */
  find(place: number, absent: number): Witness | undefined {
    const {cell, parts} = this.#cell(place, absent)
    let best: {cost: number; effect: Effect} | undefined
    let tried = 0
    const consider = (effect: Effect | undefined): boolean => {
      if (effect === undefined || !isChanged(parts, effect)) return false
      const cost = this.#cost(effect)
      if (best === undefined || cost < best.cost) best = {cost, effect}
      return cost === 0 || ++tried >= MOST_MOVES
    }
    for (const move of this.#candidates(cell)) if (consider(this.#moves.effect(move))) break
    if (best === undefined) for (const effect of this.#transfers(cell)) if (consider(effect)) break
    if (best === undefined) return undefined
    const {effect} = best
    const withhold = [...effect].flatMap(([place, change]) => (this.#mustWithhold(place, change) ? [place] : []))
    return {effect, withhold}
  }

  /** Whether a cell changes. */
  changes(effect: Effect, place: number, absent: number): boolean {
    return isChanged(this.#cell(place, absent).parts, effect)
  }

  /** A cell, and the numbers that add up to it. */
  #cell(place: number, absent: number) {
    const table = this.#features(place)
    const has = table.filter((_, bit) => !(absent & (1 << bit)))
    const lacks = table.filter((_, bit) => absent & (1 << bit))
    const parts = subsets(lacks).map(more => ({sign: (-1) ** more.length, place: this.#place([...has, ...more])}))
    return {cell: {has, lacks}, parts}
  }

  #features(place: number): Feature[] {
    const column = this.#places.word(place)
    return [...this.#places.set(place), ...(column < 0 ? [] : [this.#places.concepts + column])]
  }

  #place(features: readonly Feature[]): number {
    const m = this.#places.concepts
    const fired = features.filter(feature => feature < m).toSorted((a, b) => a - b)
    return this.#places.of(fired, (features.find(feature => feature >= m) ?? m - 1) - m)
  }

  #mustWithhold(place: number, change: number): boolean {
    const {isHidden, telling, holds, value} = this.#told
    if (isHidden(place) || telling(place) === 'implied') return false
    return telling(place) === 'exact' || !holds(place, value(place) + change)
  }

  /** What is lost by the numbers that a move makes us withhold: they and the tables that contain them; small ones first. */
  #cost(effect: Effect): number {
    const {concepts, words, maxOrder} = this.#places
    let cost = 0
    for (const [place, change] of effect) {
      if (!this.#mustWithhold(place, change)) continue
      const features = this.#features(place)
      const above = features.length >= maxOrder ? 0 : concepts
      const hasWord = features.some(feature => this.#moves.isWord(feature))
      cost += 1 + above + (above > 0 && !hasWord ? words : 0)
      cost += (0.5 * this.#told.value(place)) / (1 + this.#told.value(0))
    }
    return cost
  }

  *#candidates(cell: Cell): Generator<Move> {
    const table = [...cell.has, ...cell.lacks]
    const parts = subsets(table).filter(part => part.length > 0)
    const isFree = (part: readonly Feature[]) => part.length === table.length || this.#isWithheld(part)
    for (const part of parts.filter(isFree)) yield* this.#cubes(cell, part)
    for (const feature of table) yield* this.#swaps(cell, feature)
    for (const part of parts.filter(part => !isFree(part))) yield* this.#cubes(cell, part)
  }

  #isWithheld(features: readonly Feature[]): boolean {
    return this.#told.telling(this.#place(features)) !== 'exact'
  }

  /** Groups with all of some concepts and none of others. */
  #groupsWith(has: readonly Feature[], lacks: readonly Feature[]): readonly DocumentGroup[] {
    const {groups, withConcept} = this.#table
    const found: DocumentGroup[] = []
    for (const group of has.length === 0 ? groups : withConcept[has[0]]) {
      const {concepts} = group
      if (has.every(i => concepts.includes(i)) && !lacks.some(i => concepts.includes(i))) found.push(group)
      if (found.length >= MOST_GROUPS) break
    }
    return found
  }

  /** Partners of a feature, those first that are withheld anyway beside these. */
  #partners(feature: Feature, beside: readonly Feature[]): (Feature | undefined)[] {
    const isExact = (partner: Feature | undefined) => partner !== undefined && !this.#isWithheld([...beside, partner])
    return this.#moves.partners(feature).toSorted((a, b) => Number(isExact(a)) - Number(isExact(b)))
  }

  /** What else documents have or lack to be in the cell when only `part` is changed. */
  #rest({has, lacks}: Cell, part: readonly Feature[]) {
    const isAnchor = (feature: Feature) => !this.#moves.isWord(feature) && !part.includes(feature)
    const word = [...has, ...lacks].find(feature => this.#moves.isWord(feature) && !part.includes(feature))
    return {
      cell: {has: has.filter(isAnchor), lacks: lacks.filter(isAnchor)},
      column: word === undefined ? undefined : word - this.#places.concepts,
      hasColumn: word !== undefined && has.includes(word)
    }
  }

  /** Moves at the corners of a cube over `part`, of documents that are otherwise in the cell. */
  *#cubes(target: Cell, part: readonly Feature[]): Generator<Move> {
    const {cell, column, hasColumn} = this.#rest(target, part)
    const moved = part.filter(feature => this.#moves.isWord(feature))
    for (const feature of moved.length > 0 ? moved : part) {
      const others = part.filter(other => other !== feature)
      for (const partner of this.#partners(feature, others))
        for (const context of this.#contexts(cell, part, partner))
          for (const sign of [1, -1]) {
            const move = this.#cube({feature, partner, others, sign}, context)
            if (move === undefined) continue
            yield {...move, column, withColumn: hasColumn ? move.changes.map(({from}) => from) : []}
          }
    }
  }

  /** The concepts of groups without those of the part and the partner. */
  *#contexts({has, lacks}: Cell, part: readonly Feature[], partner: Feature | undefined): Generator<number[]> {
    const seen = new Set<string>()
    const anchors = part.filter(feature => !this.#moves.isWord(feature))
    for (const groups of [this.#groupsWith([...has, ...anchors], lacks), this.#groupsWith(has, lacks)])
      for (const {concepts} of groups) {
        const context = concepts.filter(i => !part.includes(i) && i !== partner)
        if (seen.has(context.join())) continue
        seen.add(context.join())
        yield context
      }
  }

  #cube({feature, partner, others, sign}: Cube, context: readonly number[]): Move | undefined {
    const changes = subsets(others).map(corner => {
      const gains = sign * (-1) ** (others.length - corner.length) > 0
      return this.#exchange([...context, ...corner], gains ? [feature, partner] : [partner, feature])
    })
    return changes.includes(undefined) ? undefined : {changes: changes.filter(change => change !== undefined)}
  }

  /** A document with these concepts, and `loses` if that is one, that gains one feature for the other. */
  #exchange(context: readonly number[], [gains, loses]: readonly (Feature | undefined)[]) {
    const fired = loses !== undefined && !this.#moves.isWord(loses) ? [...context, loses] : context
    return this.#moves.change(
      fired.toSorted((a, b) => a - b),
      gains,
      loses
    )
  }

  /** One document of the cell becomes one outside, or the reverse, whatever else that changes. */
  *#transfers(target: Cell): Generator<Effect | undefined> {
    const {cell, column, hasColumn} = this.#rest(target, [])
    const isIn = ({concepts}: DocumentGroup) =>
      cell.has.every(i => concepts.includes(i)) && !cell.lacks.some(i => concepts.includes(i))
    const {groups} = this.#table
    const inside = groups.filter(isIn)
    const placed = column === undefined ? undefined : {of: column, isHad: hasColumn}
    for (const group of inside) {
      if (column !== undefined) yield* this.#rewrites(group, column)
      for (const other of placed === undefined ? groups : [...groups.filter(other => !isIn(other)), ...inside]) {
        if (other === group) continue
        yield this.#moves.transfer(group, other, placed)
        yield this.#moves.transfer(other, group, placed && {...placed, isHad: !placed.isHad})
      }
    }
  }

  /** One document of a group gains or loses a column. */
  *#rewrites({concepts}: DocumentGroup, column: number): Generator<Effect | undefined> {
    const feature = this.#places.concepts + column
    for (const partner of this.#moves.partners(feature))
      for (const [gains, loses] of [
        [feature, partner],
        [partner, feature]
      ]) {
        const change = this.#moves.change(concepts, gains, loses)
        if (change !== undefined) yield this.#moves.effect({changes: [change]})
      }
  }

  /** One document that is otherwise in the cell gains or loses a feature, and another the reverse. */
  *#swaps(target: Cell, feature: Feature): Generator<Move> {
    const {cell, column, hasColumn} = this.#rest(target, [feature])
    const large = this.#table.groups.slice(0, LARGE_GROUPS)
    for (const partner of this.#partners(feature, cell.has))
      for (const pair of [
        [feature, partner],
        [partner, feature]
      ])
        for (const context of this.#contexts(cell, [feature], partner)) {
          const first = this.#exchange(context, pair)
          if (first === undefined) continue
          for (const {concepts} of large) {
            const elsewhere = concepts.filter(i => i !== feature && i !== partner)
            const second = this.#exchange(elsewhere, [pair[1], pair[0]])
            if (second === undefined || second.from === first.from) continue
            yield {changes: [first, second], column, withColumn: [hasColumn ? first.from : second.from]}
          }
        }
  }
}

function isChanged(parts: readonly {sign: number; place: number}[], effect: Effect): boolean {
  return parts.reduce((sum, {sign, place}) => sum + sign * (effect.get(place) ?? 0), 0) !== 0
}

/** A cell of a table: the variables that its documents have and lack. */
interface Cell {
  readonly has: readonly Feature[]
  readonly lacks: readonly Feature[]
}

/** Corners over `others`: documents gain the feature for its partner, or the reverse, by the parity of the corner. */
interface Cube {
  readonly feature: Feature
  readonly partner: Feature | undefined
  readonly others: readonly number[]
  readonly sign: number
}

/** All subsets, the whole first. */
function subsets<T>(items: readonly T[]): T[][] {
  return Array.from({length: 2 ** items.length}, (_, at) => items.filter((_, bit) => !(at & (1 << bit)))).toSorted(
    (a, b) => b.length - a.length
  )
}
