import {AdfaError} from '../../base/checks/index.ts'
import {
  type Counts,
  type CountsHeader,
  CountsWriter,
  compareMembers,
  comparePatterns,
  type PatternCount
} from './counts.ts'
import {addShards} from './shards.ts'
import {requirePatterns} from './table-statement.ts'
import {WordCells} from './word-cells.ts'

/**
 * The exact sum of counts made with the same anchors, vocabulary and options; the order does not matter. Shards of a job
 * add up to counts that know which of them are missing. Errors call the parts by `names`, or by their place from 1.
 */
export function mergeCounts(parts: readonly Counts[], names?: readonly string[]): Counts {
  if (parts.length === 0) throw new AdfaError('bad-counts', 'there are no counts to merge; give at least one')
  for (const part of parts) requirePatterns(part, 'adding counts up')
  const [first] = parts
  parts.forEach((part, at) => {
    const difference = headerDifference(first, part)
    if (difference !== undefined)
      throw new AdfaError(
        'mismatch',
        `${names === undefined ? `counts 1 and ${at + 1}` : `${names[0]} and ${names[at]}`} differ in their ${difference}; counts add up only when made alike; count again with --like the first`
      )
  })
  const shards = addShards(parts, part => names?.[part] ?? `counts ${part + 1}`)
  return addCounts({...first, shards}, parts)
}

/** Add up neighbours of a sorted list that are the same pattern. */
export function addEqualPatterns(sorted: readonly PatternCount[]): PatternCount[] {
  const merged: PatternCount[] = []
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (to < sorted.length && comparePatterns(sorted[from].members, sorted[to].members) === 0) to++
    merged.push(addPatterns(sorted.slice(from, to)))
    from = to
  }
  return merged
}

/** What makes two counts incomparable, in words, or undefined when they may be added. */
export function headerDifference(a: CountsHeader, b: CountsHeader): string | undefined {
  const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y)
  if (!same(a.protocol, b.protocol)) return `protocol (${protocolText(a)}, ${protocolText(b)})`
  if (!same(a.lexicon.anchors, b.lexicon.anchors)) return 'anchors'
  if (a.lexicon.text.negation !== b.lexicon.text.negation) return 'reading of negation (--negation)'
  if (!same(valueFields(a), valueFields(b)))
    return 'reading of categories, numbers and lists (--category, --number, --list)'
  if (!same(a.lexicon.words, b.lexicon.words)) return 'vocabulary'
  if (!same(a.lexicon, b.lexicon)) return 'text options, phrases or document filter'
  if (a.labelShare !== b.labelShare || a.seed !== b.seed) return 'share of labelled documents or seed'
  return undefined
}

function protocolText({protocol}: CountsHeader): string {
  return protocol === undefined ? 'none' : `"${protocol.name}" ${protocol.fingerprint}`
}

function valueFields({lexicon: {text}}: CountsHeader): unknown {
  return [text.categories, text.numbers, text.lists]
}

function addPatterns(same: readonly PatternCount[]): PatternCount {
  if (same.length === 1) return same[0]
  const sums = new Map<number, number>()
  for (const {wordIds, wordCounts} of same)
    for (let at = 0; at < wordIds.length; at++) sums.set(wordIds[at], (sums.get(wordIds[at]) ?? 0) + wordCounts[at])
  const wordIds = [...sums.keys()].sort((a, b) => a - b)
  return {
    members: same[0].members,
    documents: same.reduce((sum, {documents}) => sum + documents, 0),
    wordIds,
    wordCounts: wordIds.map(j => sums.get(j) ?? 0)
  }
}

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
