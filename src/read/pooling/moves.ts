import {conceptSetNumber, eachSubset, type NumberPlaces} from './concept-sets.ts'
import {type Block, type DocumentGroup, type DocumentTable, firedIn} from './document-groups.ts'

/** A variable: concept i, or column j as m + j. */
export type Feature = number

/** A document that goes, with -1, or comes, with 1: the concepts whose anchors fire in it. */
export type DocumentChange = readonly [concepts: readonly number[], sign: number]

/** What is different with other documents. */
export interface Effect {
  /** By how much numbers change, by their places; those that do not change are left out. */
  readonly numbers: ReadonlyMap<number, number>
  readonly documents: readonly DocumentChange[]
}

/** A document of a group becomes another: its anchors change, or stay, and it gains or loses a column. */
export interface Change {
  readonly from: DocumentGroup
  /** The concepts whose anchors fire afterwards. */
  readonly to: readonly number[]
  readonly gains?: number | undefined
  readonly loses?: number | undefined
  /** A column that the document has, or lacks, before if it can. */
  readonly chosen?: {readonly column: number; readonly isHad: boolean} | undefined
}

type ColumnsChange = readonly [...document: DocumentChange, columns: ReadonlySet<number>]

/**
 * The effect of changes on the numbers of a release. Documents only become what some documents are: their anchors fire
 * together in one of the groups, and go with a column of each block as in some document. So what readers know about
 * anchors that imply or exclude each other, or the values of a category, holds after a change too.
 */
export class Moves {
  readonly #table: DocumentTable
  readonly #places: NumberPlaces
  readonly #blockOf: ReadonlyMap<number, Block>

  constructor(table: DocumentTable, places: NumberPlaces) {
    this.#table = table
    this.#places = places
    this.#blockOf = new Map(table.blocks.flatMap(block => block.columns.map(column => [column, block] as const)))
  }

  isWord(feature: Feature): boolean {
    return feature >= this.#places.concepts
  }

  /** What a document may have instead of a feature. */
  partners(feature: Feature): (Feature | undefined)[] {
    const m = this.#places.concepts
    const block = this.#blockOf.get(feature - m)
    if (block !== undefined) return [...block.columns.map(j => m + j), ...block.anchors].filter(i => i !== feature)
    const own = ({anchors}: {readonly anchors: readonly number[]}) => anchors.includes(feature)
    const kin = this.#table.declared.filter(own).flatMap(({anchors}) => anchors)
    const values = this.#table.blocks.filter(own).flatMap(({columns}) => columns.slice(1))
    return [undefined, ...new Set([...kin, ...values.map(j => m + j)])].filter(other => other !== feature)
  }

  /** A document with these anchors, and `loses` if that is one, that gains one feature for the other. */
  exchange(context: readonly Feature[], [gains, loses]: readonly (Feature | undefined)[]): Change | undefined {
    const isAnchor = (feature?: Feature): feature is Feature => feature !== undefined && !this.isWord(feature)
    const fired = [...context, ...(isAnchor(loses) ? [loses] : [])]
    const concepts = fired.filter(isAnchor).sort((a, b) => a - b)
    const from = this.#table.byConcepts.get(concepts.join())
    if (from === undefined || (gains !== undefined && concepts.includes(gains))) return undefined
    const to = [...concepts.filter(i => i !== loses), ...(isAnchor(gains) ? [gains] : [])].sort((a, b) => a - b)
    return this.#table.isPossible(to)
      ? {from, to, gains: this.#columnOf(gains), loses: this.#columnOf(loses)}
      : undefined
  }

  #columnOf(feature: Feature | undefined): number | undefined {
    return feature !== undefined && this.isWord(feature) ? feature - this.#places.concepts : undefined
  }

  /** What documents of different groups change; undefined if no documents can change so. */
  effect(changes: readonly Change[]): Effect | undefined {
    if (!changes.every(isPossible)) return undefined
    const shared = this.#sharedColumns(changes)
    const documents: ColumnsChange[] = []
    for (const [at, change] of changes.entries()) {
      const {from, to, loses} = change
      const before = shared[at]
      this.#choose(change, before)
      if (loses !== undefined) this.#give(before, loses)
      const after = this.#after(change, before)
      if (after === undefined) return undefined
      documents.push([from.concepts, -1, before], [to, 1, after])
    }
    return {numbers: this.#numbersOf(documents), documents: documents.map(([concepts, sign]) => [concepts, sign])}
  }

  /** The columns of a document after a change, each seen with these anchors; undefined where no document has them. */
  #after({to, gains, loses}: Change, before: ReadonlySet<number>): Set<number> | undefined {
    const seen = this.#table.companions.map(({concept, fired, silent}) => (to.includes(concept) ? fired : silent))
    const isSeen = (j: number) => seen.every(words => words[j] !== 0)
    if (gains !== undefined && !isSeen(gains)) return undefined
    const after = new Set([...before].filter(j => j !== loses && isSeen(j)))
    if (gains !== undefined) this.#give(after, gains)
    for (const {columns, anchors, seen} of this.#table.blocks) {
      const possible = seen.get(firedIn(anchors, to))
      if (columns.some(j => after.has(j) && possible?.has(j))) continue
      const other = [...(possible ?? [])].find(j => j !== loses && isSeen(j))
      if (other === undefined) return undefined
      this.#give(after, other)
    }
    return after
  }

  /** Gives a document a column, for the one of its block that it has. */
  #give(columns: Set<number>, column: number): void {
    for (const rival of this.#blockOf.get(column)?.columns ?? []) columns.delete(rival)
    columns.add(column)
  }

  #choose({from, chosen}: Change, columns: Set<number>): void {
    if (chosen === undefined) return
    const {words} = from.columns()
    const {column, isHad} = chosen
    if (isHad) {
      if (words.has(column)) this.#give(columns, column)
    } else if (columns.has(column) && (words.get(column) ?? 0) < from.documents) {
      const rival = this.#blockOf.get(column)?.columns.find(j => j !== column && words.has(j))
      if (rival === undefined) columns.delete(column)
      else this.#give(columns, rival)
    }
  }

  /**
   * Columns of one document per change: those that all documents of its group have, and one per block; alike where
   * possible. Where all anchors stay, a document keeps what it has.
   */
  #sharedColumns(changes: readonly Change[]): Set<number>[] {
    const groups = changes.map(({from}) => from.columns())
    const columns = groups.map(() => new Set<number>())
    const isStill = changes.every(({from, to}) => from.concepts.join() === to.join())
    for (const j of isStill ? [] : groups.flatMap(({always}) => always))
      if (!this.#blockOf.has(j)) for (const [at, {words}] of groups.entries()) if (words.has(j)) columns[at].add(j)
    for (const {columns: own} of this.#table.blocks) {
      const common = own.find(j => groups.every(({words}) => words.has(j)))
      for (const [at, {words}] of groups.entries()) {
        const column = common ?? own.find(j => words.has(j))
        if (column !== undefined) columns[at].add(column)
      }
    }
    return columns
  }

  #numbersOf(documents: readonly ColumnsChange[]): Map<number, number> {
    const {concepts: m, maxOrder, rowOf} = this.#places
    const numbers = new Map<number, number>()
    for (const [concepts, sign, columns] of documents) {
      const add = (place: number) => numbers.set(place, (numbers.get(place) ?? 0) + sign)
      eachSubset(concepts, maxOrder, set => {
        const at = conceptSetNumber(m, set)
        add(at)
        if (set.length < maxOrder) for (const j of columns) add(rowOf(at) + j)
      })
    }
    for (const [place, by] of numbers) if (by === 0) numbers.delete(place)
    return numbers
  }
}

/** Whether a document of the group has what it loses or must have, and one lacks what it gains. */
function isPossible({from, gains, loses, chosen}: Change): boolean {
  const {words} = from.columns()
  const needed = [loses, chosen?.isHad ? chosen.column : undefined]
  return (
    needed.every(j => j === undefined || words.has(j)) && (gains === undefined || words.get(gains) !== from.documents)
  )
}
