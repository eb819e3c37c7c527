import {conceptSetNumber} from './concept-sets.ts'
import {type Feature, type Move, Moves} from './moves.ts'
import type {DocumentGroup, PatternTable} from './pattern-table.ts'
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

export interface WitnessShape {
  readonly concepts: number
  readonly maxOrder: number
  /** Sets of concepts, by place. */
  readonly sets: readonly (readonly number[])[]
}

/** Other documents that change a number: all numbers they change, and those that must be withheld for it. */
export interface Witness {
  readonly changed: readonly number[]
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
  readonly #table: PatternTable
  readonly #shape: WitnessShape
  readonly #told: Tellings
  readonly #moves: Moves

  constructor(table: PatternTable, shape: WitnessShape, told: Tellings) {
    this.#table = table
    this.#shape = shape
    this.#told = told
    const {concepts, maxOrder, sets} = shape
    this.#moves = new Moves(table, {concepts, maxOrder, sets: sets.length})
  }

  /** Undefined if one document cannot be written otherwise in any way, which no corpus of two documents allows. */
  find(target: number): Witness | undefined {
    let best: {cost: number; effect: ReadonlyMap<number, number>} | undefined
    let tried = 0
    const consider = (effect: ReadonlyMap<number, number> | undefined): boolean => {
      if (effect?.get(target) === undefined) return false
      const cost = this.#cost(effect)
      if (best === undefined || cost < best.cost) best = {cost, effect}
      return cost === 0 || ++tried >= MOST_MOVES
    }
    const features = this.#features(target)
    for (const move of this.#candidates(features)) if (consider(this.#moves.effect(move))) break
    if (best === undefined)
      for (const group of this.#table.groups) if (consider(this.#moves.rewrite(group, features))) break
    if (best === undefined) return undefined
    const {effect} = best
    const changed = [...effect.keys()]
    return {changed, withhold: changed.filter(place => this.#mustWithhold(place, effect.get(place) ?? 0))}
  }

  #features(place: number): Feature[] {
    const {sets, concepts} = this.#shape
    if (place < sets.length) return [...sets[place]]
    const at = place - sets.length
    return [...sets[Math.floor(at / this.#table.words)], concepts + (at % this.#table.words)]
  }

  #mustWithhold(place: number, change: number): boolean {
    const {isHidden, telling, holds, value} = this.#told
    if (isHidden(place) || telling(place) === 'implied') return false
    return telling(place) === 'exact' || !holds(place, value(place) + change)
  }

  /** What is lost by the numbers that a move makes us withhold: they and the tables that contain them; small ones first. */
  #cost(effect: ReadonlyMap<number, number>): number {
    const {concepts, maxOrder} = this.#shape
    let cost = 0
    for (const [place, change] of effect) {
      if (!this.#mustWithhold(place, change)) continue
      const features = this.#features(place)
      const above = features.length >= maxOrder ? 0 : concepts
      const hasWord = features.some(feature => this.#moves.isWord(feature))
      cost += 1 + above + (above > 0 && !hasWord ? this.#table.words : 0)
      cost += (0.5 * this.#told.value(place)) / (1 + this.#told.value(0))
    }
    return cost
  }

  *#candidates(target: readonly Feature[]): Generator<Move> {
    const parts = subsets(target).filter(part => part.length > 0)
    const isFree = (part: readonly Feature[]) => part.length === target.length || this.#isWithheld(part)
    for (const part of parts.filter(isFree)) yield* this.#cubes(target, part)
    for (const feature of target.toReversed()) yield* this.#swaps(target, feature)
    for (const part of parts.filter(part => !isFree(part))) yield* this.#cubes(target, part)
  }

  #isWithheld(features: readonly Feature[]): boolean {
    const {concepts: m, sets} = this.#shape
    const at = conceptSetNumber(
      m,
      features.filter(feature => feature < m)
    )
    const word = features.find(feature => feature >= m)
    return this.#told.telling(word === undefined ? at : sets.length + at * this.#table.words + word - m) !== 'exact'
  }

  /** Groups with all of these concepts. */
  #groupsWith(concepts: readonly number[]): readonly DocumentGroup[] {
    const {groups, withConcept} = this.#table
    if (concepts.length === 0) return groups.slice(0, MOST_GROUPS)
    const found: DocumentGroup[] = []
    for (const group of withConcept[concepts[0]]) {
      if (concepts.every(i => group.concepts.includes(i))) found.push(group)
      if (found.length >= MOST_GROUPS) break
    }
    return found
  }

  /** Partners of a feature, those first that are withheld anyway beside these concepts. */
  #partners(feature: Feature, beside: readonly number[]): (Feature | undefined)[] {
    const isExact = (partner: Feature | undefined) =>
      partner !== undefined && !this.#isWithheld([...beside, partner].toSorted((a, b) => a - b))
    return this.#moves.partners(feature).toSorted((a, b) => Number(isExact(a)) - Number(isExact(b)))
  }

  /** Moves at the corners of a cube over `part`, in groups that have the rest of the target. */
  *#cubes(target: readonly Feature[], part: readonly Feature[]): Generator<Move> {
    const isAnchor = (feature: Feature) => !this.#moves.isWord(feature)
    const moved = part.filter(feature => !isAnchor(feature))
    const rest = target.filter(feature => isAnchor(feature) && !part.includes(feature))
    const word = moved.length > 0 ? undefined : target.find(feature => !isAnchor(feature))
    for (const feature of moved.length > 0 ? moved : part) {
      const others = part.filter(other => other !== feature)
      for (const partner of this.#partners(feature, others))
        for (const contexts of this.#contexts(rest, part, partner))
          for (const sign of [1, -1]) {
            const move = this.#cube({feature, partner, others, sign}, contexts)
            if (move === undefined) continue
            if (word === undefined) yield move
            else yield {...move, word: word - this.#shape.concepts, withWord: move.changes.map(({group}) => group)}
          }
    }
  }

  /** The concepts of groups without those of the part and the partner. */
  *#contexts(rest: readonly number[], part: readonly Feature[], partner: Feature | undefined): Generator<number[]> {
    const seen = new Set<string>()
    const anchors = part.filter(feature => !this.#moves.isWord(feature))
    for (const groups of [this.#groupsWith([...rest, ...anchors]), this.#groupsWith(rest)])
      for (const {concepts} of groups) {
        const context = concepts.filter(i => !part.includes(i) && i !== partner)
        if (seen.has(context.join())) continue
        seen.add(context.join())
        yield context
      }
  }

  #cube(
    {feature, partner, others, sign}: {feature: Feature; partner: Feature | undefined; others: readonly number[]; sign: number},
    context: readonly number[]
  ): Move | undefined {
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

  /** One document that has the rest of the target gains or loses a feature, and another the reverse. */
  *#swaps(target: readonly Feature[], feature: Feature): Generator<Move> {
    const m = this.#shape.concepts
    const rest = target.filter(other => other !== feature && other < m)
    const word = target.find(other => other !== feature && other >= m)
    const large = this.#table.groups.slice(0, LARGE_GROUPS)
    for (const partner of this.#partners(feature, rest))
      for (const pair of [
        [feature, partner],
        [partner, feature]
      ])
        for (const context of this.#contexts(rest, [feature], partner)) {
          const first = this.#exchange(context, pair)
          if (first === undefined) continue
          for (const {concepts} of large) {
            const elsewhere = concepts.filter(i => i !== feature && i !== partner)
            const second = this.#exchange(elsewhere, [pair[1], pair[0]])
            if (second === undefined || second.group === first.group) continue
            const changes = [first, second]
            yield word === undefined ? {changes} : {changes, word: word - m, withWord: [first.group]}
          }
        }
  }
}

/** All subsets, the whole first. */
function subsets<T>(items: readonly T[]): T[][] {
  return Array.from({length: 2 ** items.length}, (_, at) => items.filter((_, bit) => !(at & (1 << bit)))).toSorted(
    (a, b) => b.length - a.length
  )
}
