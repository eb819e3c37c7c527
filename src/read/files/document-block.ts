import {AdfaError} from '../../base/checks/index.ts'
import {parseRow, type Row, type RowFields} from '../data/index.ts'
import {isPresent} from './binary-value.ts'
import {eachLine, type LineBlock, someLine} from './line-blocks.ts'

/** The formats whose lines can be understood one by one, so that any thread can parse some of them. */
export type LineFormat = 'jsonl' | 'svmlight'

/** Some whole lines of a file with all that is needed to parse them. The bytes have an ArrayBuffer of their own. */
interface LinesOfFile extends LineBlock {
  readonly kind: 'lines'
  readonly format: LineFormat
  /** What errors call the file. */
  readonly name: string
  readonly fields: RowFields
}

/** Some neighbouring documents: bytes that are still to be parsed, by whoever has time, or rows. */
export type DocumentBlock = LinesOfFile | {readonly kind: 'rows'; readonly rows: readonly Row[]}

/** The documents of a block; it needs nothing but the block. */
export function parseBlock(block: DocumentBlock): readonly Row[] {
  if (block.kind === 'rows') return block.rows
  return block.format === 'jsonl' ? readJsonLines(block, block.name, block.fields) : readSvmlight(block, block.name)
}

/** Whether a block has a document, or a line that {@link parseBlock} refuses. Cost: that of the first document. */
export function holdsDocuments(block: DocumentBlock): boolean {
  if (block.kind === 'rows') return block.rows.length > 0
  const content = block.format === 'jsonl' ? (text: string) => text : withoutComment
  return someLine(block, text => content(text).trim() !== '')
}

/** JSON Lines: one JSON object a line; blank lines are skipped. */
export function readJsonLines(block: LineBlock, name: string, fields: RowFields): Row[] {
  const rows: Row[] = []
  eachLine(block, name, (text, line) => {
    const where = `${name}:${line}`
    rows.push(parseRow(parseJson(text, where), fields, where))
  })
  return rows
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AdfaError(
      'bad-document',
      `${where}: not valid JSON: ${reason}; every line must hold one whole JSON object; mend or remove the line`,
      {cause: error}
    )
  }
}

/**
 * svmlight, one document a line: `label,label index:1 index:1 # comment`.
 *
 * Labels become tags, as they are written. A line that begins with a blank has labels, but none (as libsvm writes
 * documents of several labels); a line that begins with a feature says nothing about them. Blank lines and lines of
 * comment are skipped, `qid:` is ignored. A comment begins at a `#` after a blank, so that `c#` can be a label.
 */
function readSvmlight(block: LineBlock, name: string): Row[] {
  const rows: Row[] = []
  eachLine(block, name, (text, line) => {
    const content = withoutComment(text)
    if (content.trim() !== '') rows.push(parseLine(content, `${name}:${line}`))
  })
  return rows
}

function withoutComment(text: string): string {
  return text.includes('#') ? text.replace(/(^|\s)#.*$/, '') : text
}

function parseLine(content: string, where: string): Row {
  // Splitting at a single character is several times faster; blanks in a row give empty parts, which are skipped.
  const parts = content.split(content.includes('\t') ? /[ \t]/ : ' ')
  const hasLabels = !parts[0].includes(':')
  const features: string[] = []
  for (const part of hasLabels ? parts.slice(1) : parts) {
    if (part === '' || part.startsWith('qid:')) continue
    const feature = parseFeature(part, where)
    if (feature !== undefined) features.push(feature)
  }
  return {
    id: undefined,
    text: new Map(),
    features,
    tags: hasLabels ? parseLabels(parts[0], where) : undefined,
    labels: undefined
  }
}

function parseLabels(part: string, where: string): readonly string[] {
  if (part === '') return []
  const labels = part.split(',')
  if (labels.includes(''))
    throw svmlightError(where, `the labels "${part}" have an empty one among them`, 'separate labels by single commas')
  return labels
}

/** The name of the feature, or undefined when its value says that it is absent. */
function parseFeature(part: string, where: string): string | undefined {
  const colon = part.indexOf(':')
  const index = part.slice(0, Math.max(0, colon))
  if (!/^(0|[1-9]\d*)$/.test(index))
    throw svmlightError(
      where,
      `"${part}" is not a feature`,
      'features are written index:1, with a whole number as index'
    )
  return isPresent(part.slice(colon + 1), `feature ${index}`, where) ? index : undefined
}

function svmlightError(where: string, what: string, rule: string): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; ${rule}`)
}
