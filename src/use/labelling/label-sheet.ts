/**
 * Questions as a spreadsheet, and its answers. Text that a spreadsheet program would read as a formula, a number, a date or a
 * truth value gets a leading apostrophe, which reading removes.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {csvLine, escapeFormula, printable} from '../../base/text/index.ts'
import type {Row} from '../../read/data/index.ts'
import type {DrawnDocument} from './draw-documents.ts'
import {type Drawing, type LabelRow, rowId} from './label-rows.ts'
import type {Question} from './label-session.ts'

/** The columns of every sheet; the text is in columns named by their field in brackets, the concepts come last. */
const COLUMNS = ['id', 'drawn', 'done']
/** In the columns of concepts that are not asked about. */
const NOT_ASKED = '-'
const TRUE_MARKS = ['x', '1', 'yes', 'y', 'true', 't', '✓', '✔']
const FALSE_MARKS = ['0', 'no', 'n', 'false', 'f']
/** Characters of a text field per cell; spreadsheet programs accept at most 32,767. */
const EXCERPT_LENGTH = 3000

/** The questions as text with a delimiter, UTF-8 with a byte order mark and CRLF; {@link rowsFromSheet} reads it back. */
export function labelSheet(
  questions: readonly Question[],
  concepts: readonly string[],
  fields: readonly string[],
  delimiter: ',' | ';' | '\t' = ','
): string {
  // The cells are escaped already; names keep their control characters, since reading must find them again.
  const lines = sheetCells(questions, concepts, fields).map(cells => csvLine(cells, '\r\n', text => text, delimiter))
  return `\ufeff${lines.join('')}`
}

/**
 * The cells of the spreadsheet, the names of its columns first: one question per line, one empty cell for each concept asked
 * about. `escaped` keeps programs from changing them.
 */
export function sheetCells(
  questions: readonly Question[],
  concepts: readonly string[],
  fields: readonly string[],
  escaped = escapeCell
): string[][] {
  const hasFeatures = questions.some(({document}) => document.row.features.length > 0)
  const texts = [
    ...fields.filter(field => questions.some(({document}) => document.row.text.has(field))),
    ...(hasFeatures ? ['features'] : [])
  ]
  const header = [...COLUMNS, ...texts.map(name => `[${name}]`), ...concepts.map(name => escaped(conceptColumn(name)))]
  const lines = questions.map(question => {
    const {key, row} = question.document
    const marks = concepts.map((_, i) => (question.drawn === 'random' || question.concept === i ? '' : NOT_ASKED))
    return [escaped(key), question.drawn, '', ...texts.map(field => escaped(excerpt(row, field))), ...marks]
  })
  return [header, ...lines]
}

function excerpt(row: Row, field: string): string {
  const whole = field === 'features' && !row.text.has(field) ? row.features.join(' | ') : (row.text.get(field) ?? '')
  const text = printable(whole.replace(/\s+/g, ' ').trim())
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)} ...` : text
}

/** Beside formulas: signed numbers; numbers with other characters or too many digits; dates; truth values. */
const CHANGED_BY_PROGRAMS = [
  /^[+-]/,
  /^(0\d|\d{16})/,
  /^\.?\d[\d.,]*[^\d\s]/,
  /^[.,\d\s]*[.,\s][.,\d\s]*$/,
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  /^(true|false|yes|no)$/i
]

export function escapeCell(text: string): string {
  return CHANGED_BY_PROGRAMS.some(pattern => pattern.test(text)) ? `'${text}` : escapeFormula(text)
}

export function unescapeCell(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell
}

/** For cells of a workbook, which have types: programs leave text as it is, and only what reading would remove is escaped. */
export function escapeTyped(text: string): string {
  return text.startsWith("'") ? `'${text}` : text
}

/** The column of a concept: its name, prefixed where it could be mistaken for another column. */
export function conceptColumn(concept: string): string {
  const isTaken = COLUMNS.includes(concept.trim().toLowerCase()) || /^(concept:|\[)/.test(concept)
  return isTaken ? `concept:${concept}` : concept
}

/** A record of a table with the line on which it begins. */
export interface SheetRecord {
  readonly line: number
  readonly cells: readonly string[]
}

export interface SheetAnswers {
  /** With the document's name in the sheet as id. */
  readonly rows: readonly LabelRow[]
  /** Questions that nobody has answered yet. */
  readonly unanswered: number
  /** Unknown columns, which were not read. */
  readonly ignored: readonly string[]
}

/**
 * Reads a completed sheet. A line is answered when its column `done` or any concept is marked; then every concept without a
 * mark is absent. A line with neither, or with `done: no`, is not answered yet.
 */
export function rowsFromSheet(
  [header, ...records]: readonly SheetRecord[],
  concepts: readonly string[],
  where: string
): SheetAnswers {
  const names = columnNames(header)
  const columns = [...COLUMNS, ...concepts.map(conceptColumn)].map(name =>
    columnOf(name.trim(), names, `${where}:${header?.line ?? 1}`)
  )
  const rows: LabelRow[] = []
  const lines = new Map<string, number>()
  let unanswered = 0
  for (const {line, cells} of records) {
    if (cells.every(cell => cell.trim() === '')) continue
    const place = `${where}:${line}`
    if (cells.slice(names.length).some(extra => extra.trim() !== ''))
      throw badSheet(place, `${cells.length} cells, and the first line names ${names.length}`, 'move the cells back')
    const row = readLine(
      columns.map(at => cells[at] ?? ''),
      concepts,
      place
    )
    if (row === undefined) {
      unanswered++
      continue
    }
    const name = JSON.stringify([row.id, row.drawn === 'random' || [...row.labels.keys()]])
    const first = lines.get(name)
    if (first !== undefined)
      throw badSheet(
        place,
        `the question of line ${first} again, on document "${row.id}"`,
        'remove one of the two lines'
      )
    lines.set(name, line)
    rows.push(row)
  }
  const ignored = names.filter((name, at) => name !== '' && !columns.includes(at) && !isText(name))
  return {rows, unanswered, ignored}
}

/** The number of lines of a sheet in which someone has written; undefined for any other table. */
export function finishedLines([header, ...records]: readonly SheetRecord[]): number | undefined {
  const names = columnNames(header)
  if (!COLUMNS.every(name => names.includes(name))) return undefined
  const isWritten = (cell: string, at: number) =>
    names[at] !== 'id' && names[at] !== 'drawn' && !isText(names[at] ?? '') && cell.trim() !== '' && !isNotAsked(cell)
  return records.filter(({cells}) => cells.some(isWritten)).length
}

function columnNames(header: SheetRecord | undefined): string[] {
  return header?.cells.map(cell => unescapeCell(cell.trim())) ?? []
}

function isText(column: string): boolean {
  return /^\[.*\]$/.test(column)
}

function columnOf(name: string, names: readonly string[], place: string): number {
  const at = names.indexOf(name)
  if (at < 0)
    throw badSheet(
      place,
      `no column "${name}"; a sheet has ${COLUMNS.join(', ')} and a column for every concept`,
      'give the anchors that the sheet was made for, and keep its first line unchanged'
    )
  if (names.lastIndexOf(name) !== at) throw badSheet(place, `two columns named "${name}"`, 'remove one of them')
  return at
}

function readLine(
  [id, drawing, done, ...marks]: readonly string[],
  concepts: readonly string[],
  place: string
): LabelRow | undefined {
  const drawn = drawing.trim().toLowerCase()
  if (drawn !== 'random' && drawn !== 'anchored')
    throw badSheet(
      place,
      `"${drawing}" in the column "drawn", which must be random or anchored`,
      'restore the original value'
    )
  const isDone = parseMark(done, `${place}, column "done"`)
  const asked = concepts.flatMap((concept, i) =>
    isNotAsked(marks[i]) ? [] : [{concept, isPresent: parseMark(marks[i], `${place}, column "${concept}"`)}]
  )
  checkAsked(drawn, asked.length, concepts.length, place)
  if (isDone === false || (isDone === undefined && asked.every(({isPresent}) => isPresent === undefined)))
    return undefined
  return {
    // As sheets once named documents without ids.
    id: unescapeCell(id.trim()).replace(/^content (?=[0-9a-f]{16}$)/, 'row:'),
    labels: new Map(asked.map(({concept, isPresent}) => [concept, isPresent ?? false])),
    drawn,
    skipped: undefined,
    others: new Map()
  }
}

function checkAsked(drawn: Drawing, asked: number, all: number, place: string): void {
  if (drawn === 'random' && asked < all)
    throw badSheet(
      place,
      `"${NOT_ASKED}" for a concept of a document that was drawn at random, which is asked about all of them`,
      'leave the cell empty, or mark it with no'
    )
  if (drawn === 'anchored' && asked !== 1)
    throw badSheet(
      place,
      `${asked} concepts asked about in a document that was drawn for the anchor of one; ` +
        'given its anchor the document is a random one for this concept alone',
      `put "${NOT_ASKED}" back into the other columns`
    )
}

/** Spreadsheet programs may turn the mark into a longer dash. */
function isNotAsked(mark: string): boolean {
  return /^'?[-\u2010-\u2015\u2212]$/.test(mark.trim())
}

/** Yes, no, or undefined for an empty cell. `where` names the cell in errors. */
export function parseMark(cell: string, where: string): boolean | undefined {
  const mark = unescapeCell(cell.trim()).toLowerCase()
  if (mark === '') return undefined
  if (TRUE_MARKS.includes(mark)) return true
  if (FALSE_MARKS.includes(mark)) return false
  throw badSheet(
    where,
    `"${cell.slice(0, 40)}" is not a mark; mark a present concept with one of ${TRUE_MARKS.join(' ')}, an absent one with nothing or one of ${FALSE_MARKS.join(' ')}`,
    'correct the cell'
  )
}

function badSheet(place: string, what: string, remedy: string): AdfaError {
  return new AdfaError('bad-file', `${place}: ${what}; ${remedy}`)
}

/** Answers of a sheet merged into earlier ones. */
export interface MergedAnswers {
  readonly rows: readonly LabelRow[]
  /** Answers that differ in the sheet, which takes precedence. */
  readonly changed: number
}

/**
 * Merges the answers of a sheet into those of a labels file, so that a sheet can be read again when more of it is complete.
 * Where both answer a question, the sheet takes precedence. `documentOf` finds a document by its name in the sheet.
 */
export function mergeAnswers(
  before: readonly LabelRow[],
  answers: readonly LabelRow[],
  documentOf: (name: string) => DrawnDocument | undefined,
  where: string
): MergedAnswers {
  let rows = [...before]
  let changed = 0
  for (const answer of answers) {
    const document = documentOf(String(answer.id))
    if (document === undefined)
      throw new AdfaError(
        'mismatch',
        `${where}: document "${answer.id}" is not among the documents; give those that the sheet was made for, ` +
          'and check that no program has changed the column "id"'
      )
    const isOwn = ({id}: LabelRow) => String(id) === document.key
    // An answer for the whole document replaces those for single concepts.
    if (answer.drawn === 'random') rows = rows.filter(row => row.drawn === 'random' || !isOwn(row))
    const at = rows.findIndex(row => isOwn(row) && answersSame(row, answer))
    if (at < 0) {
      rows.push({...answer, ...rowId(document)})
      continue
    }
    const labels = new Map([...rows[at].labels, ...answer.labels])
    if ([...labels].every(([concept, isPresent]) => rows[at].labels.get(concept) === isPresent)) continue
    rows[at] = {...rows[at], labels, skipped: undefined}
    changed++
  }
  return {rows, changed}
}

/** Whether a row answers or skips the question of a later answer on the same document. */
function answersSame(row: LabelRow, answer: LabelRow): boolean {
  if (answer.drawn === 'random') return row.drawn === 'random'
  return [...answer.labels.keys()].some(concept => row.labels.has(concept) || row.skipped?.concept === concept)
}
