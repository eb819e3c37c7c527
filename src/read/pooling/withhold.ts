import type {Counts} from '../counts/index.ts'
import {eachNumber, type NumberPlaces, type NumberRange, numberPlaces} from './concept-sets.ts'
import {type Block, type DocumentTable, documentTable} from './document-groups.ts'
import {openWitnessSearch} from './witness.ts'

export interface ReleaseRules {
  /** The largest number of anchors and words in a table: 1, 2 or 3. */
  readonly maxOrder: number
  /** Tables with a cell of 1 to `minCell - 1` documents are withheld; 0: none. */
  readonly minCell: number
}

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, and further ones until neither
 * a withheld number nor such a cell follows from everything that is released.
 *
 * For each of them a {@link openWitnessSearch} finds other documents that agree with everything released and differ in it. Readers
 * may know which anchors fire together and with which values: the other documents keep to that. So an empty cell may be known,
 * and withheld numbers that are 0 need no other documents.
 */
export function withholdPinned(counts: Counts, numbers: Float64Array, {maxOrder, minCell}: ReleaseRules): NumberRange {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  if (minCell < 2) return {low: numbers, high: numbers.slice()}
  const table = documentTable(counts)
  const places = numberPlaces(m, table.columns, maxOrder)
  const values = withNone(numbers, table.blocks, numberPlaces(m, n, maxOrder), places)
  const withheld = new Set<number>()
  const isEmpty = (place: number) => values[place] === 0 && isImpossible(places.set(place), places.word(place), table)
  const tell = () => withholdSmall(values, places, minCell, withheld, isEmpty)
  let told = tell()

  const allows = (place: number, change: number) => {
    const telling = places.word(place) < n ? told.tellings[place] : 'implied'
    const after = values[place] + change
    return telling === 'implied' || (telling === 'zone' && told.low[place] <= after && after <= told.high[place])
  }
  const search = openWitnessSearch(table, places, allows)
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
      for (const place of witness.withhold) {
        withheld.add(place)
        told.tellings[place] = 'implied'
      }
    }
    told = tell()
  }
  const narrow = (all: Float64Array) => (table.columns === n ? all : all.filter((_, place) => places.word(place) < n))
  return {low: narrow(told.low), high: narrow(told.high)}
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

/**
 * What a release tells of a number: itself, an interval by {@link tellNumber}, or the bounds that smaller tables imply.
 */
type Telling = 'exact' | 'zone' | 'implied'

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, each table by itself.
 *
 * Small tables come first. Where all smaller tables are released, {@link tellNumber} decides; where one is withheld, so
 * is the number, and its bounds follow from those released before, so that they reveal nothing new. So it is for the
 * numbers in `withheld`. Readers know that those of `isEmpty` are 0: of two values of one category.
 */
function withholdSmall(
  numbers: Float64Array,
  places: NumberPlaces,
  minCell: number,
  withheld: ReadonlySet<number>,
  isEmpty: (place: number) => boolean
): NumberRange & {readonly tellings: Telling[]} {
  const told = {low: numbers.slice(), high: numbers.slice(), tellings: ['exact'] as Telling[]}
  const bounds = new NumberBounds()
  eachNumber(places, told, (k, low, high, place) => {
    const full = 2 ** k - 1
    let isKnown = !withheld.has(place)
    for (let T = 0; T < full; T++) isKnown &&= low[T] === high[T]
    if (!isEmpty(place)) {
      bounds.read(k, low, high)
      const number = isKnown ? tellNumber(low[full], bounds, minCell) : bounds
      low[full] = number.low
      high[full] = number.high
    }
    told.tellings[place] = low[full] === high[full] ? 'exact' : isKnown ? 'zone' : 'implied'
  })
  return told
}

/**
 * Bounds from smaller tables on the number of documents that have all k variables: the bounds of Frechet.
 *
 * Let s(T) be the number of documents that have all of T. The cell of a table where exactly the variables of O are
 * present, n(O) = sum over T >= O of (-1)^|T - O| s(T), holds the number in question, s of all k, with the sign of
 * (-1)^(k - |O|), and smaller tables otherwise. As no cell is negative, each gives a bound: half of them lower ones,
 * half upper ones.
 *
 * Layout: `low[T]`, `high[T]` by the bits of T, the full set last and not looked at. Cost: 3^k.
 */
export class NumberBounds {
  /** One per cell: the number is at least this. */
  readonly lowers: number[] = []
  /** One per cell: the number is at most this. */
  readonly uppers: number[] = []
  low = 0
  high = 0

  read(k: number, low: ArrayLike<number>, high: ArrayLike<number>): void {
    this.lowers.length = 0
    this.uppers.length = 0
    const full = 2 ** k - 1
    for (let ones = 0; ones <= full; ones++) {
      let rest = 0
      // The sets that contain the present variables, except the full one.
      for (let T = ones; T < full; T = (T + 1) | ones) rest += isOdd(T ^ ones) ? 0 - low[T] : high[T]
      if (isOdd(full ^ ones)) this.uppers.push(rest)
      else this.lowers.push(0 - rest)
    }
    this.low = Math.max(...this.lowers)
    this.high = Math.min(...this.uppers)
  }
}

function isOdd(bits: number): boolean {
  let odd = false
  for (let left = bits; left > 0; left &= left - 1) odd = !odd
  return odd
}

/**
 * What may be released of a number without revealing a cell of 1 to `minCell - 1` documents.
 *
 * With exact smaller tables, some cell is small exactly where the number is near one end of its bounds. All numbers
 * near one end are released as the same interval of at least two, which reveals only "near this end"; where the ends
 * are so close that a number may be near both, one interval covers both.
 */
export function tellNumber(value: number, {lowers, uppers, low, high}: NumberBounds, minCell: number) {
  const exact = {low: value, high: value}
  if (low >= high) return exact
  // At the end itself a cell is empty; another may still be small.
  const isLowEndSmall = lowers.some(bound => bound < low && bound > low - minCell)
  const isHighEndSmall = uppers.some(bound => bound > high && bound < high + minCell)
  // An interval of one number would tell it.
  const reach = Math.max(minCell - 1, 2)
  const nearLow = {low: isLowEndSmall ? low : low + 1, high: Math.min(low + reach, high)}
  const nearHigh = {low: Math.max(high - reach, low), high: isHighEndSmall ? high : high - 1}
  const holds = (zone: {readonly low: number; readonly high: number}) => zone.low <= value && value <= zone.high
  if (nearHigh.low <= nearLow.high) {
    const both = {low: Math.min(nearLow.low, nearHigh.low), high: Math.max(nearLow.high, nearHigh.high)}
    const zone = both.low === both.high ? {low, high} : both
    return holds(zone) ? zone : exact
  }
  return [nearLow, nearHigh].find(holds) ?? exact
}
