import {AdfaError, unreachable} from '../../base/checks/index.ts'
import {betaQuantile, clamp} from '../../base/numeric/index.ts'
import {percent, printableLine} from '../../base/text/index.ts'
import {type Counts, dropConcepts, labelledDocuments} from '../../read/counts/index.ts'
import type {Anchor, SkippedAnchor} from '../../read/data/index.ts'
import {type ClassShares, classShares, voteGroups} from '../votes/index.ts'
import {type CombinedRates, combineEstimates, type SourcedRates, withoutLabels} from './combine-estimates.ts'
import {anchoredCounts} from './labelled-sample.ts'
import {type AnchorEstimates, type NoiseEstimator, type NoiseEvidence, noiseTable} from './noise-table.ts'
import {
  exactly,
  impliedRates,
  type NoiseRates,
  PREVALENCE_FLOOR,
  type RateInterval,
  type Rates,
  weakAnchor
} from './rates.ts'

/** The rates of all anchors with what they rest on. */
export interface EstimatedNoise extends NoiseRates {
  readonly certificate: NoiseCertificate
}

export interface NoiseCertificate {
  readonly method: NoiseMethod
  /** The number of labelled documents the rates rest on; 0 when labels were not used. */
  readonly labelledCount: number
  /** Concepts whose prevalence was clipped: the frequency of their anchor does not fit its rates. */
  readonly clippedPrevalence: readonly string[]
  /** Concepts whose anchor is rarer with them than without, by given rates; unset where there is none. */
  readonly rarerWithConcept?: readonly string[]
  readonly concepts: readonly SourcedRates[]
}

/**
 * Where the rates come from: the anchors file; labelled documents, each concept by itself (Section 3.3, setting 4); two or
 * more members of one anchor (setting 1); words that predict the anchor (settings 2 and 3); or all that the data allows.
 */
export type NoiseMethod = 'given' | 'labels' | 'pair' | 'positive-only' | 'irreducible' | 'auto'

/** The rates of all anchors; one error names every concept without. */
export function estimateNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): EstimatedNoise {
  const {anchors} = counts.lexicon
  const judged = judgeAnchors(counts, method, evidence)
  const faults = judged.filter(isFault)
  if (faults.length > 0)
    throw new AdfaError(
      'bad-rates',
      `could not estimate the rates of ${faults.length} of ${anchors.length} anchors:` +
        faults.map(({concept, reason}) => `\n  concept "${concept}": ${printableLine(reason)}`).join('')
    )
  return noiseOf(
    counts,
    method,
    judged.flatMap(one => (isFault(one) ? [] : [one]))
  )
}

/** The rates of all anchors as they were found for these counts, also from the certificate of a model. */
export function noiseOf(counts: Counts, method: NoiseMethod, concepts: readonly SourcedRates[]): EstimatedNoise {
  const {anchors} = counts.lexicon
  const frequency = anchorFrequency(counts)
  const implied = concepts.map(({truePositive: t, falsePositive: e}, i) => (frequency[i] - e) / (t - e))
  const prevalence = Float64Array.from(implied, p => clamp(p, PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR))
  for (const {concepts: own} of voteGroups(anchors)) {
    if (own.some(i => concepts[i].basis === 'given')) continue
    const total = own.reduce((sum, i) => sum + concepts[i].prevalence.value, 0)
    for (const i of own) prevalence[i] = concepts[i].prevalence.value / total
  }
  const isFromLabels = (source: string) => source === 'pooled' || source === 'refined'
  const rarer = concepts.filter(({truePositive: t, falsePositive: e}) => t < e).map(({concept}) => concept)
  const usesLabels = method === 'labels' || concepts.some(({sources}) => sources.some(isFromLabels))
  return {
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence,
    certificate: {
      method,
      labelledCount: usesLabels ? labelledDocuments(counts) : 0,
      clippedPrevalence: anchors
        .filter((_, i) => implied[i] < PREVALENCE_FLOOR || implied[i] > 1 - PREVALENCE_FLOOR)
        .map(({concept}) => concept),
      ...(rarer.length > 0 && {rarerWithConcept: rarer}),
      concepts
    }
  }
}

/** The verdict on every concept: the rates that a fit uses, or why it refuses the concept. */
export interface NoiseVerdict {
  readonly rates: readonly SourcedRates[]
  readonly refused: readonly SkippedAnchor[]
}

/** What `fit` and `adfa doctor` both go by. Repeats without the refused concepts, as estimates may depend on them. */
export function judgeNoise(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): NoiseVerdict {
  const verdict = verdictOf(judgeAnchors(counts, method, evidence))
  const {rates, refused} = verdict
  if (refused.length === 0 || rates.length === 0) return verdict
  const rest = judgeNoise(dropConcepts(counts, refused), method, evidence)
  return {rates: rest.rates, refused: [...refused, ...rest.refused]}
}

function verdictOf(judged: readonly Judged[]): NoiseVerdict {
  return {rates: judged.flatMap(one => (isFault(one) ? [] : [one])), refused: judged.filter(isFault)}
}

/**
 * What counts alone say, within milliseconds: the rates that {@link judgeNoise} gives people to read, except that labels are
 * taken without the words of documents. Undefined where that needs more: members in pairs, words, or groups of classes.
 */
export function countedNoise(counts: Counts, method: NoiseMethod): NoiseVerdict | undefined {
  const {anchors} = counts.lexicon
  if (anchors.some(({exclusive}) => exclusive !== undefined)) return undefined
  if (method === 'given' || method === 'labels') return judgeNoise(counts, method)
  return method === 'auto' ? verdictOf(judgeAll(counts, {}, ['pooled'])) : undefined
}

/** The rates of the concepts that have any; the others move to `lexicon.skipped`. */
export function usableNoise(
  counts: Counts,
  method: NoiseMethod,
  evidence?: NoiseEvidence
): {readonly counts: Counts; readonly noise: EstimatedNoise} {
  const {refused} = judgeNoise(counts, method, evidence)
  const kept = refused.length === 0 ? counts : dropConcepts(counts, refused)
  return {counts: kept, noise: estimateNoise(kept, method, evidence)}
}

type Judged = SourcedRates | SkippedAnchor

const isFault = (judged: Judged): judged is SkippedAnchor => 'reason' in judged

function judgeAnchors(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence): Judged[] {
  switch (method) {
    case 'given':
      return judgeEach(counts, (i, frequency) => givenRates(counts.lexicon.anchors[i], frequency))
    case 'labels':
      return judgeEach(counts, i => labelRates(counts, i))
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

/** Given rates as they are, the others combined from all estimates. */
function judgeAll(counts: Counts, evidence: NoiseEvidence, methods?: readonly NoiseEstimator[]): Judged[] {
  const given = judgeAnchors(counts, 'given', evidence)
  const isGiven = counts.lexicon.anchors.map(({rates}) => rates !== undefined)
  if (isGiven.every(Boolean)) return given
  const classes = classShares(counts)
  return noiseTable(counts, evidence, methods).map((row, i) => {
    if (isGiven[i]) return given[i]
    const combined = combineEstimates(row)
    return accepted(row, combined && withShares(row, combined, classes[i]))
  })
}

/**
 * Rates of a class by its shares. Labels do not refuse it, since its group needs all classes. That an estimate without labels is
 * low says nothing here: on youtube and trec, none of five such classes has a precision below 45%, and the one that has is not among them.
 */
function withShares(
  {firing}: AnchorEstimates,
  combined: CombinedRates,
  shares: ClassShares | undefined
): CombinedRates {
  if (shares === undefined) return combined
  const {refusals, lowPrecision: _, ...rates} = combined
  const weak = refusals.length > 0 ? {weak: refusals[0].reason} : {}
  const own = impliedRates(firing, shares.prevalence, shares.precision)
  const around = ({low, high}: RateInterval, value: number): RateInterval => ({
    value,
    low: Math.min(low, value),
    high: Math.max(high, value)
  })
  // Without labels there is no interval that is known to cover.
  const shown =
    rates.basis === 'constant'
      ? {
          prevalence: exactly(shares.prevalence),
          precision: exactly(shares.precision),
          basis: 'balance' as const,
          sources: ['balance'] as const,
          disagreement: 0
        }
      : {
          prevalence: around(rates.prevalence, shares.prevalence),
          precision: around(rates.precision, shares.precision)
        }
  return {...rates, ...own, ...shown, ...weak, refusals: []}
}

/** One estimator alone, which reads no labels. Without an estimate of the precision, the anchor never fires falsely. */
function soleEstimate(row: AnchorEstimates): Judged {
  const {concept, estimates, unavailable} = row
  const [found] = estimates
  if (found === undefined)
    return {concept, reason: `${unavailable[0].reason}; choose another \`noise\` method, or remove the concept`}
  const {prevalence, precision} = found
  return accepted(
    row,
    withoutLabels(row, {sources: [found], prevalence: prevalence.value, precision: precision?.value ?? 1})
  )
}

function accepted({concept, firing}: AnchorEstimates, combined: CombinedRates | undefined): Judged {
  if (combined === undefined)
    return {
      concept,
      reason: `its anchor fires in ${firing > 0 ? 'every' : 'no'} document; choose another word, or remove the concept`
    }
  const {refusals, ...rates} = combined
  if (refusals.length > 0) return {concept, reason: refusals.map(({reason}) => reason).join('; ')}
  return rates
}

type OwnRates = Omit<SourcedRates, 'concept' | 'disagreement'>

/** Rates of each anchor by itself, or the reason of a refusal. */
function judgeEach(counts: Counts, ratesOf: (concept: number, frequency: number) => OwnRates | string): Judged[] {
  const frequency = anchorFrequency(counts)
  return counts.lexicon.anchors.map(({concept}, i) => {
    const rates = ratesOf(i, frequency[i])
    if (typeof rates === 'string') return {concept, reason: rates}
    return {concept, ...rates, disagreement: 0}
  })
}

function anchorFrequency(counts: Counts): number[] {
  return anchoredCounts(counts).map(count => count / counts.documentCount)
}

function givenRates({rates}: Anchor, frequency: number): OwnRates | string {
  if (rates === undefined)
    return "no rates given; add truePositive and falsePositive (or prevalence and precision) to its anchor, or use `noise` 'auto'"
  const found = (prevalence: number, precision: number, own: Rates): OwnRates => ({
    prevalence: exactly(prevalence),
    precision: exactly(precision),
    basis: 'given',
    sources: ['given'],
    ...own
  })
  if (rates.kind === 'rates') {
    const {truePositive: t, falsePositive: e} = rates
    const p = clamp((frequency - e) / (t - e), PREVALENCE_FLOOR, 1 - PREVALENCE_FLOOR)
    return found(p, (t * p) / (t * p + e * (1 - p)), {truePositive: t, falsePositive: e})
  }
  const {prevalence, precision} = rates
  // Bayes' rule on the anchor's own frequency: P(A|Y) from P(Y) and P(Y|A).
  const t = (precision * frequency) / prevalence
  const e = ((1 - precision) * frequency) / (1 - prevalence)
  if (!(t < 1 && e < 1))
    return (
      `prevalence ${prevalence} and precision ${precision} do not fit an anchor in ${percent(frequency)} of the ` +
      `documents (P(A|Y=1) would be ${t.toFixed(3)}, P(A|Y=0) ${e.toFixed(3)}); ${t < 1 ? 'lower' : 'raise'} the prevalence`
    )
  return found(prevalence, precision, {truePositive: t, falsePositive: e})
}

/**
 * Empirical rates from labelled documents, as in the paper's experiments. Each count is raised by a half, so that no rate
 * is 0 or 1: a rate of 0 would make the divergence infinite at the first document that contradicts it.
 */
function labelRates({labelled, labelShare, tables}: Counts, i: number): OwnRates | string {
  const cells = labelled.subarray(4 * i, 4 * i + 4)
  const [absent, falsely, missed, hit] = cells
  if (tables !== undefined && labelShare !== 0 && cells.every(cell => cell === 0))
    return 'its labelled documents were withheld for being too few; label more documents, or give its rates'
  if (labelShare === 0) return 'no labels were counted; count documents that have tags or labels with `labelShare` 1'
  if (missed + hit === 0)
    return 'no labelled document has it; label more documents, raise `labelShare` or give its rates'
  if (absent + falsely === 0) return 'every labelled document has it; label documents without it'
  const t = (hit + 0.5) / (missed + hit + 1)
  const e = (falsely + 0.5) / (absent + falsely + 1)
  const [weak] = weakAnchor({truePositive: t, falsePositive: e})
  if (weak !== undefined) return weak.reason
  return {
    prevalence: jeffreysInterval(missed + hit, absent + falsely),
    precision: jeffreysInterval(hit, falsely),
    basis: 'labels',
    sources: ['labels'],
    truePositive: t,
    falsePositive: e
  }
}

/** The share of `count` beside `others` with its 90% interval (Jeffreys). */
function jeffreysInterval(count: number, others: number): RateInterval {
  const [low, high] = [0.05, 0.95].map(quantile => betaQuantile(count + 0.5, others + 0.5, quantile))
  return {value: (count + 0.5) / (count + others + 1), low, high}
}
