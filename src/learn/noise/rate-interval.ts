/** An estimate with its interval. */
export interface RateInterval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Half of a 90% and of a 95% interval of a normal variable, in its standard deviations. */
export const NORMAL_90 = 1.6448536269514722
export const NORMAL_95 = 1.959963984540054

/** What is known without doubt. */
export function exactly(value: number): RateInterval {
  return {value, low: value, high: value}
}
