import type {Counts} from '../counts/index.ts'
import type {Corpus} from '../data/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {AdfaError, sigmoid} from '../numeric/index.ts'
import {type AnchorFacts, anchorFacts} from './anchor-facts.ts'
import {anchorLogLikelihood, likeliestSlope} from './anchor-likelihood.ts'
import {addScores, anchorWords, heldOutScores} from './anchor-words.ts'
import {bestThreshold} from './best-threshold.ts'
import {type Company, type CompanyReader, createCompanyReader, learnCompany} from './company.ts'
import {type ConceptSample, countSamples, documentSamples} from './concept-sample.ts'
import type {LogOddsCertificate, LogOddsChannel} from './log-odds-channel.ts'
import {checkLogOddsOptions, type LogOddsOptions} from './log-odds-options.ts'
import {logit} from './logit.ts'
import {matchMean} from './match-mean.ts'
import {wordWeights} from './word-weights.ts'

/**
 * The words' channel for predicting: log-odds that add up, in place of noisy-or links (docs/channel.md).
 *
 * Weights come from the counts ({@link wordWeights}); documents, where there are some, refine them with the anchors as
 * labels ({@link anchorWords}) and tell how strongly words may speak, by how well they foretell the anchors of
 * documents that they were not learned from. The constants of each concept are set so that its mean probability is
 * right both where its anchor fired and where it did not. The documents may be a sample of those counted. No tag is
 * read.
 *
 * Cost: from counts alone O(patterns m words); from documents (folds + 1) m logistic regressions of a few steps.
 */
export function learnLogOdds(
  counts: Counts,
  rates: NoiseRates,
  corpus: Corpus | undefined,
  options?: Partial<LogOddsOptions>
): LogOddsChannel {
  const checked = checkLogOddsOptions(options)
  checkParts(counts, rates, corpus)
  const company = learnCompany(counts, rates, checked.companyShare)
  const reader = createCompanyReader(company)
  const {weights, samples, ...learned} =
    corpus === undefined
      ? fromCounts(counts, rates, reader, checked)
      : fromDocuments(counts, rates, {corpus, company: reader, options: checked})
  return calibrated(samples, rates, {weights, company, firedShare: checked.firedShare, ...learned})
}

/** Weights before their strength, samples to set strength and constants by, and the strength. */
interface Learned extends Pick<LogOddsCertificate, 'source' | 'documents' | 'slope' | 'likeliestSlope' | 'anchorGain'> {
  readonly weights: Float64Array
  readonly samples: readonly ConceptSample[]
}

function fromCounts(counts: Counts, rates: NoiseRates, company: CompanyReader, options: LogOddsOptions): Learned {
  const weights = wordWeights(counts, rates.prevalence, options)
  return {
    weights,
    samples: countSamples(counts, company, weights),
    source: 'counts',
    documents: counts.documentCount,
    slope: options.slopeLimit,
    likeliestSlope: undefined,
    anchorGain: undefined
  }
}

function fromDocuments(
  counts: Counts,
  rates: NoiseRates,
  given: {readonly corpus: Corpus; readonly company: CompanyReader; readonly options: LogOddsOptions}
): Learned {
  const {corpus, company, options} = given
  const {documents, lexicon} = corpus
  const m = lexicon.anchors.length
  const held = heldOutScores(corpus, rates.prevalence, options)
  const heldOut = documentSamples(documents, m, company, (_, d) => held.subarray(d * m, (d + 1) * m))
  const likeliest = likeliestSlope(heldOut, rates)
  const centre = wordWeights(counts, rates.prevalence, options)
  const weights = anchorWords(corpus, centre, new Uint8Array(documents.length).fill(1), options)
  const scores = new Float64Array(m)
  return {
    weights,
    samples: documentSamples(documents, m, company, ({evidence}) => {
      scores.fill(0)
      addScores(weights, evidence.words, scores)
      return scores
    }),
    source: 'documents',
    documents: documents.length,
    slope: Math.min(options.slopeLimit, options.slopeShare * likeliest),
    likeliestSlope: likeliest,
    anchorGain:
      (anchorLogLikelihood(heldOut, rates, likeliest) - anchorLogLikelihood(heldOut, rates, 0)) / documents.length
  }
}

/**
 * The channel, its constants set so that the mean probability of each concept is what the rates say, anchor by anchor.
 */
function calibrated(
  samples: readonly ConceptSample[],
  rates: NoiseRates,
  {
    weights,
    company,
    firedShare,
    ...learned
  }: Omit<Learned, 'samples'> & {readonly company: Company; readonly firedShare: number}
): LogOddsChannel {
  const n = weights.length / samples.length
  const concepts = anchorFacts(rates).map((facts, i) => calibrateConcept(samples[i], facts, learned.slope, firedShare))
  const {threshold, expectedF1} = bestThreshold(
    concepts.map(({probabilities}) => probabilities),
    samples.map(sample => sample.weights)
  )
  return {
    kind: 'log-odds',
    company,
    weights: samples.map((_, i) => Array.from(weights.subarray(i * n, (i + 1) * n), weight => learned.slope * weight)),
    silent: concepts.map(({silent}) => silent),
    fired: concepts.map(({fired}) => fired),
    firedShare,
    threshold,
    certificate: {...learned, expectedF1}
  }
}

function calibrateConcept(sample: ConceptSample, facts: AnchorFacts, slope: number, firedShare: number) {
  const {others, scores, weights} = sample
  const whereSilent = others.map((o, d) => o + facts.silent + slope * scores[d])
  const whereFired = scores.map(score => logit(facts.precision) + firedShare * slope * score)
  const silentShift = matchMean(
    whereSilent,
    weights.map((w, d) => (sample.fired[d] ? 0 : w)),
    facts.missed
  )
  const firedShift = matchMean(
    whereFired,
    weights.map((w, d) => (sample.fired[d] ? w : 0)),
    facts.precision
  )
  return {
    silent: facts.silent + silentShift,
    fired: logit(facts.precision) + firedShift,
    probabilities: others.map((_, d) =>
      sigmoid(sample.fired[d] ? whereFired[d] + firedShift : whereSilent[d] + silentShift)
    )
  }
}

function checkParts({lexicon}: Counts, {prevalence}: NoiseRates, corpus: Corpus | undefined): void {
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  if (prevalence.length !== m)
    throw new AdfaError('mismatch', `learnLogOdds needs rates of all ${m} anchors counted; got ${prevalence.length}`)
  if (corpus === undefined) return
  const {anchors, words} = corpus.lexicon
  if (anchors.length !== m || words.length !== n || words.some((word, j) => word !== lexicon.words[j]))
    throw new AdfaError(
      'mismatch',
      `learnLogOdds needs documents read by the lexicon of the counts (${m} concepts, ${n} words); got ${anchors.length} concepts, ${words.length} words; read them with encodeCorpus`
    )
  if (corpus.documents.length === 0)
    throw new AdfaError(
      'bad-document',
      'learnLogOdds got no document to learn from; give some, or leave the corpus out'
    )
}
