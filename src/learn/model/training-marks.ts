import {hashShare} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import type {Model} from './model.ts'

/**
 * Hashes of some of the documents that a model was learned from: they tell whether a later document is one of them. A hash covers
 * the key of a document and two of its words, so that another document with the same key usually has another hash.
 */
export interface TrainingMarks {
  /** The documents whose {@link sampleShare} is below this number are marked. */
  readonly share: number
  readonly documents: readonly number[]
  /** The hashes of every document whose labels were used to estimate rates; unset if there are too many. */
  readonly labelled?: readonly number[]
}

type MarkedDocument = Pick<CorpusDocument, 'key' | 'words'>

/** The most hashes in `documents`, and in `labelled`. Other limits would do as well; short lists keep files small. */
const MAX_MARKED = 256
const MAX_MARKED_LABELLED = 2000

/** Marks training documents. The corpus has all of them, or those of smallest {@link sampleShare} and every labelled one. */
export function trainingMarks({documents}: Corpus, labelledCount: number, seed: number): TrainingMarks {
  const byShare = documents
    .map(document => ({document, share: sampleShare(document.key, seed)}))
    .sort((a, b) => a.share - b.share)
  const firstUnmarked = byShare[MAX_MARKED]
  const labelled = documents.filter(({labels}) => labels !== undefined)
  const isListed = labelledCount > 0 && labelled.length >= labelledCount && labelled.length <= MAX_MARKED_LABELLED
  const marks = (some: readonly MarkedDocument[]) => some.map(markOf).sort((a, b) => a - b)
  return {
    share: firstUnmarked?.share ?? 1,
    documents: marks(byShare.slice(0, MAX_MARKED).map(({document}) => document)),
    ...(isListed && {labelled: marks(labelled)})
  }
}

/** Returns a hash of the key, uniform in [0, 1); the sample for word weights has the documents with the smallest hashes. */
export function sampleShare(key: string, seed: number): number {
  return hashShare(`sample ${key}`, seed)
}

/**
 * Hashes the key of a document together with two of its words: for each of two seeds, the word of smallest hash. Not all words
 * are hashed, since the mark should rarely change when the fit leaves out a concept, which changes a few words of its documents.
 */
function markOf({key, words}: MarkedDocument): number {
  const chosen = [1, 2].map(seed => {
    const hashes = words.map(word => hashShare(String(word), seed))
    return words[hashes.indexOf(Math.min(...hashes))]
  })
  return hashShare(JSON.stringify([key, ...chosen])) * 2 ** 32
}

/** Returns functions that tell which documents a model was learned from, as far as its marks show. */
export function trainingCheck({certificate, seed}: Pick<Model, 'certificate' | 'seed'>) {
  const {training, noise} = certificate as {training?: TrainingMarks; noise?: {labelledCount?: number}}
  const documents = new Set(training?.documents)
  const labelled = training?.labelled && new Set(training.labelled)
  return {
    /** Says whether the model was learned from this document; undefined if its hashes do not cover the document. */
    wasRead: (document: MarkedDocument): boolean | undefined =>
      sampleShare(document.key, seed) < (training?.share ?? 0) ? documents.has(markOf(document)) : undefined,
    /** Says whether the rates were estimated from labels of this document; undefined if the model does not tell. */
    wasLabelled: (document: MarkedDocument): boolean | undefined =>
      noise?.labelledCount === 0 ? false : labelled?.has(markOf(document))
  }
}
