import {isFunctionWord, type Row} from '../data/index.ts'
import {recordOf} from './table-cells.ts'

/** What is in a column of a table: counted as rows go by, in bounded memory. */
export class ColumnFacts {
  readonly name: string
  /** Rows with a value, and those whose value is a list or another object of JSON. */
  filled = 0
  arrays = 0
  objects = 0
  /** Different values, as far as they are counted. */
  readonly values = new Map<string, number>()
  /** Numbers among the values, for bins; dates; and a value that is no number. */
  readonly numbers: number[] = []
  dates = 0
  notNumber: string | undefined
  /** Values whose words and items are counted, which takes longer: the first ones. */
  looked = 0
  /** Their words and characters, and their different words. */
  words = 0
  characters = 0
  /** Words such as "of" and "since", which lists of names do not have. */
  functionWords = 0
  readonly vocabulary = new Set<string>()
  /** By separator: values that contain it, and the items between separators. */
  readonly lists = new Map(SEPARATORS.map(separator => [separator, new ItemFacts()]))

  constructor(name: string) {
    this.name = name
  }

  add(value: unknown): void {
    if (value === undefined || value === null || value === '') return
    const date = dateOf(value)
    if (typeof value === 'object' && date === undefined) {
      this.filled++
      if (Array.isArray(value)) this.arrays++
      else this.objects++
      if (this.values.size < 3) this.values.set(JSON.stringify(value), 1)
      return
    }
    const text = String(date ?? value).trim()
    if (text === '') return
    this.filled++
    const seen = this.values.get(text)
    if (seen !== undefined || this.values.size < MOST_VALUES) this.values.set(text, (seen ?? 0) + 1)
    this.#addNumber(text)
    if (DATE.test(text)) this.dates++
    if (this.looked < MOST_LOOKED) this.#look(text)
  }

  #look(text: string): void {
    this.looked++
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    this.words += words.length
    this.characters += text.length
    this.functionWords += words.filter(isFunctionWord).length
    for (const word of words.slice(0, 50)) this.vocabulary.add(word)
    for (const [separator, items] of this.lists) items.add(text, separator)
  }

  /** The number of different values, at most as many as are counted. */
  get distinct(): number {
    return this.values.size
  }

  /** The most frequent value; of equals the first. */
  get example(): string {
    let best = ''
    let most = 0
    for (const [value, count] of this.values)
      if (count > most) {
        most = count
        best = value
      }
    return best
  }

  #addNumber(text: string): void {
    if (NUMBER.test(text)) this.numbers.push(Number(text.replace(',', '.')))
    else this.notNumber ??= text
  }
}

/** A date of a spreadsheet or a Parquet file, as text. */
function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('toISOString' in value)) return undefined
  return typeof value.toISOString === 'function' ? value.toISOString() : undefined
}

/** The items of a column read as lists with one separator. */
class ItemFacts {
  /** Values with several items. */
  several = 0
  items = 0
  words = 0
  readonly #different = new Set<string>()

  add(text: string, separator: string): void {
    if (text.length > LONGEST_LIST) return
    const items = text.split(separator).filter(item => item.trim() !== '')
    if (items.length > 1) this.several++
    this.items += items.length
    for (const item of items) {
      this.words += item.trim().split(/\s+/).length
      this.#different.add(item.trim().toLowerCase())
    }
  }

  get distinct(): number {
    return this.#different.size
  }
}

/** Separators of items, the likeliest first. */
const SEPARATORS: readonly string[] = ['|', ';', ',', ' ']
const MOST_VALUES = 20_000
const MOST_LOOKED = 2000
const LONGEST_LIST = 1000
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ,]|$)|^\d{1,2}:\d{2}(?::\d{2})?$/

/** Rows to look at: enough to know the columns, and read within a second or two. */
export const mostSurveyedRows = 20_000

/** The columns of documents. */
export interface SurveyedColumns {
  readonly rows: number
  /** Whether there are more rows than were looked at. */
  readonly hasMore: boolean
  readonly facts: readonly ColumnFacts[]
}

/** Look at the first rows of documents, read with `keepsRecords`; `onRows` is called with their number after each batch. */
export async function surveyColumns(
  batches: AsyncIterable<readonly Row[]>,
  onRows: (rows: number) => void = () => {}
): Promise<SurveyedColumns> {
  const byName = new Map<string, ColumnFacts>()
  let rows = 0
  for await (const batch of batches) {
    for (const row of batch) {
      if (rows === mostSurveyedRows) return {rows, hasMore: true, facts: [...byName.values()]}
      rows++
      const {columns, values} = recordOf(row)
      for (const [at, name] of columns.entries()) {
        const facts = byName.get(name) ?? new ColumnFacts(name)
        byName.set(name, facts)
        facts.add(values[at])
      }
    }
    onRows(rows)
  }
  return {rows, hasMore: false, facts: [...byName.values()]}
}
