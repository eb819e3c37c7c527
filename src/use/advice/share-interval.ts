import type {RateInterval} from '../../learn/noise/index.ts'

/** The 95th percentile of the normal distribution: 5% lie beyond either end of a 90% interval. */
const QUANTILE = 1.6448536269514722

/** The share `hits / trials` with its 90% interval after Wilson, which stays honest for few trials and for no hits. */
export function shareInterval(hits: number, trials: number): RateInterval {
  if (trials === 0) return {value: 0, low: 0, high: 1}
  const value = hits / trials
  const square = QUANTILE * QUANTILE
  const scale = 1 + square / trials
  const centre = (value + square / (2 * trials)) / scale
  const half = (QUANTILE * Math.sqrt((value * (1 - value)) / trials + square / (4 * trials * trials))) / scale
  return {
    value,
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === trials ? 1 : Math.min(1, centre + half)
  }
}
