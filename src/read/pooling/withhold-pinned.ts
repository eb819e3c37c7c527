import type {Counts} from '../counts/index.ts'
import {eachNumber, type NumberPlaces, type NumberRange, numberPlaces, type TableNumbers} from './concept-sets.ts'
import {type DocumentTable, documentTable} from './document-groups.ts'
import {placesOf, type Release, type ReleaseRules} from './release.ts'
import {type Telling, withholdSmall} from './withhold-small.ts'
import {WitnessSearch} from './witness.ts'

/** What a release tells: its numbers, and the labelled documents of concepts that are not withheld. */
type Told = NumberRange & Pick<Release, 'labelled' | 'withheldLabels'>

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, and further ones until neither
 * a withheld number nor such a cell follows from everything that is released.
 *
 * For each of them a {@link WitnessSearch} finds other documents that agree with everything released and differ in it. Readers
 * may know which anchors fire together and with which values: the other documents keep to that. So an empty cell may be known,
 * and withheld numbers that are 0 need no other documents.
 */
export function withholdPinned(
  counts: Counts,
  {numbers, labelled}: TableNumbers,
  {maxOrder, minCell}: ReleaseRules
): Told {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  if (minCell < 2) return {low: numbers, high: numbers.slice(), labelled, withheldLabels: new Uint32Array(m)}
  const table = documentTable(counts, maxOrder)
  const {columns, firstLabel, labelColumns} = table
  const places = numberPlaces({concepts: m, words: columns, maxOrder})
  const wide = allColumns({numbers, labelled}, table, {narrow: placesOf({...counts, maxOrder}), wide: places})
  const withheld = new Set<number>()
  const tellings: Telling[] = ['exact']
  const isLabel = (place: number) => places.word(place) >= firstLabel
  const value = (place: number) => wide[place]
  const isFixed = (place: number) =>
    isLabel(place) || (value(place) === 0 && isImpossible(places.set(place), places.word(place), table))
  const rules = {withheld, tellings, isFixed}
  let told = withholdSmall(wide, places, minCell, rules)

  const small = smallCells(wide, places, minCell)
  /** By concept: whether its labelled documents are released. */
  const hasLabels = labelColumns.map(column => column !== undefined)
  const conceptOfLabel = (place: number) => {
    const [own, ...others] = places.set(place)
    const concept = labelColumns.indexOf(places.word(place))
    return concept >= 0 && others.length === 0 && (own === undefined || own === concept) ? concept : undefined
  }
  for (const place of small.keys())
    if (isLabel(place)) {
      const concept = conceptOfLabel(place)
      if (concept !== undefined) hasLabels[concept] = false
      else if (places.set(place).length > 0) small.delete(place)
    }
  const withholdLabels = () => {
    for (const i of hasLabels.keys()) if (tellings[1 + i] !== 'exact') hasLabels[i] = false
  }
  withholdLabels()

  const search = new WitnessSearch(table, places, {
    value,
    telling: place => tellings[place],
    holds: (place, number) => told.low[place] <= number && number <= told.high[place],
    isHidden: place => {
      if (!isLabel(place)) return places.word(place) >= n
      const concept = conceptOfLabel(place)
      return concept === undefined || !hasLabels[concept]
    }
  })
  const proved = new Set<number>()
  for (let before = -1; before < withheld.size; ) {
    before = withheld.size
    const hidden = tellings.flatMap((telling, place) =>
      telling === 'exact' || value(place) === 0 ? [] : [place * CELLS]
    )
    for (const cell of [...hidden, ...[...small.values()].flat()]) {
      if (proved.has(cell)) continue
      const witness = search.find(Math.floor(cell / CELLS), cell % CELLS)
      if (witness === undefined) throw new Error('internal error: a withheld number without other documents')
      for (const place of witness.effect.keys()) {
        proved.add(place * CELLS)
        for (const other of small.get(place) ?? [])
          if (!proved.has(other) && search.changes(witness.effect, place, other % CELLS)) proved.add(other)
      }
      proved.add(cell)
      for (const place of witness.withhold) {
        const concept = isLabel(place) ? conceptOfLabel(place) : undefined
        if (concept !== undefined) hasLabels[concept] = false
        else {
          withheld.add(place)
          tellings[place] = 'implied'
        }
      }
    }
    told = withholdSmall(wide, places, minCell, rules)
    withholdLabels()
  }
  const narrow = (all: Float64Array) => (columns === n ? all : all.filter((_, place) => places.word(place) < n))
  return {
    low: narrow(told.low),
    high: narrow(told.high),
    labelled: labelled.map((cell, at) => (hasLabels[Math.floor(at / 4)] ? cell : 0)),
    withheldLabels: Uint32Array.from(hasLabels, (isTold, i) => (isTold || isUnlabelled(labelled, i) ? 0 : 1))
  }
}

function isUnlabelled(labelled: Float64Array, i: number): boolean {
  return labelled.subarray(4 * i, 4 * i + 4).every(cell => cell === 0)
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

/** The numbers with all columns of the documents: blocks without a value by subtraction, labels as they were counted. */
function allColumns(
  {numbers, labelled}: TableNumbers,
  {blocks, firstLabel, labelColumns}: DocumentTable,
  layouts: {readonly narrow: NumberPlaces; readonly wide: NumberPlaces}
): Float64Array {
  const {narrow, wide: places} = layouts
  const {sets, maxOrder} = narrow
  if (places.words === narrow.words) return numbers
  const wide = new Float64Array(places.count)
  wide.set(numbers.subarray(0, sets.length))
  for (const [at, set] of sets.entries()) {
    if (set.length === maxOrder) continue
    const words = numbers.subarray(narrow.rowOf(at), narrow.rowOf(at + 1))
    wide.set(words, places.rowOf(at))
    for (const {none, words: values} of blocks)
      if (none < firstLabel) wide[places.rowOf(at) + none] = values.reduce((rest, j) => rest - words[j], numbers[at])
  }
  for (const [i, column] of labelColumns.entries()) {
    if (column === undefined) continue
    wide[places.of([], column)] = labelled[4 * i + 2] + labelled[4 * i + 3]
    wide[places.of([i], column)] = labelled[4 * i + 3]
  }
  const first = places.rowOf(0)
  for (const {none, words: classes} of blocks)
    if (none >= firstLabel) wide[first + none] = classes.reduce((rest, j) => rest - wide[first + j], numbers[0])
  return wide
}

/** Whether no document can have all of these, from the way of reading: two values of one block. */
function isImpossible(set: readonly number[], column: number, {declared}: DocumentTable): boolean {
  return declared.some(({pure, words}) => {
    const fired = pure.filter(i => set.includes(i)).length
    return fired + (words.includes(column) ? 1 : 0) > 1
  })
}
