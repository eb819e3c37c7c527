import type {Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {createRowReader, isMember} from './feature-reader.ts'
import {growingIntegers} from './growing-array.ts'
import type {TextOptions} from './lexicon.ts'
import {phraseAt, type Spelling} from './phrases.ts'
import type {PlainLine} from './plain-line.ts'
import type {Row} from './row.ts'
import {type PlainText, StringPlaces} from './string-places.ts'
import {TokenTable} from './token-table.ts'
import {tokenizeAscii} from './tokenize-ascii.ts'

/** What is known of a token from its first occurrence on, as bits. */
const HAS_ROLES = 1
/** An expression of an anchor takes it away, so it is no word. */
const IS_TAKEN = 2
const BEGINS_PHRASE = 4

/**
 * Reads documents as numbers, by fixed anchors, phrases and text options: what `FeatureReader` finds, with each different token
 * looked at once. Memory grows with the number of different tokens.
 */
export class NumberedReader {
  readonly table = new TokenTable()
  /** The different tokens of the last document. */
  readonly tokens = growingIntegers()
  /** The members that fired in it, ascending, numbered through all concepts in order. */
  members: readonly number[] = []
  readonly memberConcepts: readonly number[]
  readonly #text: TextOptions
  readonly #reader: ReturnType<typeof createRowReader>
  readonly #onFeature: (name: string) => void
  readonly #facts = growingIntegers()
  readonly #roles = new Map<number, readonly Role[]>()
  readonly #spellings: Spelling[] = []
  readonly #lastDocument = growingIntegers()
  readonly #places = new StringPlaces()
  readonly #sequence = growingIntegers()
  #document = 0
  #present: Role[] = []

  /** `onFeature` is called with every new ready-made feature. */
  constructor(anchors: Anchors, phrases: readonly string[], text: TextOptions, onFeature: (name: string) => void) {
    this.#text = text
    this.#reader = createRowReader(anchors, phrases, text)
    this.memberConcepts = this.#reader.memberConcepts
    this.#onFeature = onFeature
  }

  readRow({text, features}: Row): void {
    this.#begin()
    const {fields} = this.#text
    for (let field = 0; field < fields.length; field++) {
      const content = text.get(fields[field])
      if (content !== undefined) this.#readText(content, field)
    }
    for (const feature of features) this.#see(this.table.numberOfText(fields.length, feature))
    this.#end()
  }

  /** Read a line by the same text fields in the same order. */
  readLine(line: PlainLine): void {
    this.#begin()
    const {features, texts, bytes} = line
    for (let field = 0; field < texts.length; field++)
      if (texts[field].isThere) this.#readPlain(line, texts[field], field)
    const {from, to, hash, count} = features
    for (let at = 0; at < count; at++) this.#see(this.table.numberOf(texts.length, bytes, from[at], to[at], hash[at]))
    this.#end()
  }

  #readPlain(line: PlainLine, text: PlainText, field: number): void {
    const {negation} = this.#text
    if (!text.isAscii || negation || this.#reader.patterns.length > 0) {
      this.#readText(line.textOf(text), field)
      return
    }
    const places = this.#places
    tokenizeAscii(text.bytes, text.length, places)
    const {from, to, hash, count} = places
    const sequence = this.#sequence
    sequence.length = 0
    sequence.reserve(count)
    const {values} = sequence
    let facts = 0
    for (let at = 0; at < count; at++) {
      values[at] = this.table.numberOf(field, text.bytes, from[at], to[at], hash[at])
      facts |= this.#factsOf(values[at])
    }
    const spellingAt = (at: number) => this.#spellings[values[at]]
    for (let at = 0; at < count; ) {
      const begins = (facts & BEGINS_PHRASE) !== 0 && (this.#factsOf(values[at]) & BEGINS_PHRASE) !== 0
      const found = begins ? phraseAt(count, spellingAt, at) : undefined
      this.#see(found === undefined ? values[at] : this.table.numberOfText(field, found.phrase.token))
      at += found?.length ?? 1
    }
  }

  #readText(content: string, field: number): void {
    const text = this.#text.lowerCase ? content.toLowerCase() : content
    const tokens = this.#reader.readField(text, field, role => this.#present.push(role))
    for (const token of tokens) this.#see(this.table.numberOfText(field, token))
  }

  #begin(): void {
    this.#document++
    this.tokens.length = 0
    this.#present.length = 0
  }

  #end(): void {
    this.members = this.#present.length === 0 ? [] : this.#reader.firedMembers(this.#present)
  }

  #see(token: number): void {
    const facts = this.#factsOf(token)
    const last = this.#lastDocument.values
    if (last[token] === this.#document) return
    last[token] = this.#document
    if ((facts & HAS_ROLES) !== 0) for (const role of this.#roles.get(token) ?? []) this.#present.push(role)
    if ((facts & IS_TAKEN) === 0) this.tokens.push(token)
  }

  #factsOf(token: number): number {
    while (this.#facts.length <= token) this.#learn(this.#facts.length)
    return this.#facts.values[token]
  }

  #learn(token: number): void {
    const [name, field] = [this.table.name(token), this.table.field(token)]
    const isReady = field === this.#text.fields.length
    if (isReady) this.#onFeature(name)
    const matching = isReady ? this.#reader.patternsOf(name) : []
    const isTaken = matching.some(isMember)
    const role = isTaken ? undefined : this.#reader.roles[field].get(name)
    const roles = role === undefined ? matching : [...matching, role]
    if (roles.length > 0) this.#roles.set(token, roles)
    const spelling = this.#reader.phrases.spell(name)
    this.#spellings.push(spelling)
    this.#lastDocument.push(0)
    this.#facts.push(
      (roles.length > 0 ? HAS_ROLES : 0) |
        (isTaken ? IS_TAKEN : 0) |
        (!isReady && spelling.phrases !== undefined ? BEGINS_PHRASE : 0)
    )
  }
}
