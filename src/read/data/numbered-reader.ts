import {AdfaError} from '../../base/checks/index.ts'
import {growingIntegers} from '../../base/numeric/index.ts'
import {grouped} from '../../base/text/index.ts'
import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {createFieldScanner, type FieldScan, negatedName} from './field-scanner.ts'
import type {TextOptions} from './lexicon.ts'
import {mergePhrases} from './phrases.ts'
import type {Row} from './row.ts'
import {fieldsOf} from './row-fields.ts'
import {ownCopy, tokenize} from './tokenize.ts'

/** Different words that a field may have: a vocabulary is chosen among them, and the runtime's largest Map holds 2^24. */
const MOST_WORDS = 10_000_000

function tooManyWords(field: string, most: number): AdfaError {
  return new AdfaError(
    'bad-document',
    `field "${field}": there are more than ${grouped(most)} different words, and a vocabulary is chosen among at most that many; ` +
      'keep ids and codes out of the field, learn the words from a part of the documents, or count them in a database (adfa count --print-sql)'
  )
}

/** Numbers the tokens of each field by first occurrence; the last field is that of ready-made features. */
export class TokenTable {
  readonly #numbers: readonly Map<string, number>[]
  readonly #names: string[] = []
  readonly #fields = growingIntegers()
  readonly #fieldNames: readonly string[]
  readonly #most: number

  constructor({text}: Pick<TextOptions, 'text'>, most = MOST_WORDS) {
    this.#fieldNames = [...text, 'features']
    this.#numbers = this.#fieldNames.map(() => new Map())
    this.#most = most
  }

  get size(): number {
    return this.#names.length
  }

  name(token: number): string {
    return this.#names[token]
  }

  field(token: number): number {
    return this.#fields.values[token]
  }

  numbersOf(field: number): ReadonlyMap<string, number> {
    return this.#numbers[field]
  }

  /** Numbers a token that has none. */
  add(field: number, name: string): number {
    const own = ownCopy(name)
    if (this.#numbers[field].size === this.#most) throw tooManyWords(this.#fieldNames[field], this.#most)
    this.#numbers[field].set(own, this.#names.length)
    this.#fields.push(field)
    return this.#names.push(own) - 1
  }
}

/** Frequencies of words and anchors; surveys of different documents add up. */
export interface WordSurvey {
  readonly documentCount: number
  /** Per text field, then for `features`, then per category, number and list: in how many documents each token occurs. */
  readonly frequencies: readonly ReadonlyMap<string, number>[]
  /** Documents in which each member fired, and in which each concept's anchor fired. */
  readonly memberHits: readonly number[]
  readonly conceptHits: readonly number[]
}

/**
 * The frequencies of a survey, from those of each token; tokens that no document has are left out. A token of `features` is
 * counted in the list of its category, number or list, if it is of one.
 */
export function frequenciesByField(
  reading: TextOptions,
  tokenCount: number,
  tokenAt: (token: number) => {readonly field: number; readonly name: string; readonly documents: number}
): Map<string, number>[] {
  const features = reading.text.length
  const fields = surveyedFields(reading)
  const prefixes = fieldsOf(reading).valueNames.map(name => `${name}:`)
  const lists = fields.map(() => new Map<string, number>())
  for (let token = 0; token < tokenCount; token++) {
    const {field, name, documents} = tokenAt(token)
    if (documents === 0) continue
    const place = field < features ? field : field + 1 + prefixes.findIndex(prefix => name.startsWith(prefix))
    addFrequency(lists[place], name, documents, fields[place])
  }
  return lists
}

/** The sum of two surveys by the same anchors and options. */
export function addSurveys(one: WordSurvey, other: WordSurvey, reading: TextOptions, most = MOST_WORDS): WordSurvey {
  const fields = surveyedFields(reading)
  const frequencies = one.frequencies.map((counts, place) => {
    const sum = new Map(counts)
    for (const [token, count] of other.frequencies[place]) addFrequency(sum, token, count, fields[place], most)
    return sum
  })
  return {
    documentCount: one.documentCount + other.documentCount,
    frequencies,
    memberHits: one.memberHits.map((hits, member) => hits + other.memberHits[member]),
    conceptHits: one.conceptHits.map((hits, concept) => hits + other.conceptHits[concept])
  }
}

function surveyedFields(reading: TextOptions): readonly string[] {
  return [...reading.text, 'features', ...fieldsOf(reading).valueNames]
}

function addFrequency(to: Map<string, number>, token: string, documents: number, field: string, most = MOST_WORDS) {
  to.set(token, (to.get(token) ?? 0) + documents)
  if (to.size > most) throw tooManyWords(field, most)
}

const NO_ROLE: Role = {members: [], vetoes: []}

/**
 * Reads documents as numbers, by fixed anchors, phrases and text options. What anchors and phrases mean for a token is found
 * out once for each different one. Memory grows with the number of different tokens.
 */
export class NumberedReader {
  readonly table: TokenTable
  readonly index: AnchorIndex
  /** The different tokens of the last document, phrases as one; without what an expression of an anchor takes away. */
  readonly tokens = growingIntegers()
  /** The members that fired in it, ascending, numbered through all concepts in order; and their concepts. */
  members: readonly number[] = []
  concepts: readonly number[] = []
  readonly #text: TextOptions
  /** Where the place of a token in the text matters: with negation or expressions. */
  readonly #scan: ((text: string, field: number) => FieldScan) | undefined
  /** By token, once it has been seen. */
  readonly #roles: (Role | undefined)[] = []
  readonly #lastDocument: number[] = []
  /** By token: how many documents have it. */
  readonly #frequencies: number[] = []
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #document = 0
  #present: Role[] = []

  /** `table` may know tokens that other readers have seen. */
  constructor(anchors: Anchors, phrases: readonly string[], reading: TextOptions, table = new TokenTable(reading)) {
    this.table = table
    this.index = indexAnchors(anchors, phrases, reading)
    this.#text = reading
    const {patterns, memberConcepts} = this.index
    this.#memberHits = memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
    this.#scan = reading.negation || patterns.length > 0 ? createFieldScanner(patterns, reading) : undefined
  }

  /** Returns the members that fired. */
  read({text, features}: Row): readonly number[] {
    const {text: fields} = this.#text
    this.#present = []
    this.tokens.length = 0
    this.#document++
    for (let field = 0; field < fields.length; field++) {
      const content = text.get(fields[field])
      if (content !== undefined) this.#readText(content, field)
    }
    this.#see(fields.length, features)
    this.members = this.#present.length === 0 ? [] : this.index.firedMembers(this.#present)
    this.concepts = this.index.conceptsOf(this.members)
    for (const member of this.members) this.#memberHits[member]++
    for (const concept of this.concepts) this.#conceptHits[concept]++
    return this.members
  }

  /** In how many documents this reader has seen a token. */
  frequency(token: number): number {
    return this.#frequencies[token] ?? 0
  }

  /** How frequent words and anchors are in all documents so far. */
  survey(): WordSurvey {
    const {table} = this
    const frequencies = frequenciesByField(this.#text, table.size, token => ({
      field: table.field(token),
      name: table.name(token),
      documents: this.frequency(token)
    }))
    const [memberHits, conceptHits] = [this.#memberHits, this.#conceptHits]
    return {documentCount: this.#document, frequencies, memberHits, conceptHits}
  }

  #readText(content: string, field: number): void {
    const text = this.#text.keepCase ? content : content.toLowerCase()
    const {phrases} = this.index
    if (this.#scan === undefined) {
      this.#see(field, mergePhrases(tokenize(text), phrases))
      return
    }
    const {marks, matches, outside} = this.#scan(text, field)
    for (const {role} of matches) this.#present.push(role)
    const merged = mergePhrases(outside, phrases, marks && negatedName(marks))
    this.#see(
      field,
      merged.filter(name => name !== '')
    )
  }

  /** Adds the tokens of a field, each once. */
  #see(field: number, names: readonly string[]): void {
    const {table} = this
    const numbers = table.numbersOf(field)
    const tokens = this.tokens.reserve(names.length)
    const roles = this.#roles
    const document = this.#document
    const [last, frequencies] = [this.#lastDocument, this.#frequencies]
    let {length} = this.tokens
    for (const name of names) {
      const token = numbers.get(name) ?? table.add(field, name)
      if (last[token] === document) continue
      last[token] = document
      const role = roles[token] ?? this.#learn(token)
      if (role !== NO_ROLE) {
        this.#present.push(role)
        if (role.isTaken === true) continue
      }
      tokens[length++] = token
      frequencies[token] = (frequencies[token] ?? 0) + 1
    }
    this.tokens.length = length
  }

  #learn(token: number): Role {
    const [name, field] = [this.table.name(token), this.table.field(token)]
    const {featureRole, roles} = this.index
    const role = (field === this.#text.text.length ? featureRole(name) : roles[field].get(name)) ?? NO_ROLE
    this.#roles[token] = role
    return role
  }
}
