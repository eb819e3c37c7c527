import type {PatternCount} from '../counts/index.ts'
import type {FeatureReader} from '../data/index.ts'
import type {DuckDbSession, StatementControl} from './duckdb-session.ts'
import {
  countKnown,
  countTagged,
  countWords,
  makeDocumentPatterns,
  makeFired,
  makeMasks,
  makeRoles,
  readMasks,
  rolesPerColumn
} from './duckdb-sql.ts'
import {FeatureRoles, type FiringPattern} from './feature-roles.ts'

/** All anchor patterns, and which of them has the documents without any role. */
interface FiringPatterns {
  readonly patterns: readonly FiringPattern[]
  readonly other: number
  /** The numbers of masks and of their patterns. */
  readonly masks: number[]
  readonly numbers: number[]
}

/** Group the chosen documents by their roles, and these groups by anchor pattern. */
export async function groupByPattern(
  session: DuckDbSession,
  {codes, numbers: roleNumbers, roles}: RoleCodes,
  {documentCount, ...control}: StatementControl & {readonly documentCount: number}
): Promise<FiringPatterns> {
  await session.makeTable('role_codes', {code: codes, role: roleNumbers})
  await session.run(makeRoles(roles.count))
  await session.run(makeFired(roles.count), control)
  await session.run(makeMasks)
  const patterns: {members: readonly number[]; documents: number}[] = []
  const numberOf = new Map<string, number>()
  const add = (members: readonly number[], documents: number): number => {
    const key = members.join()
    const number = numberOf.get(key) ?? patterns.push({members, documents: 0}) - 1
    numberOf.set(key, number)
    patterns[number].documents += documents
    return number
  }
  const masks: number[] = []
  const numbers: number[] = []
  let rest = documentCount
  for await (const [ids, documents, ...bits] of session.columns(readMasks(roles.count), control))
    for (let at = 0; at < ids.length; at++) {
      const present = bits.flatMap((column, place) =>
        bitsOf(Number(column[at])).map(bit => place * rolesPerColumn + bit)
      )
      masks.push(Number(ids[at]))
      numbers.push(add(roles.membersOf(present), Number(documents[at])))
      rest -= Number(documents[at])
    }
  return {patterns, other: rest > 0 ? add([], rest) : 0, masks, numbers}
}

function bitsOf(value: number): number[] {
  const bits: number[] = []
  for (let rest = value; rest !== 0; rest &= rest - 1) bits.push(31 - Math.clz32(rest & -rest))
  return bits
}

/** Put the patterns of documents into a table, by which words and tags are then counted. */
export async function storePatterns(
  session: DuckDbSession,
  {masks, numbers}: FiringPatterns,
  roleCount: number,
  control: StatementControl
): Promise<void> {
  await session.makeTable('mask_patterns', {mask: masks, pattern: numbers})
  await session.run(makeDocumentPatterns(roleCount), control)
}

/** The patterns with their words, as numbered in `word_codes`. */
export async function readWords(
  session: DuckDbSession,
  {patterns, other}: FiringPatterns,
  areDistinct: boolean,
  control: StatementControl
): Promise<PatternCount[]> {
  const words = patterns.map(() => ({ids: [] as number[], counts: [] as number[]}))
  for await (const [numbers, ids, counts] of session.columns(countWords(other, areDistinct), control))
    for (let at = 0; at < numbers.length; at++) {
      const list = words[Number(numbers[at])]
      list.ids.push(Number(ids[at]))
      list.counts.push(Number(counts[at]))
    }
  return patterns.map(({members, documents}, p) => ({
    members,
    documents,
    wordIds: words[p].ids,
    wordCounts: words[p].counts
  }))
}

/** How many documents do and do not have each concept among their tags, by its anchor: cell `4*i + 2*y + a`. */
export async function readLabelled(
  session: DuckDbSession,
  {patterns, other}: FiringPatterns,
  {memberConcepts, conceptCount}: {readonly memberConcepts: readonly number[]; readonly conceptCount: number},
  control: StatementControl
): Promise<Float64Array<ArrayBuffer>> {
  const labelled = new Float64Array(4 * conceptCount)
  const fired = patterns.map(({members}) => new Set(members.map(member => memberConcepts[member])))
  const cell = (p: number, i: number) => 4 * i + (fired[p].has(i) ? 1 : 0)
  for await (const [numbers, counts] of session.columns(countKnown(other), control))
    for (let at = 0; at < numbers.length; at++)
      for (let i = 0; i < conceptCount; i++) labelled[cell(Number(numbers[at]), i)] += Number(counts[at])
  for await (const [numbers, concepts, counts] of session.columns(countTagged(other), control))
    for (let at = 0; at < numbers.length; at++) {
      const absent = cell(Number(numbers[at]), Number(concepts[at]))
      labelled[absent] -= Number(counts[at])
      labelled[absent + 2] += Number(counts[at])
    }
  return labelled
}

/** A name in a table, its number there, and in how many documents it occurs. */
interface Token {
  readonly code: number
  readonly name: string
  readonly documents: number
}

/** The rows of `tokens` or `tags`, the most common first. */
export async function* readNames(
  session: DuckDbSession,
  table: 'tokens' | 'tags',
  control: StatementControl
): AsyncGenerator<Token> {
  const name = table === 'tokens' ? 'token' : 'tag'
  const sql = `SELECT rowid::UINTEGER, ${name}, documents::DOUBLE FROM ${table} ORDER BY documents DESC`
  for await (const [codes, names, documents] of session.columns(sql, control))
    for (let at = 0; at < codes.length; at++)
      yield {code: Number(codes[at]), name: String(names[at]), documents: Number(documents[at])}
}

/** The rows of `tokens` that have roles, as they are sent back to DuckDB. */
export class RoleCodes {
  readonly codes: number[] = []
  readonly numbers: number[] = []
  readonly roles: FeatureRoles

  constructor(reader: FeatureReader) {
    this.roles = new FeatureRoles(reader)
  }

  /** Add a feature; returns whether a regular expression takes it, so that it is not a word. */
  add({code, name}: Token): boolean {
    const role = this.roles.find(name)
    if (role === undefined) return false
    this.codes.push(code)
    this.numbers.push(role.number)
    return role.isTaken
  }
}
