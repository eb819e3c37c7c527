import {AdfaError, unreachable} from '../../base/checks/index.ts'
import {betaQuantile, clamp} from '../../base/numeric/index.ts'
import {anchorPairCounts, type Counts, labelledDocuments} from '../../read/counts/index.ts'
import type {Anchor, SkippedAnchor} from '../../read/data/index.ts'
import {type CombinedRates, combineEstimates} from './combine-estimates.ts'
import {type ConceptRates, impliedRates, PREVALENCE_FLOOR} from './concept-rates.ts'
import {type AnchorEstimates, type NoiseEstimator, type NoiseEvidence, noiseTable} from './noise-table.ts'
import {exactly, type RateInterval} from './rate-interval.ts'

/** P(A|Y) of every anchor. */
export interface NoiseRates {
  /** P(A_i = 1 | Y_i = 1). */
  readonly truePositive: Float64Array
  /** P(A_i = 1 | Y_i = 0). */
  readonly falsePositive: Float64Array
  /** P(Y_i = 1) as the anchor's frequency implies it, clipped into [1e-4, 1 - 1e-4]. */
  readonly prevalence: Float64Array
}

/** Rates with what they rest on. */
export interface EstimatedNoise extends NoiseRates {
  readonly certificate: NoiseCertificate
}

/** What is known of one anchor, and by what. */
export interface SourcedRates extends ConceptRates {
  /** The estimators that had a say, the weightiest first. */
  readonly sources: readonly (NoiseEstimator | 'labels')[]
  /** Whether it rests on a guess, as nothing better was there. */
  readonly isGuess: boolean
  /** How far the sources lie apart in their own errors: about 1 if all is well, 0 for one source. */
  readonly disagreement: number
}

export interface NoiseCertificate {
  readonly method: NoiseMethod
  /** How many labelled documents the rates rest on; 0 when they were not asked for. */
  readonly labelledCount: number
  /** Concepts whose prevalence had to be clipped: their anchor's frequency does not fit its rates. */
  readonly clippedPrevalence: readonly string[]
  readonly concepts: readonly SourcedRates[]
}

/**
 * Where the rates come from: the anchors file; labelled documents, each concept by itself (Section 3.3, setting 4); two or
 * more features of one anchor (setting 1); words that tell the anchor (settings 2 and 3); or all that the data allows.
 */
export type NoiseMethod = 'given' | 'labels' | 'pair' | 'positive-only' | 'irreducible' | 'auto'

/** The noise rates of all anchors; every concept whose rates cannot be had is named in one error. */
export function estimateNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): EstimatedNoise {
  const {anchors} = counts.lexicon
  const judged = judgeAnchors(counts, method, evidence)
  const faults = judged.filter(isFault)
  if (faults.length > 0)
    throw new AdfaError(
      'bad-rates',
      `the noise rates of ${faults.length} of ${anchors.length} anchors cannot be had:` +
        faults.map(({concept, reason}) => `\n  concept "${concept}": ${reason}`).join('')
    )
  const concepts = judged.flatMap(one => (isFault(one) ? [] : [one]))
  const frequency = anchorFrequency(counts)
  const implied = concepts.map(({truePositive: t, falsePositive: e}, i) => (frequency[i] - e) / (t - e))
  const prevalence = Float64Array.from(implied, p => clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR))
  const usesLabels = method === 'labels' || concepts.some(({sources}) => sources.some(isFromLabels))
  return {
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence,
    certificate: {
      method,
      labelledCount: usesLabels ? labelledDocuments(counts) : 0,
      clippedPrevalence: anchors.filter((_, i) => prevalence[i] !== implied[i]).map(({concept}) => concept),
      concepts
    }
  }
}

/** The concepts whose rates cannot be had, each with the reason and what to do. */
export function findRateFaults(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): SkippedAnchor[] {
  return judgeAnchors(counts, method, evidence).filter(isFault)
}

type Judged = SourcedRates | SkippedAnchor

function isFault(judged: Judged): judged is SkippedAnchor {
  return 'reason' in judged
}

function isFromLabels(source: string): boolean {
  return source === 'pooled' || source === 'refined'
}

function judgeAnchors(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence): Judged[] {
  switch (method) {
    case 'given':
      return judgeEach(counts, (i, frequency) => givenRates(counts.lexicon.anchors[i], frequency))
    case 'labels':
      return judgeEach(counts, i => {
        const cells = counts.labelled.subarray(4 * i, 4 * i + 4)
        refuseWithheld(counts, cells)
        return labelRates(cells, counts.labelShare)
      })
    case 'pair':
    case 'positive-only':
    case 'irreducible':
      return noiseTable(counts, evidence, [method]).map(soleEstimate)
    case 'auto':
      return judgeAll(counts, evidence)
    default:
      return unreachable(method)
  }
}

/** Rates that were given are taken as they are, the others from all that tells them. */
function judgeAll(counts: Counts, evidence: NoiseEvidence): Judged[] {
  const given = judgeAnchors(counts, 'given', evidence)
  const isGiven = counts.lexicon.anchors.map(({rates}) => rates !== undefined)
  if (isGiven.every(Boolean)) return given
  return noiseTable(counts, evidence).map((row, i) =>
    isGiven[i] ? given[i] : allEstimates(row, combineEstimates(row))
  )
}

/** One estimator, as it is. An estimator that cannot tell the precision takes the anchor never to fire falsely. */
function soleEstimate({concept, firing, estimates: [found], unavailable: [missing]}: AnchorEstimates): Judged {
  if (found === undefined) return {concept, reason: `${missing.reason}; choose another --noise, or remove the concept`}
  const {method, prevalence, precision = exactly(1)} = found
  const rates = impliedRates(firing, prevalence.value, precision.value)
  return telling({concept, prevalence, precision, ...rates, sources: [method], isGuess: false, disagreement: 0})
}

function allEstimates({concept}: AnchorEstimates, combined: CombinedRates | undefined): Judged {
  if (combined === undefined) return {concept, reason: 'nothing tells its rates; give them, or label documents'}
  const {refusals, ...rates} = combined
  if (refusals.length > 0) return {concept, reason: refusals.map(({reason}) => reason).join('; ')}
  return telling(rates)
}

/** An anchor must be commoner with its concept than without. */
function telling(rates: SourcedRates): Judged {
  const {concept, truePositive: t, falsePositive: e} = rates
  if (t > e) return rates
  const reason =
    `its anchor would fire in ${percent(t)} of the documents that have it and ${percent(e)} of those that do not, so that it ` +
    'says nothing; choose another anchor, or remove the concept'
  return {concept, reason}
}

/** Rates of each anchor by itself; a refusal becomes the reason. */
function judgeEach(counts: Counts, ratesOf: (concept: number, frequency: number) => Rates): Judged[] {
  const frequency = anchorFrequency(counts)
  return counts.lexicon.anchors.map(({concept}, i) => {
    try {
      const {t, e, ...rest} = ratesOf(i, frequency[i])
      return {concept, ...rest, truePositive: t, falsePositive: e, isGuess: false, disagreement: 0}
    } catch (error) {
      if (error instanceof AdfaError) return {concept, reason: error.message}
      throw error
    }
  })
}

function anchorFrequency(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i] / counts.documentCount)
}

interface Rates extends Pick<SourcedRates, 'prevalence' | 'precision' | 'sources'> {
  /** P(A = 1 | Y = 1). */
  readonly t: number
  /** P(A = 1 | Y = 0). */
  readonly e: number
}

function givenRates({rates}: Anchor, frequency: number): Rates {
  if (rates === undefined)
    throw new AdfaError(
      'bad-rates',
      'no rates given; add truePositive and falsePositive (or prevalence and precision) to its anchor, or use --noise auto'
    )
  const sources = ['given'] as const
  if (rates.kind === 'rates') {
    const {truePositive: t, falsePositive: e} = rates
    const p = clamp((frequency - e) / (t - e), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    const precision = (t * p) / (t * p + e * (1 - p))
    return {t, e, prevalence: exactly(p), precision: exactly(precision), sources}
  }
  // Bayes' rule on the anchor's own frequency: P(A|Y) from P(Y) and P(Y|A).
  const t = (rates.precision * frequency) / rates.prevalence
  const e = ((1 - rates.precision) * frequency) / (1 - rates.prevalence)
  if (!(t < 1 && e < t))
    throw new AdfaError(
      'bad-rates',
      `prevalence ${rates.prevalence} and precision ${rates.precision} do not fit an anchor in ` +
        `${percent(frequency)} of the documents (P(A|Y=1) would be ${t.toFixed(3)}); raise the prevalence`
    )
  return {t, e, prevalence: exactly(rates.prevalence), precision: exactly(rates.precision), sources}
}

/** Sites release no labelled documents of a concept where few are of a kind. */
function refuseWithheld({tables, labelShare}: Counts, cells: Float64Array): void {
  if (tables === undefined || labelShare === 0 || cells.some(cell => cell > 0)) return
  throw new AdfaError(
    'bad-rates',
    'its labelled documents were withheld, since too few are of a kind; label more documents, or give its rates'
  )
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
  return {
    t,
    e,
    prevalence: shareOf(missed + hit, absent + falsely),
    precision: shareOf(hit, falsely),
    sources: ['labels']
  }
}

/** A share with its 90% interval (Jeffreys). */
function shareOf(count: number, others: number): RateInterval {
  const [low, high] = [0.05, 0.95].map(quantile => betaQuantile(count + 0.5, others + 0.5, quantile))
  return {value: (count + 0.5) / (count + others + 1), low, high}
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(3)}%`
}
