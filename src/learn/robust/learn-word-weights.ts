/**
 * What the default predicts by: word weights, log-odds that add up, in place of the noisy-or links of the paper, which count every
 * word of a text as evidence of its own and so outvote the anchors.
 */

import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Network} from '../../base/network/index.ts'
import {type Counts, isLabelled, memberTotals} from '../../read/counts/index.ts'
import type {Corpus} from '../../read/data/index.ts'
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
import {calibrate} from './calibrate.ts'
import {anchorFacts, classesOf, learnEvidence} from './evidence.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {foldCount, heldOutScores, regressWords, scoreDocuments} from './word-regression.ts'
import {documentSample, drawSample} from './word-sample.ts'
import {documentScale, learnScale, type WordScale, type WordWeights} from './word-weights.ts'

/** Weights below this become 0, which keeps model files of 50 concepts below 3 MB. */
const MIN_WEIGHT = 0.01
/** Lists for people leave out weights below this, which move a probability by less than a fortieth. */
const MIN_SHOWN = 0.1

export interface WordWeightControl {
  /** Called after each set of logistic regressions on documents. */
  readonly onProgress?: (progress: {readonly steps: number; readonly share: number}) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Learns word weights for predicting (docs/words.md).
 *
 * From documents (all, or a sample) weights are learned by logistic regression with the anchors as labels, and with
 * given labels ({@link regressWords}); without documents, from the counts alone ({@link weightsFromCounts}). Then
 * members and votes are weighed beside the words ({@link learnEvidence}), and the constants of each concept make its mean
 * probability over held-out documents right where its anchor fired and where it did not ({@link calibrate}). `seed` decides
 * which documents are held out.
 * Cost: from counts alone O(m n + sample m (words + m)); from documents m logistic regressions of a few steps, and as many
 * again for each fold held out.
 */
export function learnWordWeights(
  counts: Counts,
  rates: NoiseRates,
  network: Network,
  given: Corpus | undefined,
  seed = 0,
  control: WordWeightControl = {}
): WordWeights {
  if (given?.documents.length === 0)
    throw new AdfaError('bad-document', 'learnWordWeights got an empty corpus; add documents, or leave the corpus out')
  // Rounding of sums depends on the order of the documents, so they are sorted by key.
  const corpus = given && {...given, documents: given.documents.toSorted((a, b) => (a.key < b.key ? -1 : 1))}
  const {lexicon} = counts
  const groups = counts.tables === undefined ? voteGroups(lexicon.anchors) : []
  const votes = groups.map(group => fitVotes(group, votedDocuments(counts, group)).weights)
  const scale = learnScale(counts)
  const {sample, ...words} =
    corpus === undefined
      ? wordsFromCounts(counts, rates, votes, network, seed)
      : wordsFromDocuments(counts, rates, votes, corpus, {scale, seed, control})
  const isFromDocuments = corpus !== undefined
  const {model, memberPrecisions, evidence} = learnEvidence(sample, {lexicon, rates, groups, votes, isFromDocuments})
  const {silent, fired, hidden, threshold, ...matched} = calibrate(evidence, network, anchorFacts(rates))
  const wordModel: WordWeights = {
    kind: 'weights',
    ...words,
    scale,
    silent,
    fired,
    hidden,
    threshold,
    ...(matched.unsettled !== undefined && {isAlone: true}),
    ...model,
    certificate: {
      source: isFromDocuments ? 'documents' : 'counts',
      documents: isFromDocuments ? corpus.documents.length : counts.documentCount,
      ...matched,
      ...(memberPrecisions && {memberPrecisions, memberDocuments: memberTotals(counts)})
    }
  }
  if (corpus === undefined) return wordModel
  return correctClasses(wordModel, rates, groups, corpus, list => documentScale(scale, list))
}

/** Learns weights, a row per concept, and draws documents with the scores of their words. */
function wordsFromCounts(
  counts: Counts,
  rates: NoiseRates,
  votes: readonly VoteWeights[],
  network: Network,
  seed: number
) {
  const n = counts.lexicon.words.length
  const weights = weightsFromCounts(votedCounts(counts, rates, votes), rates.prevalence)
  const rows = Array.from(rates.prevalence, (_, i) => Array.from(weights.subarray(i * n, (i + 1) * n)))
  return {weights: rows, sample: drawSample(counts, rates, network, weights, seed)}
}

/** Learns weights and their standard errors, and scores held-out documents by them. */
function wordsFromDocuments(
  counts: Counts,
  rates: NoiseRates,
  votes: readonly VoteWeights[],
  given: Corpus,
  {scale, seed, control}: {scale: WordScale; seed: number; control: WordWeightControl}
) {
  // Tags that were not asked for are not used.
  const documents = given.documents.map(document =>
    isLabelled(counts, document.key) ? document : {...document, labels: undefined}
  )
  const corpus = votedCorpus({...given, documents}, rates, votes)
  const all = 1 + foldCount(corpus.documents.length)
  let steps = 0
  const onSolved = () => {
    throwIfCancelled(control.signal)
    steps++
    control.onProgress?.({steps, share: steps / all})
  }
  const task = {prevalence: rates.prevalence, scale, classes: classesOf(counts.lexicon), onSolved}
  const held = heldOutScores(corpus, task, seed)
  const {weights, errors} = regressWords(corpus, task)
  // Evidence is learned from the anchors as they fired.
  const asRead = new Map(documents.map(document => [document.key, document]))
  const scored = held?.documents.map(document => asRead.get(document.key) ?? document) ?? documents
  const scores = held?.scores ?? scoreDocuments({...given, documents}, weights, scale)
  const rounded = weights.map(row =>
    Array.from(row, weight => (Math.abs(weight) < MIN_WEIGHT ? 0 : Number(weight.toFixed(3))))
  )
  const shownError = (error: number, weight: number) =>
    Math.abs(weight) < MIN_SHOWN ? 0 : Number(error.toPrecision(2))
  return {
    weights: rounded,
    errors: errors().map((row, i) => Array.from(row, (error, j) => shownError(error, rounded[i][j]))),
    sample: documentSample({...given, documents: scored}, scores)
  }
}
