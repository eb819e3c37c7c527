import type {Counts} from '../counts/index.ts'
import {fieldsOf, type Lexicon, readVote} from '../data/index.ts'

export interface DocumentGroup {
  readonly concepts: readonly number[]
  readonly documents: number
  /** How many of the documents have each column; counted when first asked for, since few groups are ever looked at. */
  columns(): ReadonlyMap<number, number>
}

/**
 * Columns of which a document has exactly one: first that of documents with none of the values, then the values of a
 * category, the bins of a number, or the votes of a source that are words.
 */
export interface Block {
  readonly columns: readonly number[]
  /** Concepts whose anchors depend on the values. */
  readonly anchors: readonly number[]
  /** Concepts whose anchors are values of the block and nothing else. */
  readonly pure: readonly number[]
}

/**
 * The documents as tables see them: by the concepts whose anchors fired, largest groups first. As no table has two
 * words, any documents of a group may have a word, one word independently of others except those of its block.
 *
 * Columns: the words of the lexicon, then one per block for having none of its values.
 */
export interface DocumentTable {
  readonly groups: readonly DocumentGroup[]
  readonly byConcepts: ReadonlyMap<string, DocumentGroup>
  readonly blocks: readonly Block[]
  readonly columns: number
  /** Whether anchors may fire together: those that are tied to each other do so in some document. */
  isPossible(concepts: readonly number[]): boolean
  /** Whether a column goes with the anchors that it depends on, as in some document. */
  mayHave(concepts: readonly number[], column: number): boolean
}

export function documentTable(counts: Counts): DocumentTable {
  const {lexicon} = counts
  const blocks = declaredBlocks(counts)
  const columns = lexicon.words.length + blocks.length
  const dependent = dependentConcepts(lexicon)
  const tied = tiedConcepts(lexicon, [...dependent, ...blocks.flatMap(({anchors}) => anchors)])
  const groups = groupPatterns(counts, blocks)
  const together = new Set(groups.map(({concepts}) => firedIn(tied, concepts)))
  const withConcepts = dependent.map(concept => seenColumns(groups, [concept], columns))
  const withBlock = new Map(
    blocks.flatMap(block => {
      const isSeen = seenColumns(groups, block.anchors, columns)
      return block.columns.map(column => [column, isSeen] as const)
    })
  )
  return {
    groups,
    byConcepts: new Map(groups.map(group => [group.concepts.join(), group])),
    blocks,
    columns,
    isPossible: concepts => together.has(firedIn(tied, concepts)),
    mayHave: (concepts, column) =>
      withConcepts.every(isSeen => isSeen(concepts, column)) && withBlock.get(column)?.(concepts, column) !== false
  }
}

export function firedIn(anchors: readonly number[], concepts: readonly number[]): string {
  return anchors.filter(i => concepts.includes(i)).join()
}

/** The blocks that the way of reading implies. */
function declaredBlocks(counts: Counts): Block[] {
  const {anchors, words, reading} = counts.lexicon
  const fields = [...reading.category, ...fieldsOf(reading).numbers.map(({field}) => field)]
  const longestFirst = fields.toSorted((a, b) => b.length - a.length)
  const blockOf = (name: string) => {
    const vote = readVote(name)
    return vote === undefined ? longestFirst.find(field => name.startsWith(`${field}:`)) : `vote of ${vote.source}`
  }
  const wordBlocks = words.map(blockOf)
  const anchorBlocks = anchors.map(({any, not}) => ({own: any.map(blockOf), all: [...any, ...not].map(blockOf)}))
  const names = new Set([...wordBlocks, ...anchorBlocks.flatMap(({all}) => all)])
  names.delete(undefined)
  const valuesOf = (name: string | undefined) => [...words.keys()].filter(j => wordBlocks[j] === name)
  const kept = [...names].filter(name => areExclusive(counts, new Set(valuesOf(name))))
  return kept.map((name, b) => ({
    columns: [words.length + b, ...valuesOf(name)],
    // An expression without a field may match any value.
    anchors: [...anchors.keys()].filter(
      i => anchorBlocks[i].all.includes(name) || anchors[i].any.some(member => /^\//.test(member))
    ),
    pure: [...anchors.keys()].filter(i => anchorBlocks[i].own.every(block => block === name))
  }))
}

/** Where a feature is named like a value, a document may have several values, which are then not a block. */
function areExclusive(
  {patternCount, patternDocuments, wordStarts, wordIds, wordCounts}: Counts,
  values: ReadonlySet<number>
): boolean {
  for (let p = 0; p < patternCount && values.size > 0; p++) {
    let found = 0
    for (let w = wordStarts[p]; w < wordStarts[p + 1]; w++) if (values.has(wordIds[w])) found += wordCounts[w]
    if (found > patternDocuments[p]) return false
  }
  return true
}

const EXPRESSION = /(^|:)\/.+\/[a-z]*$/s

/** Concepts with an expression or a veto, which may depend on words and on other anchors. */
function dependentConcepts({anchors}: Lexicon): number[] {
  return [...anchors.keys()].filter(
    i => anchors[i].not.length > 0 || anchors[i].any.some(name => EXPRESSION.test(name))
  )
}

/** Concepts whose anchors may imply or exclude others: the given ones, and those whose anchors others veto. */
function tiedConcepts({anchors}: Lexicon, given: readonly number[]): number[] {
  const vetoed = new Set(anchors.flatMap(({not}) => not))
  return [...anchors.keys()].filter(i => given.includes(i) || anchors[i].any.some(name => vetoed.has(name)))
}

function groupPatterns(counts: Counts, blocks: readonly Block[]): DocumentGroup[] {
  const {patternCount, patternDocuments, concepts, conceptStarts} = counts
  const groups = new Map<string, {concepts: number[]; documents: number; patterns: number[]}>()
  for (let p = 0; p < patternCount; p++) {
    const fired = [...concepts.subarray(conceptStarts[p], conceptStarts[p + 1])]
    const key = fired.join()
    const group = groups.get(key) ?? {concepts: fired, documents: 0, patterns: []}
    group.documents += patternDocuments[p]
    group.patterns.push(p)
    groups.set(key, group)
  }
  const largestFirst = [...groups.values()].sort((a, b) => b.documents - a.documents)
  return largestFirst.map(({concepts, documents, patterns}) => {
    let found: ReadonlyMap<number, number> | undefined
    const columns = () => {
      found ??= countColumns(counts, patterns, documents, blocks)
      return found
    }
    return {concepts, documents, columns}
  })
}

function countColumns(
  {wordStarts, wordIds, wordCounts}: Counts,
  patterns: readonly number[],
  documents: number,
  blocks: readonly Block[]
): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const p of patterns)
    for (let w = wordStarts[p]; w < wordStarts[p + 1]; w++)
      found.set(wordIds[w], (found.get(wordIds[w]) ?? 0) + wordCounts[w])
  for (const {
    columns: [none, ...values]
  } of blocks) {
    const rest = values.reduce((left, j) => left - (found.get(j) ?? 0), documents)
    if (rest > 0) found.set(none, rest)
  }
  return found
}

/** Whether some document has a column and fires the same of these anchors. */
function seenColumns(groups: readonly DocumentGroup[], anchors: readonly number[], size: number) {
  const seen = new Map<string, Uint8Array>()
  for (const {concepts, columns} of groups) {
    const fired = firedIn(anchors, concepts)
    const known = seen.get(fired) ?? new Uint8Array(size)
    for (const column of columns().keys()) known[column] = 1
    seen.set(fired, known)
  }
  return (concepts: readonly number[], column: number) => seen.get(firedIn(anchors, concepts))?.[column] === 1
}
