import {AdfaError, jsonEntries} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {VOTES} from './feature-name.ts'
import {
  didYouMean,
  fieldNames,
  inputNames,
  keyFields,
  listName,
  otherSpellings,
  parseNumberField,
  plainName,
  type RowFields,
  soughtNames,
  valueFieldNames
} from './row-fields.ts'
import {badRow, valueFeatures, voteFeatures, votesOf} from './value-features.ts'

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
  const plan = plans.get(fields) ?? createPlan(fields)
  plans.set(fields, plan)
  const valueAt = valuesOf(value as Readonly<Record<string, unknown>>, plan, where)
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
  const votes = plan.hasVotes ? votesOf(valueAt(VOTES)) : undefined
  if (text.size === 0 && given === undefined && votes === undefined && !hasAny(value, plan.made))
    throw noUsableField(value, fields, where)
  const id = exact(valueAt(plan.id), plan.id)
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw badRow(where, `field "${plan.id}" is neither text nor a number`, 'a string or a number', id)
  if (typeof id === 'number' && !Number.isFinite(id))
    throw badRow(where, `field "${plan.id}" is not a finite number`, 'a number up to 1e308, or text in quotes', id)
  const isPlain = plan.made.length === 0 && votes === undefined
  const features = isPlain
    ? (given ?? [])
    : [
        ...(given ?? []),
        ...valueFeatures(valueAt, plan.values, where),
        ...voteFeatures(votes, valueAt, plan.votes, where)
      ]
  checkFeatureCount(features.length, where)
  return {
    id,
    text,
    features,
    tags: stringList(valueAt(plan.tags), plan.tags, where),
    labels: labelMap(valueAt('labels'), where),
    ...(record && {record})
  }
}

/** A row of which nothing is read but its record. */
export function rowOfRecord(record: SourceRecord): Row {
  return {id: undefined, text: new Map(), features: [], tags: undefined, labels: undefined, record}
}

type RowPlan = ReturnType<typeof createPlan>

/** Made once for the rows of a file. */
const plans = new WeakMap<RowFields, RowPlan>()

/** The names of fields as every row is read by them. */
function createPlan(fields: RowFields) {
  const {category = [], number = [], list = [], votes = [], keepCase} = fields
  const values = {categories: category, numbers: number.map(parseNumberField), lists: list.map(listName), keepCase}
  const sought = soughtNames(fields)
  return {
    ...keyFields(fields),
    values,
    votes,
    /** Whether the field `votes` is that of votes, and not read as something else. */
    hasVotes: !fieldNames(fields).includes(VOTES),
    /** The fields that become features. */
    made: [...valueFieldNames(fields), ...votes],
    sought,
    keys: new Set(sought.map(plainName))
  }
}

/** The values of a row by the names of fields; null counts as missing. */
function valuesOf(row: Readonly<Record<string, unknown>>, {sought, keys}: RowPlan, where: string) {
  const own = (column: string) => (Object.hasOwn(row, column) ? (row[column] ?? undefined) : undefined)
  // Few rows have columns in another spelling, and looking for one is faster than for what each name means.
  const isOther = (column: string) => !sought.includes(column) && keys.has(plainName(column))
  if (!Object.keys(row).some(isOther)) return own
  const others = new Map(otherSpellings(sought, new Set(filledColumns(row)), where))
  return (name: string) => own(others.get(name) ?? name)
}

function filledColumns(row: object): string[] {
  return Object.entries(row).flatMap(([column, value]) => (value === null || value === undefined ? [] : [column]))
}

/** Whether the row has one of the fields, perhaps without a value. */
function hasAny(row: object, names: readonly string[]): boolean {
  const columns = new Set(Object.keys(row))
  return names.some(name => columns.has(name) || otherSpellings([name], columns, '').length > 0)
}

function noUsableField(row: object, fields: RowFields, where: string): AdfaError {
  const found = filledColumns(row)
  const names = inputNames(fields)
  const needed = names.length === 0 ? '' : ` or one of the fields ${names.join(', ')}`
  const nearest = names.map(name => didYouMean(name, found)).find(question => question !== '') ?? ''
  return new AdfaError(
    'bad-document',
    `${where}: the row has no usable field; a document needs "features"${needed}; it has ${firstNames(found) || 'nothing'}; ` +
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
 * two documents could share an id; such an id is the text of the number.
 *
 * @param name the key of the id, in any case
 */
export function exactId(id: unknown, json: string, name: string): unknown {
  if (typeof id !== 'number' || Number.isSafeInteger(id) || !Number.isFinite(id)) return id
  const entries = jsonEntries(json, json.indexOf('{'))
  // Of two, the last one counts, as for JSON.parse.
  const found =
    entries.findLast(({key}) => key === name) ?? entries.findLast(({key}) => plainName(key) === plainName(name))
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
