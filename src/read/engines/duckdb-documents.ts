import {existsSync, statSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {AdfaError} from '../../base/checks/index.ts'
import {inputNames, keyFields, otherSpellings, type RowFields, soughtNames, VOTES} from '../data/index.ts'
import {type DocumentFormat, formatOfName} from '../reading/index.ts'
import {type DuckDbSession, type StatementControl, UnreadableDocuments} from './duckdb-session.ts'

import {quote} from './duckdb-sql.ts'

export interface DuckDbFiles {
  readonly paths: readonly string[]
  readonly fields: RowFields
  readonly format: DocumentFormat | undefined
  /** Names among the fields that every table must have as columns. */
  readonly required: readonly string[] | undefined
  readonly encoding: string | undefined
}

/** The files that paths and patterns such as `notes-*.parquet` stand for, in the given order, those of a pattern by name. */
export async function findFiles(session: DuckDbSession, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    if (!isPattern(path) || existsSync(path)) {
      found.push(path)
      continue
    }
    const files: string[] = []
    for await (const [names] of session.columns(`SELECT file FROM glob(${quote(path)})`))
      files.push(...names.map(String))
    if (files.length === 0)
      throw new AdfaError(
        'bad-file',
        `${path}: no file matches this pattern; * stands for any name, ** for any folders; check the folder and the extension`
      )
    found.push(...files.sort())
  }
  return found
}

/** Whether DuckDB would take the path as a pattern. */
function isPattern(path: string): boolean {
  return /[*?[]/.test(path)
}

/**
 * Make the relation `documents` and return their number. Undefined when SQL alone cannot count them: text, categories,
 * numbers, lists, votes and labels are read one document at a time, as are formats other than Parquet with lists and plain JSON
 * Lines. So is what DuckDB would accept and the readers refuse (numbers among words, truncated compressed data).
 */
export async function makeDocuments(
  session: DuckDbSession,
  files: DuckDbFiles,
  control: StatementControl
): Promise<number | undefined> {
  const {paths, format} = files
  // Standard input and pipes can be read once; a file called "notes[1].parquet" would be taken for a pattern.
  if (paths.some(path => isPattern(path) || !statSync(path, {throwIfNoEntry: false})?.isFile())) return undefined
  const formats = new Set(paths.map(path => format ?? formatOfName(path)))
  if (formats.size > 1) return undefined
  try {
    if (formats.has('parquet')) return await viewParquet(session, files, control)
    if (formats.has('jsonl') && files.encoding === undefined) return await importJsonLines(session, files, control)
  } catch (error) {
    if (!(error instanceof UnreadableDocuments)) throw error
  }
  return undefined
}

/** What must be unchanged in files after each pass. */
export async function fileStamps(paths: readonly string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async path => {
      const now = await stat(path).catch(() => undefined)
      return `${now?.size} ${now?.mtimeMs}`
    })
  )
}

const ID_TYPE = /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE)$/

/** Parquet is read in place; the number of a document combines those of its file and its row. */
async function viewParquet(
  session: DuckDbSession,
  {paths, fields, required = []}: DuckDbFiles,
  control: StatementControl
): Promise<number | undefined> {
  const {id, tags} = keyFields(fields)
  const inTheWay = new Set(['labels', VOTES, ...inputNames(fields)])
  let hasTags = false
  for (const path of paths) {
    const types = await columnTypes(session, path)
    if (types.get('features') !== 'VARCHAR[]' || [...types.keys()].some(name => inTheWay.has(name))) return undefined
    if (!ID_TYPE.test(types.get(id) ?? 'VARCHAR') || (types.get(tags) ?? 'VARCHAR[]') !== 'VARCHAR[]') return undefined
    // What the readers find by another spelling, or refuse.
    if (otherSpellings(soughtNames(fields), types, path).length > 0 || required.some(name => !types.has(name)))
      return undefined
    hasTags ||= types.has(tags)
  }
  const list = `[${paths.map(quote).join(', ')}]`
  let documents = 0
  for await (const [counts] of session.columns(`SELECT num_rows::DOUBLE FROM parquet_file_metadata(${list})`, control))
    for (const count of counts) {
      // A file without documents is refused when documents are read one by one.
      if (typeof count !== 'number' || count === 0) return undefined
      documents += count
    }
  await session.run(`
    CREATE OR REPLACE VIEW documents AS
    SELECT (file_index::BIGINT << 40) + file_row_number AS doc, features, ${hasTags ? `"${tags.replaceAll('"', '""')}"` : 'NULL::VARCHAR[]'} AS tags
    FROM read_parquet(${list}, union_by_name = true, hive_partitioning = false)`)
  return (await holdsNulls(session, control)) ? undefined : documents
}

async function columnTypes(session: DuckDbSession, path: string): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>()
  const sql = `DESCRIBE SELECT * FROM read_parquet(${quote(path)}, hive_partitioning = false)`
  for await (const [names, kinds] of session.columns(sql))
    for (let at = 0; at < names.length; at++) types.set(String(names[at]), String(kinds[at]))
  return types
}

/** Whether a list contains a null, which the readers refuse and most list functions skip. */
async function holdsNulls(session: DuckDbSession, control: StatementControl): Promise<boolean> {
  const sql =
    'SELECT 1 FROM documents WHERE len(features) <> list_count(features) OR len(tags) <> list_count(tags) LIMIT 1'
  for await (const _ of session.columns(sql, control)) return true
  return false
}

/** JSON Lines are imported once. A row that SQL must not judge ends the import. */
async function importJsonLines(
  session: DuckDbSession,
  {paths, fields}: DuckDbFiles,
  control: StatementControl
): Promise<number | undefined> {
  const inTheWay = ['labels', VOTES, ...inputNames(fields)]
  const keys = keyFields(fields)
  const sought = soughtNames(fields)
  // A key with a quote or a backslash would need another kind of path.
  if ([...inTheWay, ...sought].some(name => /["\\]/.test(name))) return undefined
  const keyed = (name: string) => `json_extract(json, ${quote(`$."${name}"`)})`
  const isList = (name: string) =>
    `json_type(${name}) = 'ARRAY' AND len(list_filter(json_type(${name}, '$[*]'), lambda kind: kind <> 'VARCHAR')) = 0`
  const isPlain = [
    "json_type(json) = 'OBJECT'",
    'list_unique(json_keys(json)) = len(json_keys(json))',
    // What the readers find by another spelling.
    `len(list_filter(json_keys(json), lambda name: lower(trim(name)) IN (${sqlList(sought.map(name => name.trim().toLowerCase()))}) AND name NOT IN (${sqlList(sought)}))) = 0`,
    ...inTheWay.map(name => `coalesce(json_type(${keyed(name)}), 'NULL') = 'NULL'`),
    // A DOUBLE may be larger than all finite numbers.
    "coalesce(json_type(id), 'NULL') IN ('NULL', 'VARCHAR', 'UBIGINT', 'BIGINT')",
    isList('features'),
    `(coalesce(json_type(tags), 'NULL') = 'NULL' OR (${isList('tags')}))`
  ]
  const columns = Object.entries({...keys, features: 'features'}).map(([name, key]) => `${keyed(key)} AS ${name}`)
  const row = `json, filename, ${columns.join(', ')}`
  await session.run(
    `CREATE OR REPLACE TABLE imported AS
     SELECT
       filename,
       CASE WHEN ${isPlain.join(' AND ')} THEN from_json(features, '["VARCHAR"]') ELSE error('not a plain row') END AS features,
       from_json(tags, '["VARCHAR"]') AS tags
     FROM (
       SELECT ${row}
       FROM read_ndjson_objects([${paths.map(quote).join(', ')}], filename = true, compression = 'uncompressed')
     )`,
    control
  )
  await session.run('CREATE OR REPLACE VIEW documents AS SELECT rowid AS doc, features, tags FROM imported')
  for await (const [[documents], [files]] of session.columns(
    'SELECT count(*)::DOUBLE, count(DISTINCT filename)::DOUBLE FROM imported'
  ))
    return files === new Set(paths).size ? Number(documents) : undefined
  return undefined
}

function sqlList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}
