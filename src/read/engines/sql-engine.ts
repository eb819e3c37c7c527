import {AdfaError, shownValue, throwIfCancelled} from '../../base/checks/index.ts'
import {type CountsHeader, countsFromPatterns, type PatternCount} from '../counts/index.ts'
import {
  type AnchorIndex,
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
import {
  type CountedWords,
  type CountStatements,
  countStatements,
  READY,
  refusalInSql,
  SPARE,
  type SqlRelation,
  sqlDialects
} from '../sql/index.ts'
import type {CountingEngine, EngineControl, EngineName} from './counting-engine.ts'
import {type DocumentGroup, type DocumentGroups, GroupCollector} from './groups.ts'

/** What makes groups of documents by the features of anchors: a database, or files of what one has made. */
interface GroupSource extends Pick<CountingEngine, 'name' | 'close'> {
  /** The groups by these anchors, with these words, or with all that the vocabulary may take. */
  groups(counted: CountedWords, words: readonly string[] | undefined, control: EngineControl): Promise<DocumentGroups>
}

/**
 * Counts documents that a database has grouped, by the statements of `countStatements`. A group names those features of its
 * documents that anchors name; which anchors fire, with vetoes and regular expressions, is decided here, as for documents.
 * Groups with the same anchor pattern are added up.
 */
function engineOfGroups({name, groups: groupsOf, close}: GroupSource): CountingEngine {
  const count = (header: CountsHeader, {patterns, words}: FiredGroups, {onProgress}: EngineControl) => {
    const numbers = new Map(header.lexicon.words.map((word, j) => [word, j]))
    const ids = words.map(word => numbers.get(word) ?? -1)
    const numbered = patterns.map(pattern => withNumbers(pattern, ids))
    const counts = countsFromPatterns(header, numbered)
    onProgress?.('counting', counts.documentCount)
    return counts
  }
  return {
    name,
    rows: undefined,
    async surveyTags() {
      throw noTags(name)
    },
    async surveyWords(builder, control) {
      const {anchors, options} = builder
      const counted = {anchors, phrases: options.phrases, reading: options.reading}
      refuseTags(name, options.filter, control.counting?.labelShare, control)
      const fired = fire(await groupsOf(counted, undefined, control), counted)
      const survey = surveyGroups(fired, counted)
      builder.addSurvey(survey)
      control.onProgress?.('vocabulary', survey.documentCount)
      return async header => count(header, fired, control)
    },
    async count(header, control) {
      const {lexicon, labelShare} = header
      refuseTags(name, lexicon.filter, labelShare, control)
      const fired = fire(await groupsOf(lexicon, lexicon.words, control), lexicon)
      // Where the words are learned, an anchor that never fires is refused by name; a table may have none of these anchors.
      if (name === 'groups' && fired.patterns.every(({members}) => members.length === 0))
        throw new AdfaError(
          'mismatch',
          'no group has a feature that the anchors name; were the statements printed for other anchors, or for other fields?'
        )
      return count(header, fired, control)
    },
    close
  }
}

/** Counts groups that a database has made, as `readGroups` reads them. */
export function groupsEngine(given: DocumentGroups): CountingEngine {
  const groups: GroupSource['groups'] = async (_, __, {signal}) => {
    throwIfCancelled(signal)
    return given
  }
  return engineOfGroups({name: 'groups', groups, close: async () => {}})
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

/** Groups by the members of anchors that fire in their documents; numbers of words are places in `words`. */
interface FiredGroups extends Required<Pick<DocumentGroups, 'words' | 'text'>> {
  readonly patterns: readonly FiredGroup[]
  readonly index: AnchorIndex
}

type FiredGroup = Omit<DocumentGroup, 'mask'> & Pick<PatternCount, 'members'>

/** Words of text have no blanks but in phrases: SQL names these by their parts, and here they are named as the anchors spell them. */
function fire({groups, words, text}: DocumentGroups, {anchors, phrases, reading}: CountedWords): FiredGroups {
  const index = indexAnchors(anchors, phrases, reading)
  const fields = text ?? reading.text
  const spelled = (word: string) => {
    const field = fields.find(each => word.startsWith(`${each}:`))
    if (field === undefined) return word
    const token = index.phrases.tokens.get(word.slice(field.length + 1))
    if (token === undefined && word.includes(' ', field.length + 1))
      throw new AdfaError(
        'mismatch',
        `${shownValue(word)} is a phrase that these anchors do not have, so the statements cut text in another way; print them again with the anchors that are left`
      )
    return token === undefined ? word : `${field}:${token}`
  }
  const patterns = groups.map(({mask, ...group}) => {
    // A name without a role only makes groups finer than needed, which does no harm.
    const roles = mask.map(name => index.featureRole(spelled(name))).filter(role => role !== undefined)
    return {...group, members: index.firedMembers(roles)}
  })
  return {patterns, words: words.map(spelled), text: fields, index}
}

/** In how many documents each word occurs. */
function documentsOf(groups: readonly Omit<DocumentGroup, 'mask'>[], wordCount: number): Float64Array {
  const counts = new Float64Array(wordCount)
  for (const {wordIds, wordCounts} of groups) for (const [at, id] of wordIds.entries()) counts[id] += wordCounts[at]
  return counts
}

/** In how many documents each word occurs, and each member and each concept's anchor fires. */
function surveyGroups({patterns, words, text, index}: FiredGroups, {anchors, reading}: CountedWords): WordSurvey {
  const {memberConcepts} = index
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = anchors.map(() => 0)
  let documentCount = 0
  for (const {members, documents} of patterns) {
    documentCount += documents
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  const counts = documentsOf(patterns, words.length)
  const frequencies = frequenciesByField(reading, words.length, id => {
    const word = words[id]
    // A match of an anchor's regular expression is not a word, as in documents.
    const documents = index.featureRole(word)?.isTaken === true ? 0 : counts[id]
    const field = text.find(each => word.startsWith(`${each}:`))
    return field === undefined
      ? {field: reading.text.length, name: word, documents}
      : {field: reading.text.indexOf(field), name: word.slice(field.length + 1), documents}
  })
  return {documentCount, frequencies, memberHits, conceptHits}
}

/** The pattern with words by their numbers in the lexicon, ascending; -1 is none. */
function withNumbers({wordIds, wordCounts, ...pattern}: FiredGroup, numbers: readonly number[]): PatternCount {
  const places = Array.from(wordIds.keys())
    .filter(at => numbers[wordIds[at]] >= 0)
    .sort((a, b) => numbers[wordIds[a]] - numbers[wordIds[b]])
  return {...pattern, wordIds: places.map(at => numbers[wordIds[at]]), wordCounts: places.map(at => wordCounts[at])}
}

/** A table of documents in a database that answers queries. */
export interface SqlTable {
  readonly name: 'duckdb' | 'clickhouse'
  /** The table, for errors. */
  readonly where: string
  /** The relation as SQL names it. */
  readonly from: string
  /** A query for the names and types of its columns. */
  readonly describe: string
  /** Which types are read as `tokenize` and the readers of files do. */
  readonly types: Readonly<Record<'text' | 'category' | 'number' | 'list', RegExp>>
  /** Names that must be columns; the fields of a reading may be missing. */
  readonly required: readonly string[]
  /** How many bytes of literals fit in one statement. */
  readonly room: number
  /** The rows of a result, some at a time. */
  rows(sql: string, signal: AbortSignal | undefined): AsyncIterable<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** Counts documents in a database, which groups them; only groups and words leave it. */
export function sqlEngine(table: SqlTable): CountingEngine {
  const {name, where, rows} = table
  return engineOfGroups({
    name,
    async groups(counted, words, {signal, onUnseenFields}) {
      const columns = new Map<string, string>()
      for await (const some of rows(table.describe, signal))
        for (const [column, type] of some) columns.set(String(column), String(type))
      const relation = relationOf(table, columns, counted.reading)
      const statements = countStatements(counted, relation, name)
      if (statements.unspaced !== undefined)
        for await (const _ of rows(statements.unspaced, signal))
          throw refusalInSql(
            `${where}: there is text in a script without blanks between words (Chinese, Japanese, Thai, ...), which SQL cannot cut into words`
          )
      const collect = async (wanted: readonly Parameters<CountStatements['words']>[0][]) => {
        const collector = new GroupCollector()
        for await (const some of rows(statements.groups, signal))
          for (const [mask, documents] of some) collector.addGroup(mask, documents, where)
        for (const part of wanted)
          for await (const some of rows(statements.words(part), signal))
            for (const [mask, word, documents] of some) collector.addWord(mask, word, documents, where)
        let total = 0
        for await (const [[count]] of rows(`SELECT COUNT(*) FROM ${table.from}`, signal)) total = Number(count)
        return collected(collector, total, where)
      }
      const {lists} = statements
      // Beside values, a ready-made word may be one of them in other documents, so that the list of the commonest is unknown.
      const isMixed = lists.length > 1 && lists[0].prefix === ''
      let groups = await collect(words === undefined ? [isMixed ? 'all' : 'common'] : cut(words, table))
      if (words === undefined && !isMixed && mayLackWords(groups, statements, counted.reading))
        groups = await collect(['all'])
      const isUnseen = (field: string) => !groups.words.some(word => word.startsWith(`${field}:`))
      const unseen = inputNames(counted.reading).filter(isUnseen)
      if (unseen.length > 0) onUnseenFields?.(unseen)
      return {...groups, text: relation.fields.text}
    },
    close: () => table.close()
  })
}

/** What the statements read of a table. */
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
  /** Whether the table has the column; one of another type is refused. */
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

/** Whether there may be words for the vocabulary beside the common ones: where a list of these is full, and too few are commoner than its last. */
function mayLackWords(
  groups: DocumentGroups,
  {lists, names}: CountStatements,
  {vocabulary, maxShare}: TextOptions
): boolean {
  const documents = groups.groups.reduce((sum, group) => sum + group.documents, 0)
  const {words} = groups
  const counts = documentsOf(groups.groups, words.length)
  const anchored = new Set(names)
  return lists.some(({prefix}) => {
    const ids = [...words.keys()].filter(id => words[id].startsWith(prefix))
    const last = ids.map(id => counts[id]).sort((a, b) => b - a)[SPARE * vocabulary - 1]
    const isSure = (id: number) =>
      counts[id] > last && counts[id] / documents <= maxShare && counts[id] < documents && !anchored.has(words[id])
    return last !== undefined && ids.filter(isSure).length < vocabulary
  })
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
function collected(collector: GroupCollector, total: number, where: string): DocumentGroups {
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
