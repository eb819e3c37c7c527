import {corpusRows} from '../classifier/index.ts'
import {countCorpus} from '../counts/index.ts'
import type {Corpus} from '../data/index.ts'
import {hashShare} from '../numeric/index.ts'
import {pulledLogistic} from './pulled-logistic.ts'
import {wordWeights} from './word-weights.ts'

export interface AnchorWordOptions {
  /** How far the documents may move a weight from what the counts say of it: the variance of a normal prior. */
  readonly priorVariance: number
  readonly stepLimit: number
  readonly wordShare: number
  readonly sigmas: number
  /** Called after each concept. */
  readonly onConcept?: () => void
}

/**
 * The words' weights for every concept, cell `i*n + j`: logistic regression with the anchor as label, pulled to
 * `centre`. Documents with `used` 0 are left out.
 */
export function anchorWords(
  corpus: Corpus,
  centre: Float64Array,
  used: Uint8Array,
  {priorVariance, stepLimit, onConcept}: AnchorWordOptions
): Float64Array {
  const m = corpus.lexicon.anchors.length
  const n = corpus.lexicon.words.length
  const rows = corpusRows(corpus, {anchors: 'hidden'})
  const weights = new Float64Array(m * n)
  const labels = new Uint8Array(rows.rowCount)
  for (let i = 0; i < m; i++) {
    corpus.documents.forEach(({evidence}, d) => {
      labels[d] = evidence.anchors.includes(i) ? 1 : 0
    })
    const own = centre.subarray(i * n, (i + 1) * n)
    weights.set(pulledLogistic({rows, labels, used, centre: own, ridge: 1 / priorVariance, stepLimit}), i * n)
    onConcept?.()
  }
  return weights
}

/**
 * The words' score of every document for every concept, cell `d*m + i`, by weights that did not see the document.
 * Documents go into `folds` parts by the hash of their key, so that their order does not matter.
 */
export function heldOutScores(
  corpus: Corpus,
  prevalence: ArrayLike<number>,
  {folds, seed, ...options}: AnchorWordOptions & {readonly folds: number; readonly seed: number}
): Float64Array {
  const m = corpus.lexicon.anchors.length
  const part = corpus.documents.map(({key}) => Math.floor(folds * hashShare(key, seed)))
  const scores = new Float64Array(m * corpus.documents.length)
  for (let fold = 0; fold < folds; fold++) {
    const documents = corpus.documents.filter((_, d) => part[d] !== fold)
    if (documents.length === 0) continue
    const centre = wordWeights(countCorpus({lexicon: corpus.lexicon, documents}), prevalence, options)
    const weights = anchorWords(
      corpus,
      centre,
      Uint8Array.from(part, own => (own === fold ? 0 : 1)),
      options
    )
    corpus.documents.forEach(({evidence}, d) => {
      if (part[d] === fold) addScores(weights, evidence.words, scores.subarray(d * m, (d + 1) * m))
    })
  }
  return scores
}

/** out_i += the weights of `words` for concept i. */
export function addScores(weights: Float64Array, words: readonly number[], out: Float64Array): void {
  const n = weights.length / out.length
  for (let i = 0; i < out.length; i++) for (const j of words) out[i] += weights[i * n + j]
}
