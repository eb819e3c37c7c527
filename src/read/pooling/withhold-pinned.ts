import type {Counts} from '../counts/index.ts'
import {
  conceptSetNumber,
  conceptSets,
  eachNumber,
  type NumberRange,
  type TableNumbers,
  type TableShape
} from './concept-sets.ts'
import {type PatternTable, patternTable} from './pattern-table.ts'
import type {ReleaseRules} from './release.ts'
import {type Telling, withholdSmall} from './withhold-small.ts'
import {WitnessSearch} from './witness.ts'

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, and further ones until neither
 * a withheld number nor such a cell follows from everything that is released.
 *
 * For each of them a {@link WitnessSearch} finds other documents that agree with everything released and differ in it. Documents without any value of a category or number are one more value, which is never released.
 */
export function withholdPinned(counts: Counts, numbers: TableNumbers, {maxOrder, minCell}: ReleaseRules): NumberRange {
  const [m, n] = [counts.lexicon.anchors.length, counts.lexicon.words.length]
  if (minCell < 2) return withholdSmall(numbers, {concepts: m, words: n, maxOrder}, minCell)
  const table = patternTable(counts)
  const sets = conceptSets(m, maxOrder)
  const wide = {sets: numbers.sets, words: withNone(numbers, table, {concepts: m, words: n, maxOrder})}
  const shape = {concepts: m, words: table.words, maxOrder}
  const withheld = new Set<number>()
  const tellings: Telling[] = ['exact']
  const rules = {withheld, tellings, isZero: (place: number) => isImpossible(place, table, sets)}
  let told = withholdSmall(wide, shape, minCell, rules)
  const value = (place: number) => (place < sets.length ? wide.sets[place] : wide.words[place - sets.length])
  const search = new WitnessSearch(
    table,
    {concepts: m, maxOrder, sets},
    {
      value,
      telling: place => tellings[place],
      holds: (place, number) =>
        place < sets.length
          ? told.low[place] <= number && number <= told.high[place]
          : told.wordLow[place - sets.length] <= number && number <= told.wordHigh[place - sets.length],
      isHidden: place => place >= sets.length && (place - sets.length) % table.words >= n
    }
  )
  const small = smallCells(wide, shape, minCell)
  // Nobody can have none of the values of a complete block, and the cells without it are those of smaller tables.
  const complete = table.blocks.filter(({isComplete}) => isComplete).map(({none}) => none)
  for (const place of small.keys())
    if (place >= sets.length && complete.includes((place - sets.length) % table.words)) small.delete(place)
  const proved = new Set<number>()
  for (let before = -1; before < withheld.size; ) {
    before = withheld.size
    const numbers = tellings.flatMap((telling, place) => (telling === 'exact' ? [] : [place * CELLS]))
    for (const cell of [...numbers, ...[...small.values()].flat()]) {
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
        withheld.add(place)
        tellings[place] = 'implied'
      }
    }
    told = withholdSmall(wide, shape, minCell, rules)
  }
  return withoutNone(told, table.words, n)
}

/** Cells of the largest table. */
const CELLS = 8

/** By table, the cells of 1 to `minCell - 1` documents: its place times 8, plus the bits of the variables they lack. */
function smallCells(
  {sets, words}: Pick<TableNumbers, 'sets' | 'words'>,
  shape: TableShape,
  minCell: number
): Map<number, number[]> {
  const small = new Map<number, number[]>()
  const numbers = {low: sets, high: sets, wordLow: words, wordHigh: words}
  eachNumber(shape, numbers, (k, sums, _, place) => {
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

/** The word numbers with a column per block for the documents that have none of its values. */
function withNone(
  {sets: documents, words}: TableNumbers,
  {blocks, words: columns}: PatternTable,
  {concepts: m, words: n, maxOrder}: TableShape
): Float64Array {
  if (blocks.length === 0) return words
  const rows = conceptSets(m, maxOrder - 1)
  const wide = new Float64Array(rows.length * columns)
  for (const [at, set] of rows.entries()) {
    wide.set(words.subarray(at * n, (at + 1) * n), at * columns)
    for (const {none, anchors, words: values} of blocks) {
      if (anchors.some(i => set.includes(i))) continue
      const fired = anchors.map(
        i =>
          documents[
            conceptSetNumber(
              m,
              [...set, i].toSorted((a, b) => a - b)
            )
          ]
      )
      const found = [...fired, ...values.map(j => words[at * n + j])]
      wide[at * columns + none] = found.reduce((rest, number) => rest - number, documents[at])
    }
  }
  return wide
}

function withoutNone({low, high, wordLow, wordHigh}: NumberRange, columns: number, n: number): NumberRange {
  const narrow = (numbers: Float64Array) =>
    columns === n ? numbers : numbers.filter((_, place) => place % columns < n)
  return {low, high, wordLow: narrow(wordLow), wordHigh: narrow(wordHigh)}
}

/** Whether a number is 0 from the way of reading: of two values of one block, or of none where every document has one. */
function isImpossible(
  place: number,
  {blocks, words: columns}: PatternTable,
  sets: readonly (readonly number[])[]
): boolean {
  const at = place - sets.length
  const set = at < 0 ? sets[place] : sets[Math.floor(at / columns)]
  const word = at < 0 ? undefined : at % columns
  return blocks.some(({anchors, words, none, isComplete}) => {
    if (isComplete && word === none) return true
    const fired = anchors.filter(i => set.includes(i)).length
    return fired + (word !== undefined && (word === none || words.includes(word)) ? 1 : 0) > 1
  })
}
