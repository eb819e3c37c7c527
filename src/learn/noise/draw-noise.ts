import {AdfaError} from '../../base/checks/index.ts'
import {clamp, type Rng} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {type ConceptRates, impliedRates, PREVALENCE_FLOOR} from './concept-rates.ts'
import type {NoiseRates} from './estimate-noise.ts'
import {drawRates} from './rate-spread.ts'

/**
 * The rates of all anchors as they may be: prevalence and precision drawn from their intervals, once a concept, and the rates
 * that these and the firing of the anchors in the given documents imply. For bootstrap samples, in which rates that
 * were estimated must vary as much as they are uncertain. Where a drawn concept would be rarer than its anchor,
 * the rate is held at its limit and the prevalence is the one that follows.
 *
 * A concept whose prevalence and precision are known exactly because its two rates were given keeps these rates.
 */
export function drawNoise(counts: Counts, known: readonly ConceptRates[], random: Rng): NoiseRates {
  const {anchors} = counts.lexicon
  const m = anchors.length
  const pairs = anchorPairCounts(counts)
  const truePositive = new Float64Array(m)
  const falsePositive = new Float64Array(m)
  const prevalence = new Float64Array(m)
  anchors.forEach(({concept, rates}, i) => {
    const what = known.find(one => one.concept === concept)
    if (what === undefined)
      throw new AdfaError(
        'bad-rates',
        `nothing is known of the anchor of "${concept}"; give its prevalence and precision`
      )
    const firing = pairs[i * m + i] / counts.documentCount
    const drawn = drawRates(what, random.stream(concept))
    const implied =
      rates?.kind === 'rates' && isExact(what) ? what : impliedRates(firing, drawn.prevalence, drawn.precision)
    truePositive[i] = implied.truePositive
    falsePositive[i] = implied.falsePositive
    const p = (firing - implied.falsePositive) / (implied.truePositive - implied.falsePositive)
    prevalence[i] = clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
  })
  return {truePositive, falsePositive, prevalence}
}

function isExact({prevalence, precision}: ConceptRates): boolean {
  return prevalence.low === prevalence.high && precision.low === precision.high
}
