import type {LexiconBuilder} from '../data/index.ts'
import {createProgress, linkedAbort, type OpenTable} from './clickhouse-open.ts'
import {readPatterns, tableChanged} from './clickhouse-patterns.ts'
import {badToken, decodeToken, mergeTokens, RoleTable, type TokenCount} from './clickhouse-tokens.ts'
import type {EngineControl} from './counting-engine.ts'
import {anchorHits} from './feature-roles.ts'

/** The most common words, as many as the vocabulary takes, and all that are as common as the last of them. */
class VocabularyCollector {
  readonly #maxShare: number
  readonly #vocabulary: number
  readonly #features: number
  readonly #roles: RoleTable
  readonly #where: string
  #kept: TokenCount[] = []
  /** Words in fewer documents are dropped. */
  #least = 0
  documents = 0

  constructor(builder: LexiconBuilder, roles: RoleTable, where: string) {
    const {maxShare, vocabulary, fields} = builder.options.text
    this.#maxShare = maxShare
    this.#vocabulary = vocabulary
    this.#features = fields.length
    this.#roles = roles
    this.#where = where
  }

  add(token: TokenCount): void {
    const {hex, documents} = token
    if (hex === undefined) {
      this.documents = documents
      return
    }
    // A word that matches an anchor's regular expression is an anchor, however rare.
    if (this.#roles.reader.hasPatterns && this.#roles.see(hex, this.#where)?.isTaken) return
    if (documents < this.#least || documents / this.documents > this.#maxShare) return
    const name = decodeToken(hex)
    if (name !== undefined && this.#roles.reader.isAnchor(this.#features, name)) return
    this.#kept.push(token)
    if (this.#kept.length >= 4 * this.#vocabulary + 1000) this.#prune()
  }

  /** Whether a list in descending order of frequency may end at this word. */
  isEnough({documents}: TokenCount): boolean {
    if (this.#roles.reader.hasPatterns || this.#kept.length < this.#vocabulary) return false
    return documents < this.#kept[this.#vocabulary - 1].documents
  }

  finish(): {tokens: string[]; counts: Float64Array} {
    this.#prune()
    const tokens = this.#kept.map(({hex = ''}) => {
      const name = decodeToken(hex)
      if (name === undefined) throw badToken(hex, 'word', this.#where)
      return name
    })
    return {tokens, counts: Float64Array.from(this.#kept, ({documents}) => documents)}
  }

  #prune(): void {
    if (this.#kept.length <= this.#vocabulary) return
    const ranked = Float64Array.from(this.#kept, ({documents}) => documents).sort()
    this.#least = ranked[ranked.length - this.#vocabulary]
    this.#kept = this.#kept.filter(({documents}) => documents >= this.#least)
  }
}

/**
 * Add the most common words and the hits of all anchors. Words of one table come in descending order of frequency, and only
 * as many as needed. With several tables, or with regular expressions, which must see every word, all words come; memory
 * does not grow with them.
 */
export async function surveyWords(
  tables: readonly OpenTable[],
  builder: LexiconBuilder,
  control: EngineControl
): Promise<void> {
  const {anchors, options} = builder
  const {phrases, text, filter} = options
  const roles = new RoleTable({anchors, phrases, text})
  const progress = createProgress('vocabulary', control)
  const where = tables.map(({table}) => table.name).join(', ')
  const words = new VocabularyCollector(builder, roles, where)
  const order = tables.length === 1 ? 'frequency' : 'name'
  const {signal, stop} = linkedAbort(control.signal)
  const lists = tables.map(open => open.tokens(open.table.tokens(order, filter), {signal, onRows: progress.of(open)}))
  for await (const batch of mergeTokens(lists, stop)) {
    // Checked before the next batch, so that a short list simply ends.
    if (order === 'frequency' && words.isEnough(batch[0])) break
    for (const token of batch) words.add(token)
  }
  const readers = await readPatterns(tables, roles, {words: [], tags: undefined, filter}, control)
  const documentCount = readers.reduce((sum, reader) => sum + reader.documents, 0)
  if (documentCount !== words.documents) throw tableChanged(where)
  const patterns = readers.flatMap(reader => [...reader.patterns])
  const hits = anchorHits(patterns, roles.reader.memberConcepts, anchors.length)
  const none = {tokens: [], counts: new Float64Array(0)}
  const frequencies = [...text.fields.map(() => none), words.finish()]
  builder.addSurvey({documentCount, frequencies, ...hits})
  progress.end(documentCount)
}
