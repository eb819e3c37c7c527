/**
 * Learns the word weights that the default predicts by. The paper's noisy-or links take every word of a text as independent evidence,
 * and so outvote the anchors.
 */

import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {Network} from '../../base/network/index.ts'
import {type Counts, memberTotals} from '../../read/counts/index.ts'
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
import {documentSample, drawSample, trainingDocuments} from './word-sample.ts'
import {documentScale, learnScale, MIN_SHOWN_WEIGHT, type WordScale, type WordWeights} from './word-weights.ts'

/** Smaller weights become 0, which keeps model files of 50 concepts below 3 MB. */
const MIN_WEIGHT = 0.01

export interface WordWeightControl {
  /** Called after each set of logistic regressions on documents. */
  readonly onProgress?: (progress: {readonly steps: number; readonly share: number}) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Learns word weights for predicting (docs/words.md).
 *
 * From documents (all, or a sample) weights are learned by logistic regression with the anchors as labels, and with
 * given labels ({@link regressWords}); without documents, from the counts alone ({@link weightsFromCounts}). Then the weights of
 * members and votes are learned ({@link learnEvidence}), and the constants of each concept are set so that its mean probability
 * over held-out documents is right where its anchor fired and where it did not ({@link calibrate}). `seed` decides which
 * documents are held out.
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
  const corpus = given && trainingDocuments(counts, given.documents)
  const {lexicon} = counts
  const groups = counts.tables === undefined ? voteGroups(lexicon.anchors) : []
  const votes = groups.map(group => fitVotes(group, votedDocuments(counts, group)).weights)
  const scale = learnScale(counts)
  const {sample, ...words} =
    corpus === undefined
      ? wordsFromCounts(counts, rates, votes, network, seed)
      : wordsFromDocuments(rates, votes, corpus, {scale, seed, control})
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

/** Learns weights from counts, a row per concept, and draws documents with the scores of their words. */
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

/** Learns weights and their standard errors from documents, and scores held-out documents. */
function wordsFromDocuments(
  rates: NoiseRates,
  votes: readonly VoteWeights[],
  {lexicon, documents}: Corpus,
  {scale, seed, control}: {scale: WordScale; seed: number; control: WordWeightControl}
) {
  const corpus = votedCorpus({lexicon, documents}, rates, votes)
  const all = 1 + foldCount(corpus.documents.length)
  let steps = 0
  const onSolved = () => {
    throwIfCancelled(control.signal)
    steps++
    control.onProgress?.({steps, share: steps / all})
  }
  const task = {prevalence: rates.prevalence, scale, classes: classesOf(lexicon), onSolved}
  const held = heldOutScores(corpus, task, seed)
  const {weights, errors} = regressWords(corpus, task)
  // Votes replace anchors in the regressions only: the sample has the documents with their own anchors.
  const byKey = new Map(documents.map(document => [document.key, document]))
  const scored = held?.documents.map(document => byKey.get(document.key) ?? document) ?? documents
  const scores = held?.scores ?? scoreDocuments({lexicon, documents}, weights, scale)
  const rounded = weights.map(row =>
    Array.from(row, weight => (Math.abs(weight) < MIN_WEIGHT ? 0 : Number(weight.toFixed(3))))
  )
  const shownError = (error: number, weight: number) =>
    Math.abs(weight) < MIN_SHOWN_WEIGHT ? 0 : Number(error.toPrecision(2))
  return {
    weights: rounded,
    errors: errors().map((row, i) => Array.from(row, (error, j) => shownError(error, rounded[i][j]))),
    sample: documentSample({lexicon, documents: scored}, scores)
  }
}
