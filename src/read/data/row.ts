import {AdfaError, jsonEntries, shownValue} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {VOTES, voteFeature} from './feature-name.ts'
import {didYouMean, fieldsOf, type NumberField, type ParsedFields, type RowFields, valueName} from './row-fields.ts'

/** One document as read, before tokenisation. */
export interface Row {
  readonly id: string | number | undefined
  readonly text: ReadonlyMap<string, string>
  /** Ready-made features: those of `features`, then those of categories, numbers and lists (`sex:m`) and of votes. */
  readonly features: readonly string[]
  /** All concepts that the document has: one not listed is absent. Undefined when unknown. */
  readonly tags: readonly string[] | undefined
  /** Whether the document has these concepts; nothing about others. */
  readonly labels: ReadonlyMap<string, boolean> | undefined
  /** All of its columns as they are in the file, where `keepsRecords` asks for them. */
  readonly record?: SourceRecord
}

/** A record as it is in its file, also the columns without a meaning here. */
export interface SourceRecord {
  readonly columns: readonly string[]
  /** As many as columns. */
  readonly values: readonly unknown[]
  /** How the file is written, if it is a table of text; then all its records have the same columns. */
  readonly dialect?: TableDialect
  /** Its place, for errors, where only records are read. */
  readonly where?: string
}

export interface TableDialect {
  readonly delimiter: string
  readonly lineEnd: '\n' | '\r\n'
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean
}

/** Which fields of a row are read, and whether everything else is kept, too; 'only': nothing is read or checked. */
export interface RowReading extends RowFields {
  readonly keepsRecords?: boolean | 'only' | undefined
  /** Without the documents that are held out (`isHeldOut`), or these alone; by default all documents. */
  readonly part?: 'learning' | 'held-out' | undefined
}

/** Labels of documents by key ({@link labelKey}). */
export interface Labels {
  get(key: string): ReadonlyMap<string, boolean> | undefined
}

/** Beyond these a document is refused: far more often it is a broken file, and its words may take gigabytes of memory. */
const mostFeatures = 1_000_000
const mostCharacters = 16 * 1024 * 1024

export function checkFeatureCount(count: number, where: string, owner = 'document', things = 'features'): void {
  if (count <= mostFeatures) return
  throw new AdfaError(
    'bad-document',
    `${where}: the ${owner} has ${grouped(count)} ${things}; at most ${grouped(mostFeatures)} can be read; ` +
      'check that this is the right file, or leave some out'
  )
}

/**
 * Turn a parsed JSON value into a {@link Row}. `where` names it in errors: "notes.jsonl:12". `exact` restores digits of
 * the id that the parser has lost, from the id as parsed and its key.
 */
export function parseRow(
  value: unknown,
  fields: RowReading,
  where: string,
  exact = (id: unknown, _key: string): unknown => id
): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRow(
      where,
      'the row is not an object',
      `one JSON object per document, such as {"id": 1, "text": "..."}`,
      value
    )
  const record = fields.keepsRecords && {columns: Object.keys(value), values: Object.values(value)}
  if (record && fields.keepsRecords === 'only') return rowOfRecord({...record, where})
  const parsed = fieldsOf(fields)
  const valueAt = (column: string): unknown =>
    Object.hasOwn(value, column) ? ((value as Readonly<Record<string, unknown>>)[column] ?? undefined) : undefined
  const text = new Map<string, string>()
  for (const field of fields.text) {
    const content = valueAt(field)
    if (content === undefined) continue
    if (typeof content !== 'string') throw badRow(where, `field "${field}" is not a string`, 'a string', content)
    if (content.length > mostCharacters)
      throw new AdfaError(
        'bad-document',
        `${where}: field "${field}" has ${grouped(content.length)} characters; at most ${grouped(mostCharacters)} can be ` +
          'read; split the document into several'
      )
    text.set(field, content)
  }
  const given = stringList(valueAt('features'), 'features', where)
  // A field of that name may also be read as something else.
  const votes = parsed.fieldNames.includes(VOTES) ? undefined : votesOf(valueAt(VOTES))
  const made = parsed.inputNames.slice(fields.text.length)
  if (text.size === 0 && given === undefined && votes === undefined && !made.some(name => Object.hasOwn(value, name))) {
    const found = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
    throw noUsableField(
      ['the row has no usable field', 'it has'],
      parsed.inputNames,
      found.map(([column]) => column),
      where
    )
  }
  const id = exact(valueAt(parsed.id), parsed.id)
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw badRow(where, `field "${parsed.id}" is neither text nor a number`, 'a string or a number', id)
  if (typeof id === 'number' && !Number.isFinite(id))
    throw badRow(where, `field "${parsed.id}" is not a finite number`, 'a number up to 1e308, or text in quotes', id)
  const isPlain = made.length === 0 && votes === undefined
  const features = isPlain
    ? (given ?? [])
    : [...(given ?? []), ...valueFeatures(valueAt, parsed, where), ...voteFeatures(votes, valueAt, parsed.votes, where)]
  checkFeatureCount(features.length, where)
  return {
    id,
    text,
    features,
    tags: stringList(valueAt(parsed.tags), parsed.tags, where),
    labels: labelMap(valueAt('labels'), where),
    ...(record && {record})
  }
}

/** A row of which nothing is read but its record. */
export function rowOfRecord(record: SourceRecord): Row {
  return {id: undefined, text: new Map(), features: [], tags: undefined, labels: undefined, record}
}

/** `found` is what there is instead of the fields asked for. */
export function noUsableField(
  [what, has]: readonly [string, string],
  names: readonly string[],
  found: readonly string[],
  where: string
): AdfaError {
  const needed = names.length === 0 ? '' : ` or one of the fields ${names.join(', ')}`
  const nearest = names.map(name => didYouMean(name, found)).find(question => question !== '') ?? ''
  return new AdfaError(
    'bad-document',
    `${where}: ${what}; a document needs "features"${needed}; ${has} ${firstNames(found) || 'nothing'}; ` +
      `name the fields to read with \`text\`, \`category\`, \`number\` or \`list\`${nearest}`
  )
}

function stringList(value: unknown, field: string, where: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw badRow(where, `field "${field}" is not a list`, 'an array of strings', value)
  checkFeatureCount(value.length, where, 'document', field)
  for (const item of value)
    if (typeof item !== 'string')
      throw badRow(where, `field "${field}" has an entry that is not a string`, 'strings', item)
  return value
}

function labelMap(value: unknown, where: string): ReadonlyMap<string, boolean> | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRow(where, 'field "labels" is not an object', '{"concept": true, "other concept": false}', value)
  const labels = new Map<string, boolean>()
  for (const [concept, isPresent] of Object.entries(value)) {
    if (typeof isPresent !== 'boolean')
      throw badRow(where, `the label of "${concept}" is neither true nor false`, 'true or false', isPresent)
    labels.set(concept, isPresent)
  }
  return labels
}

/** Identifies a document when a share is drawn: its id, or else its content. */
export function rowKey(row: Row): string {
  if (row.id !== undefined) return String(row.id)
  return JSON.stringify([[...row.text], row.features])
}

/**
 * Identifies a document in labels files and sheets: its id, or else a hash of its content, so that these files do not repeat
 * the text. Documents with the same content and no ids are the same document.
 */
export function labelKey(row: Row): string {
  return row.id === undefined ? hashedKey(rowKey(row)) : String(row.id)
}

/** `row:` and 64 bits of the hash of a content ({@link rowKey}). Labels files depend on it, so it must never change. */
export function hashedKey(content: string): string {
  return `row:${[1, 2].map(seed => (hashShare(content, seed) * 2 ** 32).toString(16).padStart(8, '0')).join('')}`
}

/**
 * The id of a parsed JSON object with all the digits that the text has. JSON.parse rounds whole numbers beyond 2^53, so that
 * two documents could share an id; such an id is the text of the number. `name` is the key of the id.
 */
export function exactId(id: unknown, json: string, name: string): unknown {
  if (typeof id !== 'number' || Number.isSafeInteger(id) || !Number.isFinite(id)) return id
  const entries = jsonEntries(json, json.indexOf('{'))
  // Of two, the last one counts, as for JSON.parse.
  const found = entries.findLast(({key}) => key === name)
  const digits = found && json.slice(found.start, found.end)
  const isExact = !Number.isInteger(id) && digits === String(id)
  return digits === undefined || isExact ? id : digits
}

const HELD_OUT = 0.25

/**
 * Tells whether a document is held out, for evaluation: a quarter of those with tags, by a hash of the id, or else of the content. It
 * must never change: models would be judged on documents they were learned from.
 */
export function isHeldOut(row: Row): boolean {
  return row.tags !== undefined && hashShare(`held out ${rowKey(row)}`) < HELD_OUT
}

/** Gives the value of a row in a field; undefined where it is missing or null. */
type ValueAt = (field: string) => unknown

/** The features from the categories, numbers and lists of a row; missing, null and empty values give none. */
export function valueFeatures(valueAt: ValueAt, fields: ParsedFields, where: string): string[] {
  const {category, numbers, lists, keepCase} = fields
  const features: string[] = []
  const add = (field: string, value: string) => {
    const name = valueName(value, keepCase)
    if (name !== '') features.push(`${field}:${name}`)
  }
  for (const field of category) {
    const value = valueAt(field)
    if (value === undefined) continue
    if (!isValue(value)) throw notOneValue(value, field, where)
    add(field, String(value))
  }
  for (const bins of numbers) {
    const value = numberOf(valueAt(bins.field), bins, where)
    if (value !== undefined) add(bins.field, binName(value, bins))
  }
  for (const {name} of lists) for (const item of listItems(valueAt(name), name, where)) add(name, String(item))
  return features
}

/** The votes of a row, if it has any: other values of that field have no meaning. */
export function votesOf(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The features of votes and of columns that are sources: `votes:nurse=alcohol`. Null, a missing key and empty text abstain. */
export function voteFeatures(
  votes: object | undefined,
  valueAt: ValueAt,
  columns: readonly string[],
  where: string
): string[] {
  const cast = [
    ...Object.entries(votes ?? {}),
    ...columns.map((column): [string, unknown] => [column, valueAt(column)])
  ]
  return cast.flatMap(([source, vote]) => {
    if (vote === null || vote === undefined) return []
    const name = String(vote).trim()
    // Label matrices of other programs have -1 where a source abstains; as a class it would be the most frequent one.
    if ((typeof vote !== 'string' && typeof vote !== 'boolean') || name === '-1')
      throw badRow(
        where,
        `the vote of "${source}" is not a class`,
        'the name of a class as text, true, false or, to abstain, null (in a table an empty cell)',
        vote
      )
    return name === '' ? [] : [voteFeature(source, name)]
  })
}

function notOneValue(value: unknown, field: string, where: string): AdfaError {
  const wayOut = Array.isArray(value) ? ' (read a field with several values with `list`)' : ''
  return badRow(where, `field "${field}" is not one value`, `text, a number, true or false${wayOut}`, value)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function numberOf(value: unknown, {field}: NumberField, where: string): number | undefined {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  const shown = typeof value === 'number' ? String(value) : value
  throw badRow(
    where,
    `field "${field}" is not a number`,
    'a number such as 47 or 36.6; correct it, leave it empty, or read the field with `category`',
    shown
  )
}

function listItems(value: unknown = [], field: string, where: string): unknown[] {
  if (!Array.isArray(value))
    throw badRow(
      where,
      `field "${field}" is not a list`,
      'an array such as ["a", "b"] (read a field with one value with `category`)',
      value
    )
  const items = value.filter(item => item !== null && item !== undefined)
  const fault = items.find(item => !isValue(item))
  if (fault === undefined) return items
  throw badRow(where, `field "${field}" has an entry that is not one value`, 'text or numbers', fault)
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/**
 * The name of the bin of a number: `40-50` by width 10; `<18`, `18-40`, `65+` by edges. A bin includes its lower bound
 * and excludes its upper one. Negative bounds are separated by dots, `-20..-10`.
 *
 * Bounds are whole multiples of the width. The quotient is rounded to 15 digits: 0.3 lies in `0.3-0.4` by width 0.1, although 0.3 / 0.1
 * is below 3 in binary arithmetic. Quotients beyond 1e15 therefore fall into coarser bins.
 */
export function binName(value: number, {width, edges}: NumberField): string {
  if (edges !== undefined) return edgeBin(value, edges)
  const lower = Math.floor(Number((value / width).toPrecision(15)))
  const decimals = decimalsOf(width)
  return between(decimalText(lower * width, decimals), decimalText((lower + 1) * width, decimals))
}

function edgeBin(value: number, edges: readonly number[]): string {
  const texts = edges.map(edge => decimalText(edge, decimalsOf(edge)))
  const above = edges.findIndex(edge => value < edge)
  if (above === 0) return `<${texts[0]}`
  return above < 0 ? `${texts.at(-1)}+` : between(texts[above - 1], texts[above])
}

function between(lower: string, upper: string): string {
  return `${lower}${lower.startsWith('-') ? '..' : '-'}${upper}`
}

/** The decimals of the shortest number that reads back as `value`. */
function decimalsOf(value: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const [, fraction = ''] = mantissa.split('.')
  return Math.min(100, Math.max(0, fraction.length - Number(exponent)))
}

/** Without an exponent below 1e21, and without zeros at the end. */
function decimalText(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return decimals === 0 ? text : text.replace(/\.?0+$/, '')
}

/** The error for an invalid row: what is wrong, what is expected, what was found. `where` is "notes.jsonl:12". */
export function badRow(where: string, what: string, rule: string, got: unknown): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; expected ${rule}; got ${shownValue(got)}`)
}
