import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {growingIntegers} from '../../base/numeric/index.ts'
import {type Anchors, exclusiveGroups} from './anchors.ts'
import {askedClass} from './feature-name.ts'
import {checkVocabularyOptions, learnLexicon, type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import type {Lexicon} from './lexicon.ts'
import {NumberedReader, type TokenTable} from './numbered-reader.ts'
import {type Labels, labelKey, parseRow, type Row, rowKey} from './row.ts'
import {documentFilter} from './surveys.ts'

/** A document as binary variables: those that are 1, ascending; everything not listed is 0. */
export interface Evidence {
  readonly words: readonly number[]
  /** Concepts of which at least one member fired (the union the paper uses). */
  readonly anchors: readonly number[]
  /** Members that fired, numbered through all concepts in order. */
  readonly members: readonly number[]
}

/** Tokens that are remembered while documents are read by a lexicon, which has few of them. */
const MOST_TOKENS = 1_000_000

/**
 * Turns rows into binary variables, in the same way for learning and for prediction. Beyond {@link MOST_TOKENS} it numbers tokens
 * anew, so memory does not grow with the documents.
 */
export class Encoder {
  readonly lexicon: Lexicon
  readonly accepts: (row: Pick<Row, 'tags'>) => boolean
  readonly labels: LabelReader
  #reader!: NumberedReader
  #numbers!: WordNumbers

  /** `given` labels, if any, replace the tags and labels of the rows. */
  constructor(lexicon: Lexicon, given?: Labels) {
    this.lexicon = lexicon
    this.accepts = documentFilter(lexicon.filter)
    this.labels = createLabelReader(lexicon.anchors, given)
    this.#begin()
  }

  readonly encode = (row: Row): Evidence => {
    const {words, anchors, members} = this.read(row)
    return {words: Array.from(words.sort()), anchors, members}
  }

  /** The evidence, with words in any order that are valid until the next call. */
  read(row: Row): Omit<Evidence, 'words'> & {readonly words: Uint32Array} {
    if (this.#reader.table.size > MOST_TOKENS) this.#begin()
    const members = this.#reader.read(row)
    const {tokens} = this.#reader
    const words = this.#numbers.of(tokens.values, 0, tokens.length)
    return {words, anchors: this.#reader.concepts, members}
  }

  #begin(): void {
    const {anchors, phrases, reading} = this.lexicon
    this.#reader = new NumberedReader(anchors, phrases, reading)
    this.#numbers = new WordNumbers(this.lexicon, this.#reader.table)
  }
}

/** Per concept 1 present, 0 absent, -1 unknown; undefined when the row has neither tags nor labels. */
type LabelReader = (row: Row) => Int8Array | undefined

/** `labels` of an encoder, for callers that have the evidence. */
export function createLabelReader(anchors: Anchors, given?: Labels): LabelReader {
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

export interface Corpus {
  readonly lexicon: Lexicon
  readonly documents: readonly CorpusDocument[]
}

/** A document as binary variables, with what is known about its concepts. */
export interface CorpusDocument extends Evidence {
  readonly key: string
  /** Per concept 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array | undefined
}

/** Read plain objects (docs/data.md) by the given anchors, learning the vocabulary from them. */
export function buildCorpus(rows: Iterable<unknown>, anchors: Anchors, options?: Partial<VocabularyOptions>): Corpus {
  const checked = withDefaults('buildCorpus', vocabularyDefaults, options)
  checkVocabularyOptions('buildCorpus', checked)
  const parsed = Array.from(rows, (row, at) => parseRow(row, checked, `row ${at + 1}`))
  return encodeCorpus(parsed, learnLexicon(parsed, {kind: 'given', anchors}, checked))
}

/** The same documents with only the concepts of `lexicon`, which has the same words. */
export function withConcepts(corpus: Corpus, lexicon: Lexicon): Corpus {
  const {anchors, words} = corpus.lexicon
  if (words.length !== lexicon.words.length || words.some((word, j) => word !== lexicon.words[j]))
    throw new AdfaError(
      'mismatch',
      `these documents were read by another lexicon (${words.length} words, not the same ${lexicon.words.length}); read them with encodeCorpus`
    )
  const kept = new Map(lexicon.anchors.map(({concept}, i) => [concept, i]))
  const newConcept = anchors.map(({concept}) => kept.get(concept) ?? -1)
  if (newConcept.every((i, old) => i === old)) return {...corpus, lexicon}
  let members = 0
  const newMember = anchors.flatMap(({any}, i) => any.map(() => (newConcept[i] < 0 ? -1 : members++)))
  const renumbered = (ids: readonly number[], to: readonly number[]) => ids.map(id => to[id]).filter(id => id >= 0)
  return {
    lexicon,
    documents: corpus.documents.map(({key, words, anchors, members, labels}) => ({
      key,
      words,
      anchors: renumbered(anchors, newConcept),
      members: renumbered(members, newMember),
      labels: labels?.filter((_, i) => newConcept[i] >= 0)
    }))
  }
}

/** Read plain objects by a lexicon learned before: the same anchors and words. */
export function readCorpus(rows: Iterable<unknown>, lexicon: Lexicon): Corpus {
  return encodeCorpus(
    Array.from(rows, (row, at) => parseRow(row, lexicon.reading, `row ${at + 1}`)),
    lexicon
  )
}

/** Read rows by an existing lexicon; `labels`, if given, replace the tags and labels of the rows. */
export function encodeCorpus(rows: Iterable<Row>, lexicon: Lexicon, labels?: Labels): Corpus {
  const encoder = new Encoder(lexicon, labels)
  const documents: CorpusDocument[] = []
  for (const row of rows)
    if (encoder.accepts(row)) documents.push({key: rowKey(row), ...encoder.encode(row), labels: encoder.labels(row)})
  return {lexicon, documents}
}

/**
 * Documents as typed arrays: the words of document d are `words[wordStarts[d] .. wordStarts[d+1])`, its members likewise.
 * In shared memory, several threads count them without copying.
 */
export interface PackedDocuments {
  readonly documentCount: number
  readonly wordStarts: Uint32Array
  readonly words: Uint32Array
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
}

/** Reads documents of typed arrays, by their number, as evidence. */
export function evidenceOf(lexicon: Lexicon, documents: PackedDocuments): (d: number) => Evidence {
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const {words, wordStarts, members, memberStarts} = documents
  return d => {
    const fired = Array.from(members.subarray(memberStarts[d], memberStarts[d + 1]))
    return {
      words: Array.from(words.subarray(wordStarts[d], wordStarts[d + 1])),
      anchors: [...new Set(fired.map(member => conceptOf[member]))],
      members: fired
    }
  }
}
