import {NEGATED_PREFIX} from './feature-name.ts'
import {growingIntegers} from './growing-array.ts'
import type {TextOptions} from './lexicon.ts'
import type {TokenTable} from './numbered-reader.ts'
import {NumberedReader} from './numbered-reader.ts'
import {isCompound, phraseLength, tokenParts} from './phrases.ts'
import type {Row} from './row.ts'

/**
 * The tokens of all documents, read without anchors and phrases, as numbers in the order of the text; and for each token
 * the documents that have it. A token of one field is another than that of another; those of `features` come last.
 */
export class TokenStore {
  readonly table: TokenTable
  readonly #text: TextOptions
  readonly #reader: NumberedReader
  readonly #sequence = growingIntegers()
  readonly #starts = growingIntegers()
  #postings: Postings = emptyPostings
  /** Per text field: tokens of several words (`chest-pain`), by each of these. */
  #compounds: readonly Map<string, number[]>[] = []

  constructor(reading: TextOptions) {
    this.#text = reading
    this.#reader = new NumberedReader([], [], reading)
    this.table = this.#reader.table
    this.#starts.push(0)
  }

  get documentCount(): number {
    return this.#starts.length - 1
  }

  add(row: Row): void {
    this.#reader.read(row)
    const {sequence} = this.#reader
    this.#starts.push(this.#sequence.append(sequence.values, 0, sequence.length))
  }

  tokensOf(d: number): Set<number> {
    return new Set(this.#sequence.values.subarray(this.#starts.values[d], this.#starts.values[d + 1]))
  }

  /** Lists the documents of each token, for the documents of these numbers. All documents must have been added. */
  seal(numbers: Uint32Array): void {
    const [values, starts] = [this.#sequence.values, this.#starts.values]
    const counts = new Uint32Array(this.table.size + 1)
    const last = new Uint32Array(this.table.size)
    const eachToken = (visit: (id: number, d: number) => void) => {
      last.fill(0)
      for (const d of numbers)
        for (let at = starts[d]; at < starts[d + 1]; at++) {
          const id = values[at]
          if (last[id] === d + 1) continue
          last[id] = d + 1
          visit(id, d)
        }
    }
    eachToken(id => counts[id + 1]++)
    for (let id = 0; id < this.table.size; id++) counts[id + 1] += counts[id]
    const next = counts.slice()
    const documents = new Uint32Array(counts[this.table.size])
    eachToken((id, d) => {
      documents[next[id]++] = d
    })
    this.#postings = {starts: counts, documents}
    this.#compounds = this.#findCompounds()
  }

  /** The documents with a token, ascending. */
  documentsOf(id: number): Uint32Array {
    const {starts, documents} = this.#postings
    return documents.subarray(starts[id] ?? documents.length, starts[id + 1] ?? documents.length)
  }

  /** Visit where words stand in sequence in a text field, with the tokens from `from` up to `to`; documents ascend. */
  eachPhrase(field: number, parts: readonly string[], visit: (d: number, from: number, to: number) => void): void {
    const ids = parts.map(part => this.#spelling(field, part))
    const frequency = (list: readonly number[]) => list.reduce((sum, id) => sum + this.documentsOf(id).length, 0)
    const rarest = ids.toSorted((a, b) => frequency(a) - frequency(b))[0]
    const starts = this.#starts.values
    const isFirst = new Uint8Array(this.table.size)
    for (const id of ids[0]) isFirst[id] = 1
    const {values} = this.#sequence
    const partsAt = (at: number) => {
      const id = values[at]
      return this.table.field(id) === field ? tokenParts(this.#bare(id)) : NO_WORD
    }
    for (const d of union(rarest.map(id => this.documentsOf(id)))) {
      const end = starts[d + 1]
      for (let at = starts[d]; at < end; at++) {
        const length = isFirst[values[at]] === 1 ? phraseLength(partsAt, at, end, parts) : 0
        if (length === 0) continue
        visit(d, at, at + length)
        at += length - 1
      }
    }
  }

  negatedAmong(from: number, to: number): number {
    let count = 0
    for (let at = from; at < to; at++)
      if (this.table.name(this.#sequence.values[at]).startsWith(NEGATED_PREFIX)) count++
    return count
  }

  /** The tokens of a text field that spell this word alone, plain or negated, or together with others. */
  #spelling(field: number, part: string): number[] {
    const {table} = this
    const ids = [table.find(field, part), this.#text.negation ? table.find(field, NEGATED_PREFIX + part) : undefined]
    return [...ids.filter(id => id !== undefined), ...(this.#compounds[field].get(part) ?? [])]
  }

  #findCompounds(): Map<string, number[]>[] {
    const found = this.#text.text.map(() => new Map<string, number[]>())
    for (let id = 0; id < this.table.size; id++) {
      const field = this.table.field(id)
      if (field === found.length || !isCompound(this.table.name(id))) continue
      for (const part of new Set(tokenParts(this.#bare(id)))) {
        const ids = found[field].get(part)
        if (ids === undefined) found[field].set(part, [id])
        else ids.push(id)
      }
    }
    return found
  }

  /** A token of a text field without the mark of its negation; no word of a text has a colon. */
  #bare(id: number): string {
    const token = this.table.name(id)
    return token.startsWith(NEGATED_PREFIX) ? token.slice(NEGATED_PREFIX.length) : token
  }
}

/** Stands for a token of another field, which no phrase goes through. */
const NO_WORD: readonly string[] = ['']

interface Postings {
  readonly starts: Uint32Array
  readonly documents: Uint32Array
}

const emptyPostings: Postings = {starts: new Uint32Array(1), documents: new Uint32Array()}

/** The documents in any of the lists, which ascend, as it does. */
export function union(lists: readonly ArrayLike<number>[]): Uint32Array {
  const filled = lists.filter(list => list.length > 0)
  if (filled.length === 1 && filled[0] instanceof Uint32Array) return filled[0]
  const last = filled.reduce((most, list) => Math.max(most, list[list.length - 1]), -1)
  const isIn = new Uint8Array(last + 1)
  let size = 0
  for (const list of filled)
    for (let at = 0; at < list.length; at++) {
      size += 1 - isIn[list[at]]
      isIn[list[at]] = 1
    }
  const all = new Uint32Array(size)
  for (let d = 0, at = 0; at < size; d++) if (isIn[d] === 1) all[at++] = d
  return all
}
