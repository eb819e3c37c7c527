import {AdfaError} from '../checks/index.ts'
import type {Rng} from '../numeric/index.ts'

export interface SearchOptions {
  /** How many random points to start from. */
  readonly starts: number
  readonly rng: Rng
  /** How many distinct local minima to give back at most. */
  readonly keep: number
  /** Points to start from before the random ones, row after row. */
  readonly points?: Uint8Array
  /** Tabu steps from each start, twice the number of variables when left out; 0 is plain steepest descent. */
  readonly steps?: number
}

/** Distinct local minima, best first. */
export interface LocalMinima {
  readonly count: number
  readonly values: Float64Array
  /** `count` rows of 0s and 1s. */
  readonly rows: Uint8Array
}

export function checkSearchOptions({starts, keep, points, steps}: SearchOptions, size: number): void {
  checkWhole('starts', starts, 0)
  checkWhole('keep', keep, 1)
  if (steps !== undefined) checkWhole('steps', steps, 0)
  if (points !== undefined) checkRows('points', points, size)
}

export function checkWhole(name: string, value: number, least: number): void {
  if (!(Number.isInteger(value) && value >= least))
    throw new AdfaError('bad-option', `${name}: ${value}; it is a whole number, ${least} or more`)
}

export function checkRows(name: string, rows: Uint8Array, size: number): void {
  if (size === 0 ? rows.length > 0 : rows.length % size !== 0)
    throw new AdfaError('bad-option', `${name}: ${rows.length} numbers; they must be whole rows of ${size}`)
  const odd = rows.findIndex(value => value > 1)
  if (odd >= 0) throw new AdfaError('bad-option', `${name}[${odd}] is ${rows[odd]}; a binary variable is 0 or 1`)
}
