import {AdfaError} from '../../base/checks/index.ts'
import {didYouMean, inputNames, listName, otherSpellings, parseNumberField, type TextOptions} from '../data/index.ts'
import {
  type CountStatements,
  countStatements,
  isText,
  refusalInSql,
  type SqlRelation,
  sqlDialects
} from '../sql/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {engineOfGroups} from './groups-engine.ts'
import {type DocumentGroups, GroupCollector} from './read-groups.ts'

/** A table of documents in a database that answers queries. */
export interface SqlTable {
  readonly name: 'duckdb' | 'clickhouse'
  /** The table, for errors. */
  readonly where: string
  /** The relation as SQL names it. */
  readonly from: string
  /** The types of its columns. */
  readonly columns: ReadonlyMap<string, string>
  /** The column with ready-made words, if the table has it. */
  readonly ready: string
  /** Which types are read as `tokenize` and the readers of files do. */
  readonly types: Readonly<Record<'text' | 'category' | 'number' | 'list', RegExp>>
  /** Names that must be columns; the fields of a reading may be missing. */
  readonly required: readonly string[]
  /** How many bytes of literals fit in one statement. */
  readonly room: number
  /** The rows of a result, some at a time, as one list of cells per column. */
  rows(sql: string, signal: AbortSignal | undefined): AsyncIterable<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** Counts documents in a database, which groups them; only groups and words leave it. */
export function sqlEngine(table: SqlTable): CountingEngine {
  return engineOfGroups({
    name: table.name,
    async groups(counted, words, {signal, onUnseenFields}) {
      const {where, room, rows} = table
      const {text} = sqlDialects[table.name]
      const relation = relationOf(table, counted.reading)
      const statements = countStatements(counted, relation, table.name)
      if (statements.unspaced !== undefined)
        for await (const _ of rows(statements.unspaced, signal))
          throw refusalInSql(
            `${where}: there is text in a script without blanks between words (Chinese, Japanese, Thai, ...), which SQL cannot cut into words`
          )
      const collector = new GroupCollector()
      for await (const [masks, documents] of rows(statements.groups, signal))
        masks.forEach((mask, at) => {
          collector.addGroup(mask, documents[at], where)
        })
      const {documents} = collector
      const wanted =
        words?.map(statements.nameOf).filter(isText) ??
        (await commonWords(table, statements, {...counted.reading, documents}, signal))
      for (const literals of cut(wanted.map(text), room))
        for await (const [masks, found, counts] of rows(statements.words(literals.join(', ')), signal))
          masks.forEach((mask, at) => {
            collector.addWord(mask, found[at], counts[at], where)
          })
      let total = 0
      for await (const [[count]] of rows(`SELECT COUNT(*) FROM ${table.from}`, signal)) total = Number(count)
      if (total !== documents) throw changed(table)
      const groups = collected(collector, table)
      const isUnseen = (name: string) => !groups.words.some(word => word.startsWith(`${name}:`))
      const unseen = inputNames(counted.reading).filter(isUnseen)
      if (unseen.length > 0) onUnseenFields?.(unseen)
      return {...groups, text: relation.fields.text}
    },
    close: () => table.close()
  })
}

/** What the statements read of a table. */
function relationOf(table: SqlTable, reading: TextOptions): SqlRelation {
  const {where, from, columns, types} = table
  const names = [...columns.keys()]
  for (const [name, column] of otherSpellings(inputNames(reading), columns, where))
    throw new AdfaError('bad-option', `${where}: "${name}" is the column "${column}" here; name it exactly`)
  const missing = table.required.find(name => !columns.has(name))
  if (missing !== undefined)
    throw new AdfaError(
      'bad-option',
      `${where}: there is no column "${missing}"; the columns are ${names.join(', ')}${didYouMean(missing, names)}`
    )
  const typed = (kind: keyof SqlTable['types'], nameOf = (entry: string) => entry) =>
    reading[kind].filter(entry => isColumn(table, nameOf(entry), types[kind]))
  const fields = {
    text: typed('text'),
    category: typed('category'),
    number: typed('number', entry => parseNumberField(entry).field),
    list: typed('list', listName)
  }
  const ready = isColumn(table, table.ready, types.list) ? table.ready : undefined
  if (ready !== undefined && fields.text.length > 0)
    throw refusalInSql(
      `${where}: there are ready-made words (${ready}) beside text (${fields.text.join(', ')}), which SQL would mix up`
    )
  if (ready === undefined && inputNames({...fields}).length === 0)
    throw new AdfaError(
      'bad-option',
      `${where}: none of the columns can be used; a document needs "${table.ready}" or one of the fields ${inputNames(reading).join(', ')}; ` +
        `the columns are ${names.join(', ')}`
    )
  return {from, ready, fields}
}

/** Whether the table has the column; one of another type is refused. */
function isColumn({where, columns}: SqlTable, name: string, type: RegExp): boolean {
  const found = columns.get(name)
  if (found === undefined || type.test(found)) return found !== undefined
  throw refusalInSql(
    `${where}: the column "${name}" is ${found}, which SQL would read otherwise than adfa; make a view that converts it`
  )
}

/**
 * All words that the vocabulary may take. A list of the commonest is long enough where the last that the vocabulary surely takes
 * is commoner than the last of the list; otherwise a longer one is asked for. Beside values, a ready-made word may be one of
 * them in other documents, so all are taken.
 */
async function commonWords(
  {rows}: SqlTable,
  {lists, names, commonWords}: CountStatements,
  {vocabulary, maxShare, documents}: Pick<TextOptions, 'vocabulary' | 'maxShare'> & {readonly documents: number},
  signal: AbortSignal | undefined
): Promise<string[]> {
  const anchored = new Set(names)
  const wanted = new Set<string>()
  const isMixed = lists.length > 1 && lists[0].prefix === ''
  for (const list of lists)
    for (let most = isMixed ? Number.POSITIVE_INFINITY : 2 * vocabulary + 1000; ; most *= 4) {
      const [words, counts]: [string[], number[]] = [[], []]
      for await (const [some, documents] of rows(commonWords(list, most), signal)) {
        words.push(...some.map(String))
        counts.push(...documents.map(Number))
      }
      const isSure = (count: number, at: number) =>
        count < documents && count / documents <= maxShare && !anchored.has(words[at])
      const least = isMixed ? 0 : (counts.filter(isSure)[vocabulary - 1] ?? 0)
      if (words.length === most && least <= counts[most - 1]) continue
      words.forEach((word, at) => {
        if (counts[at] >= least) wanted.add(word)
      })
      break
    }
  return [...wanted]
}

/** Cuts a list into parts of at most so many bytes. */
function cut(literals: readonly string[], most: number): string[][] {
  const parts: string[][] = []
  let used = 0
  for (const literal of literals) {
    const size = Buffer.byteLength(literal) + 2
    if (parts.length === 0 || used + size > most) {
      parts.push([])
      used = 0
    }
    parts[parts.length - 1].push(literal)
    used += size
  }
  return parts
}

/** The groups; where words contradict them, the table has changed between two statements. */
function collected(collector: GroupCollector, table: SqlTable): DocumentGroups {
  try {
    return collector.finish()
  } catch (cause) {
    throw changed(table, cause)
  }
}

function changed({where}: SqlTable, cause?: unknown): AdfaError {
  return new AdfaError(
    'mismatch',
    `${where}: documents were added or removed while the table was counted, so its parts do not fit together; nothing was counted; ` +
      'repeat the command when nothing writes to the table, or count a copy',
    {cause}
  )
}
