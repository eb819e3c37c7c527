import {AdfaError} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, countsFromPatterns} from '../counts/index.ts'
import {clickHouseFailure} from './clickhouse-failure.ts'
import type {RoleTable} from './clickhouse-roles.ts'

/** The words of one set of roles, as rows bring them. */
interface RoleGroup {
  readonly members: readonly number[]
  documents: number
  readonly wordIds: number[]
  readonly wordCounts: number[]
  readonly tagCounts: Map<number, number>
}

/**
 * Puts the answers of one table together. Words may be asked for in several queries, each of which tells of the documents
 * again; when these differ, the table has changed in between, and no counts are made.
 */
export class GroupReader {
  readonly #roles: RoleTable
  readonly #wordCount: number
  readonly #where: string
  readonly #groups = new Map<string, RoleGroup>()
  #asked = 0
  #answer = new Map<string, number>()

  constructor(roles: RoleTable, wordCount: number, where: string) {
    this.#roles = roles
    this.#wordCount = wordCount
    this.#where = where
  }

  get groups(): Iterable<RoleGroup> {
    return this.#groups.values()
  }

  get documents(): number {
    let sum = 0
    for (const {documents} of this.#groups.values()) sum += documents
    return sum
  }

  /** Lines of {@link ClickHouseTable.count}: a word j has the number j + 1; tags follow, and what says that they are known. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#addLine(line)
  }

  /** The end of an answer. */
  endAnswer(): void {
    const isFirst = this.#asked++ === 0
    if (isFirst) for (const [key, documents] of this.#answer) this.#groupOf(key).documents = documents
    else if (
      this.#answer.size !== this.#groups.size ||
      [...this.#answer].some(([key, documents]) => this.#groups.get(key)?.documents !== documents)
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
    const group = this.#groupOf(key)
    const tag = number - this.#wordCount
    if (tag > 0) {
      group.tagCounts.set(tag, (group.tagCounts.get(tag) ?? 0) + documents)
      return
    }
    group.wordIds.push(number - 1)
    group.wordCounts.push(documents)
  }

  #groupOf(key: string): RoleGroup {
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    const members = this.#roles.membersOf(key === '' ? [] : key.split(',').map(Number))
    const group = {members, documents: 0, wordIds: [], wordCounts: [], tagCounts: new Map()}
    this.#groups.set(key, group)
    return group
  }
}

export function tableChanged(where: string): AdfaError {
  return new AdfaError(
    'mismatch',
    `${where}: documents came or went while the table was counted, and the parts would not fit together; nothing was counted; ` +
      'repeat the command when the table rests, or count a copy'
  )
}

/** What the tags of all groups say of the concepts, as {@link Counts.labelled}. */
export function labelledByTags(
  readers: readonly GroupReader[],
  concepts: number,
  conceptOf: readonly number[]
): Float64Array<ArrayBuffer> {
  const labelled = new Float64Array(4 * concepts)
  for (const group of readers.flatMap(reader => [...reader.groups])) {
    const fired = new Set(group.members.map(member => conceptOf[member]))
    const known = group.tagCounts.get(concepts + 1) ?? 0
    for (let i = 0; i < concepts; i++) {
      const present = group.tagCounts.get(i + 1) ?? 0
      const a = fired.has(i) ? 1 : 0
      labelled[4 * i + 2 + a] += present
      labelled[4 * i + a] += known - present
    }
  }
  return labelled
}

/** Counts of all groups of all tables. */
export function countsFromGroups(
  header: CountsHeader,
  readers: readonly GroupReader[],
  labelled: Float64Array<ArrayBuffer>
): Counts {
  const groups = readers.flatMap(reader => [...reader.groups])
  return countsFromPatterns(header, groups.map(sortWords), labelled)
}

function sortWords({members, documents, wordIds, wordCounts}: RoleGroup) {
  const order = wordIds.map((_, at) => at).sort((a, b) => wordIds[a] - wordIds[b])
  return {members, documents, wordIds: order.map(at => wordIds[at]), wordCounts: order.map(at => wordCounts[at])}
}
