import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {Corpus, Lexicon} from '../../read/data/index.ts'
import {corpusRows} from '../classifier/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {calibrateWeights, type LearnedWords} from './calibrate-weights.ts'
import {type CompanyReader, createCompanyReader, learnCompany} from './company.ts'
import {type ConceptSample, countSamples, documentSamples, tableSamples} from './concept-sample.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {
  addScores,
  heldOutScores,
  type ScoredDocuments,
  weightsFromDocuments,
  wordFields
} from './weights-from-documents.ts'
import {wordDirections} from './word-directions.ts'
import {anchorLogLikelihood, likeliestStrengths} from './word-strength.ts'
import {checkWordWeightOptions, type WordWeightOptions} from './word-weight-options.ts'
import {learnWordLength, lengthFactor, type WordLength, type WordWeights} from './word-weights.ts'

export interface WordWeightControl {
  /** Called after each logistic regression on documents, two per concept. */
  readonly onProgress?: (done: number, all: number) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Word weights for predicting: log-odds that add up, in place of noisy-or links (docs/words.md).
 *
 * Weights come from the counts ({@link weightsFromCounts}). Documents, if given (all, or a sample), refine them with the
 * anchors as labels ({@link weightsFromDocuments}), sharing evidence between words that occur together
 * ({@link wordDirections}); held-out documents set the slope of each field by how well its words predict anchors. The
 * constants of each concept make its mean probability right where its anchor fired and where it did not
 * ({@link calibrateWeights}). Tags are not read.
 * Cost: from counts alone O(patterns m words); from documents 2 m logistic regressions of a few steps.
 */
export function learnWordWeights(
  counts: Counts,
  rates: NoiseRates,
  corpus: Corpus | undefined,
  options?: Partial<WordWeightOptions>,
  control?: WordWeightControl
): WordWeights {
  const checked = checkWordWeightOptions(options)
  checkParts(counts, rates, corpus)
  const company = learnCompany(counts, rates, checked.companyShare)
  const reader = createCompanyReader(company)
  const length = learnWordLength(counts, checked.lengthPower)
  const {weights, samples, ...learned} =
    corpus === undefined
      ? fromCounts(counts, rates, {company: reader, length, options: checked})
      : fromDocuments(counts, rates, {corpus, company: reader, length, options: checked, control})
  return calibrateWeights(samples, rates, {weights, company, length, firedShare: checked.firedShare, ...learned})
}

/** Reports progress and throws when cancelled; called after each of `all` parts. */
function progressReporter(all: number, {onProgress, signal}: WordWeightControl = {}): () => void {
  let done = 0
  return () => {
    throwIfCancelled(signal)
    onProgress?.(++done, all)
  }
}

interface Given {
  readonly company: CompanyReader
  readonly length: WordLength
  readonly options: WordWeightOptions
}

/** Weights before the slope, samples to set the constants by, and the slope. */
interface Learned extends Omit<LearnedWords, 'company' | 'length' | 'firedShare'> {
  readonly samples: readonly ConceptSample[]
}

function fromCounts(counts: Counts, rates: NoiseRates, {company, length, options}: Given): Learned {
  const weights = weightsFromCounts(counts, rates.prevalence, options)
  return {
    weights,
    samples:
      counts.tables === undefined
        ? countSamples(counts, company, weights, count => lengthFactor(length, count))
        : tableSamples(counts, company, weights),
    source: 'counts',
    documents: counts.documentCount,
    slope: Math.min(1, options.slopeLimit),
    likeliestSlope: undefined,
    anchorGain: undefined
  }
}

function fromDocuments(
  counts: Counts,
  rates: NoiseRates,
  given: Given & {readonly corpus: Corpus; readonly control: WordWeightControl | undefined}
): Learned {
  const {corpus, company, length, control} = given
  const {documents, lexicon} = corpus
  const m = lexicon.anchors.length
  const factorOf = (count: number) => lengthFactor(length, count)
  const {stepLimit, kinCount, kinSpread} = given.options
  // Labels are not used, so that held-out documents may take part.
  const directions = wordDirections(corpusRows(corpus, {anchors: 'hidden'}), stepLimit > 0 ? kinCount : 0, kinSpread)
  const options = {...given.options, directions, factorOf, onConcept: progressReporter(2 * m, control)}
  const held = heldOutScores(corpus, rates.prevalence, options)
  const strength = held && heldOutStrength(held, rates, company)
  const centre = weightsFromCounts(counts, rates.prevalence, options)
  const weights = scaleFields(weightsFromDocuments(corpus, centre, options), lexicon, strength?.fieldShares)
  const scores = new Float64Array(m)
  return {
    weights,
    samples: documentSamples(documents, m, company, ({words}) => {
      scores.fill(0)
      addScores(weights, words, scores, factorOf(words.length))
      return scores
    }),
    source: 'documents',
    documents: documents.length,
    slope: strength
      ? Math.min(options.slopeLimit, options.slopeShare * strength.likeliestSlope)
      : Math.min(1, options.slopeLimit),
    likeliestSlope: strength?.likeliestSlope,
    anchorGain: strength?.anchorGain
  }
}

/** The slopes that best predict held-out anchors: the largest of any field, and each field's share of it. */
function heldOutStrength({documents, scores}: ScoredDocuments, rates: NoiseRates, company: CompanyReader) {
  const m = rates.prevalence.length
  const fields = scores.map(own => documentSamples(documents, m, company, (_, d) => own.subarray(d * m, (d + 1) * m)))
  const strengths = likeliestStrengths(fields, rates)
  const strongest = Math.max(...strengths)
  const scaled = fields[0].map((sample, i) => ({
    ...sample,
    scores: sample.scores.map((_, d) =>
      fields.reduce((sum, samples, f) => sum + strengths[f] * samples[i].scores[d], 0)
    )
  }))
  const gain = anchorLogLikelihood(scaled, rates, 1) - anchorLogLikelihood(scaled, rates, 0)
  return {
    likeliestSlope: strongest,
    fieldShares: strengths.map(strength => (strongest > 0 ? strength / strongest : 1)),
    anchorGain: gain / documents.length
  }
}

/** The weights of each word times the share of its field. */
function scaleFields(weights: Float64Array, lexicon: Lexicon, shares: readonly number[] | undefined): Float64Array {
  if (shares === undefined) return weights
  const {of} = wordFields(lexicon)
  return weights.map((weight, at) => shares[of[at % of.length]] * weight)
}

function checkParts({lexicon}: Counts, {prevalence}: NoiseRates, corpus: Corpus | undefined): void {
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  if (prevalence.length !== m)
    throw new AdfaError('mismatch', `learnWordWeights needs rates for all ${m} anchors; got ${prevalence.length}`)
  if (corpus === undefined) return
  const {anchors, words} = corpus.lexicon
  if (anchors.length !== m || words.length !== n || words.some((word, j) => word !== lexicon.words[j]))
    throw new AdfaError(
      'mismatch',
      `learnWordWeights needs documents read by the lexicon of the counts (${m} concepts, ${n} words); got ${anchors.length} concepts, ${words.length} words; read them with encodeCorpus`
    )
  if (corpus.documents.length === 0)
    throw new AdfaError('bad-document', 'learnWordWeights got an empty corpus; add documents, or leave the corpus out')
}
