import {ascending, type Evidence, wordsByField} from './encoder.ts'
import {growingIntegers} from './growing-array.ts'
import type {Lexicon} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {PlainLine} from './plain-line.ts'
import type {FieldSurvey} from './surveys.ts'
import {TokenTable} from './token-table.ts'

/** The tags of lines, without a new string for each. */
export class TagNames {
  readonly #table = new TokenTable()

  of({tags, bytes}: PlainLine): readonly string[] | undefined {
    const {count, from, to, hash} = tags
    if (count < 0) return undefined
    return Array.from({length: count}, (_, at) =>
      this.#table.name(this.#table.numberOf(0, bytes, from[at], to[at], hash[at]))
    )
  }
}

/** Which word of a lexicon each token is. */
export class WordNumbers {
  readonly #byField: readonly ReadonlyMap<string, number>[]
  readonly #table: TokenTable
  /** By token: the number of its word plus one, or 0. */
  readonly #words = growingIntegers()
  readonly #lastDocument: Uint32Array
  readonly #found: Uint32Array
  #documents = 0

  constructor(lexicon: Lexicon, table: TokenTable) {
    this.#byField = wordsByField(lexicon)
    this.#table = table
    this.#lastDocument = new Uint32Array(lexicon.words.length)
    this.#found = new Uint32Array(lexicon.words.length)
  }

  /** The words of a document with the tokens at `from` to `to`, each once, in any order; valid until the next call. */
  of(tokens: Uint16Array | Uint32Array, from: number, to: number): Uint32Array {
    while (this.#words.length < this.#table.size) this.#learn(this.#words.length)
    const [words, last, found] = [this.#words.values, this.#lastDocument, this.#found]
    const document = ++this.#documents
    let count = 0
    for (let at = from; at < to; at++) {
      const word = words[tokens[at]] - 1
      if (word < 0 || last[word] === document) continue
      last[word] = document
      found[count++] = word
    }
    return found.subarray(0, count)
  }

  #learn(token: number): void {
    this.#words.push((this.#byField[this.#table.field(token)].get(this.#table.name(token)) ?? -1) + 1)
  }
}

/** Tokens that are remembered; beyond, reading starts to number them anew. */
export const MOST_TOKENS = 2_000_000

/** Reads plain lines as binary variables: what `encode` of an `Encoder` finds in their rows. */
export class LineEncoder {
  readonly #lexicon: Lexicon
  readonly #fields: FieldSurvey
  #reader: NumberedReader
  #words: WordNumbers

  /** The fields of the lines are added to `fields`. */
  constructor(lexicon: Lexicon, fields: FieldSurvey) {
    this.#lexicon = lexicon
    this.#fields = fields
    this.#reader = this.#createReader()
    this.#words = new WordNumbers(lexicon, this.#reader.table)
  }

  encode(line: PlainLine): Evidence {
    if (this.#reader.table.size > MOST_TOKENS) {
      this.#reader = this.#createReader()
      this.#words = new WordNumbers(this.#lexicon, this.#reader.table)
    }
    if (!this.#fields.isComplete) this.#fields.addLine(line, this.#lexicon.text.fields)
    this.#reader.readLine(line)
    const {tokens, members, memberConcepts} = this.#reader
    const words = ascending(this.#words.of(tokens.values, 0, tokens.length))
    return {words, members, anchors: [...new Set(members.map(member => memberConcepts[member]))]}
  }

  #createReader(): NumberedReader {
    const {anchors, phrases, text} = this.#lexicon
    return new NumberedReader(anchors, phrases, text, name => this.#fields.addFeature(name))
  }
}
