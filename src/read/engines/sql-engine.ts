import {AdfaError, shownValue, throwIfCancelled} from '../../base/checks/index.ts'
import {type CountsHeader, countsFromPatterns} from '../counts/index.ts'
import {
  didYouMean,
  frequenciesByField,
  indexAnchors,
  inputNames,
  listName,
  otherSpellings,
  parseNumberField,
  type TextOptions,
  type WordSurvey
} from '../data/index.ts'
import {type CountedWords, countStatements, READY, refusalInSql, type SqlRelation, sqlDialects} from '../sql/index.ts'
import type {CountingEngine, EngineControl, EngineName} from './counting-engine.ts'
import {type DocumentGroup, GroupCollector} from './groups.ts'

/** What makes groups of documents by the features of anchors: a database, or files of what one has made. */
interface GroupSource extends Pick<CountingEngine, 'name' | 'close'> {
  open(counted: CountedWords, control: EngineControl): Promise<OpenGroups>
}

/** The documents in groups by the features of some anchors. Words are read when they are asked for. */
interface OpenGroups {
  readonly groups: readonly Pick<DocumentGroup, 'mask' | 'documents'>[]
  /** The fields whose words are from text. */
  readonly text: readonly string[]
  frequencies(): Promise<ReadonlyMap<string, number>>
  /** The same groups with these words, perhaps among others. */
  withWords(words: readonly string[]): Promise<readonly DocumentGroup[]>
}

/**
 * Counts documents that a database has grouped, by the statements of `countStatements`. A group names those features of its
 * documents that anchors name; which anchors fire, with vetoes and regular expressions, is decided here, as for documents.
 * Groups with the same anchor pattern are added up.
 */
function engineOfGroups({name, open, close}: GroupSource): CountingEngine {
  const count = async (header: CountsHeader, opened: OpenGroups, {onProgress}: EngineControl) => {
    const groups = await opened.withWords(header.lexicon.words)
    const {spelled, membersOf} = groupReader(header.lexicon, opened.text)
    const numbers = new Map(header.lexicon.words.map((word, j) => [word, j]))
    const patterns = groups.map(({mask, documents, words}) => {
      const known = Array.from(words, ([word, count]) => [numbers.get(spelled(word)) ?? -1, count])
      const kept = known.filter(([j]) => j >= 0).sort(([j], [k]) => j - k)
      return {
        members: membersOf(mask),
        documents,
        wordIds: kept.map(([j]) => j),
        wordCounts: kept.map(([, count]) => count)
      }
    })
    const counts = countsFromPatterns(header, patterns)
    onProgress?.('counting', counts.documentCount)
    return counts
  }
  return {
    name,
    rows: undefined,
    async surveyTags() {
      throw noTags(name)
    },
    async surveyWords({filter, ...counted}, control) {
      refuseTags(name, filter, control.counting?.labelShare, control)
      const opened = await open(counted, control)
      const survey = surveyGroups(opened, await opened.frequencies(), counted)
      control.onProgress?.('vocabulary', survey.documentCount)
      return {survey, countKept: header => count(header, opened, control)}
    },
    async count(header, control) {
      const {lexicon, labelShare} = header
      refuseTags(name, lexicon.filter, labelShare, control)
      const opened = await open(lexicon, control)
      const {membersOf} = groupReader(lexicon, opened.text)
      // Where the words are learned, an anchor that never fires is refused by name; a table may have none of these anchors.
      if (name === 'groups' && opened.groups.every(({mask}) => membersOf(mask).length === 0))
        throw new AdfaError(
          'mismatch',
          'no group has a feature that the anchors name; were the statements printed for other anchors, or for other fields?'
        )
      return count(header, opened, control)
    },
    close
  }
}

/** Counts groups that a database has made, as `readGroups` reads them. */
export function groupsEngine(groups: readonly DocumentGroup[]): CountingEngine {
  const sums = () => {
    const counts = new Map<string, number>()
    for (const {words} of groups) for (const [word, count] of words) counts.set(word, (counts.get(word) ?? 0) + count)
    return counts
  }
  return engineOfGroups({
    name: 'groups',
    async open({reading}, {signal}) {
      throwIfCancelled(signal)
      return {groups, text: reading.text, frequencies: async () => sums(), withWords: async () => groups}
    },
    close: async () => {}
  })
}

function refuseTags(name: EngineName, filter: object | undefined, labelShare = 0, {labels}: EngineControl): void {
  if (filter !== undefined || labelShare > 0 || labels !== undefined) throw noTags(name)
}

function noTags(name: EngineName): AdfaError {
  const tags = 'tags, votes or labels (`minTags`, `labelShare`, `labels`, anchors from tags)'
  return name === 'groups'
    ? new AdfaError('bad-option', `groups of documents have no ${tags}; leave it out, or give the documents themselves`)
    : refusalInSql(`databases count words here, and read no ${tags}`)
}

/** Words of text have no blanks but in phrases: SQL names these by their parts, and here they are named as the anchors spell them. */
function groupReader({anchors, phrases, reading}: CountedWords, text: readonly string[]) {
  const index = indexAnchors(anchors, phrases, reading)
  const spelled = (word: string) => {
    const field = fieldOf(word, text)
    if (field === undefined) return word
    const token = index.phrases.tokens.get(word.slice(field.length + 1))
    if (token === undefined && word.includes(' ', field.length + 1))
      throw new AdfaError(
        'mismatch',
        `${shownValue(word)} is a phrase that these anchors do not have, so the statements cut text in another way; print them again with the anchors that are left`
      )
    return token === undefined ? word : `${field}:${token}`
  }
  return {
    index,
    spelled,
    /** The members of anchors that fire in documents with these features. */
    membersOf(mask: readonly string[]) {
      // A name without a role only makes groups finer than needed, which does no harm.
      const roles = mask.map(name => index.featureRole(spelled(name))).filter(role => role !== undefined)
      return index.firedMembers(roles)
    }
  }
}

function fieldOf(word: string, fields: readonly string[]): string | undefined {
  return fields.find(field => word.startsWith(`${field}:`))
}

/** In how many documents each word occurs, and each member and each concept's anchor fires. */
function surveyGroups(
  {groups, text}: OpenGroups,
  wordCounts: ReadonlyMap<string, number>,
  counted: CountedWords
): WordSurvey {
  const {anchors, reading} = counted
  const {index, spelled, membersOf} = groupReader(counted, text)
  const {memberConcepts} = index
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = anchors.map(() => 0)
  let documentCount = 0
  for (const {mask, documents} of groups) {
    const members = membersOf(mask)
    documentCount += documents
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  const words = [...wordCounts]
  const frequencies = frequenciesByField(reading, words.length, id => {
    const [written, count] = words[id]
    const word = spelled(written)
    // A match of an anchor's regular expression is not a word, as in documents.
    const documents = index.featureRole(word)?.isTaken === true ? 0 : count
    const field = fieldOf(word, text)
    return field === undefined
      ? {field: reading.text.length, name: word, documents}
      : {field: reading.text.indexOf(field), name: word.slice(field.length + 1), documents}
  })
  return {documentCount, frequencies, memberHits, conceptHits}
}

/** A table of documents in a database that answers queries. */
export interface SqlTable {
  readonly name: 'duckdb' | 'clickhouse'
  readonly where: string
  readonly from: string
  /** A query for the names and types of its columns. */
  readonly describe: string
  /** Which types are read as `tokenize` and the readers of files do. */
  readonly types: Readonly<Record<'text' | 'category' | 'number' | 'list', RegExp>>
  /** Names that must be columns; the fields of a reading may be missing. */
  readonly required: readonly string[]
  /** How many bytes of literals fit in one statement. */
  readonly room: number
  rows(sql: string, signal: AbortSignal | undefined): AsyncIterable<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** Counts documents in a database, which groups them; only groups and words leave it. */
export function sqlEngine(table: SqlTable): CountingEngine {
  const {name, where} = table
  return engineOfGroups({
    name,
    async open(counted, {signal, onUnseenFields}) {
      const rows = (sql: string) => rowsOf(table.rows(sql, signal))
      const columns = new Map<string, string>()
      for await (const [column, type] of rows(table.describe)) columns.set(String(column), String(type))
      const relation = relationOf(table, columns, counted.reading)
      const statements = countStatements(counted, relation, name)
      if (statements.unspaced !== undefined)
        for await (const _ of rows(statements.unspaced))
          throw refusalInSql(
            `${where}: there is text in a script without blanks between words (Chinese, Japanese, Thai, ...), which SQL cannot cut into words`
          )
      const collector = new GroupCollector()
      for await (const [mask, documents] of rows(statements.groups)) collector.addGroup(mask, documents, where)
      const unseen = inputNames(counted.reading).filter(field => !columns.has(field))
      if (unseen.length > 0) onUnseenFields?.(unseen)
      return {
        groups: collector.finish(),
        text: relation.fields.text,
        async frequencies() {
          const found = new Map<string, number>()
          for await (const [word, documents] of rows(statements.frequencies)) found.set(String(word), Number(documents))
          return found
        },
        async withWords(words) {
          for (const part of cut(words, table))
            for await (const [mask, word, documents] of rows(statements.words(part)))
              collector.addWord(mask, word, documents, where)
          let total = 0
          for await (const [count] of rows(`SELECT COUNT(*) FROM ${table.from}`)) total = Number(count)
          return collected(collector, total, where)
        }
      }
    },
    close: () => table.close()
  })
}

async function* rowsOf(batches: ReturnType<SqlTable['rows']>) {
  for await (const rows of batches) yield* rows
}

function relationOf(table: SqlTable, columns: ReadonlyMap<string, string>, reading: TextOptions): SqlRelation {
  const {where, from, types} = table
  const names = [...columns.keys()]
  for (const [name, column] of otherSpellings(inputNames(reading), columns, where))
    throw new AdfaError('bad-option', `${where}: "${name}" is the column "${column}" here; name it exactly`)
  const missing = table.required.find(name => !columns.has(name))
  if (missing !== undefined)
    throw new AdfaError(
      'bad-option',
      `${where}: there is no column "${missing}"; the columns are ${names.join(', ')}${didYouMean(missing, names)}`
    )
  const has = (name: string, type: RegExp) => {
    const found = columns.get(name)
    if (found === undefined || type.test(found)) return found !== undefined
    throw refusalInSql(
      `${where}: the column "${name}" is ${found}, which SQL would read otherwise than adfa; make a view that converts it`
    )
  }
  const typed = (kind: keyof SqlTable['types'], nameOf = (entry: string) => entry) =>
    reading[kind].filter(entry => has(nameOf(entry), types[kind]))
  const fields = {
    text: typed('text'),
    category: typed('category'),
    number: typed('number', entry => parseNumberField(entry).field),
    list: typed('list', listName)
  }
  const isReady = has(READY, types.list)
  if (isReady && fields.text.length > 0)
    throw refusalInSql(
      `${where}: there are ready-made words (${READY}) beside text (${fields.text.join(', ')}), which SQL would mix up`
    )
  if (!isReady && inputNames({...fields}).length === 0)
    throw new AdfaError(
      'bad-option',
      `${where}: none of the columns can be used; a document needs "${READY}" or one of the fields ${inputNames(reading).join(', ')}; ` +
        `the columns are ${names.join(', ')}`
    )
  return {from, isReady, fields}
}

/** Cuts a list of words into parts whose literals fit in a statement. */
function cut(words: readonly string[], {name, room}: SqlTable): string[][] {
  const parts: string[][] = []
  let left = 0
  for (const word of words) {
    const size = Buffer.byteLength(sqlDialects[name].text(word)) + 2
    if (parts.length === 0 || size > left) {
      parts.push([])
      left = room
    }
    parts[parts.length - 1].push(word)
    left -= size
  }
  return parts
}

/** The groups; where words or the number of documents contradict them, the table has changed between two statements. */
function collected(collector: GroupCollector, total: number, where: string): readonly DocumentGroup[] {
  let cause: unknown
  try {
    if (collector.documents === total) return collector.finish()
  } catch (error) {
    cause = error
  }
  throw new AdfaError(
    'mismatch',
    `${where}: documents were added or removed while the table was counted, so its parts do not fit together; nothing was counted; ` +
      'repeat the command when nothing writes to the table, or count a copy',
    {cause}
  )
}
