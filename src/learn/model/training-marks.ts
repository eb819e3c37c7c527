import {hashShare} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import type {Model} from './model.ts'

/**
 * Hashes of some of the documents a model was learned from, which show whether a later document is one of them. Each covers
 * a document's key and some of its words, so that another document with the same id has, as a rule, another one.
 */
export interface TrainingMarks {
  /** The share of all documents, chosen by a hash of their keys, whose marks follow. */
  readonly share: number
  readonly documents: readonly number[]
  /** Every document whose labels the rates were estimated from; unset where there are too many. */
  readonly labelled?: readonly number[]
}

type MarkedDocument = Pick<CorpusDocument, 'key' | 'words'>

const MARKED_DOCUMENTS = 256
const MARKED_LABELS = 2000

/** Marks documents. `corpus` holds all training documents, or those whose {@link sampleShare} is smallest and every labelled one. */
export function trainingMarks({documents}: Corpus, labelledCount: number, seed: number): TrainingMarks {
  const byShare = documents
    .map(document => ({document, share: sampleShare(document.key, seed)}))
    .sort((a, b) => a.share - b.share)
  const next = byShare[MARKED_DOCUMENTS]
  const labelled = documents.filter(({labels}) => labels !== undefined)
  const isListed = labelledCount > 0 && labelled.length >= labelledCount && labelled.length <= MARKED_LABELS
  const marks = (some: readonly MarkedDocument[]) => some.map(markOf).sort((a, b) => a - b)
  return {
    share: next?.share ?? 1,
    documents: marks(byShare.slice(0, MARKED_DOCUMENTS).map(({document}) => document)),
    ...(isListed && {labelled: marks(labelled)})
  }
}

/** Returns a number that is below x for about the share x of all documents; the sample for word weights is drawn by it. */
export function sampleShare(key: string, seed: number): number {
  return hashShare(`sample ${key}`, seed)
}

/**
 * Hashes a document. The words with the smallest hashes stand for all of them: a concept that the fit left out may change how its anchor's words
 * are read, which should not make it another document.
 */
function markOf({key, words}: MarkedDocument): number {
  const chosen = [1, 2].map(seed => {
    const hashes = words.map(word => hashShare(String(word), seed))
    return words[hashes.indexOf(Math.min(...hashes))]
  })
  return hashShare(JSON.stringify([key, ...chosen])) * 2 ** 32
}

/** Tells which documents a model was learned from, as far as its marks show. */
export function trainingCheck({certificate, seed}: Pick<Model, 'certificate' | 'seed'>) {
  const {training, noise} = certificate as {training?: Partial<TrainingMarks>; noise?: {labelledCount?: number}}
  const setOf = (marks: unknown) => (Array.isArray(marks) ? new Set<unknown>(marks) : undefined)
  const documents = setOf(training?.documents)
  const labelled = setOf(training?.labelled)
  const share = Number(training?.share ?? 0)
  return {
    /** Whether the model was learned from this document; undefined where its marks do not cover it. */
    wasRead: (document: MarkedDocument): boolean | undefined =>
      documents !== undefined && sampleShare(document.key, seed) < share ? documents.has(markOf(document)) : undefined,
    /** Whether its rates were estimated from the labels of this document; undefined where the model does not say. */
    wasLabelled: (document: MarkedDocument): boolean | undefined =>
      noise?.labelledCount === 0 ? false : labelled?.has(markOf(document))
  }
}
