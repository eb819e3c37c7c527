/** An estimate with its interval. */
export interface RateInterval {
  readonly value: number
  readonly low: number
  readonly high: number
}
