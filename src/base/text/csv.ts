import {printable} from './printable.ts'

/** Comma-separated values (RFC 4180), written so that spreadsheet programs show them and run nothing. */

/** Text that a spreadsheet program would run as a formula, also after blanks; text with a leading apostrophe, which is read as escaped. */
const FORMULA = /^\s*[=+\-@\t\r']/
const PLAIN = /^(?:-|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i

/** Writes rows as lines of cells. Numbers and text that is a number stay as they are. */
export function csvText(rows: readonly (readonly (string | number)[])[], lineEnd = '\n'): string {
  return rows.map(row => csvLine(row, lineEnd)).join('')
}

/**
 * Writes one record. `harmless` escapes text; by default control characters are written out and formulas begin with an apostrophe.
 * Between semicolons numbers have decimal commas, as programs that write semicolons do.
 */
export function csvLine(
  cells: readonly (string | number)[],
  lineEnd = '\n',
  harmless = (text: string) => escapeFormula(printable(text)),
  delimiter: ',' | ';' | '\t' = ','
): string {
  const numeral = (value: number) => (delimiter === ';' ? String(value).replace('.', ',') : String(value))
  const written = cells.map(cell => (typeof cell === 'number' ? numeral(cell) : quoted(harmless(cell))))
  return `${written.join(delimiter)}${lineEnd}`
}

/** Returns the text with an apostrophe before what a spreadsheet program would run as a formula. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) && !PLAIN.test(text) ? `'${text}` : text
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
