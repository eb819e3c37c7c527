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

export function patternTable(counts: Counts): PatternTable {
  const groups = new Map<string, {concepts: number[]; documents: number; words: Map<number, number>}>()
  for (let p = 0; p < counts.patternCount; p++) {
    const concepts = [...counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])]
    const group = groups.get(concepts.join()) ?? {concepts, documents: 0, words: new Map<number, number>()}
    groups.set(concepts.join(), group)
    group.documents += counts.patternDocuments[p]
    for (let w = counts.wordStarts[p]; w < counts.wordStarts[p + 1]; w++)
      group.words.set(counts.wordIds[w], (group.words.get(counts.wordIds[w]) ?? 0) + counts.wordCounts[w])
  }
  const n = counts.lexicon.words.length
  const blocks: Block[] = []
  for (const partition of partitionsOf(counts.lexicon)) {
    const rests = [...groups.values()].map(group => withoutValue(group, partition))
    // A feature may be named like a value; then the values are not a partition.
    if (rests.some(rest => rest < 0)) continue
    const none = n + blocks.length
    for (const [at, group] of [...groups.values()].entries()) if (rests[at] > 0) group.words.set(none, rests[at])
    blocks.push({...partition, none, isComplete: rests.every(rest => rest === 0)})
  }
  const sorted = [...groups.values()].toSorted((a, b) => b.documents - a.documents)
  return {
    groups: sorted,
    byConcepts: groups,
    withConcept: counts.lexicon.anchors.map((_, i) => sorted.filter(({concepts}) => concepts.includes(i))),
    blocks,
    words: n + blocks.length
  }
}

/** The documents of a group without a value; negative if some have several. */
function withoutValue({concepts, documents, words}: DocumentGroup, partition: Partition): number {
  const fired = partition.anchors.filter(i => concepts.includes(i)).length
  const found = partition.words.reduce((sum, j) => sum + (words.get(j) ?? 0), 0)
  return fired > 1 ? -1 : documents * (1 - fired) - found
}
