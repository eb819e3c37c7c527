import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {SeenFeature} from './check-anchors.ts'
import {EncodedDocuments} from './corpus.ts'
import {FeatureHits, TokenStore, union, without} from './feature-hits.ts'
import {anchorRule, featureName, type LexiconBuilder, learnLexicon, vocabularyDefaults} from './learn-lexicon.ts'
import {pickTextOptions, type TextOptions} from './lexicon.ts'
import type {Labels, Row} from './row.ts'
import {frequenciesByField, type WordSurvey} from './word-survey.ts'

/**
 * Documents that are read once, for anchors that change often: after an edit, only documents that a changed phrase or regular
 * expression may touch are read again. Lexicon and evidence are those of a fresh reading (`learnLexicon`, `encodeCorpus`).
 */
export class DocumentIndex {
  readonly #reading: TextOptions
  readonly #rows: Row[] = []
  readonly #store: TokenStore
  /** Undefined until all documents are added. */
  #hits: FeatureHits | undefined

  constructor(reading: TextOptions) {
    this.#reading = pickTextOptions(reading)
    this.#store = new TokenStore(this.#reading)
  }

  add(row: Row): void {
    this.#rows.push(row)
    this.#store.add(row)
    this.#hits = undefined
  }

  get documentCount(): number {
    return this.#rows.length
  }

  row(d: number): Row {
    return this.#rows[d]
  }

  /**
   * All documents by the anchors that work and the words beside them; `labels`, if given, replace the tags and labels of the
   * rows.
   */
  encode(anchors: Anchors, labels?: Labels): EncodedDocuments {
    const hits = this.#seal()
    let members: readonly Uint32Array[] = []
    const survey = ({anchors}: LexiconBuilder) => {
      const index = indexAnchors(anchors, [], this.#reading)
      hits.readBy(anchors, index)
      members = this.#memberDocuments(hits, index, anchors)
      return this.#survey(hits, anchors, members)
    }
    const options = {...vocabularyDefaults, ...this.#reading, skipBadAnchors: true}
    const lexicon = learnLexicon(this.#rows, anchorRule(anchors), options, survey)
    hits.keep(new Set(anchors.flatMap(({any, not}) => [...any, ...not])))
    const documentCount = this.#rows.length
    const [memberStarts, membersOf] = listsByDocument(members, documentCount)
    const documentsOf = lexicon.words.map(word => this.#documentsOf(hits, word))
    const [wordStarts, words] = listsByDocument(documentsOf, documentCount)
    const documents = {documentCount, wordStarts, words, memberStarts, members: membersOf}
    return new EncodedDocuments(lexicon, documents, this.#rows.slice(), labels)
  }

  /**
   * The documents in which a feature would fire as the only member of all anchors, ascending; in steps, each of which yields
   * how many documents an expression has read. What it finds is remembered.
   */
  scan(feature: string): Generator<number, Uint32Array> {
    return this.#seal().scan(feature)
  }

  /** Every feature as it is without anchors, with its number of documents. */
  *words(): Generator<SeenFeature> {
    this.#seal()
    const {table} = this.#store
    for (let id = 0; id < table.size; id++) {
      const documents = this.#store.documentsOf(id).length
      const name = featureName(table.field(id), table.name(id), this.#reading.text)
      if (documents > 0) yield {name, documents}
    }
  }

  #seal(): FeatureHits {
    if (this.#hits === undefined) {
      this.#store.seal()
      this.#hits = new FeatureHits(this.#rows, this.#store, this.#reading)
    }
    return this.#hits
  }

  /** For each member the documents in which it fires, ascending, without those where its concept is vetoed. */
  #memberDocuments(hits: FeatureHits, {roles, patterns, memberConcepts}: AnchorIndex, anchors: Anchors): Uint32Array[] {
    const byMember = memberConcepts.map((): Uint32Array[] => [])
    const vetoes = anchors.map((): Uint32Array[] => [])
    const add = ({members, vetoes: vetoed}: Role, documents: Uint32Array) => {
      for (const member of members) byMember[member].push(documents)
      for (const concept of vetoed) vetoes[concept].push(documents)
    }
    roles.forEach((byToken, field) => {
      for (const [token, role] of byToken) {
        const id = this.#store.table.find(field, token)
        if (id !== undefined) add(role, hits.documentsOf(id))
      }
    })
    for (const role of patterns) add(role, hits.find(role.feature))
    return byMember.map((lists, member) => {
      return without(union(lists), union(vetoes[memberConcepts[member]]))
    })
  }

  #survey(hits: FeatureHits, anchors: Anchors, members: readonly Uint32Array[]): WordSurvey {
    const {table} = this.#store
    const frequencies = frequenciesByField(this.#reading, table.size, token => ({
      field: table.field(token),
      name: table.name(token),
      documents: hits.frequency(token)
    }))
    let member = 0
    const conceptHits = anchors.map(({any}) => union(any.map(() => members[member++])).length)
    return {documentCount: this.#rows.length, frequencies, memberHits: members.map(list => list.length), conceptHits}
  }

  /** A word may be a token of a text field, and a ready-made feature of the same name. */
  #documentsOf(hits: FeatureHits, word: string): Uint32Array {
    const fields = this.#reading.text
    const inText = fields.map((field, at) =>
      word.startsWith(`${field}:`) ? this.#store.table.find(at, word.slice(field.length + 1)) : undefined
    )
    const ids = [...inText, this.#store.table.find(fields.length, word)]
    return union(ids.flatMap(id => (id === undefined ? [] : [hits.documentsOf(id)])))
  }
}

/**
 * From ascending documents per number to ascending numbers per document: those of document d are
 * `values[starts[d] .. starts[d+1])`. Cost: one step per entry, in the order of documents.
 */
function listsByDocument(
  lists: readonly Uint32Array[],
  documentCount: number
): [starts: Uint32Array, values: Uint32Array] {
  const starts = new Uint32Array(documentCount + 1)
  for (const documents of lists) for (let at = 0; at < documents.length; at++) starts[documents[at] + 1]++
  for (let d = 0; d < documentCount; d++) starts[d + 1] += starts[d]
  const next = starts.slice()
  const values = new Uint32Array(starts[documentCount])
  lists.forEach((documents, number) => {
    for (let at = 0; at < documents.length; at++) values[next[documents[at]]++] = number
  })
  return [starts, values]
}
