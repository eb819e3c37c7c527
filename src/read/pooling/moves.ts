import {type Block, columnsOf, firedIn} from './blocks.ts'
import {conceptSetNumber, eachSubset, type NumberPlaces} from './concept-sets.ts'
import type {DocumentGroup, DocumentTable} from './document-groups.ts'

/** A variable: concept i, or column j as m + j. */
export type Feature = number

/** By how much numbers change, by their places; those that do not change are left out. */
export type Effect = ReadonlyMap<number, number>

/** The anchors of one document of a group change, or stay, and it gains or loses a column. */
interface Change {
  readonly from: DocumentGroup
  /** The concepts whose anchors fire afterwards: those of the group where nothing changes. */
  readonly to: readonly number[]
  readonly gains?: number | undefined
  readonly loses?: number | undefined
}

/** The concepts and columns of a document that goes, with -1, or comes, with 1. */
type Document = readonly [concepts: readonly number[], columns: ReadonlySet<number>, sign: number]

/** Changes of documents from different groups, and which columns their documents must have or lack. */
export interface Move {
  readonly changes: readonly Change[]
  /** A column that the documents of these groups have; all others lack it where they can. */
  readonly column?: number | undefined
  readonly withColumn?: readonly DocumentGroup[]
}

/**
 * The effect of moves on the numbers of a release. Documents only become what some documents are: their anchors fire together
 * in one of the groups, and go with a column of each block as in some document. So what readers know about anchors that imply
 * or exclude each other, or the values of a category, holds after a move too.
 */
export class Moves {
  readonly #table: DocumentTable
  readonly #places: NumberPlaces
  readonly #blockOf: ReadonlyMap<number, Block>

  constructor(table: DocumentTable, places: NumberPlaces) {
    this.#table = table
    this.#places = places
    this.#blockOf = new Map(table.blocks.flatMap(block => columnsOf(block).map(column => [column, block] as const)))
  }

  isWord(feature: Feature): boolean {
    return feature >= this.#places.concepts
  }

  /** What a document may have instead of a feature. */
  partners(feature: Feature): (Feature | undefined)[] {
    const m = this.#places.concepts
    const {blocks, declared} = this.#table
    const block = this.#blockOf.get(feature - m)
    const kin = declared.filter(({anchors}) => anchors.includes(feature)).flatMap(({anchors}) => anchors)
    const values = blocks.filter(({anchors}) => anchors.includes(feature)).flatMap(({words}) => words)
    const partners: (Feature | undefined)[] =
      block === undefined
        ? [undefined, ...kin, ...values.map(j => m + j)]
        : [...columnsOf(block).map(j => m + j), ...block.anchors]
    return [...new Set(partners)].filter(other => other !== feature)
  }

  /** A document of the group with these concepts that gains, or loses, a feature for its partner; undefined without one. */
  change(concepts: readonly number[], gains: Feature | undefined, loses: Feature | undefined): Change | undefined {
    const {byConcepts} = this.#table
    const from = byConcepts.get(concepts.join())
    if (from === undefined || (gains === undefined && loses === undefined)) return undefined
    if (loses !== undefined && !this.#has(from, loses)) return undefined
    const isGained = gains !== undefined && !this.isWord(gains)
    if (isGained && concepts.includes(gains)) return undefined
    const kept = concepts.filter(i => i !== loses)
    const moved = isGained ? [...kept, gains].sort((a, b) => a - b) : kept
    const to = moved.join() === concepts.join() ? from.concepts : moved
    if (to !== from.concepts && !this.#table.isPossible(to)) return undefined
    const column = (feature: Feature | undefined) =>
      feature !== undefined && this.isWord(feature) ? feature - this.#places.concepts : undefined
    const [gained, lost] = [column(gains), column(loses)]
    if (gained !== undefined && lost === undefined && from.words.get(gained) === from.documents) return undefined
    return {from, to, gains: gained, loses: lost}
  }

  #has(group: DocumentGroup, feature: Feature): boolean {
    return this.isWord(feature) ? group.words.has(feature - this.#places.concepts) : group.concepts.includes(feature)
  }

  /** By how much each number changes; undefined if no documents can move so. */
  effect({changes, column, withColumn = []}: Move): Effect | undefined {
    const block = column === undefined ? undefined : this.#blockOf.get(column)
    // The exchange itself decides which column of its block a document has.
    const isMoved =
      block !== undefined &&
      changes.some(({gains, loses}) => [gains, loses].some(j => j !== undefined && this.#blockOf.get(j) === block))
    const isPlaced = column !== undefined && !isMoved
    if (isPlaced && withColumn.some(group => !group.words.has(column))) return undefined
    const isStill = changes.every(({from, to}) => from.concepts === to)
    const shared = isStill ? changes.map(() => new Set<number>()) : this.#sharedColumns(changes.map(({from}) => from))
    const documents: Document[] = []
    for (const [at, change] of changes.entries()) {
      const before = shared[at]
      if (isPlaced && !isStill) this.#place(column, change.from, before, withColumn.includes(change.from))
      if (change.loses !== undefined) this.#give(before, change.loses)
      const after = this.#after(change, before)
      if (after === undefined) return undefined
      documents.push([change.from.concepts, before, -1], [change.to, after, 1])
    }
    return this.#effectOf(documents)
  }

  /** One document of a group becomes like one of another group; a column says which documents are meant. */
  transfer(from: DocumentGroup, to: DocumentGroup, column?: {readonly of: number; readonly isHad: boolean}): Effect {
    const [before, after] = this.#sharedColumns([from, to])
    if (column !== undefined) {
      this.#place(column.of, from, before, column.isHad)
      this.#place(column.of, to, after, !column.isHad)
    }
    return this.#effectOf([
      [from.concepts, before, -1],
      [to.concepts, after, 1]
    ])
  }

  /** The columns of a document after a change; undefined where no document has them with these anchors. */
  #after({from, to, gains, loses}: Change, before: ReadonlySet<number>): Set<number> | undefined {
    const after = new Set(before)
    if (loses !== undefined) after.delete(loses)
    if (gains !== undefined) this.#give(after, gains)
    for (const block of this.#table.blocks) {
      const isTouched = [gains, loses].some(j => j !== undefined && this.#blockOf.get(j) === block)
      if (!isTouched && (from.concepts === to || block.anchors.length === 0)) continue
      const possible = block.columns.get(firedIn(block, to))
      const own = columnsOf(block).find(j => after.has(j))
      if (own !== undefined && possible?.has(own)) continue
      if (gains !== undefined && own === gains) return undefined
      const [other] = [...(possible ?? [])].filter(j => j !== loses)
      if (other === undefined) return undefined
      this.#give(after, other)
    }
    return this.#areTogether(from, to, after) ? after : undefined
  }

  /** Whether expressions and vetoes let words occur with these anchors, as far as documents show. */
  #areTogether({concepts}: DocumentGroup, to: readonly number[], columns: ReadonlySet<number>): boolean {
    for (const [i, {fired, silent}] of this.#table.companions) {
      if (concepts !== to && concepts.includes(i) === to.includes(i)) continue
      const seen = to.includes(i) ? fired : silent
      for (const j of columns) if (j < seen.length && seen[j] === 0) return false
    }
    return true
  }

  /** Gives a document a column, for the one of its block that it has. */
  #give(columns: Set<number>, column: number): void {
    const block = this.#blockOf.get(column)
    if (block !== undefined) for (const rival of columnsOf(block)) columns.delete(rival)
    columns.add(column)
  }

  /** Let a document of the group have the column, or lack it if it can. */
  #place(column: number, group: DocumentGroup, columns: Set<number>, has: boolean): void {
    if (has) {
      if (group.words.has(column)) this.#give(columns, column)
    } else if (columns.has(column) && (group.words.get(column) ?? 0) < group.documents) {
      const block = this.#blockOf.get(column)
      const rival = block && columnsOf(block).find(j => j !== column && group.words.has(j))
      if (rival === undefined) columns.delete(column)
      else this.#give(columns, rival)
    }
  }

  /** Columns of one document per group: those that all its documents have, and one per block; alike where possible. */
  #sharedColumns(groups: readonly DocumentGroup[]): Set<number>[] {
    const columns = groups.map(() => new Set<number>())
    for (const group of groups)
      for (const [j, documents] of group.words)
        if (documents === group.documents && !this.#blockOf.has(j))
          for (const [at, other] of groups.entries()) if (other.words.has(j)) columns[at].add(j)
    for (const block of this.#table.blocks) {
      const own = columnsOf(block)
      const common = own.find(j => groups.every(group => group.words.has(j)))
      for (const [at, group] of groups.entries()) {
        const column = common ?? own.find(j => group.words.has(j))
        if (column !== undefined) columns[at].add(column)
      }
    }
    return columns
  }

  #effectOf(documents: readonly Document[]): Effect {
    const {sets, words: width, concepts: m, maxOrder} = this.#places
    const effect = new Map<number, number>()
    for (const [concepts, columns, sign] of documents) {
      const add = (number: number) => effect.set(number, (effect.get(number) ?? 0) + sign)
      eachSubset(concepts, maxOrder, set => {
        const at = conceptSetNumber(m, set)
        add(at)
        if (set.length < maxOrder) for (const j of columns) add(sets.length + at * width + j)
      })
    }
    for (const [number, by] of effect) if (by === 0) effect.delete(number)
    return effect
  }
}
