import type {Counts} from '../counts/index.ts'
import {type Lexicon, parseNumberField, readVote} from '../data/index.ts'

/** Documents whose anchors fired alike. */
export interface DocumentGroup {
  readonly concepts: readonly number[]
  readonly documents: number
  /** Counted when first asked for, since few groups are ever looked at. */
  columns(): GroupColumns
}

interface GroupColumns {
  /** How many of the documents have each column. */
  readonly words: ReadonlyMap<number, number>
  /** The columns that all of them have. */
  readonly always: readonly number[]
}

/**
 * Columns of which a document has exactly one: that of documents with none of the values, and the values of a category,
 * the bins of a number, or the votes of a source.
 */
export interface Block {
  readonly columns: readonly number[]
  /** Concepts whose anchors depend on the values. */
  readonly anchors: readonly number[]
  /** The columns that documents have, by which of these anchors fired ({@link firedIn}). */
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>
}

/** A block as the lexicon declares it. */
interface DeclaredBlock {
  readonly words: readonly number[]
  readonly anchors: readonly number[]
  /** Concepts whose anchors are values of the block and nothing else. */
  readonly pure: readonly number[]
}

/** The words that occur with the anchor of a concept, and without it. */
interface Companions {
  readonly concept: number
  readonly fired: Uint8Array
  readonly silent: Uint8Array
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
  /** Whether anchors may fire together: those that are tied to each other do so in some document. */
  isPossible(concepts: readonly number[]): boolean
  readonly blocks: readonly Block[]
  readonly declared: readonly DeclaredBlock[]
  readonly columns: number
  /** Of concepts whose anchors may be tied to words by expressions or vetoes. */
  readonly companions: readonly Companions[]
}

export function documentTable(counts: Counts): DocumentTable {
  const {lexicon} = counts
  const n = lexicon.words.length
  const declared = declaredBlocks(lexicon).filter(block => isKept(counts, block))
  const withWords = declared
    .filter(({words}) => words.length > 0)
    .map(({words, anchors}, b) => ({columns: [n + b, ...words], anchors}))
  const dependent = dependentConcepts(lexicon)
  const tied = tiedConcepts(lexicon, [...dependent, ...declared.flatMap(({anchors}) => anchors)])
  const groups = groupPatterns(counts, withWords)
  const together = new Set(groups.map(({concepts}) => firedIn(tied, concepts)))
  return {
    groups,
    byConcepts: new Map(groups.map(group => [group.concepts.join(), group])),
    isPossible: concepts => together.has(firedIn(tied, concepts)),
    blocks: withWords.map(block => ({...block, seen: seenColumns(block, groups)})),
    declared,
    columns: n + withWords.length,
    companions: dependent.map(concept => companionsOf(counts, concept))
  }
}

/** Which of the anchors fired, as a key. */
export function firedIn(anchors: readonly number[], concepts: readonly number[]): string {
  return anchors.filter(i => concepts.includes(i)).join()
}

/** The blocks that the way of reading implies. */
function declaredBlocks({anchors, words, reading}: Lexicon): DeclaredBlock[] {
  const fields = [...reading.category, ...reading.number.map(entry => parseNumberField(entry).field)]
  const longestFirst = fields.toSorted((a, b) => b.length - a.length)
  const blockOf = (name: string) => {
    const vote = readVote(name)
    return vote === undefined ? longestFirst.find(field => name.startsWith(`${field}:`)) : `vote of ${vote.source}`
  }
  const wordBlocks = words.map(blockOf)
  const anchorBlocks = anchors.map(({any, not}) => ({own: any.map(blockOf), all: [...any, ...not].map(blockOf)}))
  const names = new Set([...wordBlocks, ...anchorBlocks.flatMap(({all}) => all)])
  names.delete(undefined)
  return [...names].map(name => ({
    words: [...words.keys()].filter(j => wordBlocks[j] === name),
    // An expression without a field may match any value.
    anchors: [...anchors.keys()].filter(
      i => anchorBlocks[i].all.includes(name) || anchors[i].any.some(member => /^\//.test(member))
    ),
    pure: [...anchors.keys()].filter(i => anchorBlocks[i].own.every(block => block === name))
  }))
}

/** Where a feature is named like a value, a document may have several values, which are then not a block. */
function isKept({patternCount, patternDocuments, wordStarts, wordIds, wordCounts}: Counts, block: DeclaredBlock) {
  const values = new Set(block.words)
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

/** Largest groups first. */
function groupPatterns(counts: Counts, blocks: readonly Pick<Block, 'columns'>[]): DocumentGroup[] {
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
    let found: GroupColumns | undefined
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
  blocks: readonly Pick<Block, 'columns'>[]
): GroupColumns {
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
  return {words: found, always: [...found.keys()].filter(j => found.get(j) === documents)}
}

function seenColumns({columns, anchors}: Omit<Block, 'seen'>, groups: readonly DocumentGroup[]): Block['seen'] {
  const seen = new Map<string, Set<number>>()
  for (const {concepts, columns: columnsOf} of groups) {
    const {words} = columnsOf()
    const fired = firedIn(anchors, concepts)
    const known = seen.get(fired) ?? new Set()
    for (const column of columns) if (words.has(column)) known.add(column)
    seen.set(fired, known)
  }
  return seen
}

function companionsOf(counts: Counts, concept: number): Companions {
  const {lexicon, patternCount, concepts, conceptStarts, wordStarts, wordIds} = counts
  const [fired, silent] = [new Uint8Array(lexicon.words.length), new Uint8Array(lexicon.words.length)]
  for (let p = 0; p < patternCount; p++) {
    const seen = concepts.subarray(conceptStarts[p], conceptStarts[p + 1]).includes(concept) ? fired : silent
    for (let w = wordStarts[p]; w < wordStarts[p + 1]; w++) seen[wordIds[w]] = 1
  }
  return {concept, fired, silent}
}
