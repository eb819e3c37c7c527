import {printable} from './printable.ts'

/** Comma-separated values (RFC 4180), written so that spreadsheet programs show them and run nothing. */

/** Matches text that a spreadsheet program would run as a formula, or that begins with an apostrophe, which it would take for an escape. */
const FORMULA = /^\s*[=+\-@\t\r']/
/** Matches numbers and a lone dash, which are harmless although they may begin like a formula. */
const NUMBER = /^(?:-|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i

/** Writes one record per row by {@link csvLine}, with commas between the cells. */
export function csvText(rows: readonly (readonly (string | number)[])[], lineEnd = '\n'): string {
  return rows.map(row => csvLine(row, lineEnd)).join('')
}

/**
 * Writes one record. `escapeText` makes a text harmless: by default it escapes control characters and puts an apostrophe before
 * formulas. Numbers get a decimal comma if the delimiter is a semicolon, as in spreadsheets of languages with decimal commas.
 */
export function csvLine(
  cells: readonly (string | number)[],
  lineEnd = '\n',
  escapeText = (text: string) => escapeFormula(printable(text)),
  delimiter: ',' | ';' | '\t' = ','
): string {
  const numeral = (value: number) => (delimiter === ';' ? String(value).replace('.', ',') : String(value))
  const written = cells.map(cell => (typeof cell === 'number' ? numeral(cell) : quoteCell(escapeText(cell))))
  return `${written.join(delimiter)}${lineEnd}`
}

/** Puts an apostrophe before text that a spreadsheet program would run as a formula; numbers such as -1 stay as they are. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

function quoteCell(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
