/**
 * The ClickHouse SQL that statements may use: what release 18.16 and the current ones share. No parser that is kept up
 * knows this dialect well enough (see docs/engines.md), so statements are held by their names.
 */

/** Functions by the page of the current reference that describes them; a test asks a server of 18.16 for each. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  'functions/array-functions': [
    'arrayConcat',
    'arrayCount',
    'arrayDistinct',
    'arrayEnumerate',
    'arrayExists',
    'arrayFilter',
    'arrayMap',
    'arrayPushFront',
    'arrayReverseSort',
    'arraySort',
    'arraySum',
    'emptyArrayString',
    'has',
    'notEmpty'
  ],
  'functions/array-join': ['arrayJoin'],
  'functions/conditional-functions': ['greatest', 'if', 'least'],
  'functions/encoding-functions': ['hex'],
  'functions/functions-for-nulls': ['coalesce', 'ifNull'],
  'functions/hash-functions': ['sipHash64'],
  'functions/math-functions': ['exp', 'ln', 'log', 'pow'],
  'functions/other-functions': ['transform'],
  'functions/rounding-functions': ['floor'],
  'functions/splitting-merging-functions': ['arrayStringConcat', 'splitByChar'],
  'functions/string-functions': ['concat', 'lowerUTF8', 'startsWith'],
  'functions/string-replace-functions': ['replaceAll', 'replaceRegexpAll'],
  'functions/string-search-functions': ['extractAll'],
  'functions/type-conversion-functions': ['CAST', 'toFloat64', 'toFloat64OrNull', 'toInt64', 'toString', 'toUInt16'],
  'aggregate-functions/reference': ['any', 'count', 'groupUniqArray', 'sum']
}

/** The ending of an aggregate function that changes what it takes: `countIf`. */
const COMBINATOR = /(?:If|ForEach|Array)$/

const WORDS: ReadonlySet<string> = new Set(
  'SELECT FROM WHERE GROUP ORDER BY DESC LIMIT AS AND OR NOT IN IS NULL LIKE CASE WHEN THEN ELSE END ARRAY JOIN ANY LEFT USING DESCRIBE TABLE KILL QUERY ASYNC FORMAT'.split(
    ' '
  )
)

export const commonFunctions: readonly string[] = Object.values(FUNCTIONS).flat()

/** Every function, and every word in capitals, of a statement that 18.16 and current releases do not share. */
export function foreignNames(sql: string): string[] {
  const bare = sql
    .replace(/'(?:[^'\\]|\\.)*'/gs, "''")
    .replace(/`(?:[^`\\]|\\.)*`/gs, 'quoted')
    .replace(/--[^\n]*/g, '')
  const known = new Set(commonFunctions)
  const called = [...bare.matchAll(/\b([A-Za-z_]\w*)\(/g)].map(([, name]) => name)
  const foreign = called.filter(name => !known.has(name) && !known.has(name.replace(COMBINATOR, '')))
  const words = [...bare.matchAll(/\b[A-Z]{2,}\b(?!\()/g)].map(([word]) => word)
  return [...new Set([...foreign, ...words.filter(word => !WORDS.has(word))])]
}

/** Whether both sides of every join have a name of their own: current releases refuse others, 18.16 does not. */
export function hasNamedJoins(sql: string): boolean {
  const joins = sql.match(/\bJOIN\s*\(/g)?.filter(join => !join.startsWith('ARRAY')).length ?? 0
  const left = sql.match(/\) AS \w+\s+ANY LEFT JOIN \(/g)?.length ?? 0
  const right = sql.match(/\) AS \w+ USING \(/g)?.length ?? 0
  return joins === left && joins === right
}
