import {hashShare} from '../../base/numeric/index.ts'
import type {Lexicon} from '../data/index.ts'
import {type GrowingArray, growingIntegers, growingNumbers} from './growing-array.ts'
import type {Shards} from './shards.ts'
import type {TableStatement} from './table-statement.ts'

/** How counts were made; two counts add up only when all of this but the shards is the same. */
export interface CountsHeader {
  readonly lexicon: Lexicon
  /** Share of the documents whose tags or labels were counted, for noise rates: 0 none, 1 all. */
  readonly labelShare: number
  /** Which share: the seed of the hash that draws documents by their key. */
  readonly seed: number
  /** Which parts of a larger job these are; absent for counts that lack nothing. */
  readonly shards?: Shards | undefined
  /** The agreement between sites that they were counted by; absent when there was none. */
  readonly protocol?: ProtocolMark | undefined
}

/** The name of a protocol and the fingerprint of all that it says. */
export interface ProtocolMark {
  readonly name: string
  readonly fingerprint: string
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
  /** Of counts put together from released tables: patterns then stand for these, and their numbers may be negative. */
  readonly tables?: TableStatement | undefined
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
export function packCounts(
  header: CountsHeader & Pick<Counts, 'tables'>,
  patterns: Iterable<PatternCount>,
  labelled: Float64Array
): Counts {
  const writer = new CountsWriter(header)
  for (const {members, documents, wordIds, wordCounts} of patterns) {
    writer.wordIds.append(wordIds)
    writer.wordCounts.append(wordCounts)
    writer.endPattern(members, 0, members.length, documents)
  }
  return writer.finish(labelled)
}

/** Lays patterns out in their order: first the words of one into `wordIds` and `wordCounts`, then `endPattern`. */
export class CountsWriter {
  readonly wordIds: GrowingArray<Uint32Array>
  readonly wordCounts: GrowingArray<Float64Array>
  readonly #header: CountsHeader & Pick<Counts, 'tables'>
  readonly #conceptOf: readonly number[]
  readonly #documents = growingNumbers()
  readonly #members = growingIntegers()
  readonly #memberStarts = growingIntegers()
  readonly #concepts = growingIntegers()
  readonly #conceptStarts = growingIntegers()
  readonly #wordStarts = growingIntegers()
  #documentCount = 0

  /** `cells` is how many words all patterns have together, at most. */
  constructor(header: CountsHeader & Pick<Counts, 'tables'>, cells?: number) {
    this.#header = header
    this.#conceptOf = header.lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
    this.wordIds = growingIntegers(cells)
    this.wordCounts = growingNumbers(cells)
    for (const starts of [this.#memberStarts, this.#conceptStarts, this.#wordStarts]) starts.push(0)
  }

  /** The words appended since the last pattern are of the one whose members stand at `from` to `to`. */
  endPattern(members: ArrayLike<number>, from: number, to: number, documents: number): void {
    this.#documentCount += documents
    this.#documents.push(documents)
    this.#memberStarts.push(this.#members.append(members, from, to))
    // Members are numbered by concept, so those of one concept are neighbours.
    for (let at = from, last = -1; at < to; at++) {
      const concept = this.#conceptOf[members[at]]
      if (concept !== last) this.#concepts.push(concept)
      last = concept
    }
    this.#conceptStarts.push(this.#concepts.length)
    this.#wordStarts.push(this.wordIds.length)
  }

  finish(labelled: Float64Array): Counts {
    const {lexicon, labelShare, seed, shards, protocol, tables} = this.#header
    return {
      lexicon,
      labelShare,
      seed,
      ...(shards && {shards}),
      ...(protocol && {protocol}),
      ...(tables && {tables}),
      documentCount: this.#documentCount,
      patternCount: this.#documents.length,
      memberStarts: this.#memberStarts.finish(),
      members: this.#members.finish(),
      conceptStarts: this.#conceptStarts.finish(),
      concepts: this.#concepts.finish(),
      patternDocuments: this.#documents.finish(),
      wordStarts: this.#wordStarts.finish(),
      wordIds: this.wordIds.finish(),
      wordCounts: this.wordCounts.finish(),
      labelled
    }
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
  return compareMembers(a, 0, a.length, b, 0, b.length)
}

/** The same order, for members that stand at some place in longer lists. */
export function compareMembers(
  a: ArrayLike<number>,
  aFrom: number,
  aTo: number,
  b: ArrayLike<number>,
  bFrom: number,
  bTo: number
): number {
  const shorter = Math.min(aTo - aFrom, bTo - bFrom)
  for (let at = 0; at < shorter; at++) if (a[aFrom + at] !== b[bFrom + at]) return a[aFrom + at] - b[bFrom + at]
  return aTo - aFrom - (bTo - bFrom)
}
