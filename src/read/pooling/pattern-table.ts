import type {Counts} from '../counts/index.ts'
import {type Partition, partitionsOf} from './partitions.ts'

/** A {@link Partition} of these documents. Having none of its values is one more value, the word `none`. */
export interface Block extends Partition {
  readonly none: number
  /** Whether every document has a value, which readers may know. */
  readonly isComplete: boolean
}

/** Documents whose anchors fired alike. */
export interface DocumentGroup {
  readonly concepts: readonly number[]
  readonly documents: number
  /** How many of the documents have each word, those of blocks without a value among them. */
  readonly words: ReadonlyMap<number, number>
}

/**
 * The documents as tables see them: by the concepts whose anchors fired, largest groups first. As no table has two words,
 * any documents of a group may have a word, one word independently of others except those of its block.
 */
export interface PatternTable {
  readonly groups: readonly DocumentGroup[]
  readonly byConcepts: ReadonlyMap<string, DocumentGroup>
  /** The groups in which each concept's anchor fired. */
  readonly withConcept: readonly (readonly DocumentGroup[])[]
  readonly blocks: readonly Block[]
  /** Words, and one `none` per block. */
  readonly words: number
}

/** Other documents are sought among this many groups; those in smaller ones stay as they are. */
const MOST_GROUPS = 50_000

export function patternTable(counts: Counts): PatternTable {
  const {partitions, isComplete} = truePartitions(counts)
  const n = counts.lexicon.words.length
  const blocks = partitions.map((partition, b) => ({...partition, none: n + b, isComplete: isComplete[b]}))
  const patterns = new Map<string, number[]>()
  for (let p = 0; p < counts.patternCount; p++) {
    const key = conceptsOf(counts, p).join()
    const alike = patterns.get(key)
    if (alike === undefined) patterns.set(key, [p])
    else alike.push(p)
  }
  const size = (group: readonly number[]) => group.reduce((sum, p) => sum + counts.patternDocuments[p], 0)
  const groups = [...patterns.values()]
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, MOST_GROUPS)
    .map(group => documentGroup(counts, group, blocks))
  return {
    groups,
    byConcepts: new Map(groups.map(group => [group.concepts.join(), group])),
    withConcept: counts.lexicon.anchors.map((_, i) => groups.filter(({concepts}) => concepts.includes(i))),
    blocks,
    words: n + blocks.length
  }
}

function conceptsOf({concepts, conceptStarts}: Counts, pattern: number): number[] {
  return [...concepts.subarray(conceptStarts[pattern], conceptStarts[pattern + 1])]
}

/** The patterns of one group together. */
function documentGroup(counts: Counts, patterns: readonly number[], blocks: readonly Block[]): DocumentGroup {
  const words = new Map<number, number>()
  let documents = 0
  for (const p of patterns) {
    documents += counts.patternDocuments[p]
    for (let w = counts.wordStarts[p]; w < counts.wordStarts[p + 1]; w++)
      words.set(counts.wordIds[w], (words.get(counts.wordIds[w]) ?? 0) + counts.wordCounts[w])
  }
  const concepts = conceptsOf(counts, patterns[0])
  for (const block of blocks) {
    const found = block.words.reduce((sum, j) => sum + (words.get(j) ?? 0), 0)
    if (block.anchors.some(i => concepts.includes(i)) || found === documents) continue
    words.set(block.none, documents - found)
  }
  return {concepts, documents, words}
}

/** The partitions that these documents keep, and whether every document has a value. */
function truePartitions(counts: Counts) {
  const all = partitionsOf(counts.lexicon)
  const blocksOf = new Map<number, number>(all.flatMap(({words}, b) => words.map(j => [j, b] as const)))
  const isTrue = all.map(() => true)
  const isComplete = all.map(() => true)
  const found = new Float64Array(all.length)
  for (let p = 0; p < counts.patternCount && all.length > 0; p++) {
    const concepts = conceptsOf(counts, p)
    found.fill(0)
    for (let w = counts.wordStarts[p]; w < counts.wordStarts[p + 1]; w++) {
      const block = blocksOf.get(counts.wordIds[w])
      if (block !== undefined) found[block] += counts.wordCounts[w]
    }
    for (const [b, {anchors}] of all.entries()) {
      const values = found[b] + counts.patternDocuments[p] * anchors.filter(i => concepts.includes(i)).length
      // A feature may be named like a value; then the values are not a partition.
      if (values > counts.patternDocuments[p]) isTrue[b] = false
      if (values < counts.patternDocuments[p]) isComplete[b] = false
    }
  }
  return {partitions: all.filter((_, b) => isTrue[b]), isComplete: isComplete.filter((_, b) => isTrue[b])}
}
