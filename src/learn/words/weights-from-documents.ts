import {hashShare} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {Corpus, CorpusDocument, Lexicon} from '../../read/data/index.ts'
import {corpusRows} from '../classifier/index.ts'
import {type ShrunkenWeights, shrunkenLogistic} from './shrunken-logistic.ts'
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

/**
 * Word weights and their standard errors, cell `i*n + j`: logistic regression with the anchor as label, shrunk towards
 * `centre`.
 */
export function weightsFromDocuments(
  corpus: Corpus,
  centre: Float64Array,
  {priorVariance, stepLimit, directions, onConcept}: DocumentWeightOptions
): ShrunkenWeights {
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
  const [weights, errors] = [new Float64Array(m * n), new Float64Array(m * n)]
  found.forEach((own, i) => {
    weights.set(own.weights, i * n)
    errors.set(own.errors, i * n)
  })
  return {weights, errors}
}

/** Documents, and for each field the score of its words for every concept, cell `d*m + i`. */
export interface ScoredDocuments {
  readonly documents: readonly CorpusDocument[]
  readonly scores: readonly Float64Array[]
}

const FOLDS = 3
/** Folds are held out, one after the other, until there are this many documents. */
const ENOUGH_DOCUMENTS = 2000

/**
 * Documents scored by weights learned from others: weights fit their own documents too well for constants to be set by
 * them. The hash of the key decides the fold, so that the order of the documents does not matter. Undefined without words
 * or with a fold that is empty.
 */
export function heldOutScores(
  {lexicon, documents}: Corpus,
  prevalence: ArrayLike<number>,
  {seed, ...options}: DocumentWeightOptions & {readonly seed: number}
): ScoredDocuments | undefined {
  const m = lexicon.anchors.length
  const fields = wordFields(lexicon)
  const folds = documents.map(({key}) => Math.floor(FOLDS * hashShare(key, seed)))
  if (lexicon.words.length === 0 || new Set(folds).size < FOLDS) return undefined
  const found: CorpusDocument[] = []
  const scores: number[][] = Array.from({length: fields.count}, () => [])
  for (let fold = 0; fold < FOLDS && found.length < ENOUGH_DOCUMENTS; fold++) {
    const held = documents.filter((_, d) => folds[d] === fold)
    const rest = {lexicon, documents: documents.filter((_, d) => folds[d] !== fold)}
    const {weights} = weightsFromDocuments(rest, weightsFromCounts(countCorpus(rest), prevalence, options), options)
    for (const document of held)
      for (const [field, own] of scores.entries()) {
        const words = document.words.filter(j => fields.of[j] === field)
        const sums = new Float64Array(m)
        addScores(weights, words, sums, options.factorOf(document.words.length))
        own.push(...sums)
      }
    found.push(...held)
  }
  return {documents: found, scores: scores.map(own => Float64Array.from(own))}
}

/** How many regressions {@link heldOutScores} runs per concept. */
export function foldCount(documents: number): number {
  return Math.min(FOLDS, Math.ceil(ENOUGH_DOCUMENTS / Math.max(1, documents / FOLDS)))
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
