import {type Lexicon, parseNumberField, readVote} from '../data/index.ts'

/**
 * Columns of which a document has exactly one: the values of a category, the bins of a number, the votes of a source, or the
 * labels of exclusive concepts, and one more column for documents with none of them.
 */
export interface Block {
  readonly words: readonly number[]
  readonly none: number
  /** Concepts whose anchors depend on the values. */
  readonly anchors: readonly number[]
  /** The columns that documents have, by which of these anchors fired ({@link firedIn}). */
  readonly columns: ReadonlyMap<string, ReadonlySet<number>>
}

export function columnsOf({none, words}: Pick<Block, 'none' | 'words'>): number[] {
  return [none, ...words]
}

/** A block as the lexicon declares it. */
export interface DeclaredBlock {
  readonly words: readonly number[]
  readonly anchors: readonly number[]
  /** Those of the anchors that are nothing but values of the block. */
  readonly pure: readonly number[]
}

const EXPRESSION = /(^|:)\/.+\/[a-z]*$/s

/** The blocks that the way of reading implies. */
export function declaredBlocks({anchors, words, reading}: Lexicon): DeclaredBlock[] {
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

/** Which of the anchors of a block fired. */
export function firedIn({anchors}: Pick<Block, 'anchors'>, concepts: readonly number[]): string {
  return anchors.filter(i => concepts.includes(i)).join()
}

/** Concepts with an expression or a veto, which may depend on words and on other anchors. */
export function dependentConcepts({anchors}: Lexicon): number[] {
  return [...anchors.keys()].filter(
    i => anchors[i].not.length > 0 || anchors[i].any.some(name => EXPRESSION.test(name))
  )
}

/** Concepts whose anchors may imply or exclude others: values of a block, expressions, and anchors that others veto. */
export function tiedConcepts(lexicon: Lexicon, declared: readonly DeclaredBlock[]): number[] {
  const vetoed = new Set(lexicon.anchors.flatMap(({not}) => not))
  const tied = new Set([...declared.flatMap(({anchors}) => anchors), ...dependentConcepts(lexicon)])
  for (const [i, {any}] of lexicon.anchors.entries()) if (any.some(name => vetoed.has(name))) tied.add(i)
  return [...tied].sort((a, b) => a - b)
}
