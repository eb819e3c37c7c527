import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Network} from '../../base/network/index.ts'
import {type Counts, isLabelled, memberTotals} from '../../read/counts/index.ts'
import {type Corpus, exclusiveGroups} from '../../read/data/index.ts'
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
import {calibrateWeights} from './calibrate.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {foldCount, heldOutScores, regressWords, scoreDocuments} from './word-regression.ts'
import {countSample, documentSample, tableSample} from './word-sample.ts'
import {documentScale, learnScale, type WordScale, type WordWeights} from './word-weights.ts'

export interface WordWeightControl {
  /** Called after each set of logistic regressions on documents. */
  readonly onProgress?: (progress: {readonly steps: number; readonly share: number}) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Word weights for predicting: log-odds that add up, in place of noisy-or links (docs/words.md).
 *
 * From documents (all, or a sample) weights are learned by logistic regression with the anchors as labels, and with the
 * labels there are ({@link regressWords}); without documents, from the counts alone ({@link weightsFromCounts}). The
 * constants of each concept make its mean probability over held-out documents right where its anchor fired and where it did
 * not ({@link calibrateWeights}). `seed` decides which documents are held out.
 * Cost: from counts alone O(m n + sample m (words + m)); from documents m logistic regressions of a few steps, and as many
 * again for each fold held out.
 */
export function learnWordWeights(
  counts: Counts,
  rates: NoiseRates,
  network: Network,
  corpus: Corpus | undefined,
  seed = 0,
  control?: WordWeightControl
): WordWeights {
  checkParts(counts, rates, corpus)
  const classes = new Set(exclusiveGroups(counts.lexicon.anchors).flatMap(({concepts}) => concepts))
  const groups = counts.tables === undefined ? voteGroups(counts.lexicon.anchors) : []
  const votes = groups.map(group => fitVotes(group, votedDocuments(counts, group)).weights)
  const scale = learnScale(counts)
  const shared = {scale, classes, groups, votes}
  if (corpus !== undefined) {
    // Tags that were not asked for are not used.
    const documents = corpus.documents.map(document =>
      isLabelled(counts, document.key) ? document : {...document, labels: undefined}
    )
    const {sample, ...found} = fromDocuments(rates, {
      corpus: {...corpus, documents},
      votes,
      scale,
      classes,
      seed,
      control
    })
    const learned = {...found, ...shared, source: 'documents' as const, documents: corpus.documents.length}
    const weighed = correctClasses(calibrateWeights(sample, network, rates, learned), rates, groups, corpus, words =>
      documentScale(scale, words)
    )
    return withMemberDocuments(weighed, counts)
  }
  const weights = weightsFromCounts(votedCounts(counts, rates, votes), rates.prevalence)
  const sample =
    counts.tables === undefined
      ? countSample(counts, weights, scale, seed)
      : tableSample(counts, rates, network, weights, seed)
  const n = counts.lexicon.words.length
  const rows = Array.from(rates.prevalence, (_, i) => Array.from(weights.subarray(i * n, (i + 1) * n)))
  const learned = {...shared, weights: rows, source: 'counts' as const, documents: counts.documentCount}
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
    done++
    onProgress?.({steps: done, share: done / all})
  }
}

interface DocumentTask {
  readonly corpus: Corpus
  /** The votes of groups, by the counts. */
  readonly votes: readonly VoteWeights[]
  readonly scale: WordScale
  readonly classes: ReadonlySet<number>
  readonly seed: number
  readonly control: WordWeightControl | undefined
}

function fromDocuments(rates: NoiseRates, {corpus: given, votes, scale, classes, seed, control}: DocumentTask) {
  // The order of the documents decides that of the sums: sorted, it does not matter.
  const whole = {...given, documents: given.documents.toSorted((a, b) => (a.key < b.key ? -1 : 1))}
  const corpus = votedCorpus(whole, rates, votes)
  const onSolved = progressReporter(1 + foldCount(corpus.documents.length), control)
  const task = {prevalence: rates.prevalence, scale, classes, onSolved}
  const held = heldOutScores(corpus, task, seed)
  const {weights, errors} = regressWords(corpus, task)
  // Constants are set by the anchors as they fired.
  const asRead = new Map(whole.documents.map(document => [document.key, document]))
  const documents = held?.documents.map(document => asRead.get(document.key) ?? document) ?? whole.documents
  const scores = held?.scores ?? scoreDocuments(whole, weights, scale)
  const rounded = weights.map(row => Array.from(row, roundedWeight))
  return {
    weights: rounded,
    errors: errors.map((row, i) => Array.from(row, (error, j) => shownError(error, rounded[i][j]))),
    sample: documentSample({lexicon: corpus.lexicon, documents}, scores)
  }
}

/** Three decimals, and 0 below a hundredth, which keeps model files of 50 concepts below 3 MB. */
function roundedWeight(weight: number): number {
  return Math.abs(weight) < LEAST_WEIGHT ? 0 : Number(weight.toFixed(3))
}

const LEAST_WEIGHT = 0.01
/** Lists for people leave out weights below 0.1, which move a probability by less than a fortieth. */
const LEAST_SHOWN = 0.1

/** The standard error of a weight that lists may show, to two digits; 0 for the others. */
function shownError(error: number, weight: number): number {
  return Math.abs(weight) < LEAST_SHOWN ? 0 : Number(error.toPrecision(2))
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
