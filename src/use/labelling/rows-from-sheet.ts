import {AdfaError} from '../../base/checks/index.ts'
import type {Drawing, LabelRow} from './label-rows.ts'
import {conceptColumn, NOT_ASKED, parseMark, SHEET_COLUMNS, unescapeCell} from './sheet-cells.ts'

/** A record of a table with the line on which it begins. */
export interface SheetRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** The answers in a sheet. */
export interface SheetAnswers {
  /** With the document's name in the sheet for an id. */
  readonly rows: readonly LabelRow[]
  /** Questions that nobody has answered yet. */
  readonly unanswered: number
  /** Columns that are none of a sheet's; nothing in them was read. */
  readonly ignored: readonly string[]
}

/**
 * Read a sheet that was filled in. A line is answered when it is marked in the column `done`, or when a concept is marked in it;
 * then every concept without a mark is absent. A line with neither is not answered yet, and one that is `done: no` is not either.
 */
export function rowsFromSheet(
  [header, ...records]: readonly SheetRecord[],
  concepts: readonly string[],
  where: string
): SheetAnswers {
  const columns = readHeader(header, concepts, where)
  const rows: LabelRow[] = []
  const lines = new Map<string, number>()
  let unanswered = 0
  for (const record of records) {
    if (record.cells.every(cell => cell.trim() === '')) continue
    const place = `${where}:${record.line}`
    const row = readLine(record.cells, columns, concepts, place)
    if (row === undefined) {
      unanswered++
      continue
    }
    const name = JSON.stringify([row.id, row.drawn === 'random' || [...row.labels.keys()]])
    const first = lines.get(name)
    if (first !== undefined)
      throw bad(place, `the question of line ${first} again, on document "${row.id}"`, 'take one of the two lines out')
    lines.set(name, record.line)
    rows.push(row)
  }
  return {rows, unanswered, ignored: columns.ignored}
}

interface Columns {
  readonly id: number
  readonly drawn: number
  readonly done: number
  readonly concepts: readonly number[]
  readonly count: number
  readonly ignored: readonly string[]
}

function readHeader(header: SheetRecord | undefined, concepts: readonly string[], where: string): Columns {
  const names = header?.cells.map(cell => unescapeCell(cell.trim())) ?? []
  const place = `${where}:${header?.line ?? 1}`
  const find = (name: string) => {
    const at = names.indexOf(name.trim())
    if (at < 0)
      throw bad(
        place,
        `no column "${name}"; a sheet has ${Object.values(SHEET_COLUMNS).join(', ')} and a column for every concept`,
        'give the anchors that the sheet was made for, and leave its first line as it is'
      )
    if (names.lastIndexOf(name.trim()) !== at) throw bad(place, `two columns named "${name}"`, 'take one of them out')
    return at
  }
  const {id, drawn, done} = SHEET_COLUMNS
  const found = {id: find(id), drawn: find(drawn), done: find(done)}
  const marks = concepts.map(concept => find(conceptColumn(concept)))
  const known = new Set([...Object.values(found), ...marks])
  const ignored = names.filter((name, at) => name !== '' && !known.has(at) && !/^\[.*\]$/.test(name))
  return {...found, concepts: marks, count: names.length, ignored}
}

function readLine(
  cells: readonly string[],
  columns: Columns,
  concepts: readonly string[],
  place: string
): LabelRow | undefined {
  const cell = (at: number) => cells[at] ?? ''
  if (cells.slice(columns.count).some(extra => extra.trim() !== ''))
    throw bad(place, `${cells.length} cells, and the first line names ${columns.count}`, 'put the cells in place')
  const drawn = readDrawing(cell(columns.drawn), place)
  const done = parseMark(cell(columns.done), `${place}, column "${SHEET_COLUMNS.done}"`)
  const asked = concepts.flatMap((concept, i) => {
    const mark = cell(columns.concepts[i]).trim()
    return isNotAsked(mark) ? [] : [{concept, truth: parseMark(mark, `${place}, column "${concept}"`)}]
  })
  checkAsked(drawn, asked.length, concepts.length, place)
  if (done === false || (done === undefined && asked.every(({truth}) => truth === undefined))) return undefined
  return {
    id: unescapeCell(cell(columns.id).trim()),
    labels: new Map(asked.map(({concept, truth}) => [concept, truth ?? false])),
    drawn,
    skipped: undefined,
    others: new Map()
  }
}

function readDrawing(cell: string, place: string): Drawing {
  const drawn = cell.trim().toLowerCase()
  if (drawn === 'random' || drawn === 'anchored') return drawn
  throw bad(
    place,
    `"${cell}" in the column "drawn", which says random or anchored`,
    'put back what the sheet had there'
  )
}

function checkAsked(drawn: Drawing, asked: number, all: number, place: string): void {
  if (drawn === 'random' && asked < all)
    throw bad(
      place,
      `"${NOT_ASKED}" for a concept of a document that was drawn at random, which is asked about all of them`,
      'leave the cell empty, or mark it with no'
    )
  if (drawn === 'anchored' && asked !== 1)
    throw bad(
      place,
      `${asked} concepts asked about in a document that was drawn for the anchor of one; ` +
        'given its anchor the document is a random one for this concept alone',
      `put "${NOT_ASKED}" back into the other columns`
    )
}

/** Programs like to make a longer dash of it. */
function isNotAsked(mark: string): boolean {
  return /^'?[-\u2010-\u2015\u2212]$/.test(mark)
}

function bad(place: string, what: string, remedy: string): AdfaError {
  return new AdfaError('bad-file', `${place}: ${what}; ${remedy}`)
}
