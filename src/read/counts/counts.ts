import {AdfaError} from '../../base/checks/index.ts'
import {type GrowingArray, growingIntegers, growingNumbers, hashShare} from '../../base/numeric/index.ts'
import {grouped} from '../../base/text/index.ts'
import type {Lexicon} from '../data/index.ts'
import type {Shards} from './shards.ts'

/** How counts were made; counts add up only when all of this except the shards is equal. */
export interface CountsHeader {
  readonly lexicon: Lexicon
  /** Share of documents whose tags or labels were counted, to estimate rates: 0 none, 1 all. */
  readonly labelShare: number
  /** Seed of the hash that draws this share by the documents' keys. */
  readonly seed: number
  /** The counted parts of a larger job; absent for complete counts. */
  readonly shards?: Shards | undefined
  /** The protocol between sites by which documents were counted, if any. */
  readonly protocol?: ProtocolMark | undefined
}

export interface ProtocolMark {
  readonly name: string
  readonly fingerprint: string
}

/**
 * The sufficient statistic of everything that follows: documents grouped by anchor pattern.
 *
 * An anchor pattern is the set of *members* (features of anchors) that fired in a document. Patterns are sorted by members,
 * words within a pattern too, and all numbers are exact integers: equal documents give equal counts in any order.
 * Layout, as in sparse matrices: the members of pattern p are `members[memberStarts[p] .. memberStarts[p+1])`, its words
 * `wordIds[wordStarts[p] ..)` with the number of its documents that contain them in `wordCounts`: 8 bytes per cell.
 */
export interface Counts extends CountsHeader {
  /** For counts reconstructed from released tables; the numbers of patterns may then be negative. */
  readonly tables?: TableStatement | undefined
  readonly documentCount: number
  readonly patternCount: number
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
  /** Concepts of which any member fired, per pattern, ascending; derived from the members. */
  readonly conceptStarts: Uint32Array
  readonly concepts: Uint32Array
  readonly patternDocuments: Float64Array
  readonly wordStarts: Uint32Array
  readonly wordIds: Uint32Array
  /** Floating-point numbers only where they may be negative: in counts reconstructed from released tables. */
  readonly wordCounts: Uint32Array | Float64Array
  /** Labelled documents per concept, cell `4*i + 2*y + a`. */
  readonly labelled: Float64Array
}

/** Whether a document belongs to the share whose labels are read. */
export function isLabelled({labelShare, seed}: Pick<CountsHeader, 'labelShare' | 'seed'>, key: string): boolean {
  return labelShare === 1 || (labelShare > 0 && hashShare(key, seed) < labelShare)
}

/** The number of labelled documents of the concept that has most. */
export function labelledDocuments({labelled}: Pick<Counts, 'labelled'>): number {
  let most = 0
  for (let at = 0; at < labelled.length; at += 4)
    most = Math.max(most, labelled[at] + labelled[at + 1] + labelled[at + 2] + labelled[at + 3])
  return most
}

/** Of these documents by pattern, those in which the anchor of each concept fires. */
export function firedDocuments({conceptStarts, concepts, lexicon}: Counts, documents: Float64Array): Float64Array {
  const sums = new Float64Array(lexicon.anchors.length)
  for (let p = 0; p < documents.length; p++)
    for (let at = conceptStarts[p]; at < conceptStarts[p + 1]; at++) sums[concepts[at]] += documents[p]
  return sums
}

/** One anchor pattern with its words, as built, read and merged. */
export interface PatternCount {
  readonly members: readonly number[]
  readonly documents: number
  /** Ascending word ids with their counts; may be views that are valid only until the next pattern. */
  readonly wordIds: ArrayLike<number>
  readonly wordCounts: ArrayLike<number>
}

/** The header, with `tables` where counts have them. */
export type TablesHeader = CountsHeader & Pick<Counts, 'tables'>

/** The largest count of a cell, and the most cells: 4 GB of them. */
const MOST_DOCUMENTS = 2 ** 32 - 1
const MOST_CELLS = 2 ** 29

/** Writes patterns in order: add the words of one, ascending, then call `endPattern`. */
export class CountsWriter {
  readonly wordIds: GrowingArray<Uint32Array>
  readonly wordCounts: GrowingArray<Uint32Array> | GrowingArray<Float64Array>
  readonly #header: TablesHeader
  readonly #mostCells: number
  readonly #conceptOf: readonly number[]
  readonly #documents = growingNumbers()
  readonly #members = growingIntegers()
  readonly #memberStarts = growingIntegers()
  readonly #concepts = growingIntegers()
  readonly #conceptStarts = growingIntegers()
  readonly #wordStarts = growingIntegers()
  #documentCount = 0

  /** `cells` bounds the number of words of all patterns together. */
  constructor(header: TablesHeader, cells?: number, mostCells = MOST_CELLS) {
    this.#header = header
    this.#mostCells = mostCells
    this.#conceptOf = header.lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
    // Both parts of a merge together may have more cells than the limit allows.
    const room = cells && Math.min(cells, mostCells)
    this.wordIds = growingIntegers(room)
    this.wordCounts = header.tables === undefined ? growingIntegers(room) : growingNumbers(room)
    for (const starts of [this.#memberStarts, this.#conceptStarts, this.#wordStarts]) starts.push(0)
  }

  /** Add a word of the next pattern, with the number of documents that have it. */
  addWord(id: number, documents: number): void {
    if (documents > MOST_DOCUMENTS)
      throw new AdfaError(
        'bad-counts',
        `a word occurs in ${grouped(documents)} documents of one anchor pattern; at most ${grouped(MOST_DOCUMENTS)} can be counted; leave it out of the vocabulary`
      )
    this.wordIds.push(id)
    this.wordCounts.push(documents)
  }

  /** Write pattern p of other counts. */
  copyPattern({members, memberStarts, patternDocuments, wordStarts, wordIds, wordCounts}: Counts, p: number): void {
    this.wordIds.append(wordIds, wordStarts[p], wordStarts[p + 1])
    this.wordCounts.append(wordCounts, wordStarts[p], wordStarts[p + 1])
    this.endPattern(members, memberStarts[p], memberStarts[p + 1], patternDocuments[p])
  }

  /** End the pattern with the members at `from` to `to`. */
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
    if (this.wordIds.length > this.#mostCells) throw tooManyCells(this.#mostCells)
  }

  finish(labelled: Float64Array = new Float64Array(4 * this.#header.lexicon.anchors.length)): Counts {
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

function tooManyCells(most: number): AdfaError {
  return new AdfaError(
    'bad-counts',
    `more than ${grouped(most)} pairs of an anchor pattern and a word, which is the most that counts hold in memory; ` +
      'count with a smaller vocabulary or fewer anchors, in parts (adfa count --shard 1/2), or by SQL in a database (adfa count --engine duckdb, or --print-sql)',
    {details: {most}}
  )
}

export function* unpackCounts(counts: Counts): Generator<PatternCount> {
  for (let p = 0; p < counts.patternCount; p++)
    yield {
      members: [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])],
      documents: counts.patternDocuments[p],
      wordIds: counts.wordIds.subarray(counts.wordStarts[p], counts.wordStarts[p + 1]),
      wordCounts: counts.wordCounts.subarray(counts.wordStarts[p], counts.wordStarts[p + 1])
    }
}

/** The members of patterns or documents, laid out as in {@link Counts}. */
export interface MemberRows {
  readonly memberStarts: ArrayLike<number>
  readonly members: ArrayLike<number>
}

/** The order of patterns, for row p of `a` and row q of `b`: member by member, a shorter one before those that continue it. */
export function compareRows(a: MemberRows, p: number, b: MemberRows, q: number): number {
  let [at, other] = [a.memberStarts[p], b.memberStarts[q]]
  const [end, otherEnd] = [a.memberStarts[p + 1], b.memberStarts[q + 1]]
  while (at < end && other < otherEnd && a.members[at] === b.members[other]) {
    at++
    other++
  }
  return at < end && other < otherEnd ? a.members[at] - b.members[other] : end - at - (otherEnd - other)
}

/** {@link compareRows} of two lists of members. */
export function compareMembers(a: readonly number[], b: readonly number[]): number {
  return compareRows({members: a, memberStarts: [0, a.length]}, 0, {members: b, memberStarts: [0, b.length]}, 0)
}

export interface SiteStatement {
  readonly name: string
  readonly documents: number
  /** Cells of 1 to `minCell - 1` documents were withheld; 0 or 1: none. */
  readonly minCell: number
}

/** What counts reconstructed from released tables are based on. */
export interface TableStatement {
  /** The largest number of anchors and words whose joint table is known. */
  readonly maxOrder: number
  readonly numbers: number
  /** How many of the numbers are known only as an interval. */
  readonly withheld: number
  readonly sites: readonly SiteStatement[]
}

type MaybeTables = Pick<Counts, 'tables'>

/** Refuse counts of tables where `what` needs whole anchor patterns. */
export function requirePatterns({tables}: MaybeTables, what: string): void {
  if (tables !== undefined)
    throw tooFew(tables, `${what} needs to know which anchors fired together in whole documents`, WHOLE_COUNTS)
}

/** Refuse counts of tables where `what` needs larger ones. */
export function requireOrder({tables}: MaybeTables, order: number, what: string): void {
  if (tables === undefined || order <= tables.maxOrder) return
  const remedy = order <= 3 ? `release with adfa count --max-order ${order}` : WHOLE_COUNTS
  throw tooFew(tables, `${what} needs tables of ${order} anchors or words`, remedy)
}

const WHOLE_COUNTS = 'use whole counts, made by adfa count without --max-order and --min-cell'

function tooFew({maxOrder}: TableStatement, what: string, remedy: string): AdfaError {
  const source = `these counts were put together from released tables of at most ${maxOrder} anchors or words`
  return new AdfaError('bad-counts', `${what}; ${source}; ${remedy}`)
}
