import {type TextDialect, textDialects} from '../../read/sql/index.ts'
import type {TagRule} from './tags-from.ts'

/** The databases that score documents by a model. */
export type ScoringDatabase = 'duckdb' | 'clickhouse'

export const scoringDatabases: readonly ScoringDatabase[] = ['duckdb', 'clickhouse']

/** What differs between databases where documents are scored. Lists count from 1. */
export interface Dialect extends TextDialect {
  readonly hint: string
  /** A list with one empty text, so that a document without words has a row. */
  readonly none: string
  /** One row per different item of the list. */
  explode(list: string): string
  /** A join that finds one row or none for each. */
  readonly lookUp: string
  table(entries: readonly Entry[]): string
  /** Per document: the `sums` of the weights of its words, the members that are `firing`, and the concepts that are `vetoing`. */
  sums(conceptCount: number): string
  /** For each concept, whether one of its members, which are numbered from `first` to `last`, is `firing` and it is not `vetoing`. */
  fired(concepts: readonly MemberRange[]): string
  has(list: string, number: number): string
  /** Literals: a list of numbers, and lists of pairs. */
  numbers(list: readonly number[]): string
  pairs(rows: readonly (readonly PairTable[])[]): string
  /** A number of a {@link PairTable} by its place, from 0. */
  part(pair: string, place: number): string
  /** For each concept i and its item of the list: the `body`, which uses these columns. */
  each(list: string, item: string, body: string, columns: readonly string[]): string
  /** The product over concepts k and their pairs of the list; inside the body of `each`. */
  product(list: string, item: string, body: string): string
  /** The names of the tags by this rule, most probable first, in one text; `fired` tells whether each anchor fires. */
  tags(names: readonly string[], rule: TagRule): string
}

/** The members of one concept; numbers begin at 1. */
export interface MemberRange {
  readonly first: number
  readonly last: number
}

/** A feature, its weight for each concept and its squared idf if it is a word, the members that it fires and the concepts that it vetoes, from 1. */
export interface Entry {
  readonly feature: string
  readonly weights: readonly number[] | undefined
  readonly fires: readonly number[]
  readonly vetoes: readonly number[]
}

/**
 * Of concepts i and k: P(Y_k=1|Y_i=1) / P(Y_k=1|Y_i=0), P(Y_k=1|Y_i=0), and the same two with i and k exchanged.
 */
export type PairTable = readonly [number, number, number, number]

function arrayText(list: readonly number[]): string {
  return `[${list.join(',')}]`
}

const PARTS = ['u', 'r', 'u_back', 'r_back']

const {duckdb: inDuckDb, clickhouse: inClickHouse} = textDialects
const {text: quoted} = inDuckDb
const {text: escaped} = inClickHouse

const duckdb: Dialect = {
  ...inDuckDb,
  hint: 'For DuckDB 1.3 or later. If the table has another name: CREATE VIEW documents AS SELECT ... FROM ...',
  none: "['']",
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
  sums: conceptCount => {
    const sums = Array.from({length: conceptCount}, (_, i) => `coalesce(sum(weights[${i + 1}]), 0)`)
    return `[${sums.join(', ')}] AS sums,
          flatten(coalesce(list(fires) FILTER (len(fires) > 0), [])) AS firing,
          flatten(coalesce(list(vetoes) FILTER (len(vetoes) > 0), [])) AS vetoing`
  },
  fired: concepts => {
    const isFiring = ({first, last}: MemberRange) =>
      `len(list_filter(firing, lambda item: item BETWEEN ${first} AND ${last})) > 0`
    return `[${concepts.map((range, i) => `${isFiring(range)} AND NOT list_contains(vetoing, ${i + 1})`).join(', ')}]`
  },
  has: (list, number) => `list_contains(${list}, ${number})`,
  numbers: list => `CAST('${arrayText(list)}' AS DOUBLE[])`,
  pairs: rows => {
    const written = rows.map(
      row =>
        `[${row.map(pair => `{${pair.map((value, place) => `${PARTS[place]}: ${value}`).join(', ')}}`).join(', ')}]`
    )
    return `CAST('[${written.join(', ')}]' AS STRUCT(${PARTS.map(part => `${part} DOUBLE`).join(', ')})[][])`
  },
  part: (pair, place) => `${pair}.${PARTS[place]}`,
  each: (list, item, body) => `list_transform(${list}, lambda ${item}, i: ${body})`,
  product: (list, item, body) => `list_product(list_transform(${list}, lambda ${item}, k: ${body}))`,
  tags: (names, rule) => {
    const items = names.map((name, i) => `{'p': p[${i + 1}], 'name': ${quoted(name)}, 'least': ${leastInSql(rule, i)}}`)
    const chosen = `list_reverse_sort(list_filter([${items.join(', ')}], lambda item: item.p >= item.least))`
    return `array_to_string(list_transform(${chosen}, lambda item: item.name), '|')`
  }
}

/** The least probability at which concept i is a tag. */
function leastInSql({fired, silent}: TagRule, i: number): string {
  const [whereFired, whereSilent] = [fired[i], silent[i]].map(value =>
    Number.isInteger(value) ? `${value}.0` : `${value}`
  )
  return fired[i] === silent[i] ? whereFired : `CASE WHEN fired[${i + 1}] THEN ${whereFired} ELSE ${whereSilent} END`
}

const clickhouse: Dialect = {
  ...inClickHouse,
  hint: 'For ClickHouse 18.16 or later, with a longer query than usual: clickhouse-client --max_query_size 100000000 < score.sql',
  none: "['']",
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
  sums: () =>
    'sumForEach(weights) AS sums, groupUniqArrayArray(fires) AS firing, groupUniqArrayArray(vetoes) AS vetoing',
  fired: concepts => {
    const isFiring = ({first, last}: MemberRange) => `arrayExists(item -> item >= ${first} AND item <= ${last}, firing)`
    return `[${concepts.map((range, i) => `${isFiring(range)} AND NOT has(vetoing, ${i + 1})`).join(', ')}]`
  },
  has: (list, number) => `has(${list}, ${number})`,
  numbers: floats,
  // Servers take 50,000 elements of a query by default, and a list of numbers is one: each part of a row has its own list.
  pairs: rows => {
    const lists = (row: readonly PairTable[]) => PARTS.map((_, place) => floats(row.map(pair => pair[place])))
    return `[${rows.map(row => `[${lists(row).join(', ')}]`).join(', ')}]`
  },
  part: (_, place) => PARTS[place],
  // ClickHouse 18.16, the one of Debian, does not find columns that occur in lambdas alone, and has no arrayProduct.
  each: (list, item, body, columns) =>
    `arrayMap((${item}, i) -> ${body}, ${list}, arrayEnumerate((${['fired', ...columns].join(', ')}, 0).1))`,
  product: (list, _, body) => {
    const parts = PARTS.map((_, place) => `${list}[${place + 1}]`).join(', ')
    return `exp(arraySum(arrayMap((${PARTS.join(', ')}, k) -> log(${body}), ${parts}, arrayEnumerate(${list}[1]))))`
  },
  tags: (names, rule) => {
    const items = names.map((name, i) => `(p[${i + 1}], ${escaped(name)}, ${leastInSql(rule, i)})`)
    const chosen = `arrayReverseSort(arrayFilter(item -> item.1 >= item.3, [${items.join(', ')}]))`
    return `arrayStringConcat(arrayMap(item -> item.2, ${chosen}), '|')`
  }
}

/** A list that ClickHouse reads as Float64, also where numbers are whole. */
function floats(list: readonly number[]): string {
  return `[${list.map(value => (/[.e]/.test(`${value}`) ? `${value}` : `${value}.0`)).join(',')}]`
}

export function dialectOf(database: ScoringDatabase): Dialect {
  return database === 'duckdb' ? duckdb : clickhouse
}
