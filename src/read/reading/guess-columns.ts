import {counted, percent} from '../../base/text/index.ts'
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
  /** The values that are numbers, of which bins are made; how many are dates; and one that is not a number. */
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

/** What a column may be read as. */
export const columnRoles = ['id', 'text', 'category', 'number', 'list', 'tags', 'votes', 'skip'] as const

export type Role = (typeof columnRoles)[number]

export interface ColumnGuess {
  readonly name: string
  readonly role: Role
  /** Bins of a number as `--number` takes them; the separator of a list or of tags; why a column is skipped. */
  readonly detail: string
  /** Of a column of numbers: cells that hold something else, which are missing. */
  readonly missing?: string
}

/** Names that tell what a column holds, in any case. */
const HINTS = {
  id: /(?:^|[\s_.-])(?:id|key|uuid|guid|mrn|nr|no|number|visit|case|encounter|ticket|record|row)$|[a-z]I[dD]$|^#$/i,
  text: /note|text|comment|descri|narrative|complaint|summary|body|title|subject|message|question/i,
  tags: /^(?:tags?|labels?|codes?|topics?|keywords?|diagnos(?:[ei]s|en?|tics?)|diagn[oó]sticos?|schlagw[oö]rter|[eé]tiqu?e(?:ttes?|tas?)|dx|icd.*|categories|subjects?)$/i,
  private:
    /(?:^|[\s_.-])(?:(?:first|last|full|sur|patient|user|customer)?[\s_-]?name|e?-?mail|phone|mobile|street|address|url|link|ssn)$/i
}

/** The most values of a category, and the largest share of the rows that its different values may be. */
const MOST_CATEGORIES = 50
const CATEGORY_SHARE = 0.2
/** Numbers with fewer different values, such as a triage level, are categories. */
const FEWEST_NUMBERS = 11
/** A column of which more cells are numbers is one of numbers. */
const NUMBER_SHARE = 0.5
/** Prose has many more function words, a list of names hardly any. */
const FUNCTION_SHARE = 0.05
/** Text has more words than a name or a code. */
const TEXT_WORDS = 3

/** Fields that need no setting. */
export const BY_NAME = 'read by its name'

/** What each column is read as: at most one id and one column of tags. */
export function guessColumns(columns: readonly ColumnFacts[], rows: number): ColumnGuess[] {
  const id = idOf(columns, rows)
  const tags = columns.find(
    column => column !== id && HINTS.tags.test(column.name) && tagSeparatorOf(column) !== undefined
  )
  return columns.map((column): ColumnGuess => {
    const {name} = column
    if (column === id) return {name, role: 'id', detail: ''}
    if (column === tags) return {name, role: 'tags', detail: tagSeparatorOf(column) ?? ''}
    return {name, ...roleOf(column)}
  })
}

function isSeparated({role, detail}: ColumnGuess): boolean {
  return role === 'list' && detail !== ''
}

/** A column with a different value in every row: one whose name says so, or else the first without blanks. */
function idOf(columns: readonly ColumnFacts[], rows: number): ColumnFacts | undefined {
  const candidates = columns.filter(
    ({filled, looked, distinct, words, characters, dates, arrays, objects}) =>
      filled === rows &&
      arrays + objects + dates === 0 &&
      distinct === rows &&
      words <= 3 * looked &&
      characters <= 40 * looked
  )
  const isPlain = ({name, example, numbers}: ColumnFacts) =>
    !HINTS.private.test(name) && !/\s/.test(example) && numbers.every(Number.isInteger)
  return candidates.find(({name}) => HINTS.id.test(name)) ?? candidates.find(isPlain)
}

type RoleAndDetail = Omit<ColumnGuess, 'name'>

function roleOf(column: ColumnFacts): RoleAndDetail {
  const {name, filled, looked, arrays, objects, dates, distinct, words, numbers} = column
  const skip = (detail: string): RoleAndDetail => ({role: 'skip', detail})
  if (filled === 0) return skip('empty')
  if (name.includes(':')) return skip('a name with a colon cannot be read; rename it')
  if (name === 'id') return skip('the same in several rows')
  if (name === 'labels' || name === 'features' || (name === 'votes' && objects === filled)) return skip(BY_NAME)
  if (arrays === filled) return {role: 'list', detail: ''}
  if (arrays + objects > 0) return skip('nested values')
  if (dates === filled) return skip('dates or times')
  if (HINTS.private.test(name)) return skip('a name or an address')
  if (numbers.length === filled) return numberRole(column)
  // Numbers with some codes, such as "n. b." or "<0,6".
  if (numbers.length > NUMBER_SHARE * filled && new Set(numbers).size >= FEWEST_NUMBERS) {
    const missing = `${counted(filled - numbers.length, 'cell')} such as '${column.notNumber?.slice(0, 20)}' missing`
    return {...numberRole(column), missing}
  }
  if (HINTS.text.test(name) && words >= TEXT_WORDS * looked) return {role: 'text', detail: ''}
  const separator = listSeparatorOf(column)
  if (separator !== undefined) return {role: 'list', detail: separator}
  if (words >= TEXT_WORDS * looked && distinct > CATEGORY_SHARE * filled) return {role: 'text', detail: ''}
  if (distinct <= Math.max(2, Math.min(MOST_CATEGORIES, CATEGORY_SHARE * filled)))
    return distinct === 1 ? skip('one value only') : {role: 'category', detail: ''}
  // Short notes such as "chest pain" share their words; names and codes do not.
  if (words >= 1.2 * looked && column.vocabulary.size <= 0.5 * words) return {role: 'text', detail: ''}
  return skip(`${percent(distinct / filled)} of the values are different`)
}

function numberRole({numbers, distinct, filled, name}: ColumnFacts): RoleAndDetail {
  const isWhole = numbers.every(Number.isInteger)
  if (distinct === 1) return {role: 'skip', detail: 'one value only'}
  if (distinct < FEWEST_NUMBERS) return {role: 'category', detail: ''}
  if (HINTS.id.test(name) || (isWhole && distinct > 0.9 * filled && filled > 100))
    return {role: 'skip', detail: 'numbers that look like codes'}
  return {role: 'number', detail: binsOf(numbers)}
}

/** Bins of a round width, some six for the middle 90% of the values; edges where a few values are far away. */
function binsOf(numbers: readonly number[]): string {
  const sorted = Float64Array.from(numbers).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
  const [low, high] = [at(0.05), at(0.95)]
  const range = sorted[sorted.length - 1] - sorted[0]
  if (high > low && range <= 6 * (high - low)) return String(roundWidth((high - low) / 6))
  const edges = [0.1, 0.25, 0.5, 0.75, 0.9].map(share => Number(at(share).toPrecision(2)))
  const different = [...new Set(edges)].sort((a, b) => a - b)
  return different.length === 1 ? `${different[0]}+` : different.join(',')
}

/** The nearest of 1, 2, 5, 10, 20, ... by ratio. */
function roundWidth(width: number): number {
  const power = 10 ** Number(width.toExponential().split('e')[1])
  const factor = width / power
  return Number((power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10)).toPrecision(1))
}

/** The separator of short items that come again; prose has long ones, and most of them once. */
function listSeparatorOf(column: ColumnFacts, separators = ['|', ';', ',']): string | undefined {
  const {lists, looked, words, functionWords} = column
  const isProse = functionWords > FUNCTION_SHARE * words
  return separators.find(separator => {
    const facts = lists.get(separator)
    return (
      facts !== undefined &&
      !(isProse && /[, ]/.test(separator)) &&
      facts.several >= 0.1 * looked &&
      facts.words <= 2.5 * facts.items &&
      facts.distinct <= 0.3 * facts.items &&
      // Blanks also separate the words of prose.
      (separator !== ' ' || facts.items <= 6 * looked)
    )
  })
}

/** Tags may also be separated by blanks, or be single ones; undefined if these are no tags. */
function tagSeparatorOf(column: ColumnFacts): string | undefined {
  const {arrays, objects, filled, distinct, numbers} = column
  if (filled === 0 || objects > 0 || numbers.length === filled) return undefined
  if (arrays > 0) return arrays === filled ? '' : undefined
  return listSeparatorOf(column, ['|', ';', ',', ' ']) ?? (distinct <= 0.2 * filled ? '' : undefined)
}

export function roleWords(guess: ColumnGuess): string {
  const words = wordsOf(guess)
  return guess.role === 'number' && guess.missing !== undefined ? `${words}; ${guess.missing}` : words
}

function wordsOf({role, detail}: ColumnGuess): string {
  if (detail === BY_NAME) return detail
  if (role === 'skip') return detail === '' ? 'left out' : `left out: ${detail}`
  if (detail === '') return role
  if (role === 'number')
    return /[,+]/.test(detail) ? `number, cut at ${detail.replaceAll(',', ', ')}` : `number, bins of ${detail}`
  return `${role}, separated by ${detail === ' ' ? 'blanks' : detail}`
}

/** The reading options for the columns; a list with another separator than the first one has its own. */
export function readingFor(guesses: readonly ColumnGuess[]): Readonly<Record<string, unknown>> {
  const names = (role: Role) => guesses.filter(guess => guess.role === role).map(({name}) => name)
  const some = (key: string, list: readonly string[]) => (list.length > 0 ? {[key]: list} : {})
  const [id] = names('id')
  const tags = guesses.find(({role}) => role === 'tags')
  const separator = guesses.find(isSeparated)?.detail
  const isOther = tags !== undefined && tags.detail !== '' && tags.detail !== (separator ?? '|')
  return {
    ...(id !== undefined && {id}),
    text: names('text'),
    ...some('category', names('category')),
    ...some(
      'number',
      guesses.flatMap(({role, name, detail}) => (role === 'number' ? [`${name}:${detail}`] : []))
    ),
    ...some(
      'list',
      guesses.flatMap(({role, name, detail}) => {
        if (role !== 'list') return []
        return detail === '' || detail === (separator ?? '|') ? [name] : [`${name}:${detail}`]
      })
    ),
    ...some('votes', names('votes')),
    ...(separator !== undefined && {separator}),
    ...(tags !== undefined && {tags: tags.name}),
    ...(isOther && {tagSeparator: tags.detail})
  }
}
