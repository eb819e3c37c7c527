import {printableLine, wrapCells} from '../../base/text/index.ts'
import {type Block, cellText, plainText} from './blocks.ts'

/**
 * Blocks as lines of a terminal, with an empty line between blocks; charts are left out, since tables beside them have the numbers.
 * Lines of text break at `columns`.
 */
export function blocksText(blocks: readonly Block[], columns = Number.POSITIVE_INFINITY): string {
  return blocks
    .map(block => blockText(block, columns))
    .filter(text => text !== '')
    .join('\n\n')
}

function blockText(block: Block, columns: number): string {
  const wrapped = (text: string, indent: string) =>
    Number.isFinite(columns) ? wrapCells(printableLine(text), columns - indent.length).join(`\n${indent}`) : text
  switch (block.kind) {
    case 'heading':
      return `${block.text}:`
    case 'text':
      return wrapped(plainText(block.text), '')
    case 'list':
      return block.items.map(item => wrapped(plainText(item), '  ')).join('\n')
    case 'terms':
      return textTable(block.terms.map(term => term.map(plainText)))
    case 'table': {
      const {columns, rows, none = ''} = block
      if (rows.length === 0) return none
      return textTable([columns.map(({name}) => name), ...rows.map(row => row.map(cell => plainText(cellText(cell))))])
    }
    case 'chart':
      return ''
    case 'more':
      return blocksText([{kind: 'heading', text: block.title}, ...block.blocks], columns)
  }
}

/** Aligned columns: numbers to the right, everything else to the left, as the last row decides. */
export function textTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map(row => row.map(printableLine))
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const isNumber = rows[rows.length - 1].map(cell => /^(-|[<>-]?[\d.,]+%?)$/.test(cell))
  return rows
    .map(row =>
      row.map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
    )
    .map(cells => cells.join('  ').trimEnd())
    .join('\n')
}
