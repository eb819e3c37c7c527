import {anchorPairCounts, type Counts} from '../counts/index.ts'
import type {Anchor, SkippedAnchor} from '../data/index.ts'
import {AdfaError, clamp, unreachable} from '../numeric/index.ts'

/** P(A|Y) of every anchor. */
export interface NoiseRates {
  /** P(A_i = 1 | Y_i = 1). */
  readonly truePositive: Float64Array
  /** P(A_i = 1 | Y_i = 0). */
  readonly falsePositive: Float64Array
  /** P(Y_i = 1) as the anchor's frequency implies it, clipped into [1e-4, 1 - 1e-4]. */
  readonly prevalence: Float64Array
  readonly certificate: NoiseCertificate
}

export interface NoiseCertificate {
  readonly method: NoiseMethod
  /** How many labelled documents the rates rest on; 0 when they were given. */
  readonly labelledCount: number
  /** Concepts whose prevalence had to be clipped: their anchor's frequency does not fit its rates. */
  readonly clippedPrevalence: readonly string[]
}

/** Where the rates come from: the anchors file, or labelled documents (Section 3.3, setting 4). */
export type NoiseMethod = 'given' | 'labels'

/** Prevalences are kept away from 0 and 1, where the pull to independence would be infinite. */
const PREVALENCE_FLOOR = 1e-4

/** The noise rates of all anchors; every concept whose rates cannot be had is named in one error. */
export function estimateNoise(counts: Counts, method: NoiseMethod): NoiseRates {
  const {anchors} = counts.lexicon
  const faults = findRateFaults(counts, method)
  if (faults.length > 0)
    throw new AdfaError(
      'bad-rates',
      `the noise rates of ${faults.length} of ${anchors.length} anchors cannot be had:` +
        faults.map(({concept, reason}) => `\n  concept "${concept}": ${reason}`).join('')
    )
  const frequency = anchorFrequency(counts)
  const rates = anchors.map((_, i) => ratesOf(counts, i, method, frequency[i]))
  const implied = rates.map(({t, e}, i) => (frequency[i] - e) / (t - e))
  const prevalence = Float64Array.from(implied, p => clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR))
  return {
    truePositive: Float64Array.from(rates, ({t}) => t),
    falsePositive: Float64Array.from(rates, ({e}) => e),
    prevalence,
    certificate: {
      method,
      labelledCount: method === 'labels' ? Math.max(...anchors.map((_, i) => labelledCount(counts, i))) : 0,
      clippedPrevalence: anchors.filter((_, i) => prevalence[i] !== implied[i]).map(({concept}) => concept)
    }
  }
}

/** The concepts whose rates cannot be had, each with the reason and what to do. */
export function findRateFaults(counts: Counts, method: NoiseMethod): SkippedAnchor[] {
  const frequency = anchorFrequency(counts)
  return counts.lexicon.anchors.flatMap(({concept}, i) => {
    try {
      ratesOf(counts, i, method, frequency[i])
      return []
    } catch (error) {
      if (error instanceof AdfaError) return [{concept, reason: error.message}]
      throw error
    }
  })
}

function anchorFrequency(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i] / counts.documentCount)
}

function ratesOf(counts: Counts, i: number, method: NoiseMethod, frequency: number): Rates {
  switch (method) {
    case 'given':
      return givenRates(counts.lexicon.anchors[i], frequency)
    case 'labels':
      return labelRates(counts.labelled.subarray(4 * i, 4 * i + 4), counts.labelShare)
    default:
      return unreachable(method)
  }
}

interface Rates {
  /** P(A = 1 | Y = 1). */
  readonly t: number
  /** P(A = 1 | Y = 0). */
  readonly e: number
}

function givenRates({rates}: Anchor, frequency: number): Rates {
  if (rates === undefined)
    throw new AdfaError(
      'bad-rates',
      'no rates given; add truePositive and falsePositive (or prevalence and precision) to its anchor, or use --noise labels'
    )
  if (rates.kind === 'rates') return {t: rates.truePositive, e: rates.falsePositive}
  // Bayes' rule on the anchor's own frequency: P(A|Y) from P(Y) and P(Y|A).
  const t = (rates.precision * frequency) / rates.prevalence
  const e = ((1 - rates.precision) * frequency) / (1 - rates.prevalence)
  if (!(t < 1 && e < t))
    throw new AdfaError(
      'bad-rates',
      `prevalence ${rates.prevalence} and precision ${rates.precision} do not fit an anchor in ` +
        `${percent(frequency)} of the documents (P(A|Y=1) would be ${t.toFixed(3)}); raise the prevalence`
    )
  return {t, e}
}

/**
 * Empirical rates from labelled documents, as in the paper's experiments. Each count is raised by a half, so that no rate
 * is 0 or 1: a rate of 0 would make the divergence infinite at the first document that contradicts it.
 */
function labelRates(cells: Float64Array, labelShare: number): Rates {
  const [absent, falsely, missed, hit] = cells
  const refuse = (fault: string) => new AdfaError('bad-rates', fault)
  if (labelShare === 0)
    throw refuse('no labels were counted; count the documents again with --label-share 1 (they need tags or labels)')
  if (missed + hit === 0)
    throw refuse('no labelled document has it; label more documents, raise --label-share or give its rates')
  if (absent + falsely === 0) throw refuse('every labelled document has it; label documents without it')
  const t = (hit + 0.5) / (missed + hit + 1)
  const e = (falsely + 0.5) / (absent + falsely + 1)
  if (t <= e)
    throw refuse(
      `its anchor fires in ${percent(t)} of the documents that have it and ${percent(e)} of those that do not; ` +
        'an anchor must be commoner with its concept; choose another or remove the concept'
    )
  return {t, e}
}

function labelledCount(counts: Counts, i: number): number {
  return counts.labelled.subarray(4 * i, 4 * i + 4).reduce((sum, cell) => sum + cell, 0)
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(3)}%`
}
