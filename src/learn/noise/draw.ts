/**
 * The uncertainty of an anchor's rates. Prevalence and precision have 90% intervals; as distributions, the first is taken
 * as log-normal, the second as logit-normal, and both as independent: labels inform the first mostly in documents without
 * the anchor, the second only in those with it. A precision of width 0 is constant.
 */

import {clamp, exp, log, logit, NORMAL_90, type Rng, sigmoid} from '../../base/numeric/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchoredCounts} from './labels.ts'
import {
  type EstimatedRates,
  impliedRates,
  type NoiseRates,
  PREVALENCE_FLOOR,
  packedRates,
  type RateInterval,
  type Shares
} from './rates.ts'

/**
 * One draw of the rates of all anchors, in the order of the lexicon, for bootstrap samples: prevalence and precision from
 * their intervals, and the rates that these and the anchors' frequency in `counts` imply. Where a drawn concept would be
 * rarer than its anchor, the rate stays at its limit and determines the prevalence. Given rates with intervals of width 0
 * are kept.
 */
export function drawNoise(counts: Counts, known: readonly EstimatedRates[], random: Rng): NoiseRates {
  const firing = anchoredCounts(counts).map(count => count / counts.documentCount)
  const drawn = counts.lexicon.anchors.map(({concept, rates}, i) => {
    const {prevalence, precision} = drawRates(known[i], random.stream(concept))
    return rates?.kind === 'rates' && isExact(known[i]) ? known[i] : impliedRates(firing[i], prevalence, precision)
  })
  return packedRates(firing, drawn)
}

function isExact({prevalence, precision}: EstimatedRates): boolean {
  return prevalence.low === prevalence.high && precision.low === precision.high
}

/** One draw of the prevalence and the precision of an anchor. */
export function drawRates({prevalence, precision}: EstimatedRates, random: Rng): Shares<number> {
  const p = bell(prevalence, log)
  const r = bell(precision, logit)
  // Always two normals, so that the draws of a concept do not depend on its intervals.
  const [first, second] = normalPair(random)
  return {
    prevalence: clamp(exp(p.middle + p.deviation * first), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR),
    precision: r.deviation === 0 ? precision.value : sigmoid(r.middle + r.deviation * second)
  }
}

/** The normal distribution with this interval on a scale; ends at 0 and 1 are moved inside. */
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
