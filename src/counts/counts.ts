import type {Lexicon} from '../data/index.ts'

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

/** One pattern with its words, as it is built, read and merged. */
export interface PatternCount {
  readonly members: readonly number[]
  documents: number
  /** Ascending word ids with their counts. */
  readonly wordIds: ArrayLike<number>
  readonly wordCounts: ArrayLike<number>
}

/** Lay sorted patterns out in typed arrays. */
export function packCounts(header: CountsHeader, patterns: readonly PatternCount[], labelled: Float64Array): Counts {
  const conceptOf = header.lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const concepts = patterns.map(({members}) => [...new Set(members.map(member => conceptOf[member]))])
  const wordStarts = starts(patterns.map(({wordIds}) => wordIds.length))
  const wordIds = new Uint32Array(wordStarts[patterns.length])
  const wordCounts = new Float64Array(wordStarts[patterns.length])
  patterns.forEach((pattern, p) => {
    wordIds.set(pattern.wordIds, wordStarts[p])
    wordCounts.set(pattern.wordCounts, wordStarts[p])
  })
  return {
    lexicon: header.lexicon,
    labelShare: header.labelShare,
    seed: header.seed,
    documentCount: patterns.reduce((sum, {documents}) => sum + documents, 0),
    patternCount: patterns.length,
    memberStarts: starts(patterns.map(({members}) => members.length)),
    members: Uint32Array.from(patterns.flatMap(({members}) => members)),
    conceptStarts: starts(concepts.map(list => list.length)),
    concepts: Uint32Array.from(concepts.flat()),
    patternDocuments: Float64Array.from(patterns, ({documents}) => documents),
    wordStarts,
    wordIds,
    wordCounts,
    labelled
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

function starts(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1)
  for (let at = 0; at < lengths.length; at++) offsets[at + 1] = offsets[at] + lengths[at]
  return offsets
}
