import {eachNumber, type NumberRange, type TableShape} from './each-number.ts'
import {NumberBounds, tellNumber} from './number-bounds.ts'
import type {TableNumbers} from './sum-tables.ts'

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
