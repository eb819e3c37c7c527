import type {Counts} from '../counts/index.ts'
import {exclusiveGroups} from '../data/index.ts'
import {eachNumber, type NumberPlaces, type NumberRange, numberPlaces} from './concept-sets.ts'
import {type Block, type DocumentTable, documentTable} from './document-groups.ts'
import {placesOf, type Release, type ReleaseRules} from './release.ts'
import {withholdSmall} from './withhold-small.ts'
import {openWitnessSearch} from './witness.ts'

/** What a release tells: its numbers, and the labelled documents of concepts that are not withheld. */
type Told = NumberRange & Pick<Release, 'labelled' | 'withheldLabels'>

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, and further ones until neither
 * a withheld number nor such a cell follows from everything that is released.
 *
 * For each of them a {@link openWitnessSearch} finds other documents that agree with everything released and differ in it. Readers
 * may know which anchors fire together and with which values: the other documents keep to that. So an empty cell may be known,
 * and withheld numbers that are 0 need no other documents.
 */
export function withholdPinned(counts: Counts, numbers: Float64Array, {maxOrder, minCell}: ReleaseRules): Told {
  const {labelled} = counts
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  if (minCell < 2)
    return {low: numbers, high: numbers.slice(), labelled: labelled.slice(), withheldLabels: new Uint32Array(m)}
  const table = documentTable(counts)
  const places = numberPlaces(m, table.columns, maxOrder)
  const values = withNone(numbers, table.blocks, placesOf({...counts, maxOrder}), places)
  const withheld = new Set<number>()
  const isEmpty = (place: number) => values[place] === 0 && isImpossible(places.set(place), places.word(place), table)
  const tell = () => withholdSmall(values, places, minCell, withheld, isEmpty)
  let told = tell()
  let labels = maxOrder > 1 ? labelGroups(counts, minCell) : []

  const allows = (place: number, change: number) => {
    const telling = places.word(place) < n ? told.tellings[place] : 'implied'
    const after = values[place] + change
    return telling === 'implied' || (telling === 'zone' && told.low[place] <= after && after <= told.high[place])
  }
  const search = openWitnessSearch(table, places, {allows, labels: () => labels})
  const small = smallCells(values, places, minCell)
  const proved = new Set<number>()
  for (let before = -1; before < withheld.size; ) {
    before = withheld.size
    const hidden = told.tellings.flatMap((telling, place) =>
      telling === 'exact' || values[place] === 0 ? [] : [place * CELLS]
    )
    for (const cell of [...hidden, ...[...small.values()].flat()]) {
      if (proved.has(cell)) continue
      const witness = search.find(Math.floor(cell / CELLS), cell % CELLS)
      if (witness === undefined) throw new Error('internal error: a withheld number without other documents')
      for (const place of witness.changes.keys()) {
        proved.add(place * CELLS)
        for (const other of small.get(place) ?? [])
          if (!proved.has(other) && search.differs(witness, place, other % CELLS)) proved.add(other)
      }
      proved.add(cell)
      labels = labels.filter(group => !witness.withholdLabels.includes(group))
      for (const place of witness.withhold) {
        withheld.add(place)
        told.tellings[place] = 'implied'
      }
    }
    told = tell()
  }
  const toldLabels = labels.filter(group => group.every(i => told.tellings[1 + i] === 'exact')).flat()
  const narrow = (all: Float64Array) => (table.columns === n ? all : all.filter((_, place) => places.word(place) < n))
  return {
    low: narrow(told.low),
    high: narrow(told.high),
    labelled: labelled.map((cell, at) => (toldLabels.includes(Math.floor(at / 4)) ? cell : 0)),
    withheldLabels: Uint32Array.from({length: m}, (_, i) =>
      toldLabels.includes(i) || labelled.subarray(4 * i, 4 * i + 4).every(cell => cell === 0) ? 0 : 1
    )
  }
}

/**
 * Concepts of which every document has a label and no cell of labels is small: groups of exclusive concepts, each as a
 * whole, and every other concept alone.
 */
function labelGroups({lexicon, labelled, documentCount}: Counts, minCell: number): (readonly number[])[] {
  const isSafe = (i: number) => {
    const cells = labelled.subarray(4 * i, 4 * i + 4)
    const size = cells.reduce((sum, cell) => sum + cell, 0)
    return size === documentCount && cells.every(cell => cell === 0 || cell >= minCell)
  }
  const exclusive = exclusiveGroups(lexicon.anchors).map(({concepts}) => concepts)
  const alone = [...lexicon.anchors.keys()].filter(i => !exclusive.flat().includes(i))
  return [...alone.map(i => [i]), ...exclusive].filter(group => group.every(isSafe))
}

/** Cells of the largest table. */
const CELLS = 8

/** By table, the cells of 1 to `minCell - 1` documents: its place times 8, plus the bits of the variables they lack. */
function smallCells(numbers: Float64Array, places: NumberPlaces, minCell: number): Map<number, number[]> {
  const small = new Map<number, number[]>()
  eachNumber(places, {low: numbers, high: numbers}, (k, sums, _, place) => {
    const full = 2 ** k - 1
    const cells = sums.slice(0, full + 1)
    // From documents that have all of T to those that have T and nothing else.
    for (let bit = 1; bit <= full; bit *= 2) for (let T = 0; T <= full; T++) if (!(T & bit)) cells[T] -= cells[T | bit]
    const found = [...cells.keys()].filter(T => cells[T] > 0 && cells[T] < minCell)
    if (found.length > 0)
      small.set(
        place,
        found.map(T => place * CELLS + (full ^ T))
      )
  })
  return small
}

/** The numbers with a further column for each block, for documents with none of its values, by subtraction. */
function withNone(numbers: Float64Array, blocks: readonly Block[], narrow: NumberPlaces, wide: NumberPlaces) {
  const all = new Float64Array(wide.count)
  all.set(numbers.subarray(0, narrow.sets.length))
  for (const [at, set] of narrow.sets.entries()) {
    if (set.length === narrow.maxOrder) continue
    const words = numbers.subarray(narrow.rowOf(at), narrow.rowOf(at + 1))
    all.set(words, wide.rowOf(at))
    for (const {
      columns: [none, ...values]
    } of blocks)
      all[wide.rowOf(at) + none] = values.reduce((rest, j) => rest - words[j], numbers[at])
  }
  return all
}

/** Whether no document can have all of these, from the way of reading: two values of one block. */
function isImpossible(set: readonly number[], column: number, {blocks}: DocumentTable): boolean {
  return blocks.some(({pure, columns}) => {
    const fired = pure.filter(i => set.includes(i)).length
    return fired + (columns.indexOf(column) > 0 ? 1 : 0) > 1
  })
}
