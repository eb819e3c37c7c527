import {AdfaError} from '../../base/checks/index.ts'
import type {DrawnDocument} from './draw-documents.ts'
import {type Drawing, type LabelRow, rowId} from './label-rows.ts'
import {conceptColumn, NOT_ASKED, parseMark, SHEET_COLUMNS, unescapeCell} from './label-sheet.ts'

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
 * Read a completed sheet. A line is answered when its column `done` or any concept is marked; then every concept without a
 * mark is absent. A line with neither, or with `done: no`, is not answered yet.
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
      throw badSheet(
        place,
        `the question of line ${first} again, on document "${row.id}"`,
        'remove one of the two lines'
      )
    lines.set(name, record.line)
    rows.push(row)
  }
  return {rows, unanswered, ignored: columns.ignored}
}

/** The number of lines of a sheet in which someone has written; undefined for any other table. */
export function finishedLines([header, ...records]: readonly SheetRecord[]): number | undefined {
  const names = header?.cells.map(cell => unescapeCell(cell.trim())) ?? []
  const {id, drawn, done} = SHEET_COLUMNS
  if (![id, drawn, done].every(name => names.includes(name))) return undefined
  const isWritten = (cell: string, at: number) =>
    names[at] !== id &&
    names[at] !== drawn &&
    !/^\[.*\]$/.test(names[at] ?? '') &&
    cell.trim() !== '' &&
    !isNotAsked(cell.trim())
  return records.filter(({cells}) => cells.some(isWritten)).length
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
      throw badSheet(
        place,
        `no column "${name}"; a sheet has ${Object.values(SHEET_COLUMNS).join(', ')} and a column for every concept`,
        'give the anchors that the sheet was made for, and keep its first line unchanged'
      )
    if (names.lastIndexOf(name.trim()) !== at)
      throw badSheet(place, `two columns named "${name}"`, 'remove one of them')
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
    throw badSheet(place, `${cells.length} cells, and the first line names ${columns.count}`, 'move the cells back')
  const drawn = readDrawing(cell(columns.drawn), place)
  const done = parseMark(cell(columns.done), `${place}, column "${SHEET_COLUMNS.done}"`)
  const asked = concepts.flatMap((concept, i) => {
    const mark = cell(columns.concepts[i]).trim()
    return isNotAsked(mark) ? [] : [{concept, isPresent: parseMark(mark, `${place}, column "${concept}"`)}]
  })
  checkAsked(drawn, asked.length, concepts.length, place)
  if (done === false || (done === undefined && asked.every(({isPresent}) => isPresent === undefined))) return undefined
  return {
    // As sheets once named documents without ids.
    id: unescapeCell(cell(columns.id).trim()).replace(/^content (?=[0-9a-f]{16}$)/, 'row:'),
    labels: new Map(asked.map(({concept, isPresent}) => [concept, isPresent ?? false])),
    drawn,
    skipped: undefined,
    others: new Map()
  }
}

function readDrawing(cell: string, place: string): Drawing {
  const drawn = cell.trim().toLowerCase()
  if (drawn === 'random' || drawn === 'anchored') return drawn
  throw badSheet(
    place,
    `"${cell}" in the column "drawn", which must be random or anchored`,
    'restore the original value'
  )
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

/** Spreadsheet programs may turn it into a longer dash. */
function isNotAsked(mark: string): boolean {
  return /^'?[-\u2010-\u2015\u2212]$/.test(mark)
}

function badSheet(place: string, what: string, remedy: string): AdfaError {
  return new AdfaError('bad-file', `${place}: ${what}; ${remedy}`)
}

/** Answers of a sheet merged into earlier ones. */
export interface MergedAnswers {
  readonly rows: readonly LabelRow[]
  readonly added: number
  /** Answers that differ in the sheet, which takes precedence. */
  readonly changed: number
}

/**
 * Merge the answers of a sheet into those of a labels file, so that a sheet can be read again when more of it is complete.
 * Where both answer a question, the sheet takes precedence. `documentOf` finds a document by its name in the sheet.
 */
export function mergeAnswers(
  before: readonly LabelRow[],
  answers: readonly LabelRow[],
  documentOf: (name: string) => DrawnDocument | undefined,
  where: string
): MergedAnswers {
  // Without the rows that an answer for the whole document replaces.
  const rows: (LabelRow | undefined)[] = [...before]
  const places = new Map<string, number[]>()
  const placesOf = (key: string) => {
    const known = places.get(key) ?? []
    places.set(key, known)
    return known
  }
  for (const [at, {id}] of before.entries()) placesOf(String(id)).push(at)
  let added = 0
  let changed = 0
  for (const answer of answers) {
    const document = documentOf(String(answer.id))
    if (document === undefined)
      throw new AdfaError(
        'mismatch',
        `${where}: document "${answer.id}" is not among the documents; give those that the sheet was made for, ` +
          'and check that no program has changed the column "id"'
      )
    const known = placesOf(document.key)
    if (answer.drawn === 'random')
      for (const place of known) if (rows[place]?.drawn !== 'random') rows[place] = undefined
    const at = known.find(place => answersSame(rows[place], answer))
    const row = at === undefined ? undefined : rows[at]
    if (at === undefined || row === undefined) {
      known.push(rows.push({...answer, ...rowId(document)}) - 1)
      added++
      continue
    }
    const labels = new Map([...row.labels, ...answer.labels])
    if ([...labels].every(([concept, isPresent]) => row.labels.get(concept) === isPresent)) continue
    rows[at] = {...row, labels, skipped: undefined}
    changed++
  }
  return {rows: rows.filter(row => row !== undefined), added, changed}
}

/** Whether a row answers or skips the question of a later answer on the same document. */
function answersSame(row: LabelRow | undefined, answer: LabelRow): boolean {
  if (row === undefined) return false
  if (answer.drawn === 'random') return row.drawn === 'random'
  return [...answer.labels.keys()].some(concept => row.labels.has(concept) || row.skipped?.concept === concept)
}
