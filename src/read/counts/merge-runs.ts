import {comparePatterns} from './counts.ts'
import {compareMembers, createWordList, type PatternSizes} from './pattern-bytes.ts'
import {type Run, type RunPiece, RunReader, type RunSpace, type RunStore, RunWriter} from './runs.ts'
import {WordCells} from './word-cells.ts'

/** Patterns from one on, up to another; undefined is no bound. */
export interface PatternRange {
  readonly from: readonly number[] | undefined
  readonly to: readonly number[] | undefined
}

const everything: PatternRange = {from: undefined, to: undefined}

/**
 * The sum of runs of the same members and words, within a range of patterns. A heap finds the run with the least pattern; one that only
 * one run has is copied as bytes. Cost: one step per word of each run, and comparisons that grow as the logarithm of the number of
 * runs. Memory: one piece of each run that is in the store.
 */
export function mergeRuns(sizes: PatternSizes, runs: readonly Run[], space: RunSpace, range = everything): Run {
  const writer = new RunWriter(space)
  const cells = new WordCells(sizes.wordCount)
  const list = createWordList(sizes)
  const queue = new RunQueue(sizes, runs, space.store, range)
  const members = new Uint32Array(sizes.memberCount)
  for (let least = queue.least; least !== undefined; least = queue.least) {
    if (queue.isAlone()) {
      writer.copy(least, least.takePattern())
      queue.advance()
      continue
    }
    const pattern = {members, memberCount: least.memberCount}
    members.set(least.members.subarray(0, least.memberCount))
    let documents = 0
    for (let same = queue.least; same !== undefined && compareMembers(same, pattern) === 0; same = queue.least) {
      documents += same.documents
      cells.addCounts(list, same.words(same.input, list))
      queue.advance()
    }
    writer.write(members, 0, pattern.memberCount, documents, cells)
  }
  return writer.finish()
}

/** The runs by their next pattern: a binary heap. */
class RunQueue {
  readonly #heap: RunReader[] = []
  readonly #to: Pick<RunReader, 'members' | 'memberCount'> | undefined

  constructor(sizes: PatternSizes, runs: readonly Run[], store: RunStore | undefined, {from, to}: PatternRange) {
    this.#to = to && {members: Uint32Array.from(to), memberCount: to.length}
    const start = from && {members: Uint32Array.from(from), memberCount: from.length}
    for (const run of runs) {
      const reader = new RunReader(piecesIn(run, {from, to}), store, sizes)
      let isThere = reader.advance()
      while (isThere && start !== undefined && compareMembers(reader, start) < 0) {
        reader.takePattern()
        isThere = reader.advance()
      }
      if (isThere && this.#isInRange(reader)) this.#heap.push(reader)
    }
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at)
  }

  /** The run with the least pattern. */
  get least(): RunReader | undefined {
    return this.#heap.at(0)
  }

  /** Whether no other run has the least pattern. */
  isAlone(): boolean {
    const heap = this.#heap
    return [1, 2].every(at => at >= heap.length || compareMembers(heap[0], heap[at]) !== 0)
  }

  /** Leave the least pattern, whose words have been read. */
  advance(): void {
    const heap = this.#heap
    if (!(heap[0].advance() && this.#isInRange(heap[0]))) {
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) heap[0] = last
    }
    this.#sink(0)
  }

  #isInRange(reader: RunReader): boolean {
    return this.#to === undefined || compareMembers(reader, this.#to) < 0
  }

  #sink(from: number): void {
    const heap = this.#heap
    for (let at = from; ; ) {
      let least = at
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
        if (compareMembers(heap[child], heap[least]) < 0) least = child
      if (least === at) return
      const moved = heap[at]
      heap[at] = heap[least]
      heap[least] = moved
      at = least
    }
  }
}

/** The pieces of a run that may hold patterns of a range. */
export function piecesIn(run: Run, {from, to}: PatternRange): RunPiece[] {
  return run.filter(({first}, at) => {
    const next = run.at(at + 1)?.first
    const isBefore = from !== undefined && next !== undefined && comparePatterns(next, from) <= 0
    return !isBefore && (to === undefined || comparePatterns(first, to) < 0)
  })
}

/** Ranges of patterns that cover all, with about the same number of bytes in each; at most `count`. */
export function splitRuns(runs: readonly Run[], count: number): PatternRange[] {
  const pieces = runs.flat().sort((a, b) => comparePatterns(a.first, b.first))
  const total = pieces.reduce((sum, {length}) => sum + length, 0)
  const edges: (readonly number[])[] = []
  let before = 0
  for (const {first, length} of pieces) {
    const isNew = edges.length === 0 || comparePatterns(edges[edges.length - 1], first) < 0
    if (before * count >= total * (edges.length + 1) && isNew) edges.push(first)
    before += length
  }
  return [undefined, ...edges].map((from, at) => ({from, to: edges.at(at)}))
}
