import type {JsonObject} from '../../base/checks/index.ts'
import {isCountsFile} from '../../read/counts/index.ts'
import {type DocumentFormat, fileError, headOf, type SourceFile} from '../../read/reading/index.ts'

/** What a file is, by its content; documents also in which format. `json` is one array of documents. */
export type RecognisedFile =
  | {readonly kind: 'documents'; readonly format: DocumentFormat | 'json'}
  | {readonly kind: 'anchors' | 'labels' | 'project' | 'model' | 'counts'}

export async function recogniseFile(file: SourceFile): Promise<RecognisedFile> {
  const {bytes, text, format: shown} = await headOf(file)
  if (isCountsFile(bytes)) return {kind: 'counts'}
  if (text.startsWith('{')) return jsonFile(text, file.name)
  const format = shown()
  return {kind: 'documents', format: format === 'jsonl' && text.startsWith('[') ? 'json' : format}
}

/** A file that begins with an object of JSON: that alone, or one per line. */
function jsonFile(text: string, name: string): RecognisedFile {
  // Inside a string the quotes are escaped.
  const [, own] = /"format"\s*:\s*"adfa-(\w+)"/.exec(text.slice(0, 2000)) ?? []
  if (own === 'project' || own === 'model') return {kind: own}
  if (own === 'release')
    throw fileError(name, 'released tables, not documents; adfa merge makes counts of them, which can be read')
  const [first, ...others] = text.split('\n').filter(line => line.trim() !== '')
  const object = objectOf(first)
  if (object === undefined) {
    // One object over several lines, or lines of which the first is broken or very long.
    const isOne = others.length > 0 && !others[0].startsWith('{')
    return isOne ? {kind: 'anchors'} : {kind: 'documents', format: 'jsonl'}
  }
  if (isLabelRow(object)) return {kind: 'labels'}
  const isOne = others.length === 0 && !/\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(name)
  return isOne && isAnchors(object) ? {kind: 'anchors'} : {kind: 'documents', format: 'jsonl'}
}

function objectOf(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** As `adfa label` writes them: the id, the labels, how the document was drawn. A document has something to read besides. */
function isLabelRow({id, labels, ...others}: JsonObject): boolean {
  if (id === undefined || typeof labels !== 'object' || labels === null || Array.isArray(labels)) return false
  return 'drawn' in others || Object.keys(others).every(key => ['skipped', 'concept', 'idFrom'].includes(key))
}

/** Whether every entry may be an anchor: a feature, a list of them or an object, and none is a field that documents have. */
function isAnchors(object: JsonObject): boolean {
  const entries = Object.entries(object)
  const isAnchor = ([key, value]: readonly [string, unknown]) =>
    !/^(?:features|tags|labels|id|text|title|body|note)$/i.test(key) &&
    (typeof value === 'string' || (typeof value === 'object' && value !== null))
  return entries.length > 0 && entries.every(isAnchor)
}
