import {AdfaError} from '../../base/checks/index.ts'
import {readRecords, type TableRecord} from '../files/index.ts'
import {type DocumentGroups, GroupCollector} from './document-groups.ts'

/**
 * Read the results of the two GROUP BYs of docs/SCALE.md: any number of tables, those with a column `word` for words and the
 * others for groups, in CSV, TSV, JSON Lines or Parquet. Databases differ in how they write names of columns, lists and large
 * numbers: upper case, a JSON array as text, and digits as text are understood.
 */
export async function readGroups(paths: readonly string[], signal?: AbortSignal): Promise<DocumentGroups> {
  const twice = paths.find((path, at) => paths.indexOf(path) < at)
  if (twice !== undefined)
    throw new AdfaError('bad-option', `${twice}: the file is given twice; every group is told once; name it once`)
  const collector = new GroupCollector()
  const masks = new Map<string, readonly string[]>()
  for (const path of paths)
    for await (const records of readRecords(path, signal))
      for (const record of records) addRecord(collector, record, masks)
  return collector.finish()
}

/** `masks` keeps lists that stood as text, since the same one stands in many rows. */
function addRecord(collector: GroupCollector, record: TableRecord, masks: Map<string, readonly string[]>): void {
  const {where} = record
  const mask = parseMask(cellOf(record, 'mask'), where, masks)
  const documents = parseCount(cellOf(record, 'documents'))
  const wordColumn = columnOf(record, 'word')
  if (wordColumn === undefined) {
    collector.addGroup(mask, documents, where)
    return
  }
  const word = record.values.get(wordColumn)
  if (typeof word !== 'string')
    throw new AdfaError(
      'bad-file',
      `${where}: "word" is text; got ${JSON.stringify(word)}; leave out documents' words that are NULL`
    )
  collector.addWord(mask, word, documents, where)
}

function cellOf(record: TableRecord, name: string): unknown {
  const column = columnOf(record, name)
  if (column !== undefined) return record.values.get(column)
  throw new AdfaError(
    'bad-file',
    `${record.where}: there is no column "${name}"; groups have the columns mask and documents, words mask, word and documents; ` +
      `it has ${[...record.values.keys()].join(', ') || 'nothing'}; name the columns so in the query`
  )
}

/** What the table calls the column; undefined when it has none. */
function columnOf({values}: TableRecord, name: string): string | undefined {
  if (values.has(name)) return name
  for (const column of values.keys()) if (column.toLowerCase() === name) return column
  return undefined
}

function parseMask(value: unknown, where: string, masks: Map<string, readonly string[]>): readonly string[] {
  if (typeof value !== 'string') return checkMask(value, value, where)
  const known = masks.get(value)
  if (known !== undefined) return known
  let list: unknown
  try {
    list = JSON.parse(value)
  } catch {
    // Refused below, with what it should have been.
  }
  const mask = checkMask(list, value, where)
  masks.set(value, mask)
  return mask
}

function checkMask(list: unknown, given: unknown, where: string): readonly string[] {
  if (Array.isArray(list) && list.every(name => typeof name === 'string')) return list
  throw new AdfaError(
    'bad-file',
    `${where}: "mask" is the list of anchor features that the documents have, as a JSON array such as ["naloxone"], [] for none; ` +
      `got ${JSON.stringify(given)}; where a document's features are NULL, write COALESCE`
  )
}

/** NaN when it is no whole number, which the collector refuses. */
function parseCount(value: unknown): number {
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : Number.NaN
  return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : Number.NaN
}
