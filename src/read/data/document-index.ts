import {type AnchorIndex, indexAnchors, type Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import type {SeenFeature} from './check-anchors.ts'
import {EncodedDocuments} from './corpus.ts'
import {FeatureHits, inverted, union, without} from './feature-hits.ts'
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
  readonly #hits: FeatureHits

  constructor(reading: TextOptions) {
    this.#reading = pickTextOptions(reading)
    this.#hits = new FeatureHits(this.#reading)
  }

  add(row: Row): void {
    this.#hits.add(row)
  }

  get documentCount(): number {
    return this.#hits.rows.length
  }

  row(d: number): Row {
    return this.#hits.rows[d]
  }

  /**
   * All documents by the anchors that work and the words beside them; `labels`, if given, replace the tags and labels of the
   * rows.
   */
  encode(anchors: Anchors, labels?: Labels): EncodedDocuments {
    const hits = this.#hits
    hits.seal()
    let members: readonly Uint32Array[] = []
    const survey = ({anchors}: LexiconBuilder) => {
      const index = indexAnchors(anchors, [], this.#reading)
      hits.readBy(anchors, index)
      members = this.#memberDocuments(index, anchors)
      return this.#survey(anchors, members)
    }
    const options = {...vocabularyDefaults, ...this.#reading, skipBadAnchors: true}
    const lexicon = learnLexicon(hits.rows, anchorRule(anchors), options, survey)
    hits.keep(new Set(anchors.flatMap(({any, not}) => [...any, ...not])))
    const {documentCount} = this
    const membersOf = inverted(members.length, member => members[member], documentCount)
    const documentsOf = lexicon.words.map(word => this.#documentsOf(word))
    const wordsOf = inverted(documentsOf.length, word => documentsOf[word], documentCount)
    const documents = {
      documentCount,
      wordStarts: wordsOf.starts,
      words: wordsOf.values,
      memberStarts: membersOf.starts,
      members: membersOf.values
    }
    return new EncodedDocuments(lexicon, documents, hits.rows.slice(), labels)
  }

  /**
   * The documents in which a feature would fire as the only member of all anchors, ascending; in steps, each of which yields
   * how many documents an expression has read. What it finds is remembered.
   */
  scan(feature: string): Generator<number, Uint32Array> {
    this.#hits.seal()
    return this.#hits.scan(feature)
  }

  /** Every feature as it is without anchors, with its number of documents. */
  *words(): Generator<SeenFeature> {
    const hits = this.#hits
    hits.seal()
    const {table} = hits
    for (let id = 0; id < table.size; id++) {
      const documents = hits.documentsWith(id).length
      const name = featureName(table.field(id), table.name(id), this.#reading.text)
      if (documents > 0) yield {name, documents}
    }
  }

  /** For each member the documents in which it fires, ascending, without those where its concept is vetoed. */
  #memberDocuments({roles, patterns, memberConcepts}: AnchorIndex, anchors: Anchors): Uint32Array[] {
    const byMember = memberConcepts.map((): Uint32Array[] => [])
    const vetoes = anchors.map((): Uint32Array[] => [])
    const add = ({members, vetoes: vetoed}: Role, documents: Uint32Array) => {
      for (const member of members) byMember[member].push(documents)
      for (const concept of vetoed) vetoes[concept].push(documents)
    }
    roles.forEach((byToken, field) => {
      for (const [token, role] of byToken) {
        const id = this.#hits.table.find(field, token)
        if (id !== undefined) add(role, this.#hits.documentsOf(id))
      }
    })
    for (const role of patterns) add(role, this.#hits.find(role.feature))
    return byMember.map((lists, member) => without(union(lists), union(vetoes[memberConcepts[member]])))
  }

  #survey(anchors: Anchors, members: readonly Uint32Array[]): WordSurvey {
    const {table} = this.#hits
    const frequencies = frequenciesByField(this.#reading, table.size, token => ({
      field: table.field(token),
      name: table.name(token),
      documents: this.#hits.frequency(token)
    }))
    let member = 0
    const conceptHits = anchors.map(({any}) => union(any.map(() => members[member++])).length)
    return {documentCount: this.documentCount, frequencies, memberHits: members.map(list => list.length), conceptHits}
  }

  /** A word may be a token of a text field, and a ready-made feature of the same name. */
  #documentsOf(word: string): Uint32Array {
    const fields = this.#reading.text
    const inText = fields.map((field, at) =>
      word.startsWith(`${field}:`) ? this.#hits.table.find(at, word.slice(field.length + 1)) : undefined
    )
    const ids = [...inText, this.#hits.table.find(fields.length, word)]
    return union(ids.flatMap(id => (id === undefined ? [] : [this.#hits.documentsOf(id)])))
  }
}
