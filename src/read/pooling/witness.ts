import {eachSubset, type NumberPlaces} from './concept-sets.ts'
import type {DocumentGroup, DocumentTable} from './document-groups.ts'

/** A variable: concept i, or column j as m + j. */
type Feature = number

/** Other documents: what they change, and which numbers must be withheld for that. */
export interface Witness {
  /** By how much numbers change, by their places; those that do not change are left out. */
  readonly changes: ReadonlyMap<number, number>
  readonly withhold: readonly number[]
}

/** A cell of a table: the variables that its documents have and lack. */
interface Cell {
  readonly has: readonly Feature[]
  readonly lacks: readonly Feature[]
}

/** A document of a group becomes another: its anchors change, or stay, and it gains or loses a column. */
interface Change {
  readonly from: DocumentGroup
  readonly to: readonly number[]
  readonly gains?: number | undefined
  readonly loses?: number | undefined
  /** A column that the document has before. */
  readonly needs?: number | undefined
}

/** A document that goes, with -1, or comes, with 1. */
interface ChangedDocument {
  readonly sign: number
  readonly concepts: readonly number[]
  readonly columns: ReadonlySet<number>
}

/** How many groups, and how many moves, are tried before the best move so far is taken. */
const MOST_GROUPS = 20
const LARGE_GROUPS = 10
const MOST_MOVES = 600

/**
 * Finds, for a withheld number, other documents that agree with everything released and differ in the number; where
 * there are none, other numbers to withhold so that there are.
 *
 * The best moves change a number and tables that contain it alone: the corners of a cube. For anchors i and k in groups
 * that have the same other anchors, one document loses i from {i, k} and one gains it in {}; for anchor i and a word,
 * the word moves from a document with i to one without. Values of a block are exchanged.
 *
 * Documents only become what documents may be ({@link DocumentTable}). So what readers know about anchors that imply or
 * exclude each other, or the values of a category, holds of the other documents too.
 */
export function openWitnessSearch(
  table: DocumentTable,
  places: NumberPlaces,
  /** Whether the number at a place may change by this much without disagreeing with what is told of it. */
  allows: (place: number, change: number) => boolean
) {
  const m = places.concepts
  const blockOf = new Map(table.blocks.flatMap(block => block.columns.map(column => [column, block] as const)))
  const withConcept = Array.from({length: m}, (_, i) => table.groups.filter(group => group.concepts.includes(i)))

  /**
   * Other documents that differ in a cell of a table: in how many have all variables of the number at `place` but lack
   * those at the bits of `absent`; 0 stands for the number itself. Undefined if there are none at all, as for a single
   * document.
   */
  function find(place: number, absent: number): Witness | undefined {
    let best: Witness | undefined
    let [least, tried] = [Number.POSITIVE_INFINITY, 0]
    for (const move of candidates(cellAt(place, absent))) {
      const documents = documentsOf(move)
      if (documents === undefined) continue
      const witness = witnessOf(documents)
      if (!differs(witness, place, absent)) continue
      const cost = costOf(witness)
      if (cost < least) best = witness
      least = Math.min(cost, least)
      if (cost === 0 || ++tried >= MOST_MOVES) break
    }
    return best
  }

  /** Whether a cell has another number of documents; it is a sum of numbers with signs. */
  function differs({changes}: Witness, place: number, absent: number): boolean {
    const {has, lacks} = cellAt(place, absent)
    let difference = 0
    for (const more of subsets(lacks)) {
      const features = [...has, ...more].sort((a, b) => a - b)
      const column = (features.find(feature => feature >= m) ?? m - 1) - m
      const part = places.of(
        features.filter(feature => feature < m),
        column
      )
      difference += (-1) ** more.length * (changes.get(part) ?? 0)
    }
    return difference !== 0
  }

  function cellAt(place: number, absent: number): Cell {
    const features = featuresOf(place)
    return {
      has: features.filter((_, bit) => !(absent & (1 << bit))),
      lacks: features.filter((_, bit) => absent & (1 << bit))
    }
  }

  function featuresOf(place: number): Feature[] {
    const column = places.word(place)
    return [...places.set(place), ...(column < 0 ? [] : [m + column])]
  }

  function witnessOf(documents: readonly ChangedDocument[]): Witness {
    const changes = changesOf(documents)
    return {changes, withhold: [...changes].flatMap(([place, change]) => (allows(place, change) ? [] : [place]))}
  }

  /** About how much is lost with what a move makes us withhold: smaller numbers are parts of larger tables. */
  function costOf({withhold}: Witness): number {
    const {concepts, maxOrder} = places
    let cost = 0
    for (const place of withhold) cost += featuresOf(place).length < maxOrder ? 1 + concepts : 1
    return cost
  }

  function* candidates(cell: Cell): Generator<readonly Change[]> {
    const features = [...cell.has, ...cell.lacks].sort((a, b) => b - a)
    const large = table.groups.slice(0, LARGE_GROUPS)
    const elsewhere = (context: readonly number[]) =>
      large.map(({concepts}) => [...cube(context, []), {concepts, isReverse: true}])
    for (const cornersOf of [
      (context: readonly number[], others: readonly number[]) => [cube(context, others)],
      elsewhere,
      (context: readonly number[]) => [cube(context, [])]
    ])
      for (const feature of features) yield* exchanges(cell, feature, cornersOf)
    yield* transfers(cell)
  }

  /** A document that is otherwise in the cell gains or loses a feature, and documents of the other corners do, or the reverse. */
  function* exchanges(
    cell: Cell,
    feature: Feature,
    cornersOf: (context: readonly number[], others: readonly number[]) => readonly (readonly Corner[])[]
  ): Generator<readonly Change[]> {
    const {rest, needs} = restOf(cell, feature)
    for (const partner of partners(feature))
      for (const context of contexts(rest, feature))
        for (const corners of cornersOf(context, [...rest.has, ...rest.lacks]))
          for (const isGained of [true, false]) {
            const found = corners.flatMap(
              ({concepts, isReverse}) => exchange(concepts, feature, partner, isGained !== isReverse) ?? []
            )
            if (found.length === corners.length) yield found.map(change => ({...change, needs}))
          }
  }

  /** What a document may have instead of a feature: another column of the block, or nothing. */
  function partners(feature: Feature): (number | undefined)[] {
    const column = feature - m
    const block = blockOf.get(column)
    return block === undefined ? [undefined] : block.columns.filter(other => other !== column)
  }

  /** A document with these anchors gains or loses a feature. */
  function exchange(
    concepts: readonly number[],
    feature: Feature,
    partner: number | undefined,
    isGained: boolean
  ): Change | undefined {
    const {byConcepts, isPossible} = table
    const column = feature - m
    const without = concepts.filter(i => i !== feature)
    if (column >= 0) {
      const from = byConcepts.get(without.join())
      const [gains, loses] = isGained ? [column, partner] : [partner, column]
      return from && {from, to: without, gains, loses}
    }
    const having = [...without, feature].sort((a, b) => a - b)
    const from = byConcepts.get((isGained ? without : having).join())
    const to = isGained ? having : without
    return from && isPossible(to) ? {from, to} : undefined
  }

  /** One document of the cell becomes one of another group, whatever else that changes. */
  function* transfers(cell: Cell): Generator<readonly Change[]> {
    const {rest, needs} = restOf(cell)
    for (const from of table.groups.filter(({concepts}) => isIn(rest, concepts)))
      for (const {concepts: to} of table.groups) yield [{from, to, needs}]
  }

  /** The anchors of a cell besides a feature, and the column that its documents have if that is not the feature. */
  function restOf({has, lacks}: Cell, feature?: Feature) {
    const isAnchor = (other: Feature) => other < m && other !== feature
    const word = has.find(other => other >= m && other !== feature)
    const needs = word === undefined ? undefined : word - m
    return {rest: {has: has.filter(isAnchor), lacks: lacks.filter(isAnchor)}, needs}
  }

  /** The concepts of the largest groups in a cell, without the feature. */
  function* contexts(cell: Cell, feature: Feature): Generator<number[]> {
    const {has} = cell
    const seen = new Set<string>()
    for (const {concepts} of has.length === 0 ? table.groups : withConcept[has[0]]) {
      if (!isIn(cell, concepts)) continue
      const context = concepts.filter(i => i !== feature)
      const {size} = seen
      if (seen.add(context.join()).size > size) yield context
      if (seen.size === MOST_GROUPS) return
    }
  }

  /** The documents that go and come with changes; undefined if no documents can change so. */
  function documentsOf(changes: readonly Change[]): ChangedDocument[] | undefined {
    if (!changes.every(isPossible)) return undefined
    const before = sharedColumns(changes)
    const documents = changes.flatMap(({from, ...change}, at) => {
      const after = columnsAfter({from, ...change}, before[at])
      if (after === undefined) return []
      return [
        {sign: -1, concepts: from.concepts, columns: before[at]},
        {sign: 1, concepts: change.to, columns: after}
      ]
    })
    return documents.length === 2 * changes.length ? documents : undefined
  }

  /**
   * The columns of one document per change: what it loses or needs, what all documents of its group have, and one per
   * block; alike where possible.
   */
  function sharedColumns(changes: readonly Change[]): Set<number>[] {
    const groups = changes.map(({from}) => from.columns())
    const always = changes.flatMap(({from}) =>
      [...from.columns()].flatMap(([j, documents]) => (documents === from.documents && !blockOf.has(j) ? j : []))
    )
    return changes.map(({loses, needs}, at) => {
      const words = groups[at]
      const columns = new Set([loses, needs].filter(j => j !== undefined))
      for (const j of always) if (words.has(j)) columns.add(j)
      for (const {columns: own} of table.blocks) {
        if (own.some(j => columns.has(j))) continue
        const possible = own.filter(j => words.has(j))
        columns.add(possible.find(j => groups.every(words => words.has(j))) ?? possible[0])
      }
      return columns
    })
  }

  /** The columns of a document after a change, each possible with its anchors; undefined where no document has them. */
  function columnsAfter({to, gains, loses}: Change, before: ReadonlySet<number>): Set<number> | undefined {
    const {blocks, mayHave} = table
    if (gains !== undefined && !mayHave(to, gains)) return undefined
    const gained = blockOf.get(gains ?? -1)
    const after = new Set([...before].filter(j => j !== loses && mayHave(to, j) && !gained?.columns.includes(j)))
    if (gains !== undefined) after.add(gains)
    for (const {columns} of blocks) {
      if (columns.some(j => after.has(j))) continue
      const other = columns.find(j => j !== loses && mayHave(to, j))
      if (other === undefined) return undefined
      after.add(other)
    }
    return after
  }

  function changesOf(documents: readonly ChangedDocument[]): Map<number, number> {
    const {maxOrder, of} = places
    const changes = new Map<number, number>()
    for (const {sign, concepts, columns} of documents) {
      const add = (place: number) => changes.set(place, (changes.get(place) ?? 0) + sign)
      eachSubset(concepts, maxOrder, set => {
        add(of(set, -1))
        if (set.length < maxOrder) for (const j of columns) add(of(set, j))
      })
    }
    for (const [place, by] of changes) if (by === 0) changes.delete(place)
    return changes
  }

  return {find, differs}
}

/** A group of which a document changes as that of the first corner does, or in reverse. */
interface Corner {
  readonly concepts: readonly number[]
  readonly isReverse: boolean
}

/** The corners of a cube: the first with, in turn, some of the others changed. */
function cube(context: readonly number[], others: readonly number[]): Corner[] {
  return subsets(others).map(changed => ({
    concepts: [...context.filter(i => !changed.includes(i)), ...changed.filter(i => !context.includes(i))].sort(
      (a, b) => a - b
    ),
    isReverse: changed.length % 2 === 1
  }))
}

function isIn({has, lacks}: Cell, concepts: readonly number[]): boolean {
  return has.every(i => concepts.includes(i)) && !lacks.some(i => concepts.includes(i))
}

/** Whether a document of the group has what it loses and needs, and one lacks what it gains. */
function isPossible({from, gains, loses, needs}: Change): boolean {
  const words = from.columns()
  const isHad = (j: number | undefined) => j === undefined || words.has(j)
  return isHad(loses) && isHad(needs) && (gains === undefined || words.get(gains) !== from.documents)
}

function subsets<T>(items: readonly T[]): T[][] {
  return Array.from({length: 2 ** items.length}, (_, at) => items.filter((_, bit) => !(at & (1 << bit)))).toSorted(
    (a, b) => b.length - a.length
  )
}
