import type {Lexicon} from '../data/index.ts'

/**
 * Variables of which a document has at most one: the values of a category, the bins of a number. Their numbers add up, so
 * that one that is withheld is the rest of the others.
 */
export interface Partition {
  readonly field: string
  readonly words: readonly number[]
  /** Concepts whose anchors are values of the field alone. */
  readonly anchors: readonly number[]
}

/** The partitions that the way of reading implies, with at least one word or anchor. */
export function partitionsOf({anchors, words, text}: Lexicon): Partition[] {
  const fields = [...text.categories, ...text.numbers.map(({field}) => field)]
  const longestFirst = fields.toSorted((a, b) => b.length - a.length)
  const fieldOf = (name: string) => longestFirst.find(field => name.startsWith(`${field}:`))
  const known = new Set(words)
  return fields
    .map(field => ({
      field,
      words: words.flatMap((word, j) => (fieldOf(word) === field ? [j] : [])),
      anchors: anchors.flatMap(({any}, i) =>
        any.every(name => fieldOf(name) === field && !known.has(name)) ? [i] : []
      )
    }))
    .filter(({words, anchors}) => words.length + anchors.length > 0)
}
