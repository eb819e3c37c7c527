import {AdfaError} from '../../base/checks/index.ts'
import {type Anchors, indexAnchors, readVote, type TextOptions, valueFieldNames} from '../data/index.ts'
import {commentSql, type SqlDatabase, sqlDialects, textDialects} from './dialects.ts'
import {isUnspacedInSql, type WordList, wordLists} from './word-lists.ts'

/** What is counted, and how documents are read for it. */
export interface CountedWords {
  readonly anchors: Anchors
  readonly phrases: readonly string[]
  readonly reading: TextOptions
}

/** The documents of a database. */
export interface SqlRelation {
  /** The relation as SQL names it. */
  readonly from: string
  /** The column with a list of ready-made words, if they count. */
  readonly ready: string | undefined
  /** Those of the fields to read that are columns. */
  readonly fields: Pick<TextOptions, 'text' | 'category' | 'number' | 'list'>
}

/** The statements that count documents. Words have the names that SQL gives them. */
export interface CountStatements {
  /** The lists of words of a document, by column. */
  readonly lists: readonly WordList[]
  /** The features of anchors that the lists may have. */
  readonly names: readonly string[]
  /** The name in SQL of a word or feature: phrases of text are named by their parts, with a blank between them. */
  nameOf(word: string): string
  /** The commonest words of a list with the number of documents that have them, the commonest first. */
  commonWords(list: WordList, most: number): string
  /** A row if any text is of a script that SQL cannot cut into words; undefined where no text is read. */
  readonly unspaced: string | undefined
  /** The documents by mask, the features of anchors that they have. */
  readonly groups: string
  /** The words by mask: those among `words`, literals or a query. */
  words(words: string): string
}

/** How many times as many common words are kept as the vocabulary takes: anchors and stop words are among them. */
const SPARE = 5

/** The statements whose results, joined by `GroupCollector`, give the counts that the documents give. What a database reads otherwise than `tokenize` is refused. */
export function countStatements(counted: CountedWords, relation: SqlRelation, database: SqlDatabase): CountStatements {
  refuseUnreadable(counted)
  const sql = sqlDialects[database]
  const index = indexAnchors(counted.anchors, counted.phrases, counted.reading)
  const phrases = [...index.phrases.tokens.keys()].map(phrase => phrase.split(' '))
  const lists = listsOf(counted.reading, relation, phrases, database)
  const spellings = new Map(Array.from(index.phrases.tokens, ([parts, token]) => [token, parts]))
  const nameOf = (name: string) => {
    const field = relation.fields.text.find(each => name.startsWith(`${each}:`))
    const parts = field === undefined ? undefined : spellings.get(name.slice(field.length + 1))
    return parts === undefined ? name : `${field}:${parts}`
  }
  const canOccur = (name: string) => lists.some(({prefix}) => name.startsWith(prefix)) && isText(name)
  const names = [...new Set(index.roleNames.map(nameOf))].filter(canOccur).sort()
  const {from, fields} = relation
  const unspaced = fields.text.map(column => {
    const dialect = textDialects[database as keyof typeof textDialects]
    return isUnspacedInSql(dialect, dialect.plainText(sql.identifier(column)))
  })
  const list = lists.length === 1 ? lists[0].list : sql.concat(lists.map(each => each.list))
  return {
    lists,
    names,
    nameOf,
    commonWords({list, prefix}, most) {
      const words = prefix === '' ? true : `adfa_word <> ${sql.text(prefix)}`
      const limit = Number.isFinite(most) ? ` LIMIT ${most}` : ''
      return `${sql.count({from, list, words})}\nORDER BY documents DESC${limit}`
    },
    unspaced: unspaced.length === 0 ? undefined : `SELECT 1 FROM ${from} WHERE ${unspaced.join(' OR ')} LIMIT 1`,
    groups: sql.count({from, list, names}),
    words: words => sql.count({from, words: `adfa_word IN (${words})`, list, names})
  }
}

/** A table whose statements are printed. */
export interface CountedTable extends CountedWords {
  /** The name of the table as the database knows it, its parts separated by dots. */
  readonly table: string
  /** The words to count; by default the commonest. */
  readonly words?: readonly string[] | undefined
}

/**
 * Statements that count the documents of a table: its common words where none are given, its documents by the anchor features
 * that they have, and their words by the same. The results of the last two are read by `readGroups`.
 */
export function printCountSql({table, words, ...read}: CountedTable, database: SqlDatabase): string {
  const {reading} = read
  const sql = sqlDialects[database]
  const isFile = database === 'duckdb' && /[/*]|\.(parquet|csv|json|jsonl|ndjson)(\.\w+)?$/i.test(table)
  const parts = isFile ? [] : partsOf(table)
  const relation = {
    from: isFile ? sql.text(table) : parts.map(sql.identifier).join('.'),
    ready: reading.text.length === 0 ? 'features' : undefined,
    fields: reading
  }
  const statements = countStatements(read, relation, database)
  const {lists} = statements
  const place = [...parts.slice(0, -1), 'adfa_common_words'].map(sql.identifier).join('.')
  const common = lists.map(list => statements.commonWords(list, SPARE * reading.vocabulary))
  const union =
    common.length === 1 ? common[0] : common.map(each => `SELECT * FROM (\n${each}\n)`).join('\nUNION ALL\n')
  const title = `Common words, ${SPARE} times as many as the vocabulary of each field takes`
  const counted = words?.map(statements.nameOf).filter(isText).map(sql.text).join(', ')
  const printed = [
    ...(counted === undefined ? [[title, sql.createTable(place) + union]] : []),
    ['Groups: documents by the features of anchors that they have', statements.groups],
    ['Words by group', statements.words(counted ?? `SELECT word FROM ${place}`)]
  ]
  const notes = [
    `Counts the documents of ${table} for adfa, by the columns ${lists.map(({column}) => column).join(', ')}; needs no right but to make one small table.`,
    `Export the results of the last two statements as CSV, JSON Lines or Parquet, in any number of files: ${sql.exporting}`,
    'Then: adfa count groups.csv words.csv --anchors <file> -o <file>, with the same options for the fields.'
  ]
  const numbered = printed.map(([title, query], at) => `${commentSql([`${at + 1}. ${title}`])}${query};\n`)
  return `${commentSql(notes)}\n${numbered.join('\n')}`
}

/** Half a character of UTF-16 cannot be written in UTF-8, and is in no document of a database. */
export function isText(name: string): boolean {
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
  {ready, fields}: SqlRelation,
  phrases: readonly (readonly string[])[],
  database: SqlDatabase
): WordList[] {
  const sql = sqlDialects[database]
  const own = ready === undefined ? [] : [{column: ready, prefix: '', list: sql.plainList(sql.identifier(ready))}]
  if (fields.text.length + valueFieldNames(fields).length === 0) return own
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
  const faults: readonly (readonly [boolean, string])[] = [
    [reading.negation, '`negation` is read across words, which SQL cannot follow'],
    [hasVotes, 'votes are in several columns, which SQL does not read here'],
    [
      indexAnchors(anchors, phrases, reading).patterns.length > 0,
      'databases read regular expressions in other ways than adfa; name the words that the anchors shall match'
    ]
  ]
  for (const [isThere, fault] of faults) if (isThere) throw refusalInSql(fault)
}

/** The error for what SQL cannot count as documents are counted one by one. */
export function refusalInSql(fault: string): AdfaError {
  return new AdfaError('bad-option', `${fault}; leave it out, or count the documents with the memory engine`)
}
