/** Defines word weights, which predict in place of the paper's noisy-or links, and how they depend on the length of a document. */

import {log, NORMAL_90} from '../../base/numeric/index.ts'
import {type Counts, wordTotals} from '../../read/counts/index.ts'
import type {VoteWeights} from '../votes/index.ts'

/** What each member of an anchor adds to the log-odds of its concept if it alone fires: a row per concept, a number per member. */
export type MemberWeights = readonly (readonly number[])[]

/** The weights that words add to the log-odds of concepts when a model predicts; plain data, which the model file stores. */
export interface WordWeights {
  readonly kind: 'weights'
  /**
   * Word j adds `weights[i][j]` to the log-odds of concept i in a document of typical length; other documents multiply it by
   * {@link documentScale}. Absent words add nothing.
   */
  readonly weights: readonly (readonly number[])[]
  /** The standard errors of the weights, to two digits; 0 for weights too small to be shown. Weights from counts have none. */
  readonly errors?: readonly (readonly number[])[]
  readonly scale: WordScale
  /** A constant per concept, added to the evidence of words and other concepts where its anchor did not fire ({@link calibrate}). */
  readonly silent: readonly number[]
  /** A constant per concept, used in place of its prior and of the evidence of other concepts where its anchor fired. */
  readonly fired: readonly number[]
  /** A constant per concept, added in place of `silent` if the anchors of the document are hidden. */
  readonly hidden: readonly number[]
  /** The factor of the evidence from words where the anchor fired; for classes of a group it is 1. */
  readonly firedShare: number
  /** Used by {@link EvidenceReader.fromMembers}; unset if every anchor has one member, or if members are not known. */
  readonly members?: MemberWeights
  /** The weights of votes, for each group in which exactly one class holds: they replace `members`, and a missing vote counts too. */
  readonly votes?: readonly VoteWeights[]
  /** Concepts with at least this probability are reported; this threshold maximises the expected F1. */
  readonly threshold: number
  readonly certificate: WordWeightCertificate
}

export interface WordWeightCertificate {
  /** Says whether weights were learned from documents, or from counts alone. */
  readonly source: 'documents' | 'counts'
  readonly documents: number
  /** The number of rounds in which {@link calibrate} set the constants. */
  readonly rounds: number
  /** The largest remaining difference between the mean probability of a concept and its target. */
  readonly residual: number
  /** The number of labelled documents that corrected the classes of groups; unset without any. */
  readonly labelled?: number
  /** The precision that the words suggest for each member, a row per concept. */
  readonly memberPrecisions?: readonly (readonly number[])[]
  /** The number of documents in which each member fires, a row per concept. */
  readonly memberDocuments?: readonly (readonly number[])[]
}

/** People are not shown smaller weights, which change a probability by less than 1/40, and their errors are not kept. */
export const MIN_SHOWN_WEIGHT = 0.1

/** Returns the 90% interval of weight `[i][j]`, in log-odds; undefined where its error was not kept. */
export function weightRange(
  {weights, errors}: WordWeights,
  i: number,
  j: number
): readonly [number, number] | undefined {
  const margin = NORMAL_90 * (errors?.[i][j] ?? 0)
  return margin > 0 ? [weights[i][j] - margin, weights[i][j] + margin] : undefined
}

/** How word weights depend on the other words of a document: plain data, part of {@link WordWeights}. */
export interface WordScale {
  /** The inverse document frequency log((1 + N) / (1 + documents with the word)) + 1 of each word; 0 for words that do not count. */
  readonly idf: readonly number[]
  /** The length sqrt(sum of idf^2 over the words) at which weights apply unchanged: the root mean square of all documents. */
  readonly typical: number
  /** The root mean square of the idf over all words of all documents. */
  readonly usualIdf: number
}

/** Words in fewer documents do not count: they carry no information, and would only add to the length of a document. */
const MIN_DOCUMENTS = 3

/** Computes the scale from counts. The idf is rounded to five digits to keep the model file short. */
export function learnScale(counts: Counts): WordScale {
  const totals = wordTotals(counts)
  const N = counts.documentCount
  const idf = Array.from(totals, total =>
    total < MIN_DOCUMENTS ? 0 : Number((log((1 + N) / (1 + Math.min(total, N))) + 1).toPrecision(5))
  )
  let [squares, words] = [0, 0]
  totals.forEach((total, j) => {
    squares += total * idf[j] ** 2
    if (idf[j] > 0) words += total
  })
  return words > 0
    ? {idf, typical: Math.sqrt(squares / N), usualIdf: Math.sqrt(squares / words)}
    : {idf, typical: 1, usualIdf: 1}
}

/** Returns the factor of the weights in a document with these words: the typical length divided by its own; 1 without words. */
export function documentScale({idf, typical}: WordScale, words: readonly number[]): number {
  let squares = 0
  for (const j of words) squares += idf[j] ** 2
  return squares > 0 ? typical / Math.sqrt(squares) : 1
}
