import type {CountsHeader, SiteStatement} from '../counts/index.ts'

/** What a site lets out of the house. */
export interface ReleaseRules {
  /** The largest number of anchors and words that a table is over: 1, 2 or 3. */
  readonly maxOrder: number
  /** Tables with a cell of 1 to `minCell - 1` documents are withheld; 0: none. */
  readonly minCell: number
}

export const releaseDefaults: ReleaseRules = {maxOrder: 2, minCell: 10}

/**
 * Low-order tables of one site or of several together: numbers of documents in which *all* of some anchors fired, and all of
 * some anchors with a word. Every table over at most `maxOrder` anchors and words follows from them by subtraction.
 *
 * A number that is known exactly has `low = high`; one that is withheld is known to lie from `low` to `high`.
 * Layout: sets of at most `maxOrder` concepts in the order of {@link conceptSets}, the empty one first, which holds all
 * documents and is never withheld; numbers with word j at `set * n + j`, for the sets of at most `maxOrder - 1` concepts.
 * Numbers are whole; those with noise may be negative.
 */
export interface Release extends CountsHeader {
  readonly maxOrder: number
  /** Ascending by name. */
  readonly sites: readonly SiteStatement[]
  readonly low: Float64Array
  readonly high: Float64Array
  readonly wordLow: Float64Array
  readonly wordHigh: Float64Array
  /** Labelled documents per concept, cell `4*i + 2*y + a`, of the sites that did not withhold them. */
  readonly labelled: Float64Array
  /** How many sites withheld the labelled documents of each concept. */
  readonly withheldLabels: Uint32Array
}

/** How many numbers of a release are known by an interval alone. */
export function withheldNumbers({low, high, wordLow, wordHigh}: Release): number {
  const differing = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, at) => sum + (x === b[at] ? 0 : 1), 0)
  return differing(low, high) + differing(wordLow, wordHigh)
}
