import {type Anchors, exclusiveGroups} from './anchors.ts'
import {askedClass} from './feature-name.ts'
import {growingIntegers} from './growing-array.ts'
import type {Lexicon} from './lexicon.ts'
import type {TokenTable} from './numbered-reader.ts'
import {NumberedReader} from './numbered-reader.ts'
import {type Labels, labelKey, type Row} from './row.ts'
import {documentFilter} from './surveys.ts'

/** A document as binary variables: those that are 1, ascending; everything not listed is 0. */
export interface Evidence {
  readonly words: readonly number[]
  /** Concepts of which at least one member fired (the union the paper uses). */
  readonly anchors: readonly number[]
  /** Members that fired, numbered through all concepts in order. */
  readonly members: readonly number[]
}

/** Turns rows into binary variables, in the same way for learning and for prediction. */
export interface Encoder {
  readonly lexicon: Lexicon
  encode(row: Row): Evidence
  /** Per concept 1 present, 0 absent, -1 unknown; undefined when the row has neither tags nor labels. */
  labels(row: Row): Int8Array | undefined
  accepts(row: Row): boolean
}

/** Tokens that are remembered; beyond, reading starts to number them anew. */
export const MOST_TOKENS = 1_000_000

/** `given` labels, if any, replace the tags and labels of the rows. */
export function createEncoder(lexicon: Lexicon, given?: Labels): Encoder {
  const {anchors, phrases, reading, filter} = lexicon
  const start = () => {
    const reader = new NumberedReader(anchors, phrases, reading)
    return {reader, numbers: new WordNumbers(lexicon, reader.table)}
  }
  let {reader, numbers} = start()
  const encode = (row: Row): Evidence => {
    if (reader.table.size > MOST_TOKENS) ({reader, numbers} = start())
    const members = reader.read(row)
    const {tokens} = reader
    const words = Array.from(numbers.of(tokens.values, 0, tokens.length).sort())
    return {words, anchors: reader.firedConcepts(), members}
  }
  return {lexicon, encode, labels: createLabelReader(anchors, given), accepts: documentFilter(filter)}
}

/** `labels` of an encoder, for callers that have the evidence. */
export function createLabelReader(anchors: Anchors, given?: Labels): Encoder['labels'] {
  const conceptIds = new Map(anchors.map(({concept}, i) => [concept, i]))
  const names = new Set(conceptIds.keys())
  // Whoever tags c does not tag `not c`.
  const opposites = exclusiveGroups(anchors).flatMap(({concepts, atMostOne}) => {
    const [one, other] = concepts.toSorted((a, b) => anchors[a].concept.length - anchors[b].concept.length)
    const isPair = concepts.length === 2 && !atMostOne
    return isPair && askedClass(anchors[other].concept, names) === anchors[one].concept ? [[one, other]] : []
  })
  return row => {
    const {tags, labels} = given === undefined ? row : {labels: given.get(labelKey(row))}
    if (tags === undefined && labels === undefined) return undefined
    const known = new Int8Array(anchors.length).fill(tags === undefined ? -1 : 0)
    const set = (concept: string, isPresent: boolean) => {
      const i = conceptIds.get(concept)
      if (i !== undefined) known[i] = isPresent ? 1 : 0
    }
    for (const tag of tags ?? []) set(tag, true)
    for (const [concept, isPresent] of labels ?? []) set(concept, isPresent)
    for (const [one, other] of opposites) {
      if (known[one] !== -1) known[other] = 1 - known[one]
      else if (known[other] !== -1) known[one] = 1 - known[other]
    }
    return known
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

/** Per text field and, last, for `features`: the number of the word that a token is. */
export function wordsByField({words, reading}: Lexicon): readonly ReadonlyMap<string, number>[] {
  const byField = [...reading.text.map(() => new Map<string, number>()), new Map<string, number>()]
  words.forEach((word, j) => {
    byField[reading.text.length].set(word, j)
    reading.text.forEach((field, at) => {
      if (word.startsWith(`${field}:`)) byField[at].set(word.slice(field.length + 1), j)
    })
  })
  return byField
}
