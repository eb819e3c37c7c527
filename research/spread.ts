import {counted} from '../src/base/text/index.ts'

/** A figure over random splits: its mean and the standard error of the mean, which one split does not have. */
export interface Spread {
  readonly mean: number
  readonly error: number | undefined
  readonly splits: number
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function spreadOf(values: readonly number[]): Spread {
  const n = values.length
  const center = mean(values)
  if (n < 2) return {mean: center, error: undefined, splits: n}
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0)
  return {mean: center, error: Math.sqrt(squares / (n - 1) / n), splits: n}
}

/** Two standard errors on either side, nothing for one split; a share stays between 0 and 1. */
export function intervalOf({mean, error}: Spread, isShare = false): {readonly low?: number; readonly high?: number} {
  if (error === undefined) return {}
  const [low, high] = [mean - 2 * error, mean + 2 * error]
  return isShare ? {low: Math.max(0, low), high: Math.min(1, high)} : {low, high}
}

/** One method minus another on the same splits, so that the difficulty of a split does not matter. */
export interface Difference extends Spread {
  /** Splits in which it is above 0, and below. */
  readonly above: number
  readonly below: number
  /** Beyond two standard errors; for one split, by its sign. */
  readonly verdict: 'above' | 'below' | 'unclear'
}

export function differenceOf(one: readonly number[], other: readonly number[]): Difference {
  const values = one.map((value, at) => value - other[at])
  const spread = spreadOf(values)
  const beyond = 2 * (spread.error ?? 0)
  return {
    ...spread,
    above: values.filter(value => value > 0).length,
    below: values.filter(value => value < 0).length,
    verdict: spread.mean > beyond ? 'above' : spread.mean < -beyond ? 'below' : 'unclear'
  }
}

/** `0.598 (5)`: in brackets the standard error, in units of the last digit. */
export function spreadText({mean, error}: Pick<Spread, 'mean' | 'error'>, digits = 3): string {
  if (Number.isNaN(mean)) return '-'
  const value = mean.toFixed(digits)
  return error === undefined ? value : `${value} (${Math.round(error * 10 ** digits)})`
}

export function signed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) === 0 ? text.replace('-', '') : value > 0 ? `+${text}` : text
}

/** How chance was separated from effects. */
export function chanceText(splits: number): string {
  return splits === 1
    ? 'There is one split, so how much of a difference is due to chance is unknown.'
    : `Means over ${counted(splits, 'random split')}; differences within two standard errors count as unclear.`
}
