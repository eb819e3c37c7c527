import {percent} from '../../base/text/index.ts'
import {isFunctionWord, type Row} from '../data/index.ts'
import {assumedSign, numeralOf, numeralValue, shownSign} from './numerals.ts'
import {recordOf} from './table-cells.ts'

const MOST_LOOKED = 2000
const MOST_WORDS = 50
const LONGEST_LIST = 1000
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ,]|$)|^\d{1,2}:\d{2}(?::\d{2})?$/

export type ColumnFacts = ReturnType<typeof columnFacts>

/** `delimiter` is that of the table, if it is one of text. */
export function columnFacts(name: string, column: readonly unknown[], delimiter?: string) {
  const isNested = (value: unknown) => typeof value === 'object' && value !== null
  const nested = column.filter(isNested)
  const texts = column.filter(value => !isNested(value)).flatMap(value => String(value ?? '').trim() || [])
  // The different values, as text, and how often each occurs; an empty list says nothing.
  const values: ReadonlyMap<string, number> = countsOf([...texts, ...nested.map(value => JSON.stringify(value))])
  const numerals = texts.map(numeralOf)
  const numeric = texts.filter((_, at) => numerals[at] !== undefined)
  const sign = shownSign(numerals)
  const either = numerals.find(numeral => numeral?.sign === 'either')
  const usual = sign ?? (either && assumedSign(either, delimiter === ',')) ?? '.'
  // A code such as "n. b." does not show what a column of numbers holds.
  const shown = 2 * numeric.length > texts.length ? countsOf(numeric) : values
  const most = Math.max(...shown.values())
  const arrays = nested.filter(Array.isArray).length
  // Words and items are counted in these values only.
  const looked = texts.slice(0, MOST_LOOKED)
  return {
    name,
    filled: texts.length + nested.length,
    arrays,
    objects: nested.length - arrays,
    values,
    example: [...shown].find(([, count]) => count === most)?.[0] ?? '',
    numbers: numerals.flatMap(numeral => (numeral === undefined ? [] : numeralValue(numeral, usual))),
    /** What may have decimals or thousands, if no cell shows which of them, and how it is read. */
    ambiguous:
      sign === undefined && either !== undefined ? {text: either.text, value: numeralValue(either, usual)} : undefined,
    dates: texts.filter(text => DATE.test(text)).length,
    notNumber: texts.find((_, at) => numerals[at] === undefined),
    looked,
    words: looked.flatMap(text => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS))
  }
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== '[]') counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Rows to look at: enough to know the columns, and read within a second or two. */
export const mostSurveyedRows = 20_000

export type SurveyedColumns = Awaited<ReturnType<typeof surveyColumns>>

/** Look at the first rows of documents, read with `keepsRecords`; `onRows` is called with their number after each batch. */
export async function surveyColumns(batches: AsyncIterable<readonly Row[]>, onRows: (rows: number) => void = () => {}) {
  const byName = new Map<string, unknown[]>()
  let rows = 0
  let delimiter: string | undefined
  let hasMore = false
  for await (const batch of batches) {
    hasMore = rows + batch.length > mostSurveyedRows
    for (const row of batch.slice(0, mostSurveyedRows - rows)) {
      const {columns, values, dialect} = recordOf(row)
      delimiter ??= dialect?.delimiter
      for (const [at, name] of columns.entries()) {
        const column = byName.get(name) ?? []
        byName.set(name, column)
        column.push(values[at])
      }
      rows++
    }
    if (hasMore) break
    onRows(rows)
  }
  return {rows, hasMore, facts: Array.from(byName, ([name, values]) => columnFacts(name, values, delimiter))}
}

export const columnRoles = ['id', 'text', 'category', 'number', 'list', 'tags', 'votes', 'skip'] as const

export type Role = (typeof columnRoles)[number]

export interface ColumnGuess {
  readonly name: string
  readonly role: Role
  /** Bins of a number as `--number` takes them; the separator of a list or of tags; why a column is skipped. */
  readonly detail: string
}

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

/** What `adfa predict` has added to documents. */
export const PREDICTED = 'predicted by adfa'

/** What each column is read as: at most one id and one column of tags. */
export function guessColumns(columns: readonly ColumnFacts[], rows: number): ColumnGuess[] {
  const id = idOf(columns, rows)
  const own = predictedColumns(columns)
  const tags = columns.find(
    column =>
      column !== id && !own.includes(column) && HINTS.tags.test(column.name) && tagSeparatorOf(column) !== undefined
  )
  return columns.map((column): ColumnGuess => {
    const {name} = column
    if (own.includes(column)) return {name, role: 'skip', detail: PREDICTED}
    if (column === id) return {name, role: 'id', detail: ''}
    if (column === tags) return {name, role: 'tags', detail: tagSeparatorOf(column) ?? ''}
    return {name, ...roleOf(column)}
  })
}

/**
 * The columns that `adfa predict` has added to documents: from the last `tags` on, perhaps `likely`, and then the probabilities of
 * all concepts, among which are the tags. As evidence they would teach a model what another one believed. A column that is called `tags`
 * is always read as tags.
 */
function predictedColumns(columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  const start = columns.findLastIndex(({name}) => /^tags(?: \(adfa.*\))?$/i.test(name))
  if (start < 0) return []
  const scores = columns.slice(start + 1).filter(({name}) => !/^likely(?: \(adfa.*\))?$/i.test(name))
  const isScore = ({numbers, filled, objects}: ColumnFacts) =>
    objects === filled || (numbers.length === filled && numbers.every(value => value >= 0 && value <= 1))
  const concepts = new Set(scores.map(({name}) => name.replace(/ \((?:score|adfa).*\)$/, '')))
  const tags = [...columns[start].values.keys()].flatMap(value => value.split(/ *[|;,] */))
  const areConcepts = concepts.has('posterior') || tags.every(tag => concepts.has(tag))
  return scores.length > 0 && areConcepts && scores.every(isScore)
    ? columns.slice(columns[start].name === 'tags' ? start + 1 : start)
    : []
}

/** A column with a different value in every row: one whose name says so, or else the first without blanks. */
function idOf(columns: readonly ColumnFacts[], rows: number): ColumnFacts | undefined {
  const candidates = columns.filter(
    ({filled, looked, values, words, dates, arrays, objects}) =>
      filled === rows &&
      arrays + objects + dates === 0 &&
      values.size === rows &&
      words.length <= 3 * looked.length &&
      looked.join('').length <= 40 * looked.length
  )
  const isPlain = ({name, example, numbers}: ColumnFacts) =>
    !HINTS.private.test(name) && !/\s/.test(example) && numbers.every(Number.isInteger)
  return candidates.find(({name}) => HINTS.id.test(name)) ?? candidates.find(isPlain)
}

type RoleAndDetail = Omit<ColumnGuess, 'name'>

function roleOf(column: ColumnFacts): RoleAndDetail {
  const {name, filled, looked, arrays, objects, dates, values, words, numbers} = column
  const distinct = values.size
  const skip = (detail: string): RoleAndDetail => ({role: 'skip', detail})
  if (filled === 0) return skip('empty')
  if (name.includes(':')) return skip('a name with a colon cannot be read; rename it')
  if (name === 'id') return skip('the same in several rows')
  if (name === 'labels' || name === 'features' || (name === 'votes' && objects === filled)) return skip(BY_NAME)
  if (arrays === filled) return {role: 'list', detail: ''}
  if (arrays + objects > 0) return skip('nested values')
  if (dates === filled) return skip('dates or times')
  if (HINTS.private.test(name)) return skip('a name or an address')
  const isMostlyNumbers = numbers.length > NUMBER_SHARE * filled
  // Numbers with some codes, such as "n. b." or "<0,6". Few numbers, each perhaps a level, are no longer clear among many codes.
  const isClear = new Set(numbers).size >= FEWEST_NUMBERS || distinct <= MOST_CATEGORIES || numbers.length === filled
  if (isMostlyNumbers && isClear) return numberRole(column)
  const isLong = words.length >= TEXT_WORDS * looked.length
  if (HINTS.text.test(name) && isLong) return {role: 'text', detail: ''}
  const separator = isMostlyNumbers ? undefined : listSeparatorOf(column, ['|', ';', ','])
  if (separator !== undefined) return {role: 'list', detail: separator}
  if (isLong && distinct > CATEGORY_SHARE * filled) return {role: 'text', detail: ''}
  if (distinct <= Math.max(2, Math.min(MOST_CATEGORIES, CATEGORY_SHARE * filled)))
    return distinct === 1 ? skip('one value only') : {role: 'category', detail: ''}
  // Short notes such as "chest pain" share their words; names and codes do not.
  if (words.length >= 1.2 * looked.length && new Set(words).size <= 0.5 * words.length)
    return {role: 'text', detail: ''}
  return skip(`${percent(distinct / filled)} of the values are different`)
}

function numberRole({numbers, values, filled, name}: ColumnFacts): RoleAndDetail {
  const distinct = new Set(numbers).size
  if (values.size === 1) return {role: 'skip', detail: 'one value only'}
  if (distinct < FEWEST_NUMBERS) return {role: 'category', detail: ''}
  if (HINTS.id.test(name) || (numbers.every(Number.isInteger) && values.size > 0.9 * filled && filled > 100))
    return {role: 'skip', detail: 'numbers that look like codes'}
  return {role: 'number', detail: binsOf(numbers)}
}

/** Bins of a round width, some six for the middle 90% of the values. */
function binsOf(numbers: readonly number[]): string {
  const sorted = Float64Array.from(numbers).sort()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
  return String(roundWidth((at(0.95) - at(0.05) || at(1) - at(0)) / 6))
}

function roundWidth(width: number): number {
  const power = 10 ** Number(width.toExponential().split('e')[1])
  const factor = width / power
  return Number((power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10)).toPrecision(1))
}

/** The first separator of short items that come again; prose has long ones, and most of them once. */
function listSeparatorOf({looked, words}: ColumnFacts, separators: readonly string[]): string | undefined {
  const isProse = words.filter(isFunctionWord).length > FUNCTION_SHARE * words.length
  return separators.find(separator => {
    const lists = looked
      .filter(text => text.length <= LONGEST_LIST)
      .map(text => text.split(separator).flatMap(item => item.trim().toLowerCase() || []))
    const items = lists.flat()
    return (
      !(isProse && /[, ]/.test(separator)) &&
      lists.filter(list => list.length > 1).length >= 0.1 * looked.length &&
      items.join(' ').split(/\s+/).length <= 2.5 * items.length &&
      new Set(items).size <= 0.3 * items.length &&
      // Blanks also separate the words of prose.
      (separator !== ' ' || items.length <= 6 * looked.length)
    )
  })
}

/** Tags may also be separated by blanks, or be single ones; undefined if these are no tags. */
function tagSeparatorOf(column: ColumnFacts): string | undefined {
  const {arrays, objects, filled, values, numbers} = column
  if (filled === 0 || objects > 0 || numbers.length === filled) return undefined
  if (arrays > 0) return arrays === filled ? '' : undefined
  return listSeparatorOf(column, ['|', ';', ',', ' ']) ?? (values.size <= 0.2 * filled ? '' : undefined)
}

export function roleWords({role, detail}: ColumnGuess): string {
  if (detail === BY_NAME) return detail
  if (role === 'skip') return detail === '' ? 'left out' : `left out: ${detail}`
  if (detail === '') return role
  if (role !== 'number') return `${role}, separated by ${detail === ' ' ? 'blanks' : detail}`
  return /[,+]/.test(detail) ? `number, cut at ${detail.replaceAll(',', ', ')}` : `number, bins of ${detail}`
}

/** The reading options for the columns; a list with another separator than the first one has its own. */
export function readingFor(guesses: readonly ColumnGuess[]): Readonly<Record<string, unknown>> {
  const of = (role: Role) => guesses.filter(guess => guess.role === role)
  const names = (role: Role) => of(role).map(({name}) => name)
  const [id] = names('id')
  const [tags] = of('tags')
  const separator = of('list').find(({detail}) => detail !== '')?.detail
  const isOwn = (detail: string) => detail !== '' && detail !== (separator ?? '|')
  const lists = {
    category: names('category'),
    number: of('number').map(({name, detail}) => `${name}:${detail}`),
    list: of('list').map(({name, detail}) => (isOwn(detail) ? `${name}:${detail}` : name)),
    votes: names('votes')
  }
  return {
    ...(id !== undefined && {id}),
    text: names('text'),
    ...Object.fromEntries(Object.entries(lists).filter(([, columns]) => columns.length > 0)),
    ...(separator !== undefined && {separator}),
    ...(tags && {tags: tags.name}),
    ...(tags && isOwn(tags.detail) && {tagSeparator: tags.detail})
  }
}
