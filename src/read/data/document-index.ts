import {AdfaError} from '../../base/checks/index.ts'
import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import {AnchoredTokens} from './anchored-tokens.ts'
import type {Anchors} from './anchors.ts'
import {EncodedDocuments} from './encoded-documents.ts'
import {FeatureHits, type StoredDocuments} from './feature-hits.ts'
import {readFeatureName} from './feature-name.ts'
import {anchorRule, learnLexicon, type VocabularyOptions} from './learn-lexicon.ts'
import {type Lexicon, pickTextOptions, type TextOptions} from './lexicon.ts'
import {featureName, type LexiconBuilder} from './lexicon-builder.ts'
import type {SeenFeature} from './name-hint.ts'
import type {Labels, Row} from './row.ts'
import {documentFilter, TagSurvey} from './surveys.ts'
import {TokenStore, union} from './token-store.ts'
import {frequenciesByField, type WordSurvey} from './word-survey.ts'

/** What is known once all documents are added: who passes the filter, and the tokens as the anchors have them. */
interface Sealed {
  readonly documents: StoredDocuments
  readonly hits: FeatureHits
  readonly tokens: AnchoredTokens
  members?: {readonly anchors: Anchors; readonly phrases: readonly string[]; readonly lists: readonly Uint32Array[]}
}

/**
 * Documents that are read once, for anchors that change often: after an edit, only documents that a changed phrase or regular
 * expression touches are read again. Lexicon and evidence are those of a fresh reading (`learnLexicon`, `encodeCorpus`).
 */
export class DocumentIndex {
  readonly #options: VocabularyOptions
  readonly #text: TextOptions
  readonly #rows: Row[] = []
  readonly #store: TokenStore
  #sealed: Sealed | undefined
  #lexicon: Lexicon | undefined

  constructor(options: VocabularyOptions) {
    this.#options = options
    this.#text = pickTextOptions(options)
    this.#store = new TokenStore(this.#text)
  }

  add(row: Row): void {
    this.#rows.push(row)
    this.#store.add(row)
    this.#sealed = undefined
    this.#lexicon = undefined
  }

  get documentCount(): number {
    return this.#rows.length
  }

  row(d: number): Row {
    return this.#rows[d]
  }

  /** Learn the lexicon by these anchors; those refused leave everything as it was before. */
  setAnchors(anchors: Anchors): Lexicon {
    const sealed = this.#seal()
    const survey = ({anchors, options}: LexiconBuilder) => this.#survey(sealed, anchors, options.phrases)
    this.#lexicon = learnLexicon(this.#rows, anchorRule(anchors), this.#options, survey)
    sealed.hits.forget(new Set(anchors.flatMap(({any, not}) => [...any, ...not])))
    return this.#lexicon
  }

  /** All documents by the last anchors that were accepted; `labels`, if given, replace the tags and labels of the rows. */
  encode(labels?: Labels): EncodedDocuments {
    if (this.#lexicon === undefined)
      throw new AdfaError('bad-anchors', 'documents are encoded by anchors, and none are set; call setAnchors before')
    const sealed = this.#seal()
    const {numbers} = sealed.documents
    const {anchors, phrases, words} = this.#lexicon
    const [memberStarts, members] = listsByDocument(this.#read(sealed, anchors, phrases), numbers)
    const documentsOf = words.map(word => this.#documentsOf(sealed.tokens, word))
    const [wordStarts, wordsOf] = listsByDocument(documentsOf, numbers)
    const documents = {documentCount: numbers.length, wordStarts, words: wordsOf, memberStarts, members}
    return new EncodedDocuments(this.#lexicon, documents, {rows: this.#rows.slice(), numbers, ...(labels && {labels})})
  }

  /** The documents in which a feature would fire as the only member of all anchors, ascending. */
  hits(feature: string): Uint32Array {
    return this.#seal().hits.find(feature)
  }

  /** {@link hits}, in steps: yields how many documents an expression has read. What it finds is remembered. */
  scan(feature: string): Generator<number, Uint32Array> {
    return this.#seal().hits.scan(feature)
  }

  /** Every feature as it is without anchors, with its number of documents. */
  *words(): Generator<SeenFeature> {
    this.#seal()
    const {table} = this.#store
    for (let id = 0; id < this.#store.table.size; id++) {
      const documents = this.#store.documentsOf(id).length
      const name = featureName(table.field(id), table.name(id), this.#text.text)
      if (documents > 0) yield {name, documents}
    }
  }

  #seal(): Sealed {
    if (this.#sealed !== undefined) return this.#sealed
    const rows = this.#rows
    const {minTags, ofTop} = this.#options
    const tags = minTags === 0 ? [] : commonestTags(rows, ofTop)
    const accepts = documentFilter(minTags === 0 ? undefined : {minTags, tags})
    const numbers = Uint32Array.from(rows.keys()).filter(d => accepts(rows[d]))
    this.#store.seal(numbers)
    const phrases = [...this.#options.phrases, ...tags]
    const documents = {rows, store: this.#store, reading: this.#text, phrases, numbers}
    const hits = new FeatureHits(documents)
    this.#sealed = {documents, hits, tokens: new AnchoredTokens(documents, hits)}
    return this.#sealed
  }

  #read(sealed: Sealed, anchors: Anchors, phrases: readonly string[]): readonly Uint32Array[] {
    if (sealed.members?.anchors === anchors && sealed.members.phrases === phrases) return sealed.members.lists
    const index = indexAnchors(anchors, phrases, this.#text)
    sealed.tokens.read(anchors, phrases, index)
    const lists = this.#memberDocuments(sealed, index, anchors)
    sealed.members = {anchors, phrases, lists}
    return lists
  }

  /** For each member the documents in which it fires, ascending, without those where its concept is vetoed. */
  #memberDocuments({hits, tokens}: Sealed, index: AnchorIndex, anchors: Anchors): Uint32Array[] {
    const {roles, patterns, memberConcepts} = index
    const byMember = memberConcepts.map((): Uint32Array[] => [])
    const vetoes = new Map<number, Uint32Array[]>()
    const add = ({members, vetoes: vetoed}: Role, documents: Uint32Array) => {
      for (const member of members) byMember[member].push(documents)
      for (const concept of vetoed) vetoes.set(concept, [...(vetoes.get(concept) ?? []), documents])
    }
    roles.forEach((byToken, field) => {
      for (const [token, role] of byToken) {
        const id = this.#store.table.find(field, token)
        if (id !== undefined) add(role, tokens.documentsOf(id))
      }
    })
    // Expressions are in the order in which anchors name them.
    const expressions = anchors
      .flatMap(({any, not}) => [...any, ...not])
      .filter(feature => readFeatureName(feature, this.#text).pattern !== undefined)
    expressions.forEach((feature, at) => {
      add(patterns[at], hits.find(feature))
    })
    const isVetoed = new Uint8Array(this.#rows.length)
    return byMember.map((lists, member) => {
      const veto = vetoes.get(memberConcepts[member])
      const fired = union(lists)
      if (veto === undefined) return fired
      isVetoed.fill(0)
      for (const documents of veto) for (const d of documents) isVetoed[d] = 1
      return fired.filter(d => isVetoed[d] === 0)
    })
  }

  #survey(sealed: Sealed, anchors: Anchors, phrases: readonly string[]): WordSurvey {
    const lists = this.#read(sealed, anchors, phrases)
    const {table} = this.#store
    const frequencies = frequenciesByField(this.#text, table.size, token => ({
      field: table.field(token),
      name: table.name(token),
      documents: sealed.tokens.frequency(token)
    }))
    let member = 0
    const conceptHits = anchors.map(({any}) => union(any.map(() => lists[member++])).length)
    const memberHits = lists.map(list => list.length)
    return {documentCount: sealed.documents.numbers.length, frequencies, memberHits, conceptHits}
  }

  #documentsOf(tokens: AnchoredTokens, word: string): Uint32Array {
    const {text: fields} = this.#text
    const names = [
      ...fields.map(field => (word.startsWith(`${field}:`) ? word.slice(field.length + 1) : undefined)),
      word
    ]
    const ids = names.map((token, field) => (token === undefined ? undefined : this.#store.table.find(field, token)))
    return union(ids.filter(id => id !== undefined).map(id => tokens.documentsOf(id)))
  }
}

function commonestTags(rows: readonly Row[], count: number): string[] {
  const survey = new TagSurvey()
  for (const row of rows) survey.add(row)
  return survey.commonest(count)
}

/**
 * From ascending documents per number to ascending numbers per document, for the documents of `numbers`, which are all that
 * occur: those of document d are `values[starts[d] .. starts[d+1])`. Cost: one step per entry, in the order of documents.
 */
function listsByDocument(
  lists: readonly Uint32Array[],
  numbers: Uint32Array
): [starts: Uint32Array, values: Uint32Array] {
  const sizes = new Uint32Array((numbers.at(-1) ?? -1) + 1)
  for (const documents of lists) for (let at = 0; at < documents.length; at++) sizes[documents[at]]++
  const starts = new Uint32Array(numbers.length + 1)
  const next = sizes
  for (let at = 0; at < numbers.length; at++) {
    starts[at + 1] = starts[at] + sizes[numbers[at]]
    next[numbers[at]] = starts[at]
  }
  const values = new Uint32Array(starts[numbers.length])
  lists.forEach((documents, number) => {
    for (let at = 0; at < documents.length; at++) values[next[documents[at]]++] = number
  })
  return [starts, values]
}
