import {fileKind} from '../../base/checks/index.ts'
import {checkFeatureCount, exactId, isHeldOut, parseRow, type Row, type RowReading} from '../data/index.ts'
import {isPresent} from './binary-value.ts'
import type {ByteTools} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'
import {eachLine, type LineBlock, someLine} from './line-blocks.ts'

/** The formats whose lines can be parsed one by one, so that any thread can parse some of them. */
export type LineFormat = 'jsonl' | 'svmlight'

interface LineParsing {
  readonly kind: 'lines'
  readonly format: LineFormat
  readonly fields: RowReading
}

/** Some neighbouring documents: rows, or lines that any thread can parse, whose bytes have their own ArrayBuffer. */
export type DocumentBlock =
  | (LineBlock & LineParsing)
  | ({readonly kind: 'rows'; readonly rows: readonly Row[]} & Pick<RowReading, 'part'>)

/** The documents of a block, all at once. */
export function parseBlock(block: DocumentBlock, tools?: ByteTools): readonly Row[] {
  const rows: Row[] = []
  eachRow(block, row => rows.push(row), tools)
  return rows
}

/** Visit the documents of a block one by one: those that the visitor forgets take no memory. */
export function eachRow(block: DocumentBlock, visit: (row: Row) => void, tools?: ByteTools): void {
  const {part} = block.kind === 'rows' ? block : block.fields
  const take = (row: Row) => {
    if (part === undefined || isHeldOut(row) === (part === 'held-out')) visit(row)
  }
  if (block.kind === 'rows') for (const row of block.rows) take(row)
  else if (block.format === 'jsonl') eachLine(block, (text, line) => take(parseLine(text, line, block)), tools)
  else
    eachLine(
      block,
      (text, line) => {
        const content = withoutComment(text)
        if (content.trim() !== '') take(parseSvmlight(content, `${block.name}:${line}`))
      },
      tools
    )
}

function parseLine(text: string, line: number, block: LineBlock & LineParsing): Row {
  const where = `${block.name}:${line}`
  return parseRow(parseJson(text, where, block), block.fields, where, (id, key) => exactId(id, text, key))
}

/** Whether a block has a document, or a line that {@link parseBlock} refuses. Cost: that of the first document. */
export function holdsDocuments(block: DocumentBlock): boolean {
  if (block.kind === 'rows') return block.rows.length > 0
  const content = block.format === 'jsonl' ? (text: string) => text : withoutComment
  return someLine(block, text => content(text).trim() !== '')
}

function parseJson(text: string, where: string, {name, bytes, firstLine}: LineBlock): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const kind = firstLine === 1 ? fileKind(new TextDecoder('latin1').decode(bytes.subarray(0, 100))) : undefined
    if (kind !== undefined && kind !== 'documents')
      throw documentError(name, `the file holds ${kind}, not documents`, 'give files of documents here', error)
    const rule = 'every line must hold one whole JSON object; fix or remove the line'
    throw documentError(where, `not valid JSON: ${reasonOf(error)}`, rule, error)
  }
}

/**
 * svmlight, one document per line: `label,label index:1 index:1 # comment`.
 *
 * Labels become tags, as they are written. A line that begins with a blank has an empty list of labels (as libsvm writes
 * multi-label documents); one that begins with a feature has unknown labels. Blank lines and comment lines are skipped,
 * `qid:` is ignored. A comment begins at a `#` after a blank, so that `c#` can be a label.
 */
function parseSvmlight(content: string, where: string): Row {
  // Splitting at a single character is several times faster; blanks in a row give empty parts, which are skipped.
  const parts = content.split(content.includes('\t') ? /[ \t]/ : ' ')
  const hasLabels = !parts[0].includes(':')
  const features: string[] = []
  for (const part of hasLabels ? parts.slice(1) : parts) {
    if (part === '' || part.startsWith('qid:')) continue
    const feature = parseFeature(part, where)
    if (feature !== undefined) features.push(feature)
  }
  checkFeatureCount(features.length, where)
  return {
    id: undefined,
    text: new Map(),
    features,
    tags: hasLabels ? parseLabels(parts[0], where) : undefined,
    labels: undefined
  }
}

function withoutComment(text: string): string {
  return text.includes('#') ? text.replace(/(^|\s)#.*$/s, '') : text
}

function parseLabels(part: string, where: string): readonly string[] {
  if (part === '') return []
  const labels = part.split(',')
  if (labels.includes(''))
    throw documentError(where, `the labels "${part}" have an empty one among them`, 'separate labels by single commas')
  return labels
}

/** The name of the feature; undefined when its value is 0. */
function parseFeature(part: string, where: string): string | undefined {
  const colon = part.indexOf(':')
  const index = part.slice(0, Math.max(0, colon))
  if (!/^(0|[1-9]\d*)$/.test(index))
    throw documentError(
      where,
      `"${part}" is not a feature`,
      'features are written index:1, with a whole number as index'
    )
  return isPresent(part.slice(colon + 1), `feature ${index}`, where) ? index : undefined
}
