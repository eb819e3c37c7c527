import {AdfaError} from '../../base/checks/index.ts'
import {indexAnchors} from './anchor-index.ts'
import {AnchoredTokens} from './anchored-tokens.ts'
import type {Anchors} from './anchors.ts'
import {EncodedDocuments, type PackedDocuments} from './encoded-documents.ts'
import {FeatureHits, type StoredDocuments} from './feature-hits.ts'
import {readFeatureName} from './feature-name.ts'
import {anchorRule, lexiconPasses, type VocabularyOptions} from './learn-lexicon.ts'
import {type Lexicon, pickTextOptions, type TextOptions} from './lexicon.ts'
import {createPlaceOf, featureName, type WordSurvey} from './lexicon-builder.ts'
import {type DocumentLists, listsByDocument, memberDocuments} from './member-documents.ts'
import type {SeenFeature} from './name-hint.ts'
import type {Labels, Row} from './row.ts'
import {valueFieldNames} from './row-fields.ts'
import {documentFilter} from './surveys.ts'
import {TokenStore, union} from './token-store.ts'

/** What is known once all documents are added: who passes the filter, and the tokens as the anchors have them. */
interface Sealed {
  readonly documents: StoredDocuments
  readonly hits: FeatureHits
  readonly tokens: AnchoredTokens
  /** The last reading by anchors. */
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
  readonly #placeOf: (field: number, token: string) => number
  #sealed: Sealed | undefined
  #lexicon: Lexicon | undefined

  constructor(options: VocabularyOptions) {
    // Everything is counted, so that the choice of words is exact.
    this.#options = {...options, distinctWords: Number.POSITIVE_INFINITY}
    this.#text = pickTextOptions(options)
    this.#store = new TokenStore(this.#text)
    this.#placeOf = createPlaceOf(this.#text)
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
    const passes = lexiconPasses(anchorRule(anchors), this.#options)
    let step = passes.next()
    while (!step.done) {
      const {stage, to} = step.value
      if (stage === 'vocabulary') to.addSurvey(this.#survey(sealed, to.anchors, to.options.phrases))
      else for (const row of this.#rows) to.add(row)
      step = passes.next()
    }
    this.#lexicon = step.value
    sealed.hits.forget(new Set(anchors.flatMap(({any, not}) => [...any, ...not])))
    return step.value
  }

  /** All documents by the last anchors that were accepted; `labels`, if given, replace the tags and labels of the rows. */
  encode(labels?: Labels): EncodedDocuments {
    if (this.#lexicon === undefined)
      throw new AdfaError('bad-anchors', 'documents are encoded by anchors, and none are set; call setAnchors before')
    const sealed = this.#seal()
    const {numbers} = sealed.documents
    const {anchors, phrases, words} = this.#lexicon
    const byMember = this.#read(sealed, anchors, phrases)
    const members = listsByDocument(byMember, numbers)
    const byWord = listsByDocument(
      words.map(word => this.#documentsOf(sealed.tokens, word)),
      numbers
    )
    return new EncodedDocuments(this.#lexicon, packed(byWord, members), {
      rows: this.#rows.slice(),
      numbers,
      ...(labels === undefined ? {} : {labels})
    })
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
    for (let id = 0; id < this.#store.tokenCount; id++) {
      const documents = this.#store.documentsOf(id).length
      const name = featureName(this.#store.field(id), this.#store.token(id), this.#text.fields)
      if (documents > 0) yield {name, documents}
    }
  }

  #seal(): Sealed {
    if (this.#sealed !== undefined) return this.#sealed
    const rows = this.#rows
    const {phrases, accepts} = this.#fixedReading()
    this.#store.seal(d => accepts(rows[d]))
    const numbers = Uint32Array.from(rows.keys()).filter(d => accepts(rows[d]))
    const documents = {rows, store: this.#store, text: this.#text, phrases, numbers}
    const hits = new FeatureHits(documents)
    this.#sealed = {documents, hits, tokens: new AnchoredTokens(documents, hits)}
    return this.#sealed
  }

  /** The phrases and the filter that do not depend on anchors. */
  #fixedReading(): {phrases: readonly string[]; accepts: (row: Row) => boolean} {
    const passes = lexiconPasses({kind: 'given', anchors: []}, this.#options)
    for (let step = passes.next(); !step.done; step = passes.next()) {
      const {stage, to} = step.value
      if (stage === 'vocabulary') return {phrases: to.options.phrases, accepts: documentFilter(to.options.filter)}
      for (const row of this.#rows) to.add(row)
    }
    throw new Error('learning a lexicon ends without a pass for the vocabulary')
  }

  /** The documents of each member, by these anchors. */
  #read(sealed: Sealed, anchors: Anchors, phrases: readonly string[]): readonly Uint32Array[] {
    if (sealed.members?.anchors === anchors && sealed.members.phrases === phrases) return sealed.members.lists
    const index = indexAnchors(anchors, phrases, this.#text)
    sealed.tokens.read(anchors, phrases, index)
    const lists = memberDocuments(index, this.#rows.length, {
      ofToken: (field, token) => {
        const id = this.#store.idOf(field, token)
        return id === undefined ? new Uint32Array() : sealed.tokens.documentsOf(id)
      },
      ofPatterns: this.#patternDocuments(sealed, anchors)
    })
    sealed.members = {anchors, phrases, lists}
    return lists
  }

  /** The documents of each regular expression, in the order of an {@link AnchorIndex}. */
  #patternDocuments({hits}: Sealed, anchors: Anchors): Uint32Array[] {
    return anchors
      .flatMap(({any, not}) => [...any, ...not])
      .filter(feature => readFeatureName(feature, this.#text).pattern !== undefined)
      .map(feature => hits.find(feature))
  }

  #survey(sealed: Sealed, anchors: Anchors, phrases: readonly string[]): WordSurvey {
    const lists = this.#read(sealed, anchors, phrases)
    const {fields} = this.#text
    const frequencies = Array.from({length: fields.length + 1 + valueFieldNames(this.#text).length}, () => ({
      tokens: [] as string[],
      counts: [] as number[]
    }))
    for (let id = 0; id < this.#store.tokenCount; id++) {
      const count = sealed.tokens.frequency(id)
      if (count === 0) continue
      const token = this.#store.token(id)
      const {tokens, counts} = frequencies[this.#placeOf(this.#store.field(id), token)]
      tokens.push(token)
      counts.push(count)
    }
    let member = 0
    const conceptHits = anchors.map(({any}) => union(any.map(() => lists[member++])).length)
    const memberHits = lists.map(list => list.length)
    return {documentCount: sealed.documents.numbers.length, frequencies, memberHits, conceptHits}
  }

  /** The documents with a word, whether from text or ready-made. */
  #documentsOf(tokens: AnchoredTokens, word: string): Uint32Array {
    const {fields} = this.#text
    const names = [
      ...fields.map(field => (word.startsWith(`${field}:`) ? word.slice(field.length + 1) : undefined)),
      word
    ]
    const ids = names.map((token, field) => (token === undefined ? undefined : this.#store.idOf(field, token)))
    return union(ids.filter(id => id !== undefined).map(id => tokens.documentsOf(id)))
  }
}

function packed(words: DocumentLists, members: DocumentLists): PackedDocuments {
  return {
    documentCount: words.starts.length - 1,
    wordStarts: words.starts,
    words: words.values,
    memberStarts: members.starts,
    members: members.values
  }
}
