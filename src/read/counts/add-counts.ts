import {type Counts, type CountsHeader, CountsWriter, compareMembers} from './counts.ts'
import {WordCells} from './word-cells.ts'

/**
 * The sum of counts of the same lexicon, under the given header; which is not checked. A merge of sorted lists: the part with
 * the least pattern is found through a heap, and a pattern that only one part has is copied. Cost: one step a word of each part.
 */
export function addCounts(header: CountsHeader & Pick<Counts, 'tables'>, parts: readonly Counts[]): Counts {
  const cells = new WordCells(header.lexicon.words.length)
  const most = parts.reduce((sum, part) => sum + part.wordIds.length, 0)
  const writer = new CountsWriter(header, most)
  const queue = new PatternQueue(parts)
  for (let first = queue.next(); first !== undefined; first = queue.next()) {
    const {part, pattern} = first
    let documents = part.patternDocuments[pattern]
    if (queue.isNext(part, pattern)) {
      addWords(cells, part, pattern)
      while (queue.isNext(part, pattern)) {
        const same = queue.next() ?? first
        addWords(cells, same.part, same.pattern)
        documents += same.part.patternDocuments[same.pattern]
      }
      cells.moveTo(writer)
    } else {
      writer.wordIds.append(part.wordIds, part.wordStarts[pattern], part.wordStarts[pattern + 1])
      writer.wordCounts.append(part.wordCounts, part.wordStarts[pattern], part.wordStarts[pattern + 1])
    }
    writer.endPattern(part.members, part.memberStarts[pattern], part.memberStarts[pattern + 1], documents)
  }
  const labelled = new Float64Array(4 * header.lexicon.anchors.length)
  for (const part of parts) for (let cell = 0; cell < labelled.length; cell++) labelled[cell] += part.labelled[cell]
  return writer.finish(labelled)
}

function addWords(cells: WordCells, {wordIds, wordCounts, wordStarts}: Counts, pattern: number): void {
  cells.addCounts(wordIds, wordCounts, wordStarts[pattern], wordStarts[pattern + 1])
}

interface PatternOfPart {
  readonly part: Counts
  readonly pattern: number
}

/** The patterns of all parts in their order: a binary heap of the parts by their first pattern that is not taken yet. */
class PatternQueue {
  readonly #heap: {readonly part: Counts; next: number}[]

  constructor(parts: readonly Counts[]) {
    this.#heap = parts.filter(({patternCount}) => patternCount > 0).map(part => ({part, next: 0}))
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at)
  }

  next(): PatternOfPart | undefined {
    const first = this.#heap.at(0)
    if (first === undefined) return undefined
    const taken = {part: first.part, pattern: first.next++}
    if (first.next === first.part.patternCount) {
      const last = this.#heap.pop()
      if (last !== undefined && this.#heap.length > 0) this.#heap[0] = last
    }
    this.#sink(0)
    return taken
  }

  /** Whether the pattern that comes next is the same as this one. */
  isNext(part: Counts, pattern: number): boolean {
    const first = this.#heap.at(0)
    return first !== undefined && compareAt(part, pattern, first.part, first.next) === 0
  }

  #sink(from: number): void {
    const heap = this.#heap
    for (let at = from; ; ) {
      let least = at
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
        if (compareAt(heap[child].part, heap[child].next, heap[least].part, heap[least].next) < 0) least = child
      if (least === at) return
      ;[heap[at], heap[least]] = [heap[least], heap[at]]
      at = least
    }
  }
}

function compareAt(a: Counts, p: number, b: Counts, q: number): number {
  return compareMembers(
    a.members,
    a.memberStarts[p],
    a.memberStarts[p + 1],
    b.members,
    b.memberStarts[q],
    b.memberStarts[q + 1]
  )
}
