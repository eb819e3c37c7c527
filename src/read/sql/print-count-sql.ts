import {AdfaError} from '../../base/checks/index.ts'
import {type Anchors, indexAnchors, readVote, type TextOptions, valueFieldNames} from '../data/index.ts'
import {commentSql, type SqlDatabase, sqlDialects, textDialects} from './dialects.ts'
import {type WordList, wordLists} from './word-lists.ts'

/** What is counted: the documents of a table, by anchors, with the commonest words or with those of a lexicon. */
export interface CountedTable {
  /** The name of the table as the database knows it, its parts separated by dots. */
  readonly table: string
  readonly anchors: Anchors
  readonly phrases: readonly string[]
  readonly reading: TextOptions
  /** The words to count; by default the commonest. */
  readonly words?: readonly string[] | undefined
}

/** How many times as many common words are kept as the vocabulary takes: anchors and stop words are among them. */
const SPARE = 5

/**
 * Three statements that count the documents of a table: its common words, its documents by the anchor features that they have,
 * and their words by the same. Their results, read by `readGroups`, give the counts that the documents give. What a database
 * reads otherwise than `tokenize` is refused.
 */
export function printCountSql(counted: CountedTable, database: SqlDatabase): string {
  const {table, reading, words} = counted
  refuseUnreadable(counted)
  const sql = sqlDialects[database]
  const lists = listsOf(counted, database)
  const parts = partsOf(table)
  const from = isFile(database, table) ? sql.text(table) : parts.map(sql.identifier).join('.')
  const beside = isFile(database, table) ? [] : parts.slice(0, -1)
  const common = [...beside, 'adfa_common_words'].map(sql.identifier).join('.')
  const list = lists.length === 1 ? lists[0].list : sql.concat(lists.map(each => each.list))
  const query = {from, list, names: namesOf(counted, lists)}
  const wanted = words?.map(word => sql.text(word)).join(', ')
  const commonest = lists.map(({list, prefix}) => {
    const isWord = wanted === undefined ? `adfa_word <> ${sql.text(prefix)}` : `adfa_word IN (${wanted})`
    const counting = sql.count({from, list, words: prefix === '' && wanted === undefined ? true : isWord})
    return wanted === undefined ? `${counting}\nORDER BY documents DESC LIMIT ${SPARE * reading.vocabulary}` : counting
  })
  const union =
    commonest.length === 1 ? commonest[0] : commonest.map(each => `SELECT * FROM (\n${each}\n)`).join('\nUNION ALL\n')
  const notes = [
    `Counts the documents of ${table} for adfa, by the columns ${lists.map(({column}) => column).join(', ')}; needs no right but to make one small table.`,
    `Export the results of statements 2 and 3 as CSV, JSON Lines or Parquet, in any number of files: ${sql.exporting}`,
    'Then: adfa count groups.csv words.csv --anchors <file> -o <file>, with the same options for the fields.'
  ]
  const statements = [
    [
      `1. Common words${wanted === undefined ? `, ${SPARE} times as many as the vocabulary of each field takes` : ''}`,
      sql.createTable(common) + union
    ],
    ['2. Groups: documents by the features of anchors that they have', sql.count(query)],
    ['3. Words by group', sql.count({...query, words: `adfa_word IN (SELECT word FROM ${common})`})]
  ]
  return `${commentSql(notes)}\n${statements.map(([title, statement]) => `${commentSql([title])}${statement};\n`).join('\n')}`
}

/** DuckDB reads files by name. */
function isFile(database: SqlDatabase, table: string): boolean {
  return database === 'duckdb' && /[/*]|\.(parquet|csv|json|jsonl|ndjson)(\.\w+)?$/i.test(table)
}

function partsOf(table: string): string[] {
  const parts = table.split('.')
  if (parts.every(part => part.trim() !== '')) return parts
  throw new AdfaError(
    'bad-option',
    `"${table}" is not the name of a table; write it as the database knows it: notes, or clinic.notes`
  )
}

/** The words of a document: ready-made ones where there is no text to cut, and those of each field. */
function listsOf({anchors, phrases, reading}: CountedTable, database: SqlDatabase): WordList[] {
  const ready = {column: 'features', prefix: '', list: sqlDialects[database].plainList('features')}
  const hasFields = reading.text.length + valueFieldNames(reading).length > 0
  const own = reading.text.length === 0 ? [ready] : []
  if (!hasFields) return own
  if (database === 'snowflake')
    throw refusal(
      'Snowflake cannot cut text or values into words as adfa does, since its regular expressions know no letters beyond a to z',
      "use --text '' with ready-made words in a list column called features, or count in memory"
    )
  const parts = [...indexAnchors(anchors, phrases, reading).phrases.tokens.keys()].map(phrase => phrase.split(' '))
  return [...own, ...wordLists(textDialects[database], reading, parts)]
}

/** The features that anchors name and that the lists may have, named as there: a phrase by its parts, with a blank between them. */
function namesOf({anchors, phrases, reading}: CountedTable, lists: readonly WordList[]): string[] {
  const index = indexAnchors(anchors, phrases, reading)
  const spellings = new Map(Array.from(index.phrases.tokens, ([parts, token]) => [token, parts]))
  const names = index.roleNames.map(name => {
    const field = reading.text.find(each => name.startsWith(`${each}:`))
    const parts = field === undefined ? undefined : spellings.get(name.slice(field.length + 1))
    return parts === undefined ? name : `${field}:${parts}`
  })
  // Half a character of UTF-16 cannot be written in UTF-8, and is in no document of a database.
  const canOccur = (name: string) => lists.some(({prefix}) => name.startsWith(prefix)) && !/\p{Surrogate}/u.test(name)
  return [...new Set(names)].filter(canOccur).sort()
}

function refuseUnreadable({anchors, phrases, reading}: CountedTable): void {
  const inMemory = 'or count the documents in memory'
  if (reading.negation)
    throw refusal('negation is read across words, which SQL cannot follow', `leave --negation out, ${inMemory}`)
  if (
    reading.votes.length > 0 ||
    anchors.some(({any}) => any.length === 0 || any.some(name => readVote(name) !== undefined))
  )
    throw refusal('votes are in several columns, which the statements do not read', 'count the documents in memory')
  if (indexAnchors(anchors, phrases, reading).hasPatterns)
    throw refusal(
      'databases read regular expressions in other ways than adfa',
      `name the words that the anchors shall match, ${inMemory}`
    )
}

function refusal(what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `${what}; ${wayOut}`)
}
