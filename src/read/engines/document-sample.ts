import {hashShare} from '../../base/numeric/index.ts'
import type {Row} from '../data/index.ts'

/** The sample of documents to draw while they are counted. */
export interface SampleOptions {
  /** About how many documents; labelled ones come on top. */
  readonly size: number
  readonly seed: number
}

/** A document that may be in the sample. */
export interface SampledRow {
  readonly row: Row
  /** The number of its block, by which the parts that several threads drew are put in order. */
  readonly block: number
  /** Drawn by its key, in [0, 1): the sample has what lies below `size / N`, of N counted documents. */
  readonly share: number
  readonly isLabelled: boolean
}

/**
 * Draws a sample in the pass that counts. N is known only at the end, but the bound `size / N` falls as N grows, so a
 * document above the bound of the documents so far is out for good. Memory: about `2 * size` documents and the labelled ones.
 */
export class SampleDrawer {
  readonly #labelShare: number
  readonly #options: SampleOptions
  #rows: SampledRow[] = []
  #documentCount = 0
  #pruneAt: number

  constructor(labelShare: number, options: SampleOptions) {
    this.#labelShare = labelShare
    this.#options = options
    this.#pruneAt = 2 * options.size
  }

  add({row, key, block, isLabelled}: Omit<SampledRow, 'share'> & {readonly key: string}): void {
    this.#documentCount++
    const {size, seed} = this.#options
    const share = hashShare(`sample ${key}`, seed)
    if (share >= size / this.#documentCount && !isLabelled) return
    this.#rows.push({row, block, share, isLabelled})
    if (this.#rows.length < this.#pruneAt) return
    this.#rows = this.finish()
    this.#pruneAt = 2 * Math.max(size, this.#rows.length)
  }

  /** The documents so far that may be in the sample. */
  finish(): SampledRow[] {
    return this.#rows.filter(isSampled(this.#options.size, this.#labelShare, this.#documentCount))
  }
}

/**
 * Whether a document is in the sample of `documentCount` documents. So are all labelled ones when they are at most about `size`;
 * a `labelShare` of 0 stands for given labels, which are always taken.
 */
export function isSampled(size: number, labelShare: number, documentCount: number): (drawn: SampledRow) => boolean {
  const takesLabelled = labelShare * documentCount <= size
  return drawn => drawn.share < size / documentCount || (takesLabelled && drawn.isLabelled)
}
