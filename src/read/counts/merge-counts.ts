import {AdfaError} from '../../base/checks/index.ts'
import {exclusiveToJson, lexiconMeaning} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter, compareRows, type TablesHeader} from './counts.ts'
import {addShards} from './shards.ts'
import {requirePatterns} from './table-statement.ts'
import {WordCells} from './word-cells.ts'

/**
 * The exact sum of counts made with the same anchors, vocabulary and options, in any order. Shards of a job add up to
 * counts that record which are missing. Errors call the parts by `names`, or by their place from 1.
 */
export function mergeCounts(parts: readonly Counts[], names?: readonly string[]): Counts {
  if (parts.length === 0) throw new AdfaError('bad-counts', 'there are no counts to merge; give at least one')
  for (const part of parts) requirePatterns(part, 'adding counts up')
  const [first] = parts
  parts.forEach((part, at) => {
    const difference = headerDifference(first, part)
    if (difference === undefined) return
    const which = names === undefined ? `counts 1 and ${at + 1}` : `${names[0]} and ${names[at]}`
    throw new AdfaError(
      'mismatch',
      `${which} differ in their ${difference}; counts add up only when made alike; count again with the lexicon of the first (adfa count --like)`
    )
  })
  const shards = addShards(parts, part => names?.[part] ?? `counts ${part + 1}`)
  return addCounts({...first, shards}, parts)
}

/** What must be equal for counts to add up; the first that differs is named. */
const COMPARED: readonly (readonly [name: string, part: (header: CountsHeader) => unknown])[] = [
  ['groups of exclusive concepts', ({lexicon}) => exclusiveToJson(lexicon.anchors)],
  ['anchors', ({lexicon}) => lexicon.anchors],
  ['reading of negation (`negation`)', ({lexicon}) => lexicon.text.negation],
  ['scope of negation (`negationScope`)', ({lexicon}) => lexicon.text.negationScope],
  [
    'reading of categories, numbers, lists and votes (`categories`, `numbers`, `lists`, `votes`)',
    ({lexicon: {text}}) => [text.categories, text.numbers, text.lists, text.votes]
  ],
  ['separator of list items in a cell (`separator`)', ({lexicon}) => lexicon.text.separator],
  ['vocabulary', ({lexicon}) => lexicon.words],
  ['text options, phrases or document filter', ({lexicon}) => lexiconMeaning(lexicon)],
  ['share of labelled documents or seed', ({labelShare, seed}) => [labelShare, seed]]
]

/** What makes two counts incomparable, or undefined when they add up. */
export function headerDifference(a: CountsHeader, b: CountsHeader): string | undefined {
  const differs = (x: unknown, y: unknown) => JSON.stringify(x) !== JSON.stringify(y)
  if (differs(a.protocol, b.protocol)) return `protocol (${protocolText(a)}, ${protocolText(b)})`
  return COMPARED.find(([, part]) => differs(part(a), part(b)))?.[0]
}

function protocolText({protocol}: CountsHeader): string {
  return protocol === undefined ? 'none' : `"${protocol.name}" ${protocol.fingerprint}`
}

/**
 * The sum of counts of the same lexicon, which is not checked, under the given header. Merges sorted lists: a heap finds
 * the part with the least pattern; a pattern of only one part is copied. Cost: one step per word of each part.
 */
export function addCounts(header: TablesHeader, parts: readonly Counts[]): Counts {
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

/** The patterns of all parts in order: a binary heap of the parts by their next pattern. */
class PatternQueue {
  readonly #heap: {readonly part: Counts; next: number}[]

  constructor(parts: readonly Counts[]) {
    this.#heap = parts.filter(({patternCount}) => patternCount > 0).map(part => ({part, next: 0}))
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at)
  }

  next(): {readonly part: Counts; readonly pattern: number} | undefined {
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

  /** Whether the next pattern equals this one. */
  isNext(part: Counts, pattern: number): boolean {
    const first = this.#heap.at(0)
    return first !== undefined && compareRows(part, pattern, first.part, first.next) === 0
  }

  #sink(from: number): void {
    const heap = this.#heap
    for (let at = from; ; ) {
      let least = at
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
        if (compareRows(heap[child].part, heap[child].next, heap[least].part, heap[least].next) < 0) least = child
      if (least === at) return
      ;[heap[at], heap[least]] = [heap[least], heap[at]]
      at = least
    }
  }
}
