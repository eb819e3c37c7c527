/** A mean over seeds and its standard error, from the spread of the seeds; undefined for one seed. */
export interface Estimate {
  readonly mean: number
  readonly error: number | undefined
}

export function estimate(values: readonly number[]): Estimate {
  const mean = average(values)
  if (values.length < 2) return {mean, error: undefined}
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {mean, error: Math.sqrt(squares / (values.length - 1) / values.length)}
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** `.598 (5)`: the standard error in units of the last digit. */
export function shown({mean, error}: Estimate, digits = 3): string {
  const value = mean.toFixed(digits).replace(/^(-?)0\./, '$1.')
  return error === undefined ? value : `${value} (${Math.round(error * 10 ** digits)})`
}
