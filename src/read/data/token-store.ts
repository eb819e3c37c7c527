import {NEGATED_PREFIX} from './feature-name.ts'
import {growingIntegers} from './growing-array.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader, type TokenTable} from './numbered-reader.ts'
import {isCompound, tokenParts} from './phrases.ts'
import type {Row} from './row.ts'

/**
 * The different tokens of all documents, read without anchors and phrases, as numbers; and for each token the documents that
 * have it. A token of one field is another than that of another; those of `features` come last.
 */
export class TokenStore {
  readonly table: TokenTable
  readonly #reading: TextOptions
  readonly #reader: NumberedReader
  readonly #tokens = growingIntegers()
  readonly #starts = growingIntegers()
  /** The documents of token t are `documents[starts[t] .. starts[t+1])`. */
  #postings = {starts: new Uint32Array(1), documents: new Uint32Array()}
  /** Per text field: tokens of several words (`chest-pain`), by each of these. */
  #compounds: readonly Map<string, number[]>[] = []

  constructor(reading: TextOptions) {
    this.#reading = reading
    this.#reader = new NumberedReader([], [], reading)
    this.table = this.#reader.table
    this.#starts.push(0)
  }

  add(row: Row): void {
    this.#reader.read(row)
    const {tokens} = this.#reader
    this.#starts.push(this.#tokens.append(tokens.values, 0, tokens.length))
  }

  tokensOf(d: number): Uint32Array {
    return this.#tokens.values.subarray(this.#starts.values[d], this.#starts.values[d + 1])
  }

  /** Lists the documents of each token, once all have been added. */
  seal(): void {
    const starts = new Uint32Array(this.table.size + 1)
    const count = this.#starts.length - 1
    for (let d = 0; d < count; d++) for (const id of this.tokensOf(d)) starts[id + 1]++
    for (let id = 0; id < this.table.size; id++) starts[id + 1] += starts[id]
    const next = starts.slice()
    const documents = new Uint32Array(starts[this.table.size])
    for (let d = 0; d < count; d++) for (const id of this.tokensOf(d)) documents[next[id]++] = d
    this.#postings = {starts, documents}
    this.#compounds = this.#findCompounds()
  }

  /** The documents with a token, ascending. */
  documentsOf(id: number): Uint32Array {
    const {starts, documents} = this.#postings
    return documents.subarray(starts[id] ?? documents.length, starts[id + 1] ?? documents.length)
  }

  /** The documents that have all of these words in one text field, negated or not: the phrase that they make may be there. */
  withWords(words: readonly string[]): Uint32Array {
    return union(
      this.#reading.text.map((_, field) =>
        words
          .map(word => union(this.#spelling(field, word).map(id => this.documentsOf(id))))
          .reduce((some, others) => some.filter(memberOf(others)))
      )
    )
  }

  /** The tokens of a text field that spell this word alone, plain or negated, or together with others. */
  #spelling(field: number, word: string): number[] {
    const ids = [word, NEGATED_PREFIX + word].map(token => this.table.find(field, token))
    return [...ids.filter(id => id !== undefined), ...(this.#compounds[field].get(word) ?? [])]
  }

  #findCompounds(): Map<string, number[]>[] {
    const found = this.#reading.text.map(() => new Map<string, number[]>())
    for (let id = 0; id < this.table.size; id++) {
      const [field, name] = [this.table.field(id), this.table.name(id)]
      if (field === found.length || !isCompound(name)) continue
      // No word of a text has a colon, so this can only be the mark of a negation.
      const bare = name.startsWith(NEGATED_PREFIX) ? name.slice(NEGATED_PREFIX.length) : name
      for (const word of new Set(tokenParts(bare))) found[field].set(word, [...(found[field].get(word) ?? []), id])
    }
    return found
  }
}

/** Tells of numbers that are asked for in ascending order whether they are in a list, which ascends too. */
export function memberOf(list: ArrayLike<number>): (number: number) => boolean {
  let at = 0
  return number => {
    while (list[at] < number) at++
    return list[at] === number
  }
}

/** The documents in any of the lists, which ascend, as it does. */
export function union(lists: readonly ArrayLike<number>[]): Uint32Array {
  const filled = lists.filter(list => list.length > 0)
  if (filled.length === 1 && filled[0] instanceof Uint32Array) return filled[0]
  const last = filled.reduce((most, list) => Math.max(most, list[list.length - 1]), -1)
  const isIn = new Uint8Array(last + 1)
  for (const list of filled) for (let at = 0; at < list.length; at++) isIn[list[at]] = 1
  let size = 0
  for (const flag of isIn) size += flag
  const all = new Uint32Array(size)
  for (let d = 0, at = 0; at < size; d++) if (isIn[d] === 1) all[at++] = d
  return all
}
