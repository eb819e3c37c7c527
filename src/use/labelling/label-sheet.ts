import type {Row} from '../../read/data/index.ts'
import type {Question} from './plan-questions.ts'
import {conceptColumn, csvLine, escapeCell, NOT_ASKED, SHEET_COLUMNS, sheetName} from './sheet-cells.ts'

/** Characters of a text field in one cell; programs take at most 32,767, and people read less. */
const EXCERPT_LENGTH = 3000

/**
 * Questions as a spreadsheet (comma-separated values, UTF-8 with a byte order mark, CRLF): one question a line, one empty cell
 * for each concept asked about. `rowsFromSheet` reads it back.
 */
export function labelSheet(
  questions: readonly Question[],
  concepts: readonly string[],
  fields: readonly string[]
): string {
  const hasFeatures = questions.some(({document}) => document.row.features.length > 0)
  const texts = [
    ...fields.filter(field => questions.some(({document}) => document.row.text.has(field))),
    ...(hasFeatures ? ['features'] : [])
  ]
  const {id, drawn, done} = SHEET_COLUMNS
  const columns = concepts.map(concept => escapeCell(conceptColumn(concept)))
  const header = csvLine([id, drawn, done, ...texts.map(name => `[${name}]`), ...columns])
  const lines = questions.map(question => {
    const {key, row} = question.document
    const marks = concepts.map((_, i) => (question.drawn === 'random' || question.concept === i ? '' : NOT_ASKED))
    const name = escapeCell(sheetName(row.id, key))
    return csvLine([name, question.drawn, '', ...texts.map(field => excerpt(row, field)), ...marks])
  })
  return `\ufeff${header}${lines.join('')}`
}

function excerpt(row: Row, field: string): string {
  const whole = field === 'features' && !row.text.has(field) ? row.features.join(' | ') : (row.text.get(field) ?? '')
  const text = whole.replace(/\s+/g, ' ').trim()
  return escapeCell(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)} ...` : text)
}
