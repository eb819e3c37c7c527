import type {Counts} from '../counts/index.ts'
import {
  type Block,
  columnsOf,
  type DeclaredBlock,
  declaredBlocks,
  dependentConcepts,
  firedIn,
  tiedConcepts
} from './blocks.ts'
import {assignLabels, type PatternGroup} from './label-classes.ts'

/** Documents whose anchors fired alike. */
export interface DocumentGroup {
  readonly concepts: readonly number[]
  readonly documents: number
  /** How many of the documents have each column. */
  readonly words: ReadonlyMap<number, number>
}

/** The words that occur with the anchor of a concept, and without it. */
export interface Companions {
  readonly fired: Uint8Array
  readonly silent: Uint8Array
}

/**
 * The documents as tables see them: by the concepts whose anchors fired, largest groups first. As no table has two words,
 * any documents of a group may have a word, one word independently of others except those of its block.
 *
 * Columns: the words of the lexicon, then one per block for having none of its values, then one per concept with released
 * labels, and one per block of labels.
 */
export interface DocumentTable {
  readonly groups: readonly DocumentGroup[]
  readonly byConcepts: ReadonlyMap<string, DocumentGroup>
  /** Whether anchors may fire together: those that are tied to each other do so in some document. */
  isPossible(concepts: readonly number[]): boolean
  /** The groups in which each concept's anchor fired. */
  readonly withConcept: readonly (readonly DocumentGroup[])[]
  readonly blocks: readonly Block[]
  /** The blocks of words, as declared. */
  readonly declared: readonly DeclaredBlock[]
  readonly columns: number
  /** The first column of labels. */
  readonly firstLabel: number
  /** By concept: the column of its labels, where every document has one. */
  readonly labelColumns: readonly (number | undefined)[]
  /** By concept: the words that its anchor goes with, where expressions or vetoes may tie it to words. */
  readonly companions: ReadonlyMap<number, Companions>
}

export function documentTable(counts: Counts, maxOrder: number): DocumentTable {
  const n = counts.lexicon.words.length
  const patterns = groupPatterns(counts)
  const declared = keptBlocks(counts, declaredBlocks(counts.lexicon))
  const withWords = declared.filter(({words}) => words.length > 0)
  const firstLabel = n + withWords.length
  const labels = assignLabels(counts, patterns, maxOrder, firstLabel)
  const blocks = withWords.map(({words, anchors}, b) => ({words, none: n + b, anchors}))
  const tied = tiedConcepts(counts.lexicon, declared)
  const seen = new Set(patterns.map(({concepts}) => firedIn({anchors: tied}, concepts)))
  const groups = patterns.map((group, at) => lazyGroup(counts, group, blocks, labels.words[at]))
  return {
    groups,
    byConcepts: new Map(groups.map(group => [group.concepts.join(), group])),
    isPossible: concepts => seen.has(firedIn({anchors: tied}, concepts)),
    withConcept: counts.lexicon.anchors.map((_, i) => groups.filter(({concepts}) => concepts.includes(i))),
    blocks: [...blocks.map(block => ({...block, columns: seenColumns(block, groups)})), ...labels.blocks],
    declared,
    columns: firstLabel + labels.columns,
    firstLabel,
    labelColumns: labels.ofConcepts,
    companions: companionsOf(counts)
  }
}

/** Largest groups first. */
function groupPatterns({patternCount, patternDocuments, concepts, conceptStarts}: Counts): PatternGroup[] {
  const groups = new Map<string, {concepts: number[]; documents: number; patterns: number[]}>()
  for (let p = 0; p < patternCount; p++) {
    const fired = [...concepts.subarray(conceptStarts[p], conceptStarts[p + 1])]
    const key = fired.join()
    const group = groups.get(key) ?? {concepts: fired, documents: 0, patterns: []}
    group.documents += patternDocuments[p]
    group.patterns.push(p)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.documents - a.documents)
}

/** The words of a group are counted when they are first asked for: few groups are ever looked at. */
function lazyGroup(
  {wordStarts, wordIds, wordCounts}: Counts,
  {concepts, documents, patterns}: PatternGroup,
  blocks: readonly Pick<Block, 'words' | 'none'>[],
  labels: ReadonlyMap<number, number>
): DocumentGroup {
  const count = () => {
    const words = new Map<number, number>()
    for (const p of patterns)
      for (let w = wordStarts[p]; w < wordStarts[p + 1]; w++)
        words.set(wordIds[w], (words.get(wordIds[w]) ?? 0) + wordCounts[w])
    for (const block of blocks) {
      const found = block.words.reduce((sum, j) => sum + (words.get(j) ?? 0), 0)
      if (found < documents) words.set(block.none, documents - found)
    }
    for (const [column, labelled] of labels) words.set(column, labelled)
    return words
  }
  let words: ReadonlyMap<number, number> | undefined
  return {
    concepts,
    documents,
    get words() {
      words ??= count()
      return words
    }
  }
}

/** The blocks that the documents keep: where a feature is named like a value, a document may have several. */
function keptBlocks(counts: Counts, declared: readonly DeclaredBlock[]): DeclaredBlock[] {
  const isKept = declared.map(() => true)
  const blockOf = new Map<number, number>(declared.flatMap(({words}, b) => words.map(j => [j, b] as const)))
  const found = new Float64Array(declared.length)
  for (let p = 0; p < counts.patternCount && declared.length > 0; p++) {
    found.fill(0)
    for (let w = counts.wordStarts[p]; w < counts.wordStarts[p + 1]; w++) {
      const block = blockOf.get(counts.wordIds[w])
      if (block !== undefined) found[block] += counts.wordCounts[w]
    }
    for (const [b, values] of found.entries()) if (values > counts.patternDocuments[p]) isKept[b] = false
  }
  return declared.filter((_, b) => isKept[b])
}

function seenColumns(block: Omit<Block, 'columns'>, groups: readonly DocumentGroup[]): Block['columns'] {
  const columns = new Map<string, Set<number>>()
  for (const {concepts, words} of groups) {
    const fired = firedIn(block, concepts)
    const known = columns.get(fired) ?? new Set()
    for (const column of columnsOf(block)) if (words.has(column)) known.add(column)
    columns.set(fired, known)
  }
  return columns
}

function companionsOf(counts: Counts): Map<number, Companions> {
  const {words} = counts.lexicon
  const tied = dependentConcepts(counts.lexicon)
  const companions = new Map(
    tied.map(i => [i, {fired: new Uint8Array(words.length), silent: new Uint8Array(words.length)}])
  )
  for (let p = 0; p < counts.patternCount && tied.length > 0; p++) {
    const fired = counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1])
    for (const [i, {fired: together, silent}] of companions) {
      const seen = fired.includes(i) ? together : silent
      for (let w = counts.wordStarts[p]; w < counts.wordStarts[p + 1]; w++) seen[counts.wordIds[w]] = 1
    }
  }
  return companions
}
