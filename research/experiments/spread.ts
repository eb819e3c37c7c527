import {counted} from '../../src/base/text/index.ts'

/** A figure over random splits: its mean and the standard error of the mean, which one split does not have. */
export interface Spread {
  readonly mean: number
  readonly error: number | undefined
  readonly splits: number
}

export function spreadOf(values: readonly number[]): Spread {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (n < 2) return {mean, error: undefined, splits: n}
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {mean, error: Math.sqrt(squares / (n - 1) / n), splits: n}
}

/** Two standard errors on either side; nothing for one split. */
export function intervalOf({mean, error}: Spread): {readonly low?: number; readonly high?: number} {
  return error === undefined ? {} : {low: mean - 2 * error, high: mean + 2 * error}
}

/** The same for a share, within 0 and 1. */
export function shareInterval(spread: Spread): {readonly low?: number; readonly high?: number} {
  const {low, high} = intervalOf(spread)
  return low === undefined || high === undefined ? {} : {low: Math.max(0, low), high: Math.min(1, high)}
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
export function spreadText({mean, error}: Spread, digits = 3): string {
  if (Number.isNaN(mean)) return '-'
  const value = mean.toFixed(digits)
  return error === undefined ? value : `${value} (${Math.round(error * 10 ** digits)})`
}

/** A difference of shares: `+1.2 points (standard error 0.3)`. */
export function pointsText({mean, error}: Spread): string {
  const value = `${signed(100 * mean, 1)} points`
  return error === undefined ? value : `${value} (standard error ${(100 * error).toFixed(1)})`
}

export function signed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) === 0 ? text.replace('-', '') : value > 0 ? `+${text}` : text
}

/** In how many splits it has the sign of its mean. */
export function splitsText({mean, above, below, splits}: Difference): string {
  const of = `of ${counted(splits, 'split')}`
  return mean < 0 ? `less in ${below} ${of}` : `more in ${above} ${of}`
}

/** How chance was separated from effects. */
export function chanceText(splits: number): string {
  return splits === 1
    ? 'There is one split, so how much of a difference is due to chance is unknown.'
    : `Over ${splits} random splits; differences within two standard errors count as not clear.`
}
