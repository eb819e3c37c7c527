import {AdfaError} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, countsFromPatterns} from '../counts/index.ts'
import type {TagFilter} from '../data/index.ts'
import {clickHouseFailure} from './clickhouse-failure.ts'
import {type Codes, literalSize} from './clickhouse-literals.ts'
import {type OpenTable, type Progress, together} from './clickhouse-open.ts'
import type {RoleTable} from './clickhouse-tokens.ts'

/** The documents with one set of roles, and the words and tags counted in them. */
interface RolePattern {
  readonly members: readonly number[]
  documents: number
  readonly wordIds: number[]
  readonly wordCounts: number[]
  readonly tagCounts: Map<number, number>
}

/**
 * Joins the answers of one table. Words may take several queries, each of which counts the documents again; when these
 * counts differ, the table has changed in between, and nothing is counted.
 */
export class PatternReader {
  readonly #roles: RoleTable
  readonly #wordCount: number
  readonly #where: string
  readonly #patterns = new Map<string, RolePattern>()
  #asked = 0
  #answer = new Map<string, number>()

  constructor(roles: RoleTable, wordCount: number, where: string) {
    this.#roles = roles
    this.#wordCount = wordCount
    this.#where = where
  }

  get patterns(): Iterable<RolePattern> {
    return this.#patterns.values()
  }

  get documents(): number {
    let sum = 0
    for (const {documents} of this.#patterns.values()) sum += documents
    return sum
  }

  /** Lines of {@link ClickHouseTable.count}: word j has the number j + 1; the tags follow, then the mark of known tags. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#addLine(line)
  }

  endAnswer(): void {
    const isFirst = this.#asked++ === 0
    if (isFirst) for (const [key, documents] of this.#answer) this.#patternOf(key).documents = documents
    else if (
      this.#answer.size !== this.#patterns.size ||
      [...this.#answer].some(([key, documents]) => this.#patterns.get(key)?.documents !== documents)
    )
      throw tableChanged(this.#where)
    this.#answer = new Map()
  }

  #addLine(line: string): void {
    const found = /^\[([\d,]*)\]\t(\d+)\t(\d+)$/.exec(line)
    if (found === null) throw clickHouseFailure(new Error(`an unexpected answer: ${line.slice(0, 100)}`), this.#where)
    const [, key, item, count] = found
    const [number, documents] = [Number(item), Number(count)]
    if (number === 0) {
      this.#answer.set(key, (this.#answer.get(key) ?? 0) + documents)
      return
    }
    const pattern = this.#patternOf(key)
    const tag = number - this.#wordCount
    if (tag > 0) {
      pattern.tagCounts.set(tag, (pattern.tagCounts.get(tag) ?? 0) + documents)
      return
    }
    pattern.wordIds.push(number - 1)
    pattern.wordCounts.push(documents)
  }

  #patternOf(key: string): RolePattern {
    const known = this.#patterns.get(key)
    if (known !== undefined) return known
    const members = this.#roles.membersOf(key === '' ? [] : key.split(',').map(Number))
    const pattern = {members, documents: 0, wordIds: [], wordCounts: [], tagCounts: new Map()}
    this.#patterns.set(key, pattern)
    return pattern
  }
}

export function tableChanged(where: string): AdfaError {
  return new AdfaError(
    'mismatch',
    `${where}: documents were added or removed while the table was counted, so its parts do not fit together; nothing was counted; ` +
      'repeat the command when nothing writes to the table, or count a copy'
  )
}

/** {@link Counts.labelled} by the tags of all tables. */
export function labelledByTags(
  readers: readonly PatternReader[],
  concepts: number,
  conceptOf: readonly number[]
): Float64Array<ArrayBuffer> {
  const labelled = new Float64Array(4 * concepts)
  for (const pattern of readers.flatMap(reader => [...reader.patterns])) {
    const fired = new Set(pattern.members.map(member => conceptOf[member]))
    const known = pattern.tagCounts.get(concepts + 1) ?? 0
    for (let i = 0; i < concepts; i++) {
      const present = pattern.tagCounts.get(i + 1) ?? 0
      const a = fired.has(i) ? 1 : 0
      labelled[4 * i + 2 + a] += present
      labelled[4 * i + a] += known - present
    }
  }
  return labelled
}

export function countsFromTables(
  header: CountsHeader,
  readers: readonly PatternReader[],
  labelled: Float64Array<ArrayBuffer>
): Counts {
  const patterns = readers.flatMap(reader => [...reader.patterns])
  return countsFromPatterns(header, patterns.map(sortWords), labelled)
}

function sortWords({members, documents, wordIds, wordCounts}: RolePattern) {
  const order = wordIds.map((_, at) => at).sort((a, b) => wordIds[a] - wordIds[b])
  return {members, documents, wordIds: order.map(at => wordIds[at]), wordCounts: order.map(at => wordCounts[at])}
}

/** What is counted in each pattern. */
interface PatternQuestion {
  readonly words: readonly string[]
  /** Undefined when tags are not counted. */
  readonly tags: readonly string[] | undefined
  readonly filter: TagFilter | undefined
}

/** Group the documents of every table by roles, and count words and tags in each group, in as few queries as possible. */
export async function readPatterns(
  tables: readonly OpenTable[],
  roles: RoleTable,
  {words, tags, filter}: PatternQuestion,
  {signal, progress}: {readonly signal?: AbortSignal | undefined; readonly progress?: Progress}
): Promise<PatternReader[]> {
  const isWord = (name: string) => roles.reader.featureRole(name)?.isTaken !== true
  const always = [...roles.codes.names, ...(tags ?? []), ...(filter?.tags ?? [])]
  const size = always.reduce((sum, name) => sum + literalSize(name), 0)
  return together(tables, signal, async (open, own) => {
    const {table, session, room} = open
    if (size > room / 2)
      throw new AdfaError(
        'bad-option',
        `${table.name}: the ${always.length} words of anchors and tags take ${size} bytes, and a query of this user ` +
          `has room for ${Math.floor(room / 2)}; ask the administrator to raise max_query_size, or make the regular expressions of anchors narrower`
      )
    const reader = new PatternReader(roles, words.length, table.name)
    const lists = cutWords(words, isWord, room - size)
    for (const [at, list] of lists.entries()) {
      // Tags are counted once, with the first words.
      const sql = table.count(
        {roles: roles.codes, words: list, ...tagCodes(words, at === 0 ? tags : undefined)},
        filter
      )
      for await (const lines of session.lines(sql, {signal: own, onRows: progress?.of(open)})) reader.add(lines)
      reader.endAnswer()
    }
    return reader
  })
}

/** The numbers after those of the words are the tags', and the one after these marks that the tags are known. */
function tagCodes(
  words: readonly string[],
  tags: readonly string[] | undefined
): {tags: Codes; tagged: number | undefined} {
  if (tags === undefined) return {tags: {names: [], ids: []}, tagged: undefined}
  const ids = tags.map((_, i) => words.length + i + 1)
  return {tags: {names: tags, ids}, tagged: words.length + tags.length + 1}
}

/** Cut the words, numbered from 1, into lists of at most `bytes` each; at least one list. */
export function cutWords(names: readonly string[], isWord: (name: string) => boolean, bytes: number): Codes[] {
  const lists: {names: string[]; ids: number[]}[] = [{names: [], ids: []}]
  let used = 0
  names.forEach((name, j) => {
    if (!isWord(name)) return
    const size = literalSize(name)
    if (used > 0 && used + size > bytes) {
      lists.push({names: [], ids: []})
      used = 0
    }
    used += size
    lists[lists.length - 1].names.push(name)
    lists[lists.length - 1].ids.push(j + 1)
  })
  return lists
}
