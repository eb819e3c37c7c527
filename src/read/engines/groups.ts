import {statSync} from 'node:fs'
import {AdfaError, shownValue} from '../../base/checks/index.ts'
import {firstNames} from '../../base/text/index.ts'
import {readRecords} from '../files/index.ts'
import {formatOfName} from '../reading/index.ts'

/** The documents that have exactly these of the features that anchors name, and in how many of them each word occurs. */
export interface DocumentGroup {
  readonly mask: readonly string[]
  readonly documents: number
  readonly words: ReadonlyMap<string, number>
}

/** Whether a file is a result of the statements of `printCountSql`: a table with these columns, and no others. */
export async function isGroupsFile(path: string): Promise<boolean> {
  // A pipe can be read once.
  if (statSync(path, {throwIfNoEntry: false})?.isFile() !== true) return false
  if (!['csv', 'tsv', 'jsonl', 'parquet'].includes(formatOfName(path) ?? '')) return false
  try {
    for await (const [record] of readRecords(path)) {
      const columns = [...(record?.values.keys() ?? [])].map(name => name.toLowerCase()).sort()
      if (columns.length > 0) return ['documents,mask', 'documents,mask,word'].includes(columns.join())
    }
  } catch {
    // What is wrong is said by the reader of documents.
  }
  return false
}

/**
 * Read the results of the statements of `printCountSql`: any number of tables, those with a column `word` for words and the
 * others for groups, in CSV, TSV, JSON Lines or Parquet. Databases differ in how they write column names, lists and large
 * numbers: upper case, a JSON array as text, and digits as text are accepted.
 */
export async function readGroups(paths: readonly string[], signal?: AbortSignal): Promise<readonly DocumentGroup[]> {
  const collector = new GroupCollector()
  /** A result without rows may be that of the words: exports differ in whether they name its columns. */
  let mayHaveWords = false
  for (const path of paths) {
    const before = collector.documents
    for await (const records of readRecords(path, signal))
      for (const {values, where} of records) {
        const cells = new Map(Array.from(values, ([name, cell]) => [name.toLowerCase(), cell]))
        const missing = ['mask', 'documents'].find(name => !cells.has(name))
        if (missing !== undefined)
          throw refusal(
            where,
            `there is no column "${missing}"`,
            `groups have the columns mask and documents, words mask, word and documents; it has ${firstNames([...values.keys()]) || 'nothing'}`
          )
        const [mask, documents] = [cells.get('mask'), cells.get('documents')]
        if (cells.has('word')) collector.addWord(mask, cells.get('word'), documents, where)
        else collector.addGroup(mask, documents, where)
      }
    mayHaveWords ||= collector.documents === before
  }
  const found = collector.finish()
  if (found.length === 0)
    throw new AdfaError('bad-file', 'there is no group of documents at all; export the result of the queries again')
  if (!mayHaveWords)
    throw new AdfaError(
      'bad-file',
      `${paths.join(', ')}: there are groups and no words; give the result of the second statement as well, even if it has no rows`
    )
  return found
}

function maskOf(cell: unknown, where: string): readonly string[] {
  try {
    const list: unknown = typeof cell === 'string' ? JSON.parse(cell) : cell
    if (Array.isArray(list) && list.every(name => typeof name === 'string')) return list
  } catch {
    // Refused below, with what it should have been.
  }
  throw refusal(
    where,
    `"mask" is the list of anchor features that the documents have, as a JSON array such as ["naloxone"], [] for none; got ${shownValue(cell)}`,
    "where a document's features are NULL, write COALESCE"
  )
}

function countOf(cell: unknown, where: string): number {
  const isDigits = typeof cell === 'string' && /^\d+$/.test(cell)
  const documents = isDigits || typeof cell === 'bigint' ? Number(cell) : cell
  if (typeof documents === 'number' && Number.isSafeInteger(documents) && documents > 0) return documents
  throw refusal(where, `"documents" is a whole number above 0; got ${shownValue(cell)}`, 'correct the query')
}

function refusal(where: string, what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-file', `${where}: ${what}; ${wayOut}`)
}

interface OpenGroup extends DocumentGroup {
  documents: number
  readonly words: Map<string, number>
}

/** Joins the rows of the two GROUP BYs, in any order, and refuses what cannot be right. `where` names the place of a row. */
export class GroupCollector {
  /** By the JSON of its mask, and by each way in which the rows write it. */
  readonly #groups = new Map<string, OpenGroup>()
  /** One text for each word, whatever the number of groups that have it. */
  readonly #words = new Map<string, string>()
  #documents = 0

  get documents(): number {
    return this.#documents
  }

  addGroup(mask: unknown, count: unknown, where: string): void {
    const group = this.#groupOf(mask, where)
    if (group.documents > 0)
      throw refusal(where, `the documents with ${describeMask(group.mask)} are here a second time`, ONCE)
    group.documents = countOf(count, where)
    this.#documents += group.documents
    if (!Number.isSafeInteger(this.#documents))
      throw refusal(where, 'more than 2^53 documents in all', 'check the column "documents"')
  }

  addWord(mask: unknown, word: unknown, count: unknown, where: string): void {
    const group = this.#groupOf(mask, where)
    if (typeof word !== 'string')
      throw refusal(where, `"word" is text; got ${shownValue(word)}`, 'leave out words that are NULL')
    if (group.words.has(word))
      throw refusal(
        where,
        `the word ${shownValue(word)} is counted twice in the documents with ${describeMask(group.mask)}`,
        ONCE
      )
    const shared = this.#words.get(word) ?? word
    this.#words.set(shared, shared)
    group.words.set(shared, countOf(count, where))
  }

  finish(): readonly DocumentGroup[] {
    const groups = [...new Set(this.#groups.values())]
    for (const group of groups) checkGroup(group)
    return groups
  }

  #groupOf(cell: unknown, where: string): OpenGroup {
    const text = typeof cell === 'string' ? cell : JSON.stringify(cell ?? null)
    const known = this.#groups.get(text)
    if (known !== undefined) return known
    const mask = maskOf(cell, where)
    const key = JSON.stringify(mask)
    const group = this.#groups.get(key) ?? {mask, documents: 0, words: new Map()}
    this.#groups.set(key, group).set(text, group)
    return group
  }
}

const ONCE = 'each comes once; is a file given twice, or was the result not grouped?'

function checkGroup({mask, documents, words}: DocumentGroup): void {
  const fail = (what: string, wayOut: string) => refusal(`documents with ${describeMask(mask)}`, what, wayOut)
  if (documents === 0)
    throw fail('words are counted in them, but their number is missing', 'give the results of both queries')
  for (const [word, count] of words)
    if (count > documents)
      throw fail(
        `the word ${shownValue(word)} occurs in ${count} of ${documents} documents`,
        'a document counts once for a word, however often it has it: take DISTINCT words of each document'
      )
}

function describeMask(mask: readonly string[]): string {
  return mask.length === 0 ? 'no anchor feature' : `the anchor features ${shownValue(mask)}`
}
