import {AdfaError} from '../../base/checks/index.ts'
import type {Lexicon} from '../data/index.ts'
import {type Counts, requireOrder, requirePatterns} from './counts.ts'

/**
 * Observed tables read from counts. A table over k variables has 2^k cells, the first variable most significant, and
 * holds numbers of documents: exact integers that add up to `documentCount`.
 */

/** Tables that several stages of a fit need are counted once for the same counts, and not to be changed. */
function onceFor(count: (counts: Counts) => Float64Array): (counts: Counts) => Float64Array {
  const known = new WeakMap<Counts, Float64Array>()
  return counts => {
    const table = known.get(counts) ?? count(counts)
    known.set(counts, table)
    return table
  }
}

/** Documents with the anchors of both i and k, cell `i*m + k`; the diagonal holds single anchors. */
export const anchorPairCounts = onceFor(counts => {
  requireOrder(counts, 2, 'how often two anchors fire together')
  const m = counts.lexicon.anchors.length
  const pairs = new Float64Array(m * m)
  for (let p = 0; p < counts.patternCount; p++) {
    const end = counts.conceptStarts[p + 1]
    for (let a = counts.conceptStarts[p]; a < end; a++)
      for (let b = counts.conceptStarts[p]; b < end; b++)
        pairs[counts.concepts[a] * m + counts.concepts[b]] += counts.patternDocuments[p]
  }
  return pairs
})

/** Documents where each member of an anchor fires, a row per concept. */
export function memberTotals(counts: Counts): number[][] {
  requirePatterns(counts, 'how often the members of an anchor fire')
  const totals = new Float64Array(counts.lexicon.anchors.flatMap(({any}) => any).length)
  for (let p = 0; p < counts.patternCount; p++)
    for (let at = counts.memberStarts[p]; at < counts.memberStarts[p + 1]; at++)
      totals[counts.members[at]] += counts.patternDocuments[p]
  let next = 0
  return counts.lexicon.anchors.map(({any}) => any.map(() => totals[next++]))
}

/** Documents that contain each word. */
export const wordTotals = onceFor(counts => {
  const totals = new Float64Array(counts.lexicon.words.length)
  for (let at = 0; at < counts.wordIds.length; at++) totals[counts.wordIds[at]] += counts.wordCounts[at]
  return totals
})

/** Documents that contain word j and the anchor of concept i, cell `i*n + j`. */
export const anchorWordCounts = onceFor(counts => {
  requireOrder(counts, 2, 'how often a word goes with an anchor')
  return wordsWithAll(
    counts,
    Array.from(counts.lexicon.anchors.keys(), i => [i])
  )
})

/** Documents that contain word j and the anchors of both ends of edge e, cell `e*n + j`. */
export function edgeWordCounts(counts: Counts, edges: readonly (readonly [number, number])[]): Float64Array {
  if (edges.length > 0) requireOrder(counts, 3, 'how often a word goes with two anchors')
  return wordsWithAll(counts, edges)
}

/** Documents that contain word j and all anchors of a set, cell `set*n + j`. */
function wordsWithAll(counts: Counts, sets: readonly (readonly number[])[]): Float64Array {
  const fired = new Uint8Array(counts.lexicon.anchors.length)
  return groupWords(counts, sets.length, (p, add) => {
    const concepts = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    for (const i of concepts) fired[i] = 1
    for (const [at, set] of sets.entries()) if (set.every(i => fired[i] === 1)) add(at)
    for (const i of concepts) fired[i] = 0
  })
}

/**
 * Documents of each cell of the anchors of `concepts` that contain word j, at `cell*n + j`; the first concept is the most
 * significant bit of a cell. Cost: one pass over the words of the patterns, for any number of cells.
 */
export function anchorCellWords(counts: Counts, concepts: readonly number[]): Float64Array {
  requireOrder(counts, concepts.length + 1, 'a table of anchors and words')
  const cellOf = cellReader(counts, concepts)
  return groupWords(counts, 2 ** concepts.length, (p, add) => add(cellOf(p)))
}

/** The cell of the anchors of `concepts` that a pattern belongs to. */
function cellReader(counts: Counts, concepts: readonly number[]): (pattern: number) => number {
  const bits = new Float64Array(counts.lexicon.anchors.length)
  for (const [at, concept] of concepts.entries()) bits[concept] = 2 ** (concepts.length - 1 - at)
  return p => {
    let cell = 0
    for (let a = counts.conceptStarts[p]; a < counts.conceptStarts[p + 1]; a++) cell += bits[counts.concepts[a]]
    return cell
  }
}

/** Sums the word counts of all patterns of each group; a pattern may belong to several. */
function groupWords(
  {lexicon, patternCount, wordStarts, wordIds, wordCounts}: Counts,
  groupCount: number,
  eachGroup: (pattern: number, add: (group: number) => void) => void
): Float64Array {
  const n = lexicon.words.length
  const sums = new Float64Array(groupCount * n)
  for (let p = 0; p < patternCount; p++)
    eachGroup(p, group => {
      const end = wordStarts[p + 1]
      for (let at = wordStarts[p]; at < end; at++) sums[group * n + wordIds[at]] += wordCounts[at]
    })
  return sums
}

/** The table of the anchors of `concepts`, in their order, followed by at most one word. */
export function anchorTable(counts: Counts, concepts: readonly number[], words: readonly number[] = []): Float64Array {
  if (words.length > 1)
    throw new AdfaError(
      'bad-option',
      `counts hold the numbers of each word by anchor pattern, so a table may have one word; got ${words.length}; ` +
        'count several words together from the documents'
    )
  requireOrder(counts, concepts.length + words.length, 'a table of anchors')
  checkVariables(counts.lexicon, concepts, words)
  const cellOf = cellReader(counts, concepts)
  const table = new Float64Array(2 ** concepts.length)
  for (let p = 0; p < counts.patternCount; p++) table[cellOf(p)] += counts.patternDocuments[p]
  if (words.length === 0) return table
  const n = counts.lexicon.words.length
  const withWords = anchorCellWords(counts, concepts)
  return Float64Array.from({length: 2 * table.length}, (_, at) => {
    const cell = at >>> 1
    const withWord = withWords[cell * n + words[0]]
    return at % 2 === 0 ? table[cell] - withWord : withWord
  })
}

function checkVariables({anchors, words: names}: Lexicon, concepts: readonly number[], words: readonly number[]): void {
  const areAmong = (chosen: readonly number[], all: readonly unknown[]) =>
    new Set(chosen).size === chosen.length && chosen.every(i => Number.isInteger(i) && i >= 0 && i < all.length)
  if (areAmong(concepts, anchors) && areAmong(words, names)) return
  throw new AdfaError(
    'bad-option',
    `a table is over different concepts 0 to ${anchors.length - 1} and words 0 to ${names.length - 1}; got concepts ${concepts}, words ${words}`
  )
}

/** Whether each member of a concept's anchor fired in pattern p: cell `p*M + w`, for its M members w. */
export function memberFlags({lexicon, ...counts}: Counts, concept: number): Uint8Array {
  requirePatterns(counts, 'distinguishing the members of one anchor')
  const memberCount = lexicon.anchors[concept].any.length
  const first = lexicon.anchors.slice(0, concept).reduce((sum, {any}) => sum + any.length, 0)
  const flags = new Uint8Array(counts.patternCount * memberCount)
  for (let p = 0; p < counts.patternCount; p++)
    for (let at = counts.memberStarts[p]; at < counts.memberStarts[p + 1]; at++) {
      const w = counts.members[at] - first
      if (w >= 0 && w < memberCount) flags[p * memberCount + w] = 1
    }
  return flags
}
