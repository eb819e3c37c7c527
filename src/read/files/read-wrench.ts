import {dirname, join} from 'node:path'
import {AdfaError, jsonFault, objectAt, parseJson, shownValue, textAt} from '../../base/checks/index.ts'
import {grouped, nameList} from '../../base/text/index.ts'
import {parseRow, type Row} from '../data/index.ts'
import {
  byteOrderMarkLength,
  checkUtf8,
  type DocumentFormat,
  type DocumentReader,
  documentError,
  startsWrench,
  withFixedKeys
} from '../reading/index.ts'
import {nodeTools} from './node-tools.ts'
import {readBytes, readTextFile} from './read-bytes.ts'

/** Bytes, decompressed; the file is one object and is parsed as a whole. */
const mostBytes = 256 * 1024 * 1024
const batchSize = 1024

/**
 * WRENCH: one JSON object, number -> `{"label": 1, "weak_labels": [-1, 1], "data": {"text": "..."}}`, and the names of the classes in
 * `label.json` beside it. A document has its number as id, the class of its label as tag, the fields of `data`, and votes of
 * sources `lf0`, `lf1`, ...; -1 abstains.
 */
export const readWrench: DocumentReader = async function* (chunks, {name, path, fields}) {
  const classes = await readClasses(path, name)
  const entries = Object.entries(await readObject(chunks, name))
  const own = {...fields, ...withFixedKeys(fields)}
  let sources: number | undefined
  const parse = ([id, entry]: [string, unknown]): Row => {
    const where = `${name}, document "${id}"`
    const {label, votes, data} = parseEntry(entry, where)
    sources ??= votes.length
    if (votes.length !== sources)
      throw documentError(
        where,
        `there are ${votes.length} weak labels`,
        `the documents before have ${sources}, one for each source; write -1 where a source abstains`
      )
    const classOf = (number: unknown) => {
      const found = classes[number as number]
      if (found !== undefined) return found
      throw documentError(
        where,
        `there is no class ${shownValue(number)}`,
        `label.json has the classes 0 to ${classes.length - 1}, and -1 is none`
      )
    }
    const cast = votes.flatMap((vote, at) => (vote === -1 ? [] : [[`lf${at}`, classOf(vote)]]))
    const isKnown = label !== undefined && label !== null && label !== -1
    const row = {...data, id, tags: isKnown ? [classOf(label)] : undefined, votes: Object.fromEntries(cast)}
    return parseRow(row, own, where)
  }
  for (let at = 0; at < entries.length; at += batchSize) yield entries.slice(at, at + batchSize).map(parse)
}

function parseEntry(entry: unknown, where: string) {
  try {
    const {label, weak_labels: votes, data} = objectAt(entry, 'the document')
    if (!Array.isArray(votes)) throw new Error(`"weak_labels" must be a list of numbers, not ${shownValue(votes)}`)
    return {label, votes, data: objectAt(data, '"data"')}
  } catch (error) {
    const rule = 'a document is {"label": 1, "weak_labels": [-1, 1], "data": {"text": "..."}}'
    throw documentError(where, (error as Error).message, rule, error)
  }
}

async function readObject(chunks: AsyncIterable<Uint8Array>, name: string): Promise<object> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > mostBytes)
      throw new AdfaError(
        'bad-file',
        `${name}: more than ${grouped(mostBytes / 1024 ** 2)} MB of JSON in one object; write the documents as JSON Lines with "votes"`
      )
    parts.push(chunk)
  }
  const bytes = Buffer.concat(parts)
  checkUtf8(bytes, name, 1, nodeTools)
  const text = bytes.toString('utf8', byteOrderMarkLength(bytes))
  try {
    return objectAt(parseJson(text), 'the file')
  } catch (error) {
    const rule = 'the file is one object, {"0": {"label": 1, "weak_labels": [...], "data": {...}}, ...}'
    throw documentError(name, `not valid JSON: ${jsonFault(text) ?? (error as Error).message}`, rule, error)
  }
}

/** The classes of files in this format, by `format` or by their content, one of which each document has; otherwise undefined. */
export async function wrenchClasses(
  paths: readonly string[],
  format: DocumentFormat | undefined
): Promise<readonly string[] | undefined> {
  let found: readonly string[] | undefined
  for (const path of paths) {
    if (format !== 'wrench' && (format !== undefined || !(await isWrench(path)))) return undefined
    const classes = await readClasses(path === '-' ? undefined : path, path)
    if (found !== undefined && classes.join('\n') !== found.join('\n'))
      throw new AdfaError(
        'mismatch',
        `${paths[0]} and ${path} have different classes: ${nameList(found)}, and ${nameList(classes)}; read files with the same label.json together`
      )
    found = classes
  }
  return found
}

async function isWrench(path: string): Promise<boolean> {
  if (!/\.json(\.gz|\.zst)?$/i.test(path)) return false
  // The error of a file that cannot be read comes with the documents.
  const chunks = readBytes(path)
  try {
    for await (const head of chunks) return startsWrench(head)
  } catch {}
  return false
}

async function readClasses(path: string | undefined, name: string): Promise<readonly string[]> {
  if (path === undefined)
    throw new AdfaError(
      'bad-file',
      `${name}: the names of the classes are in label.json beside the file, and this has no place; give the path of a file`
    )
  const file = join(dirname(path), 'label.json')
  const text = await readTextFile(file)
  try {
    const names = objectAt(parseJson(text), 'the file')
    const classes = Object.keys(names).map((_, at) => textAt(names[at], `"${at}"`))
    if (new Set(classes).size < classes.length || classes.length < 2)
      throw new Error(`two classes or more need different names; got ${nameList(classes)}`)
    return classes
  } catch (cause) {
    throw new AdfaError(
      'bad-file',
      `${file}: ${(cause as Error).message}; it names the classes by number, {"0": "HAM", "1": "SPAM"}`,
      {cause}
    )
  }
}
