/**
 * Standard errors of prevalences and of P(Y_i = 1, Y_k = 1) by the delta method.
 *
 * With w of inverse-channel.ts, p_i = E[w_i] and q_ik = E[w_i w_k] are means over documents: their sampling variance is that
 * of the cells of two anchors. Where it is said what is known of the anchors, their rates go with the shares of
 * documents in which they fire, and the spread of prevalence and precision is added, concepts being independent.
 *
 * Differs from what `recoverMoments` gives: no polytope and no shrinkage, so estimates may lie outside [0, 1]. Away from
 * the bounds, and with a shrinkage that fades, both have the same errors; near them constrained moments vary less.
 * Layout: pairs i < k, row-major. Cost: O(m^2) after one pass over the patterns.
 */
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {ConceptRates, NoiseRates} from '../noise/index.ts'
import {type InverseChannel, inverseChannel} from './inverse-channel.ts'

/** Estimates without a constraint, and their standard errors. */
export interface UnconstrainedMoments {
  readonly estimate: Float64Array
  readonly standardError: Float64Array
}

export interface MomentErrors {
  /** P(Y_i = 1). */
  readonly prevalence: UnconstrainedMoments
  /** P(Y_i = 1, Y_k = 1). */
  readonly pairs: UnconstrainedMoments
}

export function momentErrors(counts: Counts, noise: NoiseRates, known?: readonly ConceptRates[]): MomentErrors {
  const N = counts.documentCount
  const m = counts.lexicon.anchors.length
  const fired = anchorPairCounts(counts)
  const channels = Array.from({length: m}, (_, i) => inverseChannel(noise, i, known?.[i]))
  const prevalence = blank(m)
  const pairs = blank((m * (m - 1)) / 2)
  let at = 0
  for (let i = 0; i < m; i++) {
    const on = fired[i * m + i] / N
    set(prevalence, i, single(channels[i], on, N))
    for (let k = i + 1; k < m; k++) {
      const both = fired[i * m + k] / N
      const other = fired[k * m + k] / N
      set(pairs, at++, pair([channels[i], channels[k]], [1 - on - other + both, other - both, on - both, both], N))
    }
  }
  return {prevalence, pairs}
}

interface Found {
  readonly estimate: number
  readonly variance: number
}

function single({weights: [off, on], uncertain, byFiring}: InverseChannel, a: number, N: number): Found {
  const estimate = (1 - a) * off + a * on
  // How the mean of w moves with the share a: by its documents, and by the rates that go with it.
  const perDocument = on - off - byFiring.offset - byFiring.scale * estimate
  let variance = (perDocument ** 2 * a * (1 - a)) / N
  for (const {offset, scale} of uncertain) variance += (offset + scale * estimate) ** 2
  return {estimate, variance}
}

/** Cell `2*a_i + a_k`. */
function pair(channels: readonly [InverseChannel, InverseChannel], cells: readonly number[], N: number): Found {
  const w = (z: number, cell: number) => channels[z].weights[z === 0 ? cell >> 1 : cell & 1]
  const mean = (of: (cell: number) => number) => cells.reduce((sum, share, cell) => sum + share * of(cell), 0)
  const estimate = mean(cell => w(0, cell) * w(1, cell))
  const slopes = channels.map(({uncertain, byFiring}, z) => {
    const other = mean(cell => w(1 - z, cell))
    return {
      on: mean(cell => (z === 0 ? cell >> 1 : cell & 1)),
      byFiring: byFiring.offset * other + byFiring.scale * estimate,
      uncertain: uncertain.map(({offset, scale}) => offset * other + scale * estimate)
    }
  })
  const influence = (cell: number) =>
    w(0, cell) * w(1, cell) -
    estimate -
    slopes[0].byFiring * ((cell >> 1) - slopes[0].on) -
    slopes[1].byFiring * ((cell & 1) - slopes[1].on)
  let variance = mean(cell => influence(cell) ** 2) / N
  for (const {uncertain} of slopes) for (const slope of uncertain) variance += slope ** 2
  return {estimate, variance}
}

function blank(length: number): UnconstrainedMoments {
  return {estimate: new Float64Array(length), standardError: new Float64Array(length)}
}

function set({estimate, standardError}: UnconstrainedMoments, at: number, found: Found): void {
  estimate[at] = found.estimate
  standardError[at] = Math.sqrt(found.variance)
}
