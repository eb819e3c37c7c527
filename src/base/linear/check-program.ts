import {AdfaError} from '../checks/index.ts'
import type {LinearColumns, LinearRow} from './linear-program.ts'

/** The solver drops smaller coefficients and refuses larger ones; we refuse both, so that nothing is dropped unseen. */
const SMALLEST_VALUE = 1e-9
const LARGEST_VALUE = 1e15

export function checkColumns({costs, lower, upper, integer}: LinearColumns): void {
  checkCosts(costs, costs.length)
  checkBounds(lower, upper, costs.length)
  for (let n = 0; n < (integer?.length ?? 0); n++) checkColumn(integer?.[n] ?? -1, costs.length, `integer[${n}]`)
}

export function checkCosts(costs: ArrayLike<number>, columnCount: number): void {
  checkLength('costs', costs, columnCount)
  for (let n = 0; n < costs.length; n++) {
    if (!Number.isFinite(costs[n])) refuse(`costs[${n}] is ${costs[n]}; a cost is a finite number`)
  }
}

export function checkBounds(lower: ArrayLike<number>, upper: ArrayLike<number>, columnCount: number): void {
  checkLength('lower', lower, columnCount)
  checkLength('upper', upper, columnCount)
  for (let n = 0; n < lower.length; n++) checkInterval(lower[n], upper[n], `column ${n}`)
}

export function checkRow(row: LinearRow, columnCount: number, at: number): void {
  checkInterval(row.lower, row.upper, `row ${at}`)
  checkLength(`values of row ${at}`, row.values, row.indices.length)
  const seen = new Set<number>()
  for (let n = 0; n < row.indices.length; n++) {
    checkColumn(row.indices[n], columnCount, `indices[${n}] of row ${at}`)
    if (seen.has(row.indices[n])) refuse(`row ${at} has column ${row.indices[n]} twice; add the two values up`)
    seen.add(row.indices[n])
    const size = Math.abs(row.values[n])
    if (!(size === 0 || (size > SMALLEST_VALUE && size < LARGEST_VALUE))) {
      refuse(
        `values[${n}] of row ${at} is ${row.values[n]}; a value is 0 or between ${SMALLEST_VALUE} and ${LARGEST_VALUE} in size; scale the row`
      )
    }
  }
}

export function checkLength(name: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length)
    refuse(`${name}: ${values.length} numbers where ${length} are needed, one for each column`)
}

function checkInterval(lower: number, upper: number, name: string): void {
  if (!(lower <= upper && lower < Number.POSITIVE_INFINITY && upper > Number.NEGATIVE_INFINITY)) {
    refuse(`${name} lies between ${lower} and ${upper}; lower must not be above upper`)
  }
}

function checkColumn(index: number, columnCount: number, name: string): void {
  if (!(Number.isInteger(index) && index >= 0 && index < columnCount)) {
    refuse(`${name} is ${index}; a column is a whole number from 0 to ${columnCount - 1}`)
  }
}

function refuse(message: string): never {
  throw new AdfaError('bad-option', `linear program: ${message}`)
}
