import {type TextDialect, textDialects} from '../../read/sql/index.ts'

/** The databases that score documents by a model. */
export const scoringDatabases = ['duckdb', 'clickhouse'] as const

export type ScoringDatabase = (typeof scoringDatabases)[number]

/** Numbers in lists in lists, to any depth. */
type Numbers = readonly (number | Numbers)[]

/** What differs between databases where documents are scored. Lists count from 1. */
export interface Dialect extends TextDialect {
  readonly hint: string
  /** One row per different item of the list. */
  explode(list: string): string
  /** A join that finds one row or none for each. */
  readonly lookUp: string
  table(entries: readonly Entry[]): string
  /** Per document: the `sums` of the weights of its words, the members that are `firing`, and the concepts that are `vetoing`. */
  sums(conceptCount: number): string
  has(list: string, number: number): string
  /** A literal. */
  numbers(list: Numbers): string
  /** For each concept i and its item of the list: the `body`, which uses these columns. */
  each(list: string, item: string, body: string, columns: readonly string[]): string
  /** A literal of the four numbers of concepts i and k at `[i][k]`. */
  pairs(rows: readonly (readonly Numbers[])[]): string
  /** What the four numbers are called in the body of `product`. */
  readonly parts: readonly string[]
  /** The product of the `body` over concepts k; inside the body of `each` over `pairs`. */
  product(body: string): string
  /** The names of the tags, most probable first, in one text; `least` has the least probabilities of tags, as SQL. */
  tags(names: readonly string[], least: readonly string[]): string
}

/** A feature, its weight for each concept and its squared idf if it is a word, the members that it fires and the concepts that it vetoes, from 1. */
export interface Entry {
  readonly feature: string
  readonly weights: readonly number[] | undefined
  readonly fires: readonly number[]
  readonly vetoes: readonly number[]
}

const {duckdb: inDuckDb, clickhouse: inClickHouse} = textDialects

const duckdb: Dialect = {
  ...inDuckDb,
  hint: 'For DuckDB 1.3 or later. If the table has another name: CREATE VIEW documents AS SELECT ... FROM ...',
  explode: list => `unnest(list_distinct(${list}))`,
  lookUp: 'LEFT JOIN',
  table: entries => {
    const rows = entries.map(({feature, weights, fires, vetoes}) => {
      const written = weights === undefined ? 'NULL' : `'${JSON.stringify(weights)}'`
      return `(${inDuckDb.text(feature)}, ${written}, '${JSON.stringify(fires)}', '${JSON.stringify(vetoes)}')`
    })
    return `
  SELECT feature, CAST(weights AS DOUBLE[]) AS weights, CAST(fires AS INTEGER[]) AS fires, CAST(vetoes AS INTEGER[]) AS vetoes
  FROM (VALUES
${rows.join(',\n')}
  ) AS entries(feature, weights, fires, vetoes)`
  },
  sums: conceptCount => {
    const sums = Array.from({length: conceptCount}, (_, i) => `coalesce(sum(weights[${i + 1}]), 0)`)
    return `[${sums.join(', ')}] AS sums,
          flatten(coalesce(list(fires) FILTER (len(fires) > 0), [])) AS firing,
          flatten(coalesce(list(vetoes) FILTER (len(vetoes) > 0), [])) AS vetoing`
  },
  has: (list, number) => `list_contains(${list}, ${number})`,
  numbers: list => `CAST('${JSON.stringify(list)}' AS DOUBLE${'[]'.repeat(depthOf(list))})`,
  each: (list, item, body) => `list_transform(${list}, lambda ${item}, i: ${body})`,
  pairs: rows => duckdb.numbers(rows),
  parts: [1, 2, 3, 4].map(place => `pair[${place}]`),
  product: body => `list_product(list_transform(pairs, lambda pair, k: ${body}))`,
  tags: (names, least) => {
    const items = names.map((name, i) => `{'p': p[${i + 1}], 'name': ${inDuckDb.text(name)}, 'least': ${least[i]}}`)
    const chosen = `list_reverse_sort(list_filter([${items.join(', ')}], lambda item: item.p >= item.least))`
    return `array_to_string(list_transform(${chosen}, lambda item: item.name), '|')`
  }
}

function depthOf([first]: Numbers): number {
  return typeof first === 'object' ? 1 + depthOf(first) : 1
}

const PARTS = ['u', 'r', 'u_back', 'r_back']

const clickhouse: Dialect = {
  ...inClickHouse,
  hint: 'For ClickHouse 18.16 or later, with a longer query than usual: clickhouse-client --max_query_size 100000000 < score.sql',
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
    ${column('feature', ({feature}) => inClickHouse.text(feature))},
    ${column('weights_text', ({weights = []}) => `'${weights.join()}'`)},
    ${column('fires_text', ({fires}) => `'${fires.join()}'`)},
    ${column('vetoes_text', ({vetoes}) => `'${vetoes.join()}'`)}`
  },
  sums: () =>
    'sumForEach(weights) AS sums, groupUniqArrayArray(fires) AS firing, groupUniqArrayArray(vetoes) AS vetoing',
  has: (list, number) => `has(${list}, ${number})`,
  numbers: floats,
  // ClickHouse 18.16, the one of Debian, does not find columns that occur in lambdas alone, and has no arrayProduct.
  each: (list, item, body, columns) =>
    `arrayMap((${item}, i) -> ${body}, ${list}, arrayEnumerate((${['fired', ...columns].join(', ')}, 0).1))`,
  // Servers take 50,000 elements of a query by default, and a list of numbers is one: each part of a row has its own list.
  pairs: rows => floats(rows.map(row => PARTS.map((_, place) => row.map(pair => pair[place])))),
  parts: PARTS,
  product: body => {
    const lists = PARTS.map((_, place) => `pairs[${place + 1}]`).join(', ')
    return `exp(arraySum(arrayMap((${PARTS.join(', ')}, k) -> log(${body}), ${lists}, arrayEnumerate(pairs[1]))))`
  },
  tags: (names, least) => {
    const items = names.map((name, i) => `(p[${i + 1}], ${inClickHouse.text(name)}, ${least[i]})`)
    const chosen = `arrayReverseSort(arrayFilter(item -> item.1 >= item.3, [${items.join(', ')}]))`
    return `arrayStringConcat(arrayMap(item -> item.2, ${chosen}), '|')`
  }
}

/** A list that ClickHouse reads as Float64, also where numbers are whole. */
function floats(list: Numbers): string {
  const texts = list.map(item => {
    if (typeof item === 'object') return floats(item)
    return /[.e]/.test(`${item}`) ? `${item}` : `${item}.0`
  })
  return `[${texts.join(',')}]`
}

export const scoringDialects: Readonly<Record<ScoringDatabase, Dialect>> = {duckdb, clickhouse}
