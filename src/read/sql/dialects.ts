import {printableLine} from '../../base/text/index.ts'

export type SqlDatabase = 'duckdb' | 'clickhouse' | 'spark' | 'bigquery' | 'snowflake'

/** What is counted: documents by mask, and, with `words`, their words by mask. Without `names`, there is one mask. */
export interface CountQuery {
  readonly from: string
  /** Their words as a list, which may name one more than once. */
  readonly list: string
  readonly names?: readonly string[] | undefined
  /** A condition on the word `adfa_word`, or true for all. */
  readonly words?: string | true | undefined
}

/** What differs between databases where words are counted. Lists count from 1. */
export interface SqlDialect {
  /** A text as a literal; control characters are written out. */
  text(text: string): string
  identifier(name: string): string
  /** A list column, empty where it is null, as a list of text. */
  plainList(column: string): string
  concat(lists: readonly string[]): string
  distinct(list: string): string
  /** The items of a list, each of which it has once, among these names, sorted, as a JSON array in one text. */
  mask(list: string, names: readonly string[]): string
  count(query: CountQuery): string
}

/** The dialect of a database whose regular expressions know Unicode classes, so that it cuts text into the same words. */
export interface TextDialect extends SqlDialect {
  lower(text: string): string
  /** Replaces all matches of a pattern of RE2; `\\1` is the first group. */
  replace(text: string, pattern: string, by: string): string
  matches(text: string, pattern: string): string
  join(list: string, separator: string): string
  /** `each` gets the name of the item, and gives the new one. */
  map(list: string, each: (item: string) => string): string
  /** A column as text, empty where it is null, and as a number, null where it is empty. */
  plainText(column: string): string
  plainNumber(column: string): string
  whole(number: string): string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of tokens.
const CONTROLS = /[\x00-\x1f\x7f]/g

/** A literal of standard SQL; control characters are function calls. */
function quoted(text: string): string {
  const doubled = text.replaceAll("'", "''")
  const written = doubled.replace(CONTROLS, mark => `' || chr(${mark.charCodeAt(0)}) || '`)
  return written === doubled ? `'${written}'` : `('${written}')`
}

/** A literal where backslashes escape. */
function escaped(control: (hex: string) => string): (text: string) => string {
  return text =>
    `'${text.replace(/[\\']/g, '\\$&').replace(CONTROLS, mark => control(mark.charCodeAt(0).toString(16)))}'`
}

/** A name between quotes, which are doubled inside it. */
function named(quote: string): (name: string) => string {
  return name => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
}

/** A name between backticks, where backslashes escape. */
function backticked(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``
}

const unicode = escaped(hex => `\\u${hex.padStart(4, '0')}`)
const bytes = escaped(hex => `\\x${hex.padStart(2, '0')}`)
const all = (items: readonly string[], text: (item: string) => string) => items.map(text).join(', ')

/** Makes a row of each word before it counts. Names begin with adfa_, so that none is that of a column of the documents. */
function nested(sql: SqlDialect, query: CountQuery, word: string, join = ''): string {
  const {keys, columns, where} = clausesOf(query)
  const listed = `SELECT ${sql.distinct(query.list)} AS adfa_words FROM ${query.from}`
  const marked = `SELECT ${['adfa_words', ...maskOf(sql, 'adfa_words', query)].join(', ')}
  FROM (${listed}) AS listed`
  const words = `SELECT ${[...keys.slice(0, -1), word].join(', ')}
  FROM (
    ${indented(marked)}
  ) AS marked${join}`
  return `SELECT ${columns}, COUNT(*) AS documents
FROM (
  ${query.words === undefined ? marked : words}
) AS counted${where}
GROUP BY ${keys.join(', ')}`
}

/** Counts without a subquery, so that the servers behind a Distributed table of ClickHouse count their own rows. */
function flat(sql: SqlDialect, query: CountQuery): string {
  const list = sql.distinct(query.list)
  const {keys, columns, where} = clausesOf(query)
  const word = query.words === undefined ? [] : [`arrayJoin(${list}) AS adfa_word`]
  return `SELECT ${columns}, adfa_documents AS documents
FROM (
  SELECT
    ${[...maskOf(sql, list, query), ...word, 'count() AS adfa_documents'].join(',\n    ')}
  FROM ${query.from}${indented(where)}
  GROUP BY ${keys.join(', ')}
)`
}

function maskOf(sql: SqlDialect, list: string, {names}: CountQuery): string[] {
  if (names === undefined) return []
  return [`${names.length === 0 ? "'[]'" : sql.mask(list, names)} AS adfa_mask`]
}

function clausesOf({names, words}: CountQuery) {
  const keys = [...(names === undefined ? [] : ['adfa_mask']), ...(words === undefined ? [] : ['adfa_word'])]
  return {
    keys,
    columns: keys.map(key => `${key} AS ${key.slice('adfa_'.length)}`).join(', '),
    where: typeof words === 'string' ? `\nWHERE ${words}` : ''
  }
}

/** Literals have no line ends. */
export function indented(lines: string): string {
  return lines.replaceAll('\n', '\n  ')
}

/** What most databases write alike, with these names of types. */
function castingTo(text: string, number: string, whole: string) {
  return {
    lower: (value: string) => `lower(${value})`,
    plainText: (column: string) => `coalesce(CAST(${column} AS ${text}), '')`,
    plainNumber: (column: string) => `CAST(nullif(trim(CAST(${column} AS ${text})), '') AS ${number})`,
    whole: (value: string) => `CAST(CAST(${value} AS ${whole}) AS ${text})`
  }
}

const duckdb: TextDialect = {
  ...castingTo('VARCHAR', 'DOUBLE', 'BIGINT'),
  text: quoted,
  identifier: named('"'),
  plainList: column => `coalesce(CAST(${column} AS VARCHAR[]), [])`,
  replace: (text, pattern, by) => `regexp_replace(${text}, ${quoted(pattern)}, ${quoted(by)}, 'g')`,
  matches: (text, pattern) => `regexp_extract_all(${text}, ${quoted(pattern)})`,
  join: (list, separator) => `array_to_string(${list}, ${quoted(separator)})`,
  map: (list, each) => `list_transform(${list}, lambda item: ${each('item')})`,
  concat: lists => `list_concat(${lists.join(', ')})`,
  distinct: list => `list_distinct(${list})`,
  mask: (list, names) => `CAST(to_json(list_sort(list_intersect([${all(names, quoted)}], ${list}))) AS VARCHAR)`,
  count: query => nested(duckdb, query, 'unnest(adfa_words) AS adfa_word')
}

const clickhouse: TextDialect = {
  text: bytes,
  identifier: backticked,
  lower: text => `lowerUTF8(${text})`,
  plainText: column => `ifNull(toString(${column}), '')`,
  plainNumber: column => `toFloat64OrNull(replaceAll(ifNull(toString(${column}), ''), ' ', ''))`,
  whole: number => `toString(toInt64(${number}))`,
  plainList: column => `arrayMap(item -> ifNull(toString(item), ''), ${column})`,
  replace: (text, pattern, by) => `replaceRegexpAll(${text}, ${bytes(pattern)}, ${bytes(by)})`,
  matches: (text, pattern) => `extractAll(${text}, ${bytes(pattern)})`,
  join: (list, separator) => `arrayStringConcat(${list}, ${bytes(separator)})`,
  map: (list, each) => `arrayMap(item -> ${each('item')}, ${list})`,
  concat: lists => `arrayConcat(${lists.join(', ')})`,
  distinct: list => `arrayDistinct(${list})`,
  // Release 18.16 writes no JSON, so each name is replaced by its own.
  mask(list, names) {
    const texts = names.map(name => JSON.stringify(name))
    const written = `transform(item, [${all(names, bytes)}], [${all(texts, bytes)}], '')`
    const known = `arrayFilter(item -> item != '', arrayMap(item -> ${written}, ${list}))`
    return `concat('[', arrayStringConcat(arraySort(${known}), ','), ']')`
  },
  count: query => flat(clickhouse, query)
}

const spark: TextDialect = {
  ...castingTo('STRING', 'DOUBLE', 'BIGINT'),
  text: unicode,
  identifier: named('`'),
  plainList: column => `coalesce(CAST(${column} AS ARRAY<STRING>), array())`,
  replace: (text, pattern, by) =>
    `regexp_replace(${text}, ${unicode(pattern)}, ${unicode(by.replace(/\\(?=\d)/g, '$'))})`,
  matches: (text, pattern) => `regexp_extract_all(${text}, ${unicode(pattern)}, 0)`,
  join: (list, separator) => `array_join(${list}, ${unicode(separator)})`,
  map: (list, each) => `transform(${list}, item -> ${each('item')})`,
  concat: lists => `concat(${lists.join(', ')})`,
  distinct: list => `array_distinct(${list})`,
  mask: (list, names) => `to_json(array_sort(array_intersect(${list}, array(${all(names, unicode)}))))`,
  count: query => nested(spark, query, 'explode(adfa_words) AS adfa_word')
}

const bigquery: TextDialect = {
  ...castingTo('STRING', 'FLOAT64', 'INT64'),
  text: unicode,
  identifier: backticked,
  plainList: column => `ARRAY(SELECT CAST(item AS STRING) FROM UNNEST(${column}) AS item)`,
  replace: (text, pattern, by) => `regexp_replace(${text}, ${unicode(pattern)}, ${unicode(by)})`,
  matches: (text, pattern) => `regexp_extract_all(${text}, ${unicode(pattern)})`,
  join: (list, separator) => `array_to_string(${list}, ${unicode(separator)})`,
  map: (list, each) => `ARRAY(SELECT ${each('item')} FROM UNNEST(${list}) AS item)`,
  concat: lists => `array_concat(${lists.join(', ')})`,
  distinct: list => `ARRAY(SELECT DISTINCT item FROM UNNEST(${list}) AS item)`,
  mask: (list, names) =>
    `to_json_string(ARRAY(SELECT item FROM UNNEST(${list}) AS item WHERE item IN (${all(names, unicode)}) ORDER BY item))`,
  count: query => nested(bigquery, query, 'adfa_word', ' CROSS JOIN UNNEST(adfa_words) AS adfa_word')
}

/** Its regular expressions are POSIX ones, which cannot tell letters other than a to z. Plain names are folded to upper case, as its columns are. */
const snowflake: SqlDialect = {
  text: unicode,
  identifier: name => (/^[a-z_]\w*$/i.test(name) ? name : named('"')(name)),
  plainList: column => `coalesce(${column}, array_construct())`,
  concat: lists => lists.reduce((joined, list) => `array_cat(${joined}, ${list})`),
  distinct: list => `array_distinct(${list})`,
  mask: (list, names) => `to_json(array_sort(array_intersection(${list}, array_construct(${all(names, unicode)}))))`,
  count: query =>
    nested(snowflake, query, 'flat.value::STRING AS adfa_word', ', LATERAL FLATTEN(INPUT => adfa_words) flat')
}

/** The databases that cut text into words as adfa does. */
export const textDialects: Readonly<Record<Exclude<SqlDatabase, 'snowflake'>, TextDialect>> = {
  duckdb,
  clickhouse,
  spark,
  bigquery
}

export const sqlDialects: Readonly<Record<SqlDatabase, SqlDialect>> = {...textDialects, snowflake}

/** A comment of these lines, in which no name can end the line. */
export function commentSql(lines: readonly string[]): string {
  return lines.map(line => `-- ${printableLine(line)}\n`).join('')
}
