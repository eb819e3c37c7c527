import {AdfaError} from '../../base/checks/index.ts'
import {csvLine, escapeFormula, printable} from '../../base/text/index.ts'
import type {Row} from '../../read/data/index.ts'
import type {Question} from './label-session.ts'

/** Characters of a text field per cell; spreadsheet programs accept at most 32,767. */
const EXCERPT_LENGTH = 3000

/**
 * Questions as a spreadsheet (text with a delimiter, UTF-8 with a byte order mark, CRLF): one question per line, one empty
 * cell for each concept asked about. `rowsFromSheet` reads it back.
 */
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

/** The cells of the spreadsheet, the names of its columns first; `escaped` keeps programs from changing them. */
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
  const {id, drawn, done} = SHEET_COLUMNS
  const columns = concepts.map(concept => escaped(conceptColumn(concept)))
  const header = [id, drawn, done, ...texts.map(name => `[${name}]`), ...columns]
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

/**
 * The cells of a labelling sheet, written so that spreadsheet programs do not change them. Text that such a program would
 * read as a formula, a number, a date or a truth value gets a leading apostrophe, which reading removes.
 */

/** The columns that every sheet has; the text is in columns named by their field in brackets, the concepts come last. */
export const SHEET_COLUMNS = {id: 'id', drawn: 'drawn', done: 'done'} as const
/** In the columns of concepts that are not asked about. */
export const NOT_ASKED = '-'

const TRUE_MARKS = ['x', '1', 'yes', 'y', 'true', 't', '✓', '✔']
const FALSE_MARKS = ['0', 'no', 'n', 'false', 'f']

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
  const isTaken = Object.values(SHEET_COLUMNS).some(name => name === concept.trim().toLowerCase())
  return isTaken || /^(concept:|\[)/.test(concept) ? `concept:${concept}` : concept
}

/** Yes, no, or undefined for an empty cell. `where` names the cell in errors. */
export function parseMark(cell: string, where: string): boolean | undefined {
  const mark = unescapeCell(cell.trim()).toLowerCase()
  if (mark === '') return undefined
  if (TRUE_MARKS.includes(mark)) return true
  if (FALSE_MARKS.includes(mark)) return false
  throw new AdfaError(
    'bad-file',
    `${where}: "${cell.slice(0, 40)}" is not a mark; mark a present concept with one of ${TRUE_MARKS.join(' ')}, ` +
      `an absent one with nothing or one of ${FALSE_MARKS.join(' ')}; correct the cell`
  )
}
