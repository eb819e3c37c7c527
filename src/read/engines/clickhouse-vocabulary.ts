import type {LexiconBuilder} from '../data/index.ts'
import {createProgress, linkedAbort, type OpenTable} from './clickhouse-open.ts'
import {readGroups, tableChanged} from './clickhouse-patterns.ts'
import {badToken, decodeToken, mergeTokens, RoleTable, type TokenCount} from './clickhouse-tokens.ts'
import type {EngineControl} from './counting-engine.ts'
import {anchorHits} from './feature-roles.ts'

/** The commonest words, as many as the vocabulary takes, with all that are as common as the last. */
class VocabularyCollector {
  readonly #maxShare: number
  readonly #vocabulary: number
  readonly #features: number
  readonly #roles: RoleTable
  readonly #where: string
  #kept: TokenCount[] = []
  /** Words in fewer documents do not count any more. */
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
    // A word that an anchor's expression takes is an anchor, however rare.
    if (this.#roles.reader.hasPatterns && this.#roles.see(hex, this.#where)?.isTaken) return
    if (documents < this.#least || documents / this.documents > this.#maxShare) return
    const name = decodeToken(hex)
    if (name !== undefined && this.#roles.reader.isAnchor(this.#features, name)) return
    this.#kept.push(token)
    if (this.#kept.length >= 4 * this.#vocabulary + 1000) this.#prune()
  }

  /** Whether words in fewer documents than this one are of no use, so that a list by frequency may end here. */
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
 * Add the commonest words and the hits of all anchors. Words of one table come by how common they are, and only as far as
 * they are needed; those of several, or where regular expressions want to see every word, come all, and memory does not grow
 * with them.
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
    // Asked of a further batch, so that a short list simply ends.
    if (order === 'frequency' && words.isEnough(batch[0])) break
    for (const token of batch) words.add(token)
  }
  const readers = await readGroups(tables, roles, {words: [], tags: undefined, filter}, control.signal)
  const documentCount = readers.reduce((sum, reader) => sum + reader.documents, 0)
  if (documentCount !== words.documents) throw tableChanged(where)
  const groups = readers.flatMap(reader => [...reader.groups])
  const hits = anchorHits(groups, roles.reader.memberConcepts, anchors.length)
  const none = {tokens: [], counts: new Float64Array(0)}
  const frequencies = [...text.fields.map(() => none), words.finish()]
  builder.addSurvey({documentCount, frequencies, ...hits})
  progress.end(documentCount)
}
