import {AdfaError} from '../../base/checks/index.ts'
import {counted, firstNames, grouped} from '../../base/text/index.ts'
import {
  checkFeatureCount,
  didYouMean,
  fieldsOf,
  noUsableField,
  otherSpellings,
  parseRow,
  type Row,
  type RowFields,
  rowOfRecord,
  type TableDialect,
  VOTES
} from '../data/index.ts'
import {documentError} from './bytes.ts'
import {assumedSign, type DecimalSign, numeralOf, numeralValue, shownSign} from './numerals.ts'
import type {ReaderContext} from './source-file.ts'

export type TableRows = ReturnType<typeof tableRows>

export interface TableFacts {
  readonly where: string
  readonly dialect?: TableDialect | undefined
  /** In a sheet, numbers are text unless a category or a number is read, and an empty cell is an empty text. */
  readonly isSheet?: boolean
  /** The first rows, which decide what numbers such as 1.234 mean. */
  readonly sample?: () => readonly (readonly unknown[])[]
}

/**
 * Reads the rows of a table of any format. Cells with text are read by the meaning of their column; cells with anything else
 * are values as in JSON, and null is none. A row without any value is a document without words.
 */
export function tableRows(columns: readonly string[], context: ReaderContext, facts: TableFacts) {
  const {where, dialect, isSheet = false} = facts
  const {fields} = context
  checkHeader(columns, where)
  const names = namedColumns(columns, context, where)
  const recordOf = (values: readonly unknown[]) => ({columns, values, ...(dialect && {dialect})})
  const all = [...columns.keys()]
  if (fields.keepsRecords === 'only')
    return {
      used: all,
      read: (values: readonly unknown[], where: string) => rowOfRecord({...recordOf(values), where}),
      end() {}
    }
  const used = usedColumns(names, columns, fields, where)
  const readers = used.map(at => ({at, name: names[at], ...columnReader(names[at], at, context, facts)}))
  return {
    used: fields.keepsRecords ? all : used,
    /** Turns the cells of a row, as many as there are columns, into a document. `place` is for errors. */
    read(cells: readonly unknown[], place: string): Row {
      // Without a prototype, since a column may have any name, `__proto__` among them.
      const value: Record<string, unknown> = Object.assign(Object.create(null), {features: []})
      for (const {at, name, read} of readers) {
        const cell = cells[at] ?? (isSheet ? '' : undefined)
        if (cell !== undefined) value[name] = read(cell, place)
      }
      const row = parseRow(value, fields, place)
      return fields.keepsRecords ? {...row, record: recordOf(cells)} : row
    },
    /** After the last row: notes and refusals that concern a whole column. */
    end() {
      for (const {end} of readers) end?.()
    }
  }
}

function checkHeader(columns: readonly string[], where: string): void {
  checkFeatureCount(columns.length, where, 'table', 'columns')
  const seen = new Set<string>()
  for (const [index, column] of columns.entries()) {
    if (column === '')
      throw documentError(
        where,
        `column ${index + 1} has no name`,
        'the first line must name every column; delete what is above it, such as a title'
      )
    if (seen.size === seen.add(column).size)
      throw documentError(where, `two columns are named "${column}"`, 'every column needs a name of its own')
  }
}

/** The names by which columns are asked for: `NOTE` is `note` where that is to be read. Refuses a table without a required column. */
function namedColumns(
  columns: readonly string[],
  {fields, required = [], onColumns}: ReaderContext,
  where: string
): readonly string[] {
  const own = new Map(columns.map(column => [column, column]))
  const {id, tags, inputNames} = fieldsOf(fields)
  for (const [name, column] of otherSpellings([id, tags, ...inputNames], own, where)) own.set(column, name)
  const names = new Set(own.values())
  const missing = required.find(name => !names.has(name))
  if (missing === undefined) {
    onColumns?.([...names])
    return columns.map(column => own.get(column) ?? column)
  }
  throw new AdfaError(
    'bad-document',
    `${where}: there is no column "${missing}"; the columns are ${firstNames(columns)}${didYouMean(missing, columns)}`
  )
}

/** The places of the columns with a meaning; refuses a table without a field, features or votes. */
function usedColumns(
  names: readonly string[],
  columns: readonly string[],
  fields: RowFields,
  where: string
): readonly number[] {
  const {id, tags, inputNames: asked} = fieldsOf(fields)
  const usable = ['features', VOTES, ...asked]
  if (!names.some(name => usable.includes(name))) {
    const title = columns.length === 1 ? ' (delete what is above their names, such as a title)' : ''
    throw noUsableField([`none of the columns can be used${title}`, 'the columns are'], asked, columns, where)
  }
  const wanted = new Set([id, tags, 'labels', ...usable])
  return names.flatMap((name, at) => (wanted.has(name) ? [at] : []))
}

interface ColumnReader {
  read(cell: unknown, where: string): unknown
  end?(): void
}

type CellReader = (cell: string, where: string) => unknown

function columnReader(
  name: string,
  at: number,
  context: ReaderContext,
  {dialect, isSheet = false, sample = () => []}: TableFacts
): ColumnReader {
  const {fields} = context
  const {category, numbers} = fieldsOf(fields)
  if (numbers.some(({field}) => field === name)) {
    const first = sample().map(cells => (typeof cells[at] === 'string' ? numeralOf(cells[at]) : undefined))
    return numberReader(name, context, shownSign(first), dialect?.delimiter === ',')
  }
  const parse = cellReader(name, fields)
  const isText = isSheet && !category.includes(name)
  return {read: (cell, where) => (typeof cell === 'string' || isText ? parse(String(cell), where) : cell)}
}

function cellReader(name: string, fields: RowFields): CellReader {
  const {id, tags, votes, lists, separator, tagSeparator, fieldNames} = fieldsOf(fields)
  if (name === tags) return listReader(name, tagSeparator)
  const list = name === 'features' ? {separator} : lists.find(each => each.name === name)
  if (list !== undefined) return listReader(name, list.separator)
  // A column of that name may also hold something else, such as numbers.
  if (name === VOTES && !fieldNames.includes(VOTES)) {
    const parse = jsonReader(name, 'an object such as {"source": "class"}')
    return (cell, where) => (cell.trimStart().startsWith('{') ? parse(cell, where) : cell)
  }
  if (votes.includes(name)) return cell => (/^\s*(?:true|false)\s*$/i.test(cell) ? cell.toLowerCase() : cell)
  if (name === 'labels') {
    const parse = jsonReader(name, 'an object such as {"concept": true}')
    return (cell, where) => (cell.trim() === '' ? undefined : parse(cell, where))
  }
  return name === id ? cell => cell || undefined : cell => cell
}

/** The items of a list in one cell: a JSON array, or items between separators. */
function listReader(name: string, separator: string): CellReader {
  const parse = jsonReader(name, `a JSON array such as ["a", "b"], or items separated by ${separator}`)
  return (cell, where) => {
    // An item may begin with a bracket, too: [[prototype]].
    if (/^\s*\[\s*(?:["\]]|-?\d)/.test(cell)) return parse(cell, where)
    const items = cell.split(separator).map(item => item.trim())
    return items.filter(item => item !== '')
  }
}

function jsonReader(name: string, rule: string): CellReader {
  return (cell, where) => {
    try {
      return JSON.parse(cell)
    } catch (error) {
      const got = `it must be ${rule}; got ${shorten(cell)}`
      throw documentError(where, `the cell "${name}" is not valid JSON`, got, error)
    }
  }
}

/**
 * Reads text as the number that it is; `shown` is the decimal sign that the first rows show. A cell with anything else, such as `n. b.` or
 * `<0,6`, has none; at the end a note says how many are missing, and a column that hardly holds numbers is refused.
 */
function numberReader(
  field: string,
  {name, onNote}: ReaderContext,
  shown: DecimalSign | undefined,
  hasCommas: boolean
): ColumnReader {
  let sign = shown
  let assumed: {readonly cell: string; readonly sign: DecimalSign} | undefined
  let filled = 0
  let missing = 0
  let first = {example: '', where: ''}
  let hasNoted = false
  return {
    read(value, where) {
      const cell = typeof value === 'string' ? value.trim() : value
      if (cell === '') return undefined
      filled++
      if (typeof cell !== 'string') return cell
      const numeral = numeralOf(cell)
      if (numeral === undefined) {
        if (missing++ === 0) first = {example: shorten(cell), where}
        return undefined
      }
      if (numeral.sign === 'either') assumed ??= {cell, sign: sign ?? assumedSign(numeral, hasCommas)}
      else if (numeral.sign !== undefined && sign !== ',') {
        if (assumed !== undefined && assumed.sign !== numeral.sign)
          throw documentError(
            where,
            `field "${field}" has the number ${cell}, by which ${assumed.cell} above means something else than was read`,
            'move a row that shows how the numbers are written to the top of the table'
          )
        sign = numeral.sign
      }
      const number = numeralValue(numeral, sign ?? assumed?.sign ?? '.')
      if (!hasNoted && number !== Number(cell))
        onNote?.(`${name}: ${field} has numbers such as ${cell}, read as ${number}`)
      hasNoted ||= number !== Number(cell)
      return number
    },
    end() {
      if (missing === 0) return
      const {example, where} = first
      if (2 * missing > filled)
        throw documentError(
          where,
          `field "${field}" is not a number, here and in ${grouped(missing)} of ${counted(filled, 'cell')}; got '${example}'`,
          'a column of numbers may have some other cells, which are missing; correct it, or read it with `category`'
        )
      onNote?.(
        `${name}: ${counted(missing, 'cell')} of ${field} ${missing === 1 ? 'is not a number' : 'are not numbers'}, such as '${example}': read as missing`
      )
    }
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text
}
