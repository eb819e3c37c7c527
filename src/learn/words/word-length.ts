import {exp, log} from '../../base/numeric/index.ts'
import {type Counts, wordTotals} from '../../read/counts/index.ts'

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
