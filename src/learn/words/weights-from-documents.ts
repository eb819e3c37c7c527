import {hashShare} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument, Lexicon} from '../../read/data/index.ts'
import {corpusRows} from '../classifier/index.ts'
import {shrunkenLogistic} from './shrunken-logistic.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import type {WordDirections} from './word-directions.ts'

interface DocumentWeightOptions {
  /** How far the documents may move a weight from what the counts say of it: the variance of a normal prior. */
  readonly priorVariance: number
  readonly stepLimit: number
  /** Directions of kindred words, learned beside the words. */
  readonly kin: WordDirections
  readonly wordShare: number
  readonly sigmas: number
  /** What each word of a document of so many words counts. */
  readonly factorOf: (count: number) => number
  /** Called after each concept. */
  readonly onConcept?: () => void
}

/**
 * The words' weights for every concept, cell `i*n + j`: logistic regression with the anchor as label, pulled to
 * `centre`.
 */
export function weightsFromDocuments(
  corpus: Corpus,
  centre: Float64Array,
  {priorVariance, stepLimit, kin, onConcept}: DocumentWeightOptions
): Float64Array {
  const m = corpus.lexicon.anchors.length
  const n = corpus.lexicon.words.length
  const rows = corpusRows(corpus, {anchors: 'hidden'})
  const labels = Array.from({length: m}, () => new Uint8Array(rows.rowCount))
  corpus.documents.forEach(({evidence}, d) => {
    for (const i of evidence.anchors) labels[i][d] = 1
  })
  const centres = labels.map((_, i) => centre.subarray(i * n, (i + 1) * n))
  const found = shrunkenLogistic({rows, labels, centres, ridge: 1 / priorVariance, stepLimit, kin, onSolved: onConcept})
  const weights = new Float64Array(m * n)
  found.forEach((own, i) => {
    weights.set(own, i * n)
  })
  return weights
}

/** Documents, and the score of the words of each field for every concept, cell `d*m + i` of the field's own list. */
export interface ScoredDocuments {
  readonly documents: readonly CorpusDocument[]
  readonly scores: readonly Float64Array[]
}

/**
 * A share of the documents, scored by weights that are learned from the others alone. Which ones is decided by the hash of their
 * key, so that their order does not matter. Undefined where documents are too few to have both.
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
    held.forEach(({evidence}, d) => {
      const words = evidence.words.filter(j => fields.of[j] === field)
      addScores(weights, words, own.subarray(d * m, (d + 1) * m), options.factorOf(evidence.words.length))
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

/**
 * The field that each word stands in, counted from 0 over the fields that have words; words that are in no text field
 * (`features`) are one more.
 */
export function wordFields({words, text}: Pick<Lexicon, 'words' | 'text'>): {of: Uint8Array; count: number} {
  const found = words.map(word => text.fields.findIndex(field => word.startsWith(`${field}:`)))
  const used = [...new Set(found)].sort((one, other) => one - other)
  return {of: Uint8Array.from(found, field => used.indexOf(field)), count: used.length}
}
