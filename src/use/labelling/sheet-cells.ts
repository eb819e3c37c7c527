import {AdfaError} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'

/**
 * The cells of a labelling sheet, written so that spreadsheet programs leave them as they are. A text that such a program would run
 * as a formula, or read as a number, a date or a truth value, gets an apostrophe in front, which reading takes away again.
 */

/** The columns that every sheet has; the text is in columns named by their field in brackets, the concepts come last. */
export const SHEET_COLUMNS = {id: 'id', drawn: 'drawn', done: 'done'} as const
/** In the columns of concepts that are not asked about. */
export const NOT_ASKED = '-'

const TRUE_MARKS = ['x', '1', 'yes', 'y', 'true', 't', '✓', '✔']
const FALSE_MARKS = ['0', 'no', 'n', 'false', 'f']

/** Formulas, also behind blanks; what is escaped already; numbers with more than digits, or more than a number holds; dates. */
const CHANGED_BY_PROGRAMS = [
  /^\s*[=+\-@\t\r']/,
  /^(0\d|\d{16})/,
  /^\.?\d[\d.,]*[^\d\s]/,
  /^[.,\d\s]*[.,\s][.,\d\s]*$/,
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  /^(true|false|yes|no)$/i
]

export function escapeCell(text: string): string {
  return text !== '' && CHANGED_BY_PROGRAMS.some(pattern => pattern.test(text)) ? `'${text}` : text
}

export function unescapeCell(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell
}

/** One record; cells that need quotes get them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

/** The column of a concept: its name, said to be a concept's where it could be taken for another column. */
export function conceptColumn(concept: string): string {
  const isTaken = Object.values(SHEET_COLUMNS).some(name => name === concept.trim().toLowerCase())
  return isTaken || /^(concept:|\[)/.test(concept) ? `concept:${concept}` : concept
}

/** The name of a document in a sheet: its id, or, since content is too long for a cell, 64 bits of its hash. */
export function sheetName(id: string | number | undefined, key: string): string {
  if (id !== undefined) return String(id)
  const half = (seed: number) => (hashShare(key, seed) * 2 ** 32).toString(16).padStart(8, '0')
  return `content ${half(1)}${half(2)}`
}

/** Yes, no, or nothing said. `where` names the cell in errors. */
export function parseMark(cell: string, where: string): boolean | undefined {
  const mark = unescapeCell(cell.trim()).toLowerCase()
  if (mark === '') return undefined
  if (TRUE_MARKS.includes(mark)) return true
  if (FALSE_MARKS.includes(mark)) return false
  throw new AdfaError(
    'bad-file',
    `${where}: "${cell.slice(0, 40)}" is no mark; a concept that is there is marked with one of ${TRUE_MARKS.join(' ')}, ` +
      `one that is not with nothing or one of ${FALSE_MARKS.join(' ')}; mend the cell`
  )
}
