import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {WordWeights} from '../../learn/words/index.ts'
import {binName, createFeatureReader, indexAnchors, type NumberField, valueFieldNames} from '../../read/data/index.ts'
import {type SqlFunctions, tokensInSql} from './sql-tokens.ts'

/** A database that can score documents. */
export type SqlDatabase = 'duckdb' | 'clickhouse'

export const sqlDatabases: readonly SqlDatabase[] = ['duckdb', 'clickhouse']

/** What differs between databases beside {@link SqlFunctions}. Lists count from 1. */
interface Dialect extends SqlFunctions {
  /** A comment before the query. */
  readonly hint: string
  identifier(name: string): string
  lower(text: string): string
  /** A column as text, empty where it is null, and as a number, null where it is empty. */
  plainText(column: string): string
  plainNumber(column: string): string
  whole(number: string): string
  /** A list column, empty where it is null, as a list of text. */
  plainList(column: string): string
  concat(lists: readonly string[]): string
  /** One row per different item of the list. */
  explode(list: string): string
  /** A join that finds one row or none for each. */
  readonly lookUp: string
  /** A table of features. */
  table(entries: readonly Entry[]): string
  /** Per document: the number `n` of words, the sums of their weights, and the concepts that its features fire and veto. */
  sums(conceptCount: number): Readonly<Record<string, string>>
  /** One of these sums. */
  sum(concept: number): string
  /** `firing` without `vetoing`, in a form for the next two. */
  fired(conceptCount: number): string
  /** The sum of the numbers of the concepts that fired. */
  sumFired(numbers: readonly number[]): string
  hasFired(concept: number): string
  /** The names from this probability on, most probable first, in one text. */
  tags(names: readonly string[], threshold: number): string
}

/** A feature, its weight for each concept if it is a word, and the concepts that it fires and vetoes, from 1. */
interface Entry {
  readonly feature: string
  readonly weights: readonly number[] | undefined
  readonly fires: readonly number[]
  readonly vetoes: readonly number[]
}

/**
 * A query that scores the documents of the table `documents` as `createPredictor` does, with all numbers of the model in it.
 * Only sums of weights need to be computed, so it is linear in the words of the documents.
 */
export function scoreSql(model: Model, database: SqlDatabase, threshold: number): string {
  const {wordModel, concepts, lexicon} = model
  if (wordModel.kind !== 'weights')
    throw refusal('predicts by noisy-or links, which need inference per document', 'fit it with `words` weights')
  if (lexicon.text.negation) throw refusal('reads negation, which SQL cannot follow', 'fit it without `negation`')
  const sql = database === 'duckdb' ? duckdb : clickhouse
  const {entries, phrases} = readEntries(model, wordModel)
  const lists = featureLists(model, sql, phrases)
  const names = concepts.map(({name}) => name)
  const {typical, power} = wordModel.length
  const sums = sql.sums(concepts.length)
  const columns = names.map((name, i) => `p${i + 1} AS ${sql.identifier(OWN.includes(name) ? `${name} (adfa)` : name)}`)
  return `-- Scores the rows of the table documents, which needs the columns id (unique), ${lists.map(({needs}) => needs).join(', ')}.
-- ${sql.hint}
SELECT id, ${sql.tags(names, threshold)} AS tags, ${columns.join(', ')}
FROM (
  SELECT
    id,
    ${names.map((_, i) => `${probability(sql, wordModel, i)} AS p${i + 1}`).join(',\n    ')}
  FROM (
    SELECT id, ${Object.keys(sums).join(', ')}, ${sql.fired(concepts.length)} AS fired, pow(greatest(n, 1) / ${typical}, ${-power}) AS factor
    FROM (
      SELECT id, ${Object.entries(sums)
        .map(([name, sum]) => `${sum} AS ${name}`)
        .join(', ')}
      FROM (SELECT id, ${sql.explode(sql.concat(lists.map(({list}) => list)))} AS feature FROM documents)
      ${sql.lookUp} (${sql.table(entries)}
      ) USING (feature)
      GROUP BY id
    )
  )
)
ORDER BY id
`
}

/** The columns of the result that are not concepts. */
const OWN: readonly string[] = ['id', 'tags']

function refusal(what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `this model ${what}, so no query can score documents with it; ${wayOut}`)
}

/** The probability of a concept: log-odds as in `WeightReader`. */
function probability(sql: Dialect, wordModel: WordWeights, i: number): string {
  const {company, withWords, firedShare} = wordModel
  const {silentAnchor, firedAnchor, prior} = company
  const words = `factor * ${sql.sum(i + 1)}`
  const silent = silentAnchor[i].reduce((sum, say) => sum + say, prior[i]) + withWords.silent[i]
  const others = sql.sumFired(firedAnchor[i].map((say, k) => say - silentAnchor[i][k]))
  const odds = `CASE WHEN ${sql.hasFired(i + 1)} THEN ${withWords.fired[i]} + ${firedShare} * ${words} ELSE ${silent} + ${others} + ${words} END`
  return `1 / (1 + exp(-(${odds})))`
}

/** The features that matter, and the phrases of text, each as its parts. */
function readEntries({lexicon, concepts}: Model, {weights}: WordWeights) {
  const {anchors, words, text} = lexicon
  const reader = createFeatureReader(anchors, lexicon.phrases, text)
  if (reader.hasPatterns)
    throw refusal('has regular expressions as anchors, which databases read in other ways', 'use words and phrases')
  const phrases = indexAnchors(anchors, lexicon.phrases, text).phrases.tokens
  const partsOf = new Map(Array.from(phrases, ([parts, token]) => [token, parts]))
  const wordAt = new Map(words.map((word, j) => [word, j]))
  const entries = [...new Set([...words, ...reader.roleNames])].flatMap((name): Entry[] => {
    const j = wordAt.get(name)
    const {members = [], vetoes = []} = reader.featureRole(name) ?? {}
    const entry = {
      weights: j === undefined ? undefined : concepts.map((_, i) => weights[i][j]),
      fires: [...new Set(members.map(member => reader.memberConcepts[member] + 1))],
      vetoes: vetoes.map(concept => concept + 1)
    }
    // A phrase is found in text by its parts, whatever its spelling.
    const field = text.fields.find(prefix => name.startsWith(`${prefix}:`))
    const parts = field === undefined ? undefined : partsOf.get(name.slice(field.length + 1))
    const names = parts === undefined ? [name] : [...new Set([name, `${field}:${parts}`])]
    return names.map(feature => ({feature, ...entry}))
  })
  return {entries, phrases: [...phrases.keys()].map(parts => parts.split(' '))}
}

/** The features of a document as lists, and the columns that they are from. */
function featureLists({lexicon}: Model, sql: Dialect, phrases: readonly (readonly string[])[]) {
  const {text, words} = lexicon
  const cased = (value: string) => (text.lowerCase ? sql.lower(value) : value)
  const trimmed = (value: string) => cased(sql.replace(value, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', ''))
  const from = (field: string, list: string, needs = field) => ({
    needs,
    list: sql.map(list, item => `concat(${sql.text(`${field}:`)}, ${item})`)
  })
  const one = (value: string) => sql.split(value, '\x07')
  const column = (field: string) => sql.plainText(sql.identifier(field))
  const prefixes = [...text.fields, ...valueFieldNames(text)].map(name => `${name}:`)
  const hasOther = text.fields.length === 0 || words.some(word => !prefixes.some(prefix => word.startsWith(prefix)))
  return [
    ...text.fields.map(field => from(field, tokensInSql(sql, cased(column(field)), phrases))),
    ...text.categories.map(field => from(field, one(trimmed(column(field))))),
    ...text.numbers.map(bins => from(bins.field, one(binInSql(sql, bins)))),
    ...text.lists.map(field =>
      from(field, sql.map(sql.plainList(sql.identifier(field)), trimmed), `${field} (a list)`)
    ),
    ...(hasOther ? [{list: sql.plainList('features'), needs: 'features (a list)'}] : [])
  ]
}

/** The name of the bin of a number, as `binName` gives it. */
function binInSql(sql: Dialect, bins: NumberField): string {
  const {field, width, edges} = bins
  const number = sql.plainNumber(sql.identifier(field))
  if (edges !== undefined) {
    const cases = edges.map((edge, at) => {
      const below = binName(at === 0 ? Number.NEGATIVE_INFINITY : edges[at - 1], bins)
      return `WHEN ${number} < ${edge} THEN ${sql.text(below)}`
    })
    const last = sql.text(binName(edges[edges.length - 1], bins))
    return `coalesce(CASE WHEN ${number} IS NULL THEN '' ${cases.join(' ')} ELSE ${last} END, '')`
  }
  if (!Number.isSafeInteger(width))
    throw refusal(
      `has bins of ${width} for "${field}", and SQL divides in binary`,
      'fit it with a whole width, or with edges'
    )
  const lower = `floor(${number} / ${width}) * ${width}`
  const joint = `CASE WHEN ${number} < 0 THEN '..' ELSE '-' END`
  return `coalesce(concat(${sql.whole(lower)}, ${joint}, ${sql.whole(`${lower} + ${width}`)}), '')`
}

function arrayText(list: readonly number[]): string {
  return `[${list.join(',')}]`
}

const duckdb: Dialect = {
  hint: 'For DuckDB 1.3 or later. If the table has another name: CREATE VIEW documents AS SELECT ... FROM ...',
  text: quoted,
  identifier: name => `"${name.replaceAll('"', '""')}"`,
  lower: text => `lower(${text})`,
  plainText: column => `coalesce(CAST(${column} AS VARCHAR), '')`,
  plainNumber: column => `CAST(nullif(trim(CAST(${column} AS VARCHAR)), '') AS DOUBLE)`,
  whole: number => `CAST(CAST(${number} AS BIGINT) AS VARCHAR)`,
  plainList: column => `coalesce(CAST(${column} AS VARCHAR[]), [])`,
  replace: (text, pattern, by) => `regexp_replace(${text}, ${quoted(pattern)}, ${quoted(by)}, 'g')`,
  matches: (text, pattern) => `regexp_extract_all(${text}, ${quoted(pattern)})`,
  join: (list, separator) => `array_to_string(${list}, ${quoted(separator)})`,
  split: (text, separator) => `string_split(${text}, ${quoted(separator)})`,
  map: (list, each) => `list_transform(${list}, lambda item: ${each('item')})`,
  ifBegins: (text, start, then) => `CASE WHEN starts_with(${text}, ${quoted(start)}) THEN ${then} ELSE ${text} END`,
  concat: lists => `list_concat([''], ${lists.join(', ')})`,
  explode: list => `unnest(list_distinct(${list}))`,
  lookUp: 'LEFT JOIN',
  table: entries => `
  SELECT feature, CAST(weights AS DOUBLE[]) AS weights, CAST(fires AS INTEGER[]) AS fires, CAST(vetoes AS INTEGER[]) AS vetoes
  FROM (VALUES
${entries
  .map(({feature, weights, fires, vetoes}) => {
    const written = weights === undefined ? 'NULL' : `'${arrayText(weights)}'`
    return `(${quoted(feature)}, ${written}, '${arrayText(fires)}', '${arrayText(vetoes)}')`
  })
  .join(',\n')}
  ) AS entries(feature, weights, fires, vetoes)`,
  sums: conceptCount => ({
    n: 'count(weights)',
    ...Object.fromEntries(
      Array.from({length: conceptCount}, (_, i) => [`w${i + 1}`, `coalesce(sum(weights[${i + 1}]), 0)`])
    ),
    firing: 'list_distinct(flatten(coalesce(list(fires) FILTER (len(fires) > 0), [])))',
    vetoing: 'flatten(coalesce(list(vetoes) FILTER (len(vetoes) > 0), []))'
  }),
  sum: concept => `w${concept}`,
  fired: () => 'list_filter(firing, lambda item: NOT list_contains(vetoing, item))',
  sumFired: numbers =>
    `coalesce(list_sum(list_transform(fired, lambda item: CAST('${arrayText(numbers)}' AS DOUBLE[])[item])), 0)`,
  hasFired: concept => `list_contains(fired, ${concept})`,
  tags: (names, threshold) => {
    const pairs = names.map((name, i) => `{'p': p${i + 1}, 'name': ${quoted(name)}}`).join(', ')
    const chosen = `list_reverse_sort(list_filter([${pairs}], lambda item: item.p >= ${threshold}))`
    return `array_to_string(list_transform(${chosen}, lambda item: item.name), '|')`
  }
}

/** A literal of standard SQL; control characters are function calls. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of tokens.
  const parts = text.split(/([\x01-\x1f])/).filter(part => part !== '')
  const written = parts.map(part => (part < ' ' ? `chr(${part.charCodeAt(0)})` : `'${part.replaceAll("'", "''")}'`))
  return written.length === 0 ? "''" : written.length === 1 ? written[0] : `(${written.join(' || ')})`
}

const clickhouse: Dialect = {
  hint: 'For ClickHouse, with a longer query than usual: clickhouse-client --max_query_size 100000000 --queries-file score.sql',
  text: escaped,
  identifier: name => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  lower: text => `lowerUTF8(${text})`,
  plainText: column => `ifNull(toString(${column}), '')`,
  plainNumber: column => `toFloat64OrNull(replaceAll(ifNull(toString(${column}), ''), ' ', ''))`,
  whole: number => `toString(toInt64(${number}))`,
  plainList: column => `arrayMap(item -> ifNull(toString(item), ''), ${column})`,
  replace: (text, pattern, by) => `replaceRegexpAll(${text}, ${escaped(pattern)}, ${escaped(by)})`,
  matches: (text, pattern) => `extractAll(${text}, ${escaped(pattern)})`,
  join: (list, separator) => `arrayStringConcat(${list}, ${escaped(separator)})`,
  split: (text, separator) => `splitByChar(${escaped(separator)}, ${text})`,
  map: (list, each) => `arrayMap(item -> ${each('item')}, ${list})`,
  ifBegins: (text, start, then) => `if(startsWith(${text}, ${escaped(start)}), ${then}, ${text})`,
  concat: lists => `arrayConcat([''], ${lists.join(', ')})`,
  explode: list => `arrayJoin(arrayDistinct(${list}))`,
  lookUp: 'ANY LEFT JOIN',
  table: entries => {
    const column = (name: string, text: (entry: Entry) => string) => `[${entries.map(text).join(',\n')}] AS ${name}`
    const list = (name: string, type: string) =>
      `arrayMap(item -> to${type}(item), arrayFilter(item -> item != '', splitByChar(',', ${name}_text))) AS ${name}`
    return `
  SELECT feature, ${list('weights', 'Float64')}, ${list('fires', 'UInt16')}, ${list('vetoes', 'UInt16')}
  FROM (SELECT 1)
  ARRAY JOIN
    ${column('feature', ({feature}) => escaped(feature))},
    ${column('weights_text', ({weights = []}) => `'${weights.join()}'`)},
    ${column('fires_text', ({fires}) => `'${fires.join()}'`)},
    ${column('vetoes_text', ({vetoes}) => `'${vetoes.join()}'`)}`
  },
  sums: () => ({
    n: 'countIf(notEmpty(weights))',
    w: 'sumForEach(weights)',
    firing: 'groupUniqArrayArray(fires)',
    vetoing: 'groupUniqArrayArray(vetoes)'
  }),
  sum: concept => `w[${concept}]`,
  fired: conceptCount => {
    const flags = Array.from({length: conceptCount}, (_, i) => `has(firing, ${i + 1}) AND NOT has(vetoing, ${i + 1})`)
    return `[${flags.join(', ')}]`
  },
  sumFired: numbers => `arraySum(arrayMap((flag, number) -> flag * number, fired, ${arrayText(numbers)}))`,
  hasFired: concept => `fired[${concept}]`,
  tags: (names, threshold) => {
    const pairs = names.map((name, i) => `(p${i + 1}, ${escaped(name)})`).join(', ')
    const chosen = `arrayReverseSort(arrayFilter(item -> item.1 >= ${threshold}, [${pairs}]))`
    return `arrayStringConcat(arrayMap(item -> item.2, ${chosen}), '|')`
  }
}

/** A literal of ClickHouse, which has escapes. */
function escaped(text: string): string {
  const hex = (mark: string) => `\\x${mark.charCodeAt(0).toString(16).padStart(2, '0')}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of tokens.
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\x00-\x1f]/g, hex)}'`
}
