import {AdfaError} from '../../base/checks/index.ts'
import {type Anchors, fieldsOf, indexAnchors, listName, readVote, type TextOptions} from '../data/index.ts'
import {commentSql, indented, type SqlDatabase, sqlDialects, textDialects} from './dialects.ts'
import {type WordList, wordLists} from './word-lists.ts'

export interface CountedWords {
  readonly anchors: Anchors
  readonly phrases: readonly string[]
  readonly reading: TextOptions
}

export interface SqlRelation {
  readonly from: string
  /** Whether ready-made words count, in the column {@link READY}. */
  readonly isReady: boolean
  readonly fields: Pick<TextOptions, 'text' | 'category' | 'number' | 'list'>
}

/** The statements that count documents. In results, phrases of text are named by their parts, with a blank between them. */
export interface CountStatements {
  readonly lists: readonly WordList[]
  /** A row if any text is of a script that SQL cannot cut into words; undefined where no text is read. */
  readonly unspaced: string | undefined
  /** The documents by mask, the features of anchors that they have. */
  readonly groups: string
  readonly frequencies: string
  /** The words by mask: these, or the common ones of each list. */
  words(words: readonly string[] | 'common'): string
}

/** The column with a list of ready-made words. */
export const READY = 'features'

/** How many times as many common words are counted as the vocabulary takes: anchors and stop words are among them. */
const SPARE = 5

/** The statements whose results, joined by `GroupCollector`, give the counts that the documents give. What a database reads otherwise than `tokenize` is refused. */
export function countStatements(counted: CountedWords, relation: SqlRelation, database: SqlDatabase): CountStatements {
  refuseUnreadable(counted)
  const sql = sqlDialects[database]
  const {from, fields} = relation
  const index = indexAnchors(counted.anchors, counted.phrases, counted.reading)
  const phrases = [...index.phrases.tokens.keys()].map(phrase => phrase.split(' '))
  const lists = listsOf(counted.reading, relation, phrases, database)
  const spellings = new Map(Array.from(index.phrases.tokens, ([parts, token]) => [token, parts]))
  const nameOf = (name: string) => {
    const field = fields.text.find(each => name.startsWith(`${each}:`))
    const parts = field === undefined ? undefined : spellings.get(name.slice(field.length + 1))
    return parts === undefined ? name : `${field}:${parts}`
  }
  const canOccur = (name: string) => lists.some(({prefix}) => name.startsWith(prefix)) && isText(name)
  const names = [...new Set(index.roleNames.map(nameOf))].filter(canOccur).sort()
  const unspaced = lists.flatMap(each => each.unspaced ?? [])
  const list = lists.length === 1 ? lists[0].list : sql.concat(lists.map(each => each.list))
  const empty = fields.list.map(entry => sql.text(`${listName(entry)}:`))
  const all = empty.length === 0 ? true : `adfa_word NOT IN (${empty.join(', ')})`
  const limit = `ORDER BY documents DESC LIMIT ${SPARE * counted.reading.vocabulary}`
  const common = lists.map(({list}) => {
    const commonest = `${sql.count({from, list, words: all})}\n${limit}`
    return `SELECT word FROM (\n  ${indented(commonest)}\n) AS common`
  })
  // The servers behind a Distributed table of ClickHouse get the common words of all from the first.
  const isIn = database === 'clickhouse' ? 'GLOBAL IN' : 'IN'
  const among = (words: readonly string[]) => words.map(nameOf).filter(isText).map(sql.text).join(', ') || sql.text('')
  const condition = (words: readonly string[] | 'common') =>
    words === 'common' ? `${isIn} (\n  ${indented(common.join('\nUNION ALL\n'))}\n)` : `IN (${among(words)})`
  return {
    lists,
    unspaced: unspaced.length === 0 ? undefined : `SELECT 1 FROM ${from} WHERE ${unspaced.join(' OR ')} LIMIT 1`,
    groups: sql.count({from, list, names}),
    frequencies: sql.count({from, list, words: all}),
    words: words => sql.count({from, list, names, words: `adfa_word ${condition(words)}`})
  }
}

/**
 * Statements that count the documents of a table by the anchor features that they have, and their words by the same: these
 * words, by default the common ones. The results are read by `readGroups`. The parts of a name of a table are separated by dots.
 */
export function printCountSql(
  {table, words, ...counted}: CountedWords & {readonly table: string; readonly words?: readonly string[]},
  database: SqlDatabase
): string {
  const {reading} = counted
  const sql = sqlDialects[database]
  const isFile = database === 'duckdb' && /[/*]|\.(parquet|csv|json|jsonl|ndjson)(\.\w+)?$/i.test(table)
  const relation = {
    from: isFile ? sql.text(table) : partsOf(table).map(sql.identifier).join('.'),
    isReady: reading.text.length === 0,
    fields: reading
  }
  const statements = countStatements(counted, relation, database)
  const columns = statements.lists.map(({column}) => column).join(', ')
  const notes = [
    `Counts the documents of ${table} for adfa, by the columns ${columns}.`,
    'Export both results as CSV, JSON Lines or Parquet, in any number of files, then: adfa count groups.csv words.csv --anchors <file> -o <file>, with the same options for the fields.'
  ]
  const common = `, ${SPARE} times as many of each field as the vocabulary takes`
  return `${commentSql(notes)}
${commentSql(['1. Groups: documents by the features of anchors that they have'])}${statements.groups};

${commentSql([`2. Words by group${words === undefined ? common : ''}`])}${statements.words(words ?? 'common')};
`
}

/** Half a character of UTF-16 cannot be written in UTF-8, and is in no document of a database. */
function isText(name: string): boolean {
  return !/\p{Surrogate}/u.test(name)
}

function partsOf(table: string): string[] {
  const parts = table.split('.')
  if (parts.every(part => part.trim() !== '')) return parts
  throw new AdfaError(
    'bad-option',
    `"${table}" is not the name of a table; write it as the database knows it: notes, or clinic.notes`
  )
}

/** The words of a document: ready-made ones, and those of each field. */
function listsOf(
  reading: TextOptions,
  {isReady, fields}: SqlRelation,
  phrases: readonly (readonly string[])[],
  database: SqlDatabase
): WordList[] {
  const sql = sqlDialects[database]
  const own = isReady ? [{column: READY, prefix: '', list: sql.plainList(sql.identifier(READY))}] : []
  if (fields.text.length + fieldsOf(fields).valueNames.length === 0) return own
  if (database === 'snowflake')
    throw new AdfaError(
      'bad-option',
      'Snowflake cannot cut text or values into words as adfa does, since its regular expressions know no letters beyond a to z; ' +
        `use --text '' with ready-made words in a list column called features, or count with the memory engine`
    )
  return [...own, ...wordLists(textDialects[database], {...reading, ...fields}, phrases)]
}

function refuseUnreadable({anchors, phrases, reading}: CountedWords): void {
  const hasVotes =
    reading.votes.length > 0 ||
    anchors.some(({any}) => any.length === 0 || any.some(name => readVote(name) !== undefined))
  if (reading.negation) throw refusalInSql('`negation` is read across words, which SQL cannot follow')
  if (hasVotes) throw refusalInSql('votes are in several columns, which SQL does not read here')
  if (indexAnchors(anchors, phrases, reading).patterns.length > 0)
    throw refusalInSql(
      'databases read regular expressions in other ways than adfa; name the words that the anchors shall match'
    )
}

/** The error for what SQL cannot count as documents are counted one by one. */
export function refusalInSql(fault: string): AdfaError {
  return new AdfaError('bad-option', `${fault}; leave it out, or count the documents with the memory engine`)
}
