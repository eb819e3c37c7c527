/** Word weights as the model file holds them, with their scale and checks: what predicts in place of the paper's noisy-or links. */

import {log, NORMAL_90} from '../../base/numeric/index.ts'
import {type Counts, wordTotals} from '../../read/counts/index.ts'
import type {VoteWeights} from '../votes/index.ts'

/** The log-odds of members, a row per concept. */
export type MemberWeights = readonly (readonly number[])[]

/** Word weights: log-odds that a model predicts with. Plain data, as stored in the model file. */
export interface WordWeights {
  readonly kind: 'weights'
  /**
   * `weights[i][j]`: what word j adds to the log-odds of concept i in a document of typical length; elsewhere times
   * {@link documentScale}. Absent words add nothing.
   */
  readonly weights: readonly (readonly number[])[]
  /** Their standard errors, to two digits, 0 for weights too small for lists; undefined for weights from counts alone. */
  readonly errors?: readonly (readonly number[])[]
  readonly scale: WordScale
  /**
   * One constant per concept, set so that its mean probability over such training documents is the one the rates imply.
   * The anchor did not fire: added to the evidence of words and other concepts.
   */
  readonly silent: readonly number[]
  /** It fired: used in place of the prior and of other concepts, since a fired anchor counts at its precision. */
  readonly fired: readonly number[]
  /** Anchors are not used: added like `silent`. */
  readonly hidden: readonly number[]
  /** The share of the evidence from words that counts where the anchor fired; that of classes of a group counts in full. */
  readonly firedShare: number
  /**
   * Where an anchor fired: its log-odds gain the mean weight of its members that fired and a logarithm of their number
   * (`EvidenceReader`). A row per concept; undefined where every anchor has one member, or where members are not known.
   */
  readonly members?: MemberWeights
  /** The votes of each group of which exactly one class holds: they count in place of `members`, and where none fired too. */
  readonly votes?: readonly VoteWeights[]
  /** The probability from which to report a concept for the best expected F1. */
  readonly threshold: number
  readonly certificate: WordWeightCertificate
}

export interface WordWeightCertificate {
  /** 'documents': weights were learned from documents too; 'counts': from counts alone. */
  readonly source: 'documents' | 'counts'
  readonly documents: number
  /** Rounds in which the constants were matched, and the largest remaining difference of a mean probability. */
  readonly rounds: number
  readonly residual: number
  /** The F1 over all decisions that the model expects at `threshold`. */
  readonly expectedF1: number
  /** Labelled documents that corrected the classes of groups; unset without any. */
  readonly labelled?: number
  /** The precision that each member counts at, a row per concept; words suggest it and do not measure it. */
  readonly memberPrecisions?: readonly (readonly number[])[]
  /** The number of documents in which each member fires. */
  readonly memberDocuments?: readonly (readonly number[])[]
}

/** The 90% interval of weight `[i][j]`, in log-odds; undefined where its error was not kept. */
export function weightRange(
  {weights, errors}: WordWeights,
  i: number,
  j: number
): readonly [number, number] | undefined {
  const margin = NORMAL_90 * (errors?.[i][j] ?? 0)
  return margin > 0 ? [weights[i][j] - margin, weights[i][j] + margin] : undefined
}

/** How word weights depend on the other words of a document: plain data, part of the word weights. */
export interface WordScale {
  /** log((1 + N) / (1 + documents with the word)) + 1 of each word; 0 for words of too few documents, which do not count. */
  readonly idf: readonly number[]
  /** The length, sqrt(sum of idf^2 over the words), at which weights apply unchanged: its root mean square. */
  readonly typical: number
  /** The root mean square of idf over all words of all documents. */
  readonly usualIdf: number
}

/** Words in fewer documents do not count: they carry no information, and would reduce the share of the others. */
const MIN_DOCUMENTS = 3

/** Computes the scale from the counts. The idf are rounded to five digits to keep the model file short. */
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

/** Returns the factor that scales a document to the typical length; 1 without words. */
export function documentScale({idf, typical}: WordScale, words: readonly number[]): number {
  let squares = 0
  for (const j of words) squares += idf[j] ** 2
  return squares > 0 ? typical / Math.sqrt(squares) : 1
}
