import {exp, log} from '../../base/numeric/index.ts'
import {type Counts, wordTotals} from '../../read/counts/index.ts'
import type {Company} from './company.ts'

/** Words as log-odds: how they speak when a model predicts. Plain data, as it stands in the model file. */
export interface WordWeights {
  readonly kind: 'weights'
  /** What anchors and tags of other concepts say. */
  readonly company: Company
  /** `weights[i][j]`: what word j, where it occurs, adds to the log-odds of concept i. Absent words say nothing. */
  readonly weights: readonly (readonly number[])[]
  /** How the number of words of a document tempers them. */
  readonly length: WordLength
  /** What the concept's own anchor adds, where words are read, and where they are hidden. */
  readonly withWords: AnchorConstants
  readonly withoutWords: AnchorConstants
  /** The share of the words' say that is left where the anchor fired. */
  readonly firedShare: number
  /** The probability from which on a concept is best reported, if F1 is what counts. */
  readonly threshold: number
  readonly certificate: WordWeightCertificate
}

/**
 * One constant a concept, set so that its mean probability over the training documents is what the rates say of such
 * documents.
 */
export interface AnchorConstants {
  /** The anchor is silent: this is added to what the company says. */
  readonly silent: readonly number[]
  /** It fired: this stands in place of company, for a fired anchor is believed at its precision. */
  readonly fired: readonly number[]
  /** Anchors are hidden: this is added to the prior. */
  readonly hidden: readonly number[]
}

export interface WordWeightCertificate {
  /** 'documents': weights and strength were learned from documents too; 'counts': from counts alone. */
  readonly source: 'documents' | 'counts'
  readonly documents: number
  /** How strongly the words speak, already part of the weights. */
  readonly slope: number
  /** The strength under which the anchors of held-out documents are likeliest; undefined from counts alone, or a handful of documents. */
  readonly likeliestSlope: number | undefined
  /**
   * What the words add to the log-likelihood of a held-out document's anchors at that strength, in nats; undefined
   * likewise.
   */
  readonly anchorGain: number | undefined
  /** The F1 over all decisions that the model expects of itself at `threshold`. */
  readonly expectedF1: number
}

/** What is wrong with word weights for m concepts and n words, in words; undefined if nothing is. */
export function weightFault(wordModel: WordWeights, m: number, n: number): string | undefined {
  const {company, weights, length, withWords, withoutWords, firedShare, threshold} = wordModel
  const {prior, ...pairs} = company
  const lists = [prior, ...Object.values(withWords), ...Object.values(withoutWords)]
  if (lists.some(list => list.length !== m)) return `its constants must be ${m} numbers, one a concept`
  if (Object.values(pairs).some(rows => !isTable(rows, m, m)))
    return `what concepts say of each other must be ${m} x ${m} numbers`
  if (!isTable(weights, m, n)) return `its weights must be ${m} rows of ${n} numbers`
  const numbers = [...lists, ...Object.values(pairs).flat(), ...weights]
  if (!numbers.every(list => list.every(Number.isFinite))) return 'one of its numbers is not finite'
  if (!(length.power >= 0 && length.power <= 1 && length.typical >= 1 && length.typical < Number.POSITIVE_INFINITY))
    return `its length needs a power in [0, 1] and a typical number of words from 1 on; got ${length.power} and ${length.typical}`
  if (!(firedShare >= 0 && firedShare <= 1 && threshold >= 0 && threshold <= 1))
    return `firedShare and threshold must lie in [0, 1]; got ${firedShare} and ${threshold}`
  return undefined
}

function isTable(rows: readonly (readonly number[])[], height: number, width: number): boolean {
  return rows.length === height && rows.every(row => row.length === width)
}

/** How the length of a document tempers its words: plain data, part of the word weights. */
export interface WordLength {
  /** 0: words count the same everywhere; 1: only the mean of what they say counts. */
  readonly power: number
  /** The number of words at which they count as they stand. */
  readonly typical: number
}

/** `typical` is the mean over the documents counted. */
export function learnWordLength(counts: Counts, power: number): WordLength {
  const words = wordTotals(counts).reduce((sum, total) => sum + total, 0)
  return {power, typical: Math.max(1, words / counts.documentCount)}
}

/**
 * What each word of a document of `count` words counts: (count / typical)^-power. Words of a long document repeat each
 * other, so that their sum says less than it seems to.
 */
export function lengthFactor({power, typical}: WordLength, count: number): number {
  return exp(-power * log(Math.max(1, count) / typical))
}
