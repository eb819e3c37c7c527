import {AdfaError, badOption, throwIfCancelled} from '../../base/checks/index.ts'
import type {Counts, CountsHeader} from '../counts/index.ts'
import {
  type AnchorIndex,
  indexAnchors,
  type Lexicon,
  type TagFilter,
  type TextOptions,
  valueFieldNames
} from '../data/index.ts'
import type {CountQuery, SqlDialect} from '../sql/index.ts'
import type {CountingEngine, EngineControl, EngineName} from './counting-engine.ts'
import {anchorHits, countGroups, membersOf} from './groups-engine.ts'
import type {DocumentGroup, DocumentGroups} from './read-groups.ts'

/** Documents with ready-made words in a database, which runs the statements of its dialect. */
export interface SqlDocuments {
  readonly name: Extract<EngineName, 'duckdb' | 'clickhouse'>
  /** The table, for errors. */
  readonly where: string
  readonly sql: SqlDialect
  /** The relation, its list of words, and its list of tags, which is known where `tagged` holds. */
  readonly from: string
  readonly words: string
  /** Whether no document has a word twice. */
  readonly areDistinct: boolean
  readonly tags?: {readonly list: string; readonly tagged: string | undefined} | undefined
  /** How many characters of names fit in one statement. */
  readonly room: number
  /** The rows of a result, some at a time, as one list per column, which hold text and numbers. */
  columns(sql: string, signal: AbortSignal | undefined): AsyncIterable<readonly (readonly unknown[])[]>
  /** A condition on the tags of a document. */
  passes?(filter: TagFilter): string
  close(): Promise<void>
}

/** What the survey of words finds, and counting needs again. */
interface Grouped {
  /** The names that play a role for anchors, whose places masks list. */
  readonly names: readonly string[]
  readonly reader: AnchorIndex
  /** By mask as the database writes it. */
  readonly groups: ReadonlyMap<string, Pick<DocumentGroup, 'mask' | 'documents'>>
  readonly documents: number
}

/** What decides which documents and features are seen. */
type Reading = Pick<Lexicon, 'anchors' | 'phrases' | 'reading' | 'filter'>

/**
 * Counts documents that a database groups by the anchor features that they have; only groups and words leave it. Which anchors
 * a group fires is decided here, as for documents.
 */
export function sqlEngine(db: SqlDocuments): CountingEngine {
  const passes = new SqlPasses(db)
  return {
    name: db.name,
    rows: undefined,
    async surveyTags(survey, {signal, onProgress}) {
      const documentCount = await passes.documents(undefined, signal)
      const found = {tags: [] as string[], counts: [] as number[]}
      for await (const [tags, counts] of passes.counts({...passes.tagged(), words: true}, signal)) {
        found.tags.push(...tags.map(String))
        found.counts.push(...counts.map(Number))
      }
      survey.addSurvey({documentCount, ...found})
      onProgress?.('tags', documentCount)
    },
    async surveyWords(builder, control) {
      const {anchors, options} = builder
      const {frequencies, grouped} = await passes.survey({...options, anchors}, control.signal)
      const {reader, groups, documents} = grouped
      const places = [...options.reading.text.map(() => ({tokens: [], counts: []})), frequencies]
      const hits = anchorHits(groups.values(), reader, anchors.length)
      builder.addSurvey({documentCount: documents, frequencies: places, ...hits})
      control.onProgress?.('vocabulary', documents)
      return header => passes.count(header, grouped, control)
    },
    async count(header, control) {
      const {grouped} = await passes.survey(header.lexicon, control.signal)
      return passes.count(header, grouped, control)
    },
    close: () => db.close()
  }
}

class SqlPasses {
  readonly #db: SqlDocuments

  constructor(db: SqlDocuments) {
    this.#db = db
  }

  counts(query: Omit<CountQuery, 'from'>, signal: AbortSignal | undefined, order = '') {
    const {sql, from, areDistinct} = this.#db
    return this.#db.columns(sql.count({from, areDistinct, ...query}) + order, signal)
  }

  async documents(where: string | undefined, signal: AbortSignal | undefined): Promise<number> {
    const {from, columns} = this.#db
    const condition = where === undefined ? '' : ` WHERE ${where}`
    for await (const [[count]] of columns(`SELECT COUNT(*) FROM ${from}${condition}`, signal)) return Number(count)
    throw new Error('internal error: a count without a row')
  }

  /** The documents with known tags, and these as a list. */
  tagged(where?: string): Pick<CountQuery, 'list' | 'where'> {
    const {tags, where: table} = this.#db
    if (tags === undefined)
      throw new AdfaError(
        'bad-option',
        `${table}: reading tags needs a column with the list of each document's tags; name it in \`tagsColumn\``
      )
    const conditions = [tags.tagged, where].filter(each => each !== undefined)
    return {list: tags.list, where: conditions.length > 0 ? conditions.join(' AND ') : undefined}
  }

  /** Common words, the names that play a role for anchors, and the groups by them. */
  async survey(reading: Reading, signal: AbortSignal | undefined) {
    const {anchors, phrases, reading: text, filter} = reading
    refuseValues(text, this.#db.where)
    const reader = indexAnchors(anchors, phrases, text)
    const where = this.#where(filter)
    const documents = await this.documents(where, signal)
    const {names, frequencies} = await this.#commonWords({reader, reading: text, documents, where}, signal)
    const groups = new Map<string, Pick<DocumentGroup, 'mask' | 'documents'>>()
    let sum = 0
    for await (const [masks, counts] of this.counts({list: this.#db.words, names, areNumbered: true, where}, signal))
      masks.forEach((mask, at) => {
        const places: readonly number[] = JSON.parse(String(mask))
        groups.set(String(mask), {mask: places.map(place => names[place - 1]), documents: Number(counts[at])})
        sum += Number(counts[at])
      })
    if (sum !== documents) throw this.#changed()
    return {frequencies, grouped: {names, reader, groups, documents}}
  }

  async count(header: CountsHeader, grouped: Grouped, control: EngineControl): Promise<Counts> {
    const {lexicon, labelShare} = header
    const {signal} = control
    refuseLabels(labelShare, control)
    const words = await this.#wordsByGroup(lexicon, grouped, signal)
    const labelled = labelShare === 1 ? await this.#labelled(lexicon, grouped, signal) : undefined
    if ((await this.documents(this.#where(lexicon.filter), signal)) !== grouped.documents) throw this.#changed()
    const counts = countGroups(header, words, labelled)
    const counted = Array.from(new Set(counts.wordIds), j => lexicon.words[j])
    const unseen = lexicon.reading.text.filter(field => !counted.some(word => word.startsWith(`${field}:`)))
    if (unseen.length > 0) control.onUnseenFields?.(unseen)
    control.onProgress?.('counting', grouped.documents)
    return counts
  }

  /** As many of the commonest words as the vocabulary takes, with all that are as common as the last; all words, where expressions must see them. */
  async #commonWords({reader, reading, documents, where}: WordSearch, signal: AbortSignal | undefined) {
    const fieldCount = reading.text.length
    for (let limit = reader.hasPatterns ? Number.POSITIVE_INFINITY : 2 * reading.vocabulary + 1000; ; limit *= 4) {
      const names = new Set(reader.roleNames)
      const frequencies = {tokens: [] as string[], counts: [] as number[]}
      const order = ` ORDER BY documents DESC${Number.isFinite(limit) ? ` LIMIT ${limit}` : ''}`
      let seen = 0
      let kept = 0
      let last = Number.POSITIVE_INFINITY
      for await (const [words, counts] of this.counts({list: this.#db.words, words: true, where}, signal, order))
        for (let at = 0; at < words.length; at++) {
          const [word, count] = [String(words[at]), Number(counts[at])]
          seen++
          const role = reader.hasPatterns ? reader.featureRole(word) : undefined
          if (role !== undefined) names.add(word)
          // A match of an anchor's regular expression is not a word, as in documents.
          if (role?.isTaken === true || (kept >= reading.vocabulary && count < last)) continue
          frequencies.tokens.push(word)
          frequencies.counts.push(count)
          if (count / documents > reading.maxShare || reader.isAnchor(fieldCount, word)) continue
          if (++kept <= reading.vocabulary) last = count
        }
      if (seen < limit || frequencies.tokens.length < seen) return {names: [...names].filter(isText), frequencies}
    }
  }

  /** The groups with the words of the lexicon, in as many statements as they fit in. */
  async #wordsByGroup(
    {words, filter}: Lexicon,
    {reader, groups, names}: Grouped,
    signal: AbortSignal | undefined
  ): Promise<DocumentGroups> {
    const {sql, words: list, room} = this.#db
    const where = this.#where(filter)
    const ids = new Map(words.map((word, j) => [word, j]))
    const asked = words.filter(word => isText(word) && reader.featureRole(word)?.isTaken !== true)
    const counted = new Map(
      Array.from(groups, ([key, group]) => [key, {...group, wordIds: [] as number[], wordCounts: [] as number[]}])
    )
    for (const part of cut(asked.map(sql.text), room)) {
      const query = {list, names, areNumbered: true, words: `adfa_word IN (${part.join(', ')})`, where}
      for await (const [masks, found, counts] of this.counts(query, signal))
        for (let at = 0; at < masks.length; at++) {
          const [group, j] = [counted.get(String(masks[at])), ids.get(String(found[at]))]
          const documents = Number(counts[at])
          if (group === undefined || j === undefined || documents > group.documents) throw this.#changed()
          group.wordIds.push(j)
          group.wordCounts.push(documents)
        }
    }
    return {groups: [...counted.values()], words}
  }

  /** How many documents do and do not have each concept among their tags, by its anchor: cell `4*i + 2*y + a`. */
  async #labelled({anchors, filter}: Lexicon, {reader, groups, names}: Grouped, signal: AbortSignal | undefined) {
    const {sql, words} = this.#db
    const ids = new Map(anchors.map(({concept}, i) => [concept, i]))
    const {list, where} = this.tagged(this.#where(filter))
    const labelled = new Float64Array(4 * anchors.length)
    const fires = (mask: unknown) => {
      const group = groups.get(String(mask))
      if (group === undefined) throw this.#changed()
      return new Set(membersOf(group.mask, reader).map(member => reader.memberConcepts[member]))
    }
    const query = {list: words, names, areNumbered: true, where}
    for await (const [masks, counts] of this.counts(query, signal))
      masks.forEach((mask, at) => {
        const fired = fires(mask)
        for (let i = 0; i < anchors.length; i++) labelled[4 * i + (fired.has(i) ? 1 : 0)] += Number(counts[at])
      })
    const concepts = anchors.map(({concept}) => sql.text(concept)).join(', ')
    const tagged = {...query, items: list, words: `adfa_word IN (${concepts})`}
    for await (const [masks, tags, counts] of this.counts(tagged, signal))
      masks.forEach((mask, at) => {
        const i = ids.get(String(tags[at])) ?? 0
        const absent = 4 * i + (fires(mask).has(i) ? 1 : 0)
        labelled[absent] -= Number(counts[at])
        labelled[absent + 2] += Number(counts[at])
      })
    return labelled
  }

  #where(filter: TagFilter | undefined): string | undefined {
    if (filter === undefined) return undefined
    this.tagged()
    return this.#db.passes?.(filter)
  }

  #changed(): AdfaError {
    return new AdfaError(
      'mismatch',
      `${this.#db.where}: documents were added or removed while the table was counted, so its parts do not fit together; nothing was counted; ` +
        'repeat the command when nothing writes to the table, or count a copy'
    )
  }
}

interface WordSearch {
  readonly reader: AnchorIndex
  readonly reading: TextOptions
  readonly documents: number
  readonly where: string | undefined
}

/** Half a character of UTF-16 cannot be written in UTF-8, and is in no document of a database. */
function isText(name: string): boolean {
  return !/\p{Surrogate}/u.test(name)
}

/** Cuts a list into parts of at most so many characters. */
function cut(texts: readonly string[], most: number): string[][] {
  const parts: string[][] = []
  let used = 0
  for (const text of texts) {
    const size = Buffer.byteLength(text) + 2
    if (parts.length === 0 || used + size > most) {
      parts.push([])
      used = 0
    }
    parts[parts.length - 1].push(text)
    used += size
  }
  return parts
}

function refuseValues(reading: TextOptions, where: string): void {
  const names = [...valueFieldNames(reading), ...reading.votes]
  if (names.length > 0)
    throw new AdfaError(
      'bad-option',
      `${where}: databases count ready-made words here; ${names.join(', ')} cannot be read as category, number, list or votes; ` +
        'put such values among the words of a document (sex:m, votes:nurse=alcohol) in a view, or count files with the memory engine'
    )
}

function refuseLabels(labelShare: number, {labels, signal}: EngineControl): void {
  throwIfCancelled(signal)
  if (labels !== undefined)
    throw new AdfaError(
      'bad-option',
      'databases find no documents by their ids; put the labels into a column of tags and name it in `tagsColumn`, or count files with the memory engine'
    )
  if (labelShare > 0 && labelShare < 1)
    throw badOption(
      'counting in a database',
      'labelShare',
      '1 (the tags of all documents) or 0 (of none); the memory engine draws a share document by document',
      labelShare
    )
}
