import {AdfaError, nearestName} from '../../base/checks/index.ts'
import type {TagFilter} from '../data/index.ts'
import {type Codes, codeOf, encodable, quoteName} from './clickhouse-literals.ts'

/** How documents are stored in a table: one per row with a list of words, or one word of one document per row. */
export type ClickHouseLayout =
  | {
      readonly kind: 'tokens'
      readonly tokens: string
      readonly tags?: string | undefined
      /** A column that is 0 where a document's tags are unknown; without it, all are known. */
      readonly tagged?: string | undefined
      /** The column with the id by which labels are found. */
      readonly id?: string | undefined
    }
  | {readonly kind: 'long'; readonly document: string; readonly word: string}

/** What is counted of each document: the numbers of its roles, words and tags. */
export interface CountQuery {
  readonly roles: Codes
  readonly words: Codes
  readonly tags: Codes
  /** The number that marks a document with known tags; undefined when tags are not counted. */
  readonly tagged: number | undefined
}

export type TokenOrder = 'none' | 'frequency' | 'name'

/**
 * The queries on one table. They use only what both ClickHouse 18.16 and current versions have. All names in them that are
 * not the table's begin with `adfa_`, since an alias hides a column of the same name.
 *
 * The array layout needs no subquery, so that the servers behind a Distributed table group their own rows and send only
 * groups. The long form is first grouped by document, over a Distributed table on the server that gets the query. There is
 * never a join, which over a Distributed table would silently join each server's part with itself.
 */
export class ClickHouseTable {
  readonly #layout: ClickHouseLayout
  readonly #table: string
  /** The words of a row as strings, by {@link checkColumns}. */
  readonly #cast: (column: string) => string
  readonly name: string

  constructor(place: {database: string; table: string; name: string}, layout: ClickHouseLayout, types: ColumnTypes) {
    this.#table = `${quoteName(place.database)}.${quoteName(place.table)}`
    this.#layout = layout
    this.name = place.name
    checkColumns(layout, types, place.name)
    this.#cast = column => {
      const type = types.get(column) ?? ''
      return type.includes('LowCardinality') ? `CAST(${quoteName(column)}, '${plainType(type)}')` : quoteName(column)
    }
  }

  /**
   * How many documents have each set of roles, and how many of those each word and tag. Rows: the roles' numbers, ascending,
   * as `[1,2]`; the number of a word or tag, or 0 for the documents themselves; how many. One query, so that all is of one moment.
   */
  count(query: CountQuery, filter: TagFilter | undefined): string {
    const {from, roles, words} = this.#numbered(query.roles, query.words)
    const items = [known(words), ...this.#tagItems(query)]
    return (
      `SELECT arraySort(${known(roles)}) AS adfa_roles, ` +
      `arrayJoin(arrayConcat([0], ${items.join(', ')})) AS adfa_item, count() AS adfa_documents ` +
      `FROM ${from}${where(this.#passes(filter))} GROUP BY adfa_roles, adfa_item`
    )
  }

  /** The roles of the documents with these ids. Rows: the bytes of the id in hexadecimal digits; the roles' numbers as `[1,2]`. */
  rolesById(roles: Codes, ids: readonly string[], filter: TagFilter | undefined): string {
    const id = this.#id()
    const isAsked = `${codeOf(id, encodable({names: ids, ids: ids.map(() => 1)}))} != 0`
    if (this.#layout.kind === 'tokens') {
      const codes = known(this.#numbered(roles).roles)
      const asked = where([isAsked, ...this.#passes(filter)])
      return `SELECT hex(${id}) AS adfa_hex, arraySort(${codes}) AS adfa_roles FROM ${this.#table}${asked}`
    }
    const {from} = this.#numbered(roles, NONE, where([isAsked]), `, any(${id}) AS adfa_id`)
    return `SELECT hex(adfa_id) AS adfa_hex, arraySort(${known('adfa_r')}) AS adfa_roles FROM ${from}`
  }

  /**
   * In how many documents each word occurs. Rows: the bytes of the word in hexadecimal digits after `74`, or nothing for the
   * documents themselves; how many. In both orders the documents come first.
   */
  tokens(order: TokenOrder, filter: TagFilter | undefined): string {
    const {from, tokens} = this.#listed()
    const key = `arrayPushFront(arrayMap(adfa_t -> concat('t', adfa_t), arrayDistinct(${tokens})), '')`
    const by = {none: '', frequency: ' ORDER BY adfa_documents DESC, adfa_key', name: ' ORDER BY adfa_key'}[order]
    return (
      `SELECT hex(adfa_key) AS adfa_hex, count() AS adfa_documents FROM ${from}${where(this.#passes(filter))} ` +
      `GROUP BY arrayJoin(${key}) AS adfa_key${by}`
    )
  }

  /** As {@link tokens}, for tags. */
  tags(): string {
    const tags = this.#tags('reading tags')
    const key = `arrayPushFront(arrayMap(adfa_t -> concat('t', adfa_t), arrayDistinct(${tags})), '')`
    return `SELECT hex(arrayJoin(${key})) AS adfa_hex, count() AS adfa_documents FROM ${this.#table} GROUP BY adfa_hex`
  }

  /** Some documents of the long form, the same ones of every table that has them. */
  sampleDocuments(count: number): string {
    if (this.#layout.kind !== 'long') throw new Error('internal error: a list of words has its document to itself')
    return `SELECT hex(${this.#id()}) AS adfa_hex FROM ${this.#table} GROUP BY adfa_hex ORDER BY sipHash64(adfa_hex) LIMIT ${count}`
  }

  #tagItems({tags, tagged}: CountQuery): string[] {
    if (tagged === undefined) return []
    return [known(this.#tagCodes(tags)), known(`[${this.#ifTagged(String(tagged), '0')}]`)]
  }

  #numbered(roles: Codes, words = NONE, asked = '', more = ''): {from: string; roles: string; words: string} {
    const layout = this.#layout
    const [byRole, byWord] = [encodable(roles), encodable(words)]
    if (layout.kind === 'tokens') {
      const codes = (of: Codes) => `arrayMap(adfa_t -> ${codeOf('adfa_t', of)}, ${this.#cast(layout.tokens)})`
      return {from: this.#table, roles: codes(byRole), words: codes(byWord)}
    }
    const word = this.#cast(layout.word)
    const from =
      `(SELECT groupUniqArray(${codeOf(word, byRole)}) AS adfa_r, groupUniqArray(${codeOf(word, byWord)}) AS adfa_w${more} ` +
      `FROM ${this.#table}${asked} GROUP BY ${quoteName(layout.document)})`
    return {from, roles: 'adfa_r', words: 'adfa_w'}
  }

  #listed(): {from: string; tokens: string} {
    const layout = this.#layout
    if (layout.kind === 'tokens') return {from: this.#table, tokens: this.#cast(layout.tokens)}
    const words = `groupUniqArray(${this.#cast(layout.word)})`
    return {
      from: `(SELECT ${words} AS adfa_w FROM ${this.#table} GROUP BY ${quoteName(layout.document)})`,
      tokens: 'adfa_w'
    }
  }

  #passes(filter: TagFilter | undefined): string[] {
    if (filter === undefined) return []
    const codes = this.#tagCodes({names: filter.tags, ids: filter.tags.map(() => 1)}, 'the filter by tags')
    return [`arrayCount(adfa_i -> adfa_i != 0, ${codes}) >= ${filter.minTags}`]
  }

  #id(): string {
    const column = this.#layout.kind === 'long' ? this.#layout.document : this.#layout.id
    if (column !== undefined) return `toString(${quoteName(column)})`
    throw new AdfaError(
      'bad-option',
      `${this.name}: labels are found by the id of a document; name its column in \`idColumn\``
    )
  }

  #tagCodes(tags: Codes, purpose = 'reading tags'): string {
    return `arrayMap(adfa_t -> ${codeOf('adfa_t', encodable(tags))}, arrayDistinct(${this.#tags(purpose)}))`
  }

  #tags(purpose: string): string {
    const layout = this.#layout
    if (layout.kind === 'tokens' && layout.tags !== undefined)
      return this.#ifTagged(this.#cast(layout.tags), 'emptyArrayString()')
    throw new AdfaError(
      'bad-option',
      `${this.name}: ${purpose} needs a column with the list of each document's tags; ` +
        (layout.kind === 'long'
          ? 'a table with one word per row has none; make one with one document per row and name its column in `tokensColumn`'
          : 'name it in `tagsColumn`')
    )
  }

  #ifTagged(value: string, otherwise: string): string {
    const layout = this.#layout
    if (layout.kind === 'long' || layout.tagged === undefined) return value
    return `if(${quoteName(layout.tagged)} != 0, ${value}, ${otherwise})`
  }
}

/** The columns of a table and their types. */
export type ColumnTypes = ReadonlyMap<string, string>

const LISTS: ReadonlySet<string> = new Set(['Array(String)', 'Array(LowCardinality(String))'])
const WORDS: ReadonlySet<string> = new Set(['String', 'LowCardinality(String)'])

function checkColumns(layout: ClickHouseLayout, types: ColumnTypes, where: string): void {
  const check = (column: string, option: string, rule: string, isRight: (type: string) => boolean) => {
    const type = types.get(column)
    if (type === undefined) {
      const near = nearestName(column, [...types.keys()])
      throw new AdfaError(
        'bad-option',
        `${where}: the table has no column "${column}"; it has ${[...types.keys()].join(', ')}; ` +
          `name the right one in \`${option}\`${near === undefined ? '' : `; did you mean "${near}"?`}`
      )
    }
    if (!isRight(type))
      throw new AdfaError(
        'bad-option',
        `${where}: the column "${column}" is ${type}, and ${rule}; name another in \`${option}\`, or make a view that converts it`
      )
  }
  const isWhole = (type: string) => !type.includes('Nullable')
  const list = 'lists of words are Array(String), without NULL'
  if (layout.kind === 'tokens') {
    check(layout.tokens, 'tokensColumn', list, type => LISTS.has(type))
    if (layout.tags !== undefined) check(layout.tags, 'tagsColumn', list, type => LISTS.has(type))
    const isNumber = (type: string) => /^(U?Int\d+|Bool)$/.test(type)
    if (layout.tagged !== undefined)
      check(layout.tagged, 'taggedColumn', 'whether tags are known is a whole number, 0 or 1', isNumber)
    if (layout.id !== undefined) check(layout.id, 'idColumn', 'every document has an id, so it cannot be NULL', isWhole)
    return
  }
  check(layout.word, 'wordColumn', 'words are String, without NULL', type => WORDS.has(type))
  check(layout.document, 'documentColumn', 'every row belongs to a document, so it cannot be NULL', isWhole)
}

function plainType(type: string): string {
  return type.startsWith('Array') ? 'Array(String)' : 'String'
}

const NONE: Codes = {names: [], ids: []}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** The distinct numbers that are not 0. */
function known(codes: string): string {
  return `arrayDistinct(arrayFilter(adfa_i -> adfa_i != 0, ${codes}))`
}
