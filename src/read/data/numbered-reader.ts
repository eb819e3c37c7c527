import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {createFieldScanner, type FieldScan, negatedName} from './field-scanner.ts'
import {growingIntegers} from './growing-array.ts'
import type {TextOptions} from './lexicon.ts'
import {mergePhrases, phraseAt, phrasesFrom} from './phrases.ts'
import type {Row} from './row.ts'
import {ownCopy, tokenize} from './tokenize.ts'

/** Numbers the tokens of each field by first occurrence. */
export class TokenTable {
  readonly #numbers: Map<string, number>[] = []
  readonly #names: string[] = []
  readonly #fields = growingIntegers()

  get size(): number {
    return this.#names.length
  }

  name(token: number): string {
    return this.#names[token]
  }

  field(token: number): number {
    return this.#fields.values[token]
  }

  /** The number of a token, if it has one. */
  find(field: number, name: string): number | undefined {
    return this.#numbers[field]?.get(name)
  }

  /** The number of a token, which is new if need be. */
  numberOf(field: number, name: string): number {
    return this.numbersOf(field).get(name) ?? this.add(field, name)
  }

  /** The numbers of the known tokens of a field, by name. */
  numbersOf(field: number): ReadonlyMap<string, number> {
    while (this.#numbers.length <= field) this.#numbers.push(new Map())
    return this.#numbers[field]
  }

  /** Numbers a token that has none. */
  add(field: number, name: string): number {
    const own = ownCopy(name)
    this.#numbers[field].set(own, this.#names.length)
    this.#fields.push(field)
    return this.#names.push(own) - 1
  }
}

/** What is known of a token from its first occurrence on, as bits. */
const IS_KNOWN = 1
const HAS_ROLE = 2
/** An expression of an anchor takes it away, so it is no word. */
const IS_TAKEN = 4
const BEGINS_PHRASE = 8

/**
 * Reads documents as numbers, by fixed anchors, phrases and text options. What anchors and phrases mean for a token is found
 * out once for each different one. Memory grows with the number of different tokens.
 */
export class NumberedReader {
  readonly table: TokenTable
  readonly index: AnchorIndex
  /** The tokens of the last document in their order, phrases as one; without what an expression of an anchor takes away. */
  readonly sequence = growingIntegers()
  /** Each of them once. */
  readonly tokens = growingIntegers()
  /** The members that fired in it, ascending, numbered through all concepts in order. */
  members: readonly number[] = []
  readonly #text: TextOptions
  /** Where the place of a token in the text matters: with negation or expressions. */
  readonly #scan: ((text: string, field: number) => FieldScan) | undefined
  /** By token: its bits. */
  readonly #facts = growingIntegers()
  readonly #roles = new Map<number, Role>()
  readonly #lastDocument = growingIntegers()
  /** By token: the documents that have it, since {@link takeFrequencies}. */
  readonly #frequencies = growingIntegers()
  #document = 0
  #present: Role[] = []

  /** `table` may know tokens that other readers have seen. */
  constructor(anchors: Anchors, phrases: readonly string[], reading: TextOptions, table = new TokenTable()) {
    this.table = table
    this.index = indexAnchors(anchors, phrases, reading)
    this.#text = reading
    const {patterns, hasPatterns} = this.index
    this.#scan = reading.negation || hasPatterns ? createFieldScanner(patterns, reading) : undefined
  }

  /** Returns the members that fired. */
  read({text, features}: Row): readonly number[] {
    const {text: fields} = this.#text
    this.#present = []
    this.sequence.length = 0
    this.tokens.length = 0
    for (let field = 0; field < fields.length; field++) {
      const content = text.get(fields[field])
      if (content !== undefined) this.#readText(content, field)
    }
    const numbers = this.table.numbersOf(fields.length)
    const sequence = this.sequence.reserve(features.length)
    let length = this.sequence.length
    for (const name of features) sequence[length++] = numbers.get(name) ?? this.table.add(fields.length, name)
    this.sequence.length = length
    this.#seeAll()
    this.members = this.#present.length === 0 ? [] : this.index.firedMembers(this.#present)
    return this.members
  }

  /** Returns in how many documents each token occurred since the last call. */
  takeFrequencies(): Uint32Array {
    this.#makeRoom()
    const frequencies = this.#frequencies.values.slice(0, this.table.size)
    this.#frequencies.values.fill(0)
    return frequencies
  }

  /** The concepts of the members that fired, ascending. */
  firedConcepts(): number[] {
    const concepts: number[] = []
    // Members are numbered by concept, so those of one concept are neighbours.
    for (const member of this.members) {
      const concept = this.index.memberConcepts[member]
      if (concept !== concepts.at(-1)) concepts.push(concept)
    }
    return concepts
  }

  #readText(content: string, field: number): void {
    const text = this.#text.keepCase ? content : content.toLowerCase()
    const {sequence, table} = this
    if (this.#scan !== undefined) {
      const {marks, matches, outside} = this.#scan(text, field)
      for (const {role} of matches) this.#present.push(role)
      for (const token of mergePhrases(outside, this.index.phrases, marks && negatedName(marks)))
        if (token !== '') sequence.push(table.numberOf(field, token))
      return
    }
    const numbers = table.numbersOf(field)
    const names = tokenize(text)
    const from = sequence.length
    const values = sequence.reserve(names.length)
    let facts = 0
    for (let at = 0; at < names.length; at++) {
      const token = numbers.get(names[at]) ?? table.add(field, names[at])
      facts |= this.#factsOf(token)
      values[from + at] = token
    }
    sequence.length += names.length
    if ((facts & BEGINS_PHRASE) !== 0) this.#joinPhrases(field, from)
  }

  /** Replace the phrases among the last tokens: as `mergePhrases`, by numbers. */
  #joinPhrases(field: number, from: number): void {
    const {phrases} = this.index
    const tokens = this.sequence.values.slice(from, this.sequence.length)
    this.sequence.length = from
    const tokenAt = (at: number) => this.table.name(tokens[at])
    for (let at = 0; at < tokens.length; ) {
      const begins = (this.#factsOf(tokens[at]) & BEGINS_PHRASE) !== 0
      const found = begins ? phraseAt(phrases, tokenAt, at, tokens.length) : undefined
      this.sequence.push(found === undefined ? tokens[at] : this.table.numberOf(field, found.phrase.token))
      at += found?.length ?? 1
    }
  }

  #seeAll(): void {
    const {values, length} = this.sequence
    const document = ++this.#document
    this.#makeRoom()
    const last = this.#lastDocument.values
    const frequencies = this.#frequencies.values
    const tokens = this.tokens.reserve(length)
    let [kept, different] = [0, 0]
    for (let at = 0; at < length; at++) {
      const token = values[at]
      const facts = this.#factsOf(token)
      if ((facts & IS_TAKEN) === 0) values[kept++] = token
      if (last[token] === document) continue
      last[token] = document
      const role = (facts & HAS_ROLE) === 0 ? undefined : this.#roles.get(token)
      if (role !== undefined) this.#present.push(role)
      if ((facts & IS_TAKEN) !== 0) continue
      tokens[different++] = token
      frequencies[token]++
    }
    this.sequence.length = kept
    this.tokens.length = different
  }

  #makeRoom(): void {
    while (this.#facts.length < this.table.size) {
      this.#facts.push(0)
      this.#lastDocument.push(0)
      this.#frequencies.push(0)
    }
  }

  #factsOf(token: number): number {
    if (token >= this.#facts.length) this.#makeRoom()
    const known = this.#facts.values[token]
    return known === 0 ? this.#learn(token) : known
  }

  #learn(token: number): number {
    const [name, field] = [this.table.name(token), this.table.field(token)]
    const isReady = field === this.#text.text.length
    const {featureRole, phrases, roles} = this.index
    const role = isReady ? featureRole(name) : roles[field].get(name)
    if (role !== undefined) this.#roles.set(token, role)
    const begins = !isReady && phrasesFrom(phrases, name) !== undefined
    const facts = IS_KNOWN | (role ? HAS_ROLE : 0) | (role?.isTaken ? IS_TAKEN : 0) | (begins ? BEGINS_PHRASE : 0)
    this.#facts.values[token] = facts
    return facts
  }
}
