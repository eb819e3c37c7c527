import {fileKind} from '../../base/checks/index.ts'
import {
  checkFeatureCount,
  exactId,
  isHeldOut,
  type PlainLine,
  parseRow,
  type Row,
  type RowReading
} from '../data/index.ts'
import {isPresent} from './binary-value.ts'
import {type ByteTools, portableTools} from './bytes.ts'
import {documentError, reasonOf} from './document-error.ts'
import {eachLine, eachLineRange, type LineBlock, someLine} from './line-blocks.ts'

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

export function parseBlock(block: DocumentBlock, tools?: ByteTools): readonly Row[] {
  const isRows = block.kind === 'rows'
  const rows = isRows ? block.rows : parseLines(block, tools)
  const {part} = isRows ? block : block.fields
  return part === undefined ? rows : rows.filter(row => isHeldOut(row) === (part === 'held-out'))
}

/** Sees the documents of a block in their order: lines as places in their bytes where they are plain, all others as rows. */
export interface DocumentVisitor {
  row(row: Row): void
  /** The line is valid during the call; `parsed` gives the row that it stands for. */
  line(line: PlainLine, parsed: () => Row): void
}

/** Visit the documents of a block; lines of JSON that `line` accepts are not parsed. */
export function eachDocument(
  block: DocumentBlock,
  line: PlainLine | undefined,
  visitor: DocumentVisitor,
  tools?: ByteTools
): void {
  if (block.kind === 'rows' || block.format !== 'jsonl' || line === undefined) {
    for (const row of parseBlock(block, tools)) visitor.row(row)
    return
  }
  const view = (tools ?? portableTools).view(block.bytes)
  const range = (from: number, to: number, number: number) => {
    const text = () => view.text(from, to)
    if (line.scan(block.bytes, from, to)) visitor.line(line, () => parseLine(text(), number, block))
    else if (text().trim() !== '') visitor.row(parseLine(text(), number, block))
  }
  eachLineRange(block, range, tools)
}

function parseLines(block: LineBlock & LineParsing, tools: ByteTools | undefined): readonly Row[] {
  const rows: Row[] = []
  const {name, format} = block
  const visit = (text: string, line: number) => {
    if (format === 'jsonl') rows.push(parseLine(text, line, block))
    else {
      const content = withoutComment(text)
      if (content.trim() !== '') rows.push(parseSvmlight(content, `${name}:${line}`))
    }
  }
  eachLine(block, visit, tools)
  return rows
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
