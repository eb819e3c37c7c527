import {eachNumber, type NumberPlaces, type NumberRange} from './concept-sets.ts'

/**
 * What a release tells of a number: itself, an interval by {@link tellNumber}, or the bounds that smaller tables imply.
 */
export type Telling = 'exact' | 'zone' | 'implied'

/**
 * The numbers, withholding those that would reveal a cell of 1 to `minCell - 1` documents, each table by itself.
 *
 * Small tables come first. Where all smaller tables are released, {@link tellNumber} decides; where one is withheld, so
 * is the number, and its bounds follow from those released before, so that they reveal nothing new. So it is for the
 * numbers in `withheld`. Readers know that those of `isEmpty` are 0: of two values of one category.
 */
export function withholdSmall(
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

/** Whether an odd number of bits is set. */
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
