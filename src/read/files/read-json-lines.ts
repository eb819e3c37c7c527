import {AdfaError} from '../../base/checks/index.ts'
import {parseRow, type Row, type RowFields} from '../data/index.ts'
import {eachLine, type LineBlock} from './line-blocks.ts'

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
