import {csvLine, escapeFormula} from '../../base/text/index.ts'
import {type Cell, rounded, type TableLayout} from './table-cells.ts'

/** A table as text: what comes first, and a line for the cells of each row. */
export interface TableLines {
  readonly head: string
  line(cells: readonly Cell[]): string
}

/**
 * CSV as the file it came from: semicolons where that has them, and then decimal commas, as spreadsheet programs read and
 * write them. Text that such a program would run as a formula begins with an apostrophe.
 */
export function tableLines(format: 'csv' | 'tsv', {columns, dialect}: TableLayout): TableLines {
  const delimiter = format === 'tsv' ? '\t' : dialect?.delimiter === ';' ? ';' : ','
  const line = (cells: readonly (string | number)[]) => csvLine(cells, dialect?.lineEnd, withoutFormula, delimiter)
  const written = (cell: Cell, at: number) =>
    typeof cell === 'number' ? rounded(cell, columns[at]) : String(cell ?? '')
  // Programs that write semicolons take text without a mark for their old encoding.
  const mark = dialect?.hasMark || delimiter === ';' ? '\ufeff' : ''
  return {head: mark + line(columns.map(({name}) => name)), line: cells => line(cells.map(written))}
}

/** Escaped once: a table that is written, read and written again stays as it is. */
function withoutFormula(text: string): string {
  return text.trimStart().startsWith("'") ? text : escapeFormula(text)
}
