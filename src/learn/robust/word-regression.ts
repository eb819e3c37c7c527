/**
 * Learns word weights by logistic regression with the anchors as labels. The paper's noisy-or links describe how concepts cause
 * words one by one; a regression predicts a concept from all words of a document together.
 */

import {hashShare} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {corpusRows, fitLogistic, logOdds, type SparseRows} from '../classifier/index.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {documentScale, type WordScale} from './word-weights.ts'

// The constants were compared on eight corpora (research/quality/corpora.ts) by tags of documents outside every test split.

/**
 * The prior variance of the log-odds that a word of root mean square idf adds to a document of typical length. For documents
 * scaled to unit length the variance is 0.1 times the mean number of words: 0.7 for titles and 6 for pages. Half and twice this
 * lose up to .003 of last-tag accuracy and average precision; one variance of 1 or 3 for all corpora loses .003 to .006.
 */
const PRIOR_VARIANCE = 0.1
/** The most Newton steps: 5, 8 and 15 have the same figures (last-tag accuracy, average precision and F1 within .001). */
const STEP_LIMIT = 5
/**
 * The prior mean of a weight is this factor times the word's own log-odds from counts. Without prior means the last-tag accuracy
 * is .010 lower, with half the factor .006.
 */
const PRIOR_MEAN_FACTOR = 0.2
/** A concept needs this many labelled documents for a regression on its labels; {@link correctClasses} has the same bound. */
const MIN_LABELLED = 30
/** The prior variance of regressions on labels: 0.2 loses .008 of the last-tag accuracy with 200 labels, 1 gains .0005. */
const LABEL_VARIANCE = 0.5
/** The number of folds; with two, ranking is as good and the calibration error .0003 higher. */
const FOLDS = 3
/** Further folds are held out until all of them have about this many documents together. */
const ENOUGH_DOCUMENTS = 2000

export interface RegressionTask {
  readonly prevalence: ArrayLike<number>
  readonly scale: WordScale
  /** The classes of exclusive groups, which have no regression on labels: `correctClasses` corrects them. */
  readonly classes: ReadonlySet<number>
  /** Called after the regressions on one set of documents. */
  readonly onSolved?: () => void
}

/**
 * Learns word weights and their posterior standard errors, a row per concept, by ridge logistic regression with the concept's
 * anchor as label. The features are the words that occur, without anchors, weighted by idf and scaled to a common length:
 *
 *     x_dj = idf_j typical / sqrt(sum of idf^2 over the words of d)
 *
 * The prior of each weight is normal around its value from counts ({@link weightsFromCounts}), which decides the weight if an
 * anchor is rare. Where at least 30 documents are labelled for a concept, the weights of a regression on these labels, whose
 * prior is normal around 0, are added. A row holds idf_j times the weight of word j, which a document multiplies by
 * {@link documentScale}. Cost: two passes over the words of the documents for each step.
 */
export function regressWords(corpus: Corpus, task: RegressionTask) {
  const {lexicon, documents} = corpus
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const {prevalence, scale, classes} = task
  const centre = weightsFromCounts(countCorpus(corpus), prevalence, PRIOR_MEAN_FACTOR)
  const fired = Array.from({length: m}, () => new Uint8Array(documents.length))
  documents.forEach(({anchors}, d) => {
    for (const i of anchors) fired[i][d] = 1
  })
  const tasks = fired.map((labels, i) => ({labels, centre: centre.subarray(i * n, (i + 1) * n)}))
  const {weights, errors} = regress(documents, tasks, corpus, {scale, variance: PRIOR_VARIANCE})
  const labelled = documents.filter(({labels}) => labels?.some(label => label >= 0))
  const withLabels = [...fired.keys()].filter(i => {
    const own = labelled.filter(({labels}) => (labels?.[i] ?? -1) >= 0)
    return !classes.has(i) && own.length >= MIN_LABELLED
  })
  const byLabels = withLabels.map(i => ({labels: labelled.map(({labels}) => labels?.[i] ?? -1)}))
  const learned = regress(labelled, byLabels, corpus, {scale, variance: LABEL_VARIANCE})
  withLabels.forEach((i, at) => {
    for (let j = 0; j < n; j++) weights[i][j] += learned.weights[at][j]
  })
  task.onSolved?.()
  return {weights, errors}
}

/** Regresses labels, -1 if unknown, on words. If all known labels are equal, the weights and errors are those of the prior. */
function regress(
  documents: readonly CorpusDocument[],
  tasks: readonly {readonly labels: ArrayLike<number>; readonly centre?: Float64Array}[],
  {lexicon}: Corpus,
  {scale, variance}: {readonly scale: WordScale; readonly variance: number}
) {
  const rows = scaledRows({lexicon, documents}, scale)
  const ridge = Float64Array.from(scale.idf, idf => (idf > 0 ? scale.usualIdf ** 2 / (variance * idf ** 2) : 1))
  const excluded = [...scale.idf.keys()].filter(j => scale.idf[j] === 0)
  const found = tasks.map(({labels, centre = new Float64Array(ridge.length)}) => {
    const known = Float64Array.from(labels, label => (label < 0 ? 0 : 1))
    const values = new Set(Array.from(labels).filter(label => label >= 0))
    return values.size > 1
      ? fitLogistic(rows, labels, {ridge, centre, without: excluded, stepLimit: STEP_LIMIT, rowWeights: known})
      : {weights: centre.slice(), errors: () => ridge.map(value => 1 / Math.sqrt(value))}
  })
  return {weights: found.map(({weights}) => weights), errors: () => found.map(({errors}) => errors())}
}

function scaledRows(corpus: Corpus, scale: WordScale): SparseRows {
  const rows = corpusRows(corpus, 'hidden')
  return {...rows, scale: Float64Array.from(corpus.documents, ({words}) => documentScale(scale, words))}
}

/** Returns the log-odds that the words of document d add to concept i at `d*m + i`. */
export function scoreDocuments(corpus: Corpus, weights: readonly Float64Array[], scale: WordScale): Float64Array {
  const m = weights.length
  const rows = scaledRows(corpus, scale)
  const scores = new Float64Array(corpus.documents.length * m)
  weights.forEach((row, i) => {
    logOdds({weights: row, bias: 0}, rows).forEach((score, d) => {
      scores[d * m + i] = score
    })
  })
  return scores
}

/**
 * Returns held-out documents with their scores by weights learned from the others: weights fit their own documents too well for
 * constants to be set by these. The fold is a hash of the key, so the order of the documents does not matter. Returns undefined
 * if there are no words or if a fold is empty.
 */
export function heldOutScores({lexicon, documents}: Corpus, task: RegressionTask, seed: number) {
  const folds = documents.map(({key}) => Math.floor(FOLDS * hashShare(key, seed)))
  if (lexicon.words.length === 0 || new Set(folds).size < FOLDS) return undefined
  const parts = Array.from({length: foldCount(documents.length)}, (_, fold) => {
    const held = documents.filter((_, d) => folds[d] === fold)
    const {weights} = regressWords({lexicon, documents: documents.filter((_, d) => folds[d] !== fold)}, task)
    return {held, scores: scoreDocuments({lexicon, documents: held}, weights, task.scale)}
  })
  const scores = Float64Array.from(parts.flatMap(part => [...part.scores]))
  return {documents: parts.flatMap(({held}) => held), scores}
}

/** Returns the number of folds that {@link heldOutScores} holds out, each of which takes a set of regressions. */
export function foldCount(documents: number): number {
  return Math.min(FOLDS, Math.ceil((FOLDS * ENOUGH_DOCUMENTS) / Math.max(1, documents)))
}
