import {eachNumber, type NumberRange, type TableShape} from './concept-sets.ts'
import type {TableNumbers} from './release-counts.ts'

/**
 * The numbers with those withheld that would make a cell of 1 to `minCell - 1` documents known.
 *
 * Small tables come first. Where all smaller tables are told, {@link tellNumber} decides; where one is withheld, the number is
 * withheld too, and what is told are the bounds that follow from what was told before, which say nothing new.
 */
export function withholdSmall({sets, words}: TableNumbers, shape: TableShape, minCell: number): NumberRange {
  const told: NumberRange = {low: sets.slice(), high: sets.slice(), wordLow: words.slice(), wordHigh: words.slice()}
  if (minCell < 2) return told
  const bounds = new NumberBounds()
  eachNumber(shape, told, (k, low, high) => {
    const full = 2 ** k - 1
    bounds.read(k, low, high)
    let isKnown = true
    for (let T = 0; T < full; T++) isKnown &&= low[T] === high[T]
    const number = isKnown ? tellNumber(low[full], bounds, minCell) : inOrder(bounds)
    low[full] = number.low
    high[full] = number.high
  })
  return told
}

/** Bounds that noise has made contradict each other are told all the same. */
function inOrder({low, high}: NumberBounds): {readonly low: number; readonly high: number} {
  return low <= high ? {low, high} : {low: high, high: low}
}

/** Labelled documents without the tables that have a small cell, and which these are. */
export function withholdLabels(
  labelled: Float64Array,
  minCell: number
): {readonly labelled: Float64Array; readonly withheldLabels: Uint32Array} {
  const kept = labelled.slice()
  const withheldLabels = new Uint32Array(labelled.length / 4)
  for (let i = 0; i < withheldLabels.length; i++) {
    const cells = kept.subarray(4 * i, 4 * i + 4)
    if (!cells.some(cell => cell > 0 && cell < minCell)) continue
    cells.fill(0)
    withheldLabels[i] = 1
  }
  return {labelled: kept, withheldLabels}
}

/**
 * What the smaller tables say about "all of these k fired": the bounds of Frechet.
 *
 * Let s(T) be the number of documents that have all of T. The cell of a table where exactly the variables of O are present,
 * n(O) = sum over T >= O of (-1)^|T - O| s(T), holds the number in question, s of all k, with the sign of (-1)^(k - |O|), and
 * smaller tables otherwise. As no cell is negative, each gives a bound: half of them lower ones, half upper ones.
 *
 * Layout: `low[T]`, `high[T]` by the bits of T, the full set last and not looked at. Cost: 3^k.
 */
export class NumberBounds {
  /** One a cell: the number is at least this. */
  readonly lowers: number[] = []
  /** One a cell: the number is at most this. */
  readonly uppers: number[] = []
  low = 0
  high = 0

  /** From what is known of the smaller tables. */
  read(k: number, low: ArrayLike<number>, high: ArrayLike<number>): void {
    this.lowers.length = 0
    this.uppers.length = 0
    const full = 2 ** k - 1
    for (let ones = 0; ones <= full; ones++) {
      let rest = 0
      // The sets between the present variables and all of them, without the full one.
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

/** What is told of a number: low = high if all. */
interface Told {
  readonly low: number
  readonly high: number
}

/**
 * What may be told of the number when no cell of 1 to `minCell - 1` documents may become known.
 *
 * With the smaller tables known exactly, a cell is small just where the number is near one end of its bounds. All numbers near
 * one end are answered by the same interval, so that the answer says no more than "near this end"; where the ends are so close
 * that a number may be near both, one interval takes both.
 */
export function tellNumber(value: number, {lowers, uppers, low, high}: NumberBounds, minCell: number): Told {
  const exact = {low: value, high: value}
  // Noise may have brought tables out of step, and it protects them.
  if (minCell < 2 || low >= high || value < low || value > high) return exact
  // At the very end a cell is empty; another one may still be small.
  const isLowEndSmall = lowers.some(bound => bound < low && bound > low - minCell)
  const isHighEndSmall = uppers.some(bound => bound > high && bound < high + minCell)
  const nearLow = {low: isLowEndSmall ? low : low + 1, high: Math.min(low + minCell - 1, high)}
  const nearHigh = {low: Math.max(high - minCell + 1, low), high: isHighEndSmall ? high : high - 1}
  const [isNearLow, isNearHigh] = [nearLow, nearHigh].map(zone => zone.low <= value && value <= zone.high)
  if (!isNearLow && !isNearHigh) return exact
  if (nearHigh.low <= nearLow.high)
    return {low: Math.min(nearLow.low, nearHigh.low), high: Math.max(nearLow.high, nearHigh.high)}
  return isNearLow ? nearLow : nearHigh
}
