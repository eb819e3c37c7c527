import type {Lexicon} from '../data/index.ts'
import {hashShare} from '../numeric/index.ts'

/** How counts were made; two counts add up only when all of this is the same. */
export interface CountsHeader {
  readonly lexicon: Lexicon
  /** Share of the documents whose tags or labels were counted, for noise rates: 0 none, 1 all. */
  readonly labelShare: number
  /** Which share: the seed of the hash that draws documents by their key. */
  readonly seed: number
}

/**
 * The sufficient statistic of everything that follows: documents grouped by anchor pattern.
 *
 * A pattern is the set of anchor features (*members*) that fired in a document. Patterns are sorted (by members, as lists),
 * words inside a pattern too, and all numbers are exact integers: equal documents give equal counts whatever their order.
 * Layout, as in sparse matrices: the members of pattern p are `members[memberStarts[p] .. memberStarts[p+1])`, its words
 * `wordIds[wordStarts[p] ..)` with the number of its documents that contain them in `wordCounts`.
 */
export interface Counts extends CountsHeader {
  readonly documentCount: number
  readonly patternCount: number
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** Concepts whose united anchor fired, by pattern, ascending; derived from the members. */
  readonly conceptStarts: Uint32Array
  readonly concepts: Uint32Array
  /** Documents with each pattern. */
  readonly patternDocuments: Float64Array
  readonly wordStarts: Uint32Array
  readonly wordIds: Uint32Array
  readonly wordCounts: Float64Array
  /** Labelled documents per concept, cell `4*i + 2*y + a`. */
  readonly labelled: Float64Array
}

/** Whether a document is of the share whose labels are read. */
export function isLabelled({labelShare, seed}: CountsHeader, key: string): boolean {
  return labelShare === 1 || (labelShare > 0 && hashShare(key, seed) < labelShare)
}

/** How many documents are labelled, for the concept that has most. */
export function labelledDocuments({labelled}: Counts): number {
  let most = 0
  for (let at = 0; at < labelled.length; at += 4)
    most = Math.max(most, labelled[at] + labelled[at + 1] + labelled[at + 2] + labelled[at + 3])
  return most
}

/** One pattern with its words, as it is built, read and merged. */
export interface PatternCount {
  readonly members: readonly number[]
  readonly documents: number
  /** Ascending word ids with their counts; may be views that hold only until the next pattern. */
  readonly wordIds: ArrayLike<number>
  readonly wordCounts: ArrayLike<number>
}

/** Lay sorted patterns out in typed arrays, one after another. */
export function packCounts(header: CountsHeader, patterns: Iterable<PatternCount>, labelled: Float64Array): Counts {
  const conceptOf = header.lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const documents = new Filling(size => new Float64Array(size))
  const members = new Filling(size => new Uint32Array(size))
  const concepts = new Filling(size => new Uint32Array(size))
  const wordIds = new Filling(size => new Uint32Array(size))
  const wordCounts = new Filling(size => new Float64Array(size))
  const [memberStarts, conceptStarts, wordStarts] = [0, 1, 2].map(() => {
    const starts = new Filling(size => new Uint32Array(size))
    starts.append([0])
    return starts
  })
  let documentCount = 0
  for (const pattern of patterns) {
    documentCount += pattern.documents
    documents.append([pattern.documents])
    memberStarts.append([members.append(pattern.members)])
    conceptStarts.append([concepts.append([...new Set(pattern.members.map(member => conceptOf[member]))])])
    wordIds.append(pattern.wordIds)
    wordStarts.append([wordCounts.append(pattern.wordCounts)])
  }
  const {lexicon, labelShare, seed} = header
  return {
    lexicon,
    labelShare,
    seed,
    documentCount,
    patternCount: documents.length,
    memberStarts: memberStarts.finish(),
    members: members.finish(),
    conceptStarts: conceptStarts.finish(),
    concepts: concepts.finish(),
    patternDocuments: documents.finish(),
    wordStarts: wordStarts.finish(),
    wordIds: wordIds.finish(),
    wordCounts: wordCounts.finish(),
    labelled
  }
}

/** A typed array that grows as it is filled. */
class Filling<T extends Uint32Array | Float64Array> {
  readonly #make: (size: number) => T
  #values: T
  length = 0

  constructor(make: (size: number) => T) {
    this.#make = make
    this.#values = make(1024)
  }

  /** The length afterwards. */
  append(more: ArrayLike<number>): number {
    const needed = this.length + more.length
    if (needed > this.#values.length) {
      const longer = this.#make(Math.max(needed, 2 * this.#values.length))
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values.set(more, this.length)
    this.length = needed
    return needed
  }

  finish(): T {
    return this.#values.slice(0, this.length) as T
  }
}

/** The patterns of packed counts, one by one. */
export function* unpackCounts(counts: Counts): Generator<PatternCount> {
  for (let p = 0; p < counts.patternCount; p++)
    yield {
      members: [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])],
      documents: counts.patternDocuments[p],
      wordIds: counts.wordIds.subarray(counts.wordStarts[p], counts.wordStarts[p + 1]),
      wordCounts: counts.wordCounts.subarray(counts.wordStarts[p], counts.wordStarts[p + 1])
    }
}

/** The order of patterns: member by member, a shorter one before those that continue it. */
export function comparePatterns(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length && at < b.length; at++) if (a[at] !== b[at]) return a[at] - b[at]
  return a.length - b.length
}
