import {hashShare} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument, Lexicon} from '../../read/data/index.ts'
import {corpusRows} from '../classifier/index.ts'
import {shrunkenLogistic} from './shrunken-logistic.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import type {WordDirections} from './word-directions.ts'
import type {WordWeightOptions} from './word-weight-options.ts'

interface DocumentWeightOptions
  extends Pick<WordWeightOptions, 'priorVariance' | 'stepLimit' | 'wordShare' | 'sigmas'> {
  /** Directions of words that occur together, learned beside the words. */
  readonly directions: WordDirections
  /** The factor of word weights in a document of so many words. */
  readonly factorOf: (count: number) => number
  /** Called after each concept. */
  readonly onConcept?: () => void
}

/** Word weights, cell `i*n + j`: logistic regression with the anchor as label, shrunk towards `centre`. */
export function weightsFromDocuments(
  corpus: Corpus,
  centre: Float64Array,
  {priorVariance, stepLimit, directions, onConcept}: DocumentWeightOptions
): Float64Array {
  const m = corpus.lexicon.anchors.length
  const n = corpus.lexicon.words.length
  const rows = corpusRows(corpus, {anchors: 'hidden'})
  const labels = Array.from({length: m}, () => new Uint8Array(rows.rowCount))
  corpus.documents.forEach(({anchors}, d) => {
    for (const i of anchors) labels[i][d] = 1
  })
  const centres = labels.map((_, i) => centre.subarray(i * n, (i + 1) * n))
  const found = shrunkenLogistic({
    rows,
    labels,
    centres,
    ridge: 1 / priorVariance,
    stepLimit,
    directions,
    onSolved: onConcept
  })
  const weights = new Float64Array(m * n)
  found.forEach((own, i) => {
    weights.set(own, i * n)
  })
  return weights
}

/** Documents, and for each field the score of its words for every concept, cell `d*m + i`. */
export interface ScoredDocuments {
  readonly documents: readonly CorpusDocument[]
  readonly scores: readonly Float64Array[]
}

/**
 * A share of the documents, scored by weights learned from the others. The hash of the key decides which are held out, so
 * that their order does not matter. Undefined when there are too few documents for both parts.
 */
export function heldOutScores(
  {lexicon, documents}: Corpus,
  prevalence: ArrayLike<number>,
  {heldOut, seed, ...options}: DocumentWeightOptions & {readonly heldOut: number; readonly seed: number}
): ScoredDocuments | undefined {
  const m = lexicon.anchors.length
  const isHeld = ({key}: CorpusDocument) => hashShare(key, seed) < heldOut
  const held = documents.filter(isHeld)
  const rest = {lexicon, documents: documents.filter(document => !isHeld(document))}
  if (held.length === 0 || rest.documents.length === 0 || lexicon.words.length === 0) return undefined
  const weights = weightsFromDocuments(rest, weightsFromCounts(countCorpus(rest), prevalence, options), options)
  const fields = wordFields(lexicon)
  const scores = Array.from({length: fields.count}, (_, field) => {
    const own = new Float64Array(m * held.length)
    held.forEach((document, d) => {
      const words = document.words.filter(j => fields.of[j] === field)
      addScores(weights, words, own.subarray(d * m, (d + 1) * m), options.factorOf(document.words.length))
    })
    return own
  })
  return {documents: held, scores}
}

/** out_i += `factor` times the weights of `words` for concept i. */
export function addScores(weights: Float64Array, words: readonly number[], out: Float64Array, factor = 1): void {
  const n = weights.length / out.length
  for (let i = 0; i < out.length; i++) for (const j of words) out[i] += factor * weights[i * n + j]
}

/** The field of each word, numbered over the fields that have words; words of no text field (`features`) form one more. */
export function wordFields({words, text}: Pick<Lexicon, 'words' | 'text'>): {of: Uint8Array; count: number} {
  const found = words.map(word => text.fields.findIndex(field => word.startsWith(`${field}:`)))
  const used = [...new Set(found)].sort((one, other) => one - other)
  return {of: Uint8Array.from(found, field => used.indexOf(field)), count: used.length}
}
