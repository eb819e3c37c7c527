import {clamp, exp, log, logit, type Rng, sigmoid} from '../../base/numeric/index.ts'
import {type ConceptRates, PREVALENCE_FLOOR} from './concept-rates.ts'
import {NORMAL_90, type RateInterval} from './rate-interval.ts'

/**
 * How uncertain the rates of an anchor are, for intervals of what is learned with them.
 *
 * What is known of an anchor is a prevalence and a precision with 90% intervals. Taken as distributions that have these
 * intervals, the prevalence is log-normal and the precision logit-normal, independent of each other: labels tell the
 * one mostly in documents without the anchor, the other only in those with it. A precision whose interval is a point
 * is that point.
 */

/** Prevalence and precision of an anchor, drawn or as they are. */
export interface DrawnRates {
  readonly prevalence: number
  readonly precision: number
}

/** One draw of what the prevalence and the precision of an anchor may be. */
export function drawRates({prevalence, precision}: ConceptRates, random: Rng): DrawnRates {
  const p = bell(prevalence, log)
  const r = bell(precision, logit)
  // Two normals always, so that what one concept takes from the source does not depend on its intervals.
  const [first, second] = normalPair(random)
  return {
    prevalence: clamp(exp(p.middle + p.deviation * first), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR),
    precision: r.deviation === 0 ? precision.value : sigmoid(r.middle + r.deviation * second)
  }
}

/** The standard deviations of these draws, to first order. */
export function rateSpread({prevalence, precision}: ConceptRates): DrawnRates {
  const {value: p} = prevalence
  const {value: r} = precision
  return {prevalence: p * bell(prevalence, log).deviation, precision: r * (1 - r) * bell(precision, logit).deviation}
}

/** The normal distribution that has the interval, on a scale; ends at 0 and 1 are held within it. */
function bell({low, high}: RateInterval, scale: (x: number) => number) {
  const [from, to] = [low, high].map(end => scale(clamp(end, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)))
  return {middle: (from + to) / 2, deviation: (to - from) / (2 * NORMAL_90)}
}

/** Two independent standard normal numbers (Marsaglia's polar method). */
function normalPair(random: Rng): [number, number] {
  for (;;) {
    const x = 2 * random.next() - 1
    const y = 2 * random.next() - 1
    const s = x * x + y * y
    if (s === 0 || s >= 1) continue
    const scale = Math.sqrt((-2 * log(s)) / s)
    return [x * scale, y * scale]
  }
}
