import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Network} from '../../base/network/index.ts'
import {type Counts, memberTotals} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups} from '../../read/data/index.ts'
import {corpusRows} from '../classifier/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {
  correctClasses,
  fitVotes,
  type VoteWeights,
  votedCorpus,
  votedCounts,
  votedDocuments,
  voteGroups
} from '../votes/index.ts'
import {calibrateWeights} from './calibrate-weights.ts'
import {countErrors, weightsFromCounts} from './weights-from-counts.ts'
import {
  addScores,
  foldCount,
  heldOutScores,
  type ScoredDocuments,
  weightsFromDocuments,
  wordFields
} from './weights-from-documents.ts'
import {wordDirections} from './word-directions.ts'
import {countSample, documentSample, tableSample} from './word-sample.ts'
import {conceptSamples, likeliestStrengths} from './word-strength.ts'
import {checkWordWeightOptions, type WordWeightOptions} from './word-weight-options.ts'
import {learnWordLength, lengthFactor, type WordWeights} from './word-weights.ts'

export interface WordWeightControl {
  /** Called after each logistic regression on documents. */
  readonly onProgress?: (done: number, all: number) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Word weights for predicting: log-odds that add up, in place of noisy-or links (docs/words.md).
 *
 * Weights come from the counts ({@link weightsFromCounts}). Documents, if given (all, or a sample), refine them with the
 * anchors as labels ({@link weightsFromDocuments}), sharing evidence between words that occur together
 * ({@link wordDirections}); with several fields, held-out documents set the share of each by how well its words predict
 * anchors. The constants of each concept make its mean probability over held-out documents right where its anchor fired
 * and where it did not ({@link calibrateWeights}). Tags are not read.
 * Cost: from counts alone O(m n + sample m (words + m)); from documents m logistic regressions of a few steps, and as many
 * again for each fold held out.
 */
export function learnWordWeights(
  counts: Counts,
  rates: NoiseRates,
  network: Network,
  corpus: Corpus | undefined,
  options?: Partial<WordWeightOptions>,
  control?: WordWeightControl
): WordWeights {
  const checked = checkWordWeightOptions(options)
  checkParts(counts, rates, corpus)
  const {firedShare, seed} = checked
  const classes = new Set(exclusiveGroups(counts.lexicon.anchors).flatMap(({concepts}) => concepts))
  const groups = counts.tables === undefined ? voteGroups(counts.lexicon.anchors) : []
  const votes = groups.map(group => fitVotes(group, votedDocuments(counts, group)).weights)
  const length = learnWordLength(counts, checked.lengthPower)
  const factorOf = (count: number) => lengthFactor(length, count)
  if (corpus !== undefined) {
    const {sample, ...found} = fromDocuments(counts, rates, {corpus, votes, factorOf, options: checked, control})
    const learned = {
      ...found,
      length,
      firedShare,
      classes,
      groups,
      votes,
      source: 'documents' as const,
      documents: corpus.documents.length
    }
    const weighed = correctClasses(calibrateWeights(sample, network, rates, learned), rates, groups, corpus, words =>
      factorOf(words.length)
    )
    return withMemberDocuments(weighed, counts)
  }
  const weights = weightsFromCounts(votedCounts(counts, rates, votes), rates.prevalence, checked)
  const sample =
    counts.tables === undefined
      ? countSample(counts, weights, factorOf, seed)
      : tableSample(counts, rates, network, weights, seed)
  const facts = {source: 'counts' as const, documents: counts.documentCount}
  const learned = {weights, length, firedShare, classes, groups, votes, ...facts}
  return withMemberDocuments(calibrateWeights(sample, network, rates, learned), counts)
}

function withMemberDocuments(wordModel: WordWeights, counts: Counts): WordWeights {
  if (wordModel.members === undefined) return wordModel
  const memberDocuments = memberTotals(counts)
  return {...wordModel, certificate: {...wordModel.certificate, memberDocuments}}
}

/** Reports progress and throws when cancelled; called after each of `all` parts. */
function progressReporter(all: number, {onProgress, signal}: WordWeightControl = {}): () => void {
  let done = 0
  return () => {
    throwIfCancelled(signal)
    onProgress?.(++done, all)
  }
}

interface DocumentTask {
  readonly corpus: Corpus
  /** The votes of groups, by the counts. */
  readonly votes: readonly VoteWeights[]
  readonly factorOf: (count: number) => number
  readonly options: WordWeightOptions
  readonly control: WordWeightControl | undefined
}

function fromDocuments(counts: Counts, rates: NoiseRates, {factorOf, control, ...task}: DocumentTask) {
  // The order of the documents decides that of the sums: sorted, it does not matter.
  const whole = {...task.corpus, documents: task.corpus.documents.toSorted((a, b) => (a.key < b.key ? -1 : 1))}
  const corpus = votedCorpus(whole, rates, task.votes)
  const voted = corpus === whole ? counts : votedCounts(counts, rates, task.votes)
  const {stepLimit, kinCount, kinSpread} = task.options
  const m = rates.prevalence.length
  const fields = wordFields(corpus.lexicon)
  // Labels are not used, so that held-out documents may take part.
  const directions = wordDirections(corpusRows(corpus, {anchors: 'hidden'}), stepLimit > 0 ? kinCount : 0, kinSpread)
  const {documents} = corpus
  const onConcept = progressReporter((1 + foldCount(documents.length)) * m, control)
  const options = {...task.options, directions, factorOf, onConcept}
  const held = heldOutScores(corpus, rates.prevalence, options)
  const {weights, errors: given} = weightsFromDocuments(
    corpus,
    weightsFromCounts(voted, rates.prevalence, options),
    options
  )
  const errors = shownErrors(weights, given, countErrors(voted, rates.prevalence, options), options)
  if (held === undefined)
    return {
      weights,
      errors,
      sample: documentSample(whole, ({words}, out) => addScores(weights, words, out, factorOf(words.length)))
    }
  const shares = fields.count > 1 ? fieldShares(held, rates) : [1]
  const shared = (value: number, at: number) => shares[fields.of[at % fields.of.length]] * value
  // Constants are set by the anchors as they fired.
  const asRead = new Map(whole.documents.map(document => [document.key, document]))
  const documentsHeld = held.documents.map(document => asRead.get(document.key) ?? document)
  let d = 0
  const sample = documentSample({lexicon: corpus.lexicon, documents: documentsHeld}, (_, out) => {
    for (let i = 0; i < m; i++) out[i] = held.scores.reduce((sum, own, f) => sum + shares[f] * own[d * m + i], 0)
    d++
  })
  return {weights: weights.map(shared), errors: errors.map(shared), sample}
}

/** Lists for people leave out weights below 0.1, which move a probability by less than a fortieth. */
const LEAST_SHOWN = 0.1

/**
 * Standard errors of the weights that lists may show, 0 for the others: those of the regression, whose prior is given, and
 * that of its centre, of which the share ridge / second derivative remains in the weight.
 */
function shownErrors(
  weights: Float64Array,
  given: Float64Array,
  ofCentre: (at: number) => number,
  {priorVariance}: WordWeightOptions
): Float64Array {
  return weights.map((weight, at) => {
    if (Math.abs(weight) < LEAST_SHOWN) return 0
    const variance = given[at] ** 2
    return Math.sqrt(variance + ((variance / priorVariance) * ofCentre(at)) ** 2)
  })
}

/** How well the words of each field predict held-out anchors, as a share of the best field. */
function fieldShares({documents, scores}: ScoredDocuments, rates: NoiseRates): number[] {
  const m = rates.prevalence.length
  const strengths = likeliestStrengths(
    scores.map(own => conceptSamples(documents, own, m)),
    rates
  )
  const strongest = Math.max(...strengths)
  return strengths.map(strength => (strongest > 0 ? strength / strongest : 1))
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
