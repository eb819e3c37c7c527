import {counted, firstNames} from '../../base/text/index.ts'
import {inputNames, keyFields, parseRow, type Row, type RowFields} from '../data/index.ts'
import {binaryValue, documentError, namedColumns, parseCell, type ReaderContext} from '../reading/index.ts'
import {type ArffAttribute, type ArffHeader, arffWords, wordText} from './arff-header.ts'

interface Column {
  readonly attribute: ArffAttribute
  readonly take: Take
}

/** Turns a line of data into a document; `number` is that of the row, from 1. */
export type ParseArffRow = (line: string, where: string, number: number) => Row

/**
 * Prepare to read rows, dense (`1,0,?`) or sparse (`{0 1, 7 red}`). What a sparse row omits is 0, or the *first* value
 * of a nominal attribute, as in Weka.
 */
export function createArffRows(
  header: ArffHeader,
  labels: ReadonlySet<number> | undefined,
  context: ReaderContext
): ParseArffRow {
  const keys = keyFields(context.fields)
  const asked = askedAttributes(header, labels, context)
  const isAsked = (at: number) => !labels?.has(at) && isField(asked[at], context.fields)
  const columns = header.attributes.map((given, at): Column => {
    const attribute = isAsked(at) ? asked[at] : given
    return {attribute, take: labels?.has(at) ? takeLabel(attribute, context.name) : takeValue(attribute, context)}
  })
  const labelNames = header.attributes.filter((_, at) => labels?.has(at)).map(({name}) => name)
  const defaults = placesWithDefault(columns)
  checkUse(asked, labels, context)
  return (line, where, number) => {
    const words = arffWords(line, where)
    const draft = newDraft()
    if (words[0] === '{') readSparse(words, {columns, defaults}, draft, where)
    else readDense(words, columns, draft, where)
    const {value, features, tags, unknown} = draft
    const known = labelNames.filter(name => !unknown.has(name))
    if (labels !== undefined && unknown.size === 0) value[keys.tags] = tags
    else if (known.length > 0) {
      const present = new Set(tags)
      value.labels = Object.fromEntries(known.map(name => [name, present.has(name)]))
    }
    value[keys.id] ??= number
    // Always present: a row without any value is a document too.
    value.features = features
    return parseRow(value, context.fields, where)
  }
}

/** The attributes under the names by which fields are asked for. Words of a bag of words may differ in case only. */
function askedAttributes(
  {attributes}: ArffHeader,
  labels: ReadonlySet<number> | undefined,
  context: ReaderContext
): readonly ArffAttribute[] {
  const hasValues = inputNames(context.fields).length > context.fields.fields.length
  const places = attributes.flatMap(({kind}, at) => (!labels?.has(at) && (hasValues || kind === 'text') ? [at] : []))
  const found = namedColumns(
    places.map(at => attributes[at].name),
    context,
    context.name
  )
  const names = new Map(places.map((at, index) => [at, found[index]]))
  return attributes.map((attribute, at) => ({...attribute, name: names.get(at) ?? attribute.name}))
}

/** Refuse a file none of whose attributes becomes a word. */
function checkUse(
  attributes: readonly ArffAttribute[],
  labels: ReadonlySet<number> | undefined,
  context: ReaderContext
): void {
  const keys: readonly string[] = Object.values(keyFields(context.fields))
  const isUsed = (attribute: ArffAttribute) =>
    attribute.kind === 'number' ||
    attribute.kind === 'nominal' ||
    (!keys.includes(attribute.name) && isField(attribute, context.fields))
  if (attributes.some((attribute, at) => !labels?.has(at) && isUsed(attribute))) return
  const names = attributes.map(({name}) => name)
  throw documentError(
    context.name,
    `none of the attributes can be used: ${firstNames(names)}`,
    `a document needs attributes with numbers or values, or one of the fields ${inputNames(context.fields).join(', ')}; ` +
      'name the attributes to read in `text`, `category` or `list`'
  )
}

function readDense(words: readonly string[], columns: readonly Column[], draft: Draft, where: string): void {
  if (words.length !== columns.length)
    throw documentError(
      where,
      `the row has ${counted(words.length, 'value')}`,
      `there are ${columns.length} attributes, so every row needs as many values; put values with blanks or commas in quotes`
    )
  for (const [at, {take}] of columns.entries()) take(valueText(words[at]), draft, where)
}

function readSparse(
  words: readonly string[],
  {columns, defaults}: {readonly columns: readonly Column[]; readonly defaults: readonly number[]},
  draft: Draft,
  where: string
): void {
  const end = words.length - 1
  if (words[end] !== '}' || end % 2 === 0)
    throw documentError(
      where,
      'the sparse row is not whole',
      'it is written {index value, index value}, without a weight'
    )
  let next = 0
  let previous = -1
  const takeDefaults = (before: number) => {
    for (; next < defaults.length && defaults[next] < before; next++) {
      const {attribute, take} = columns[defaults[next]]
      take(defaultText(attribute), draft, where)
    }
  }
  for (let at = 1; at < end; at += 2) {
    const place = /^\d+$/.test(words[at]) ? Number(words[at]) : Number.NaN
    if (!(place > previous && place < columns.length))
      throw documentError(
        where,
        `the sparse row has the index ${words[at]}${previous < 0 ? '' : ` after ${previous}`}`,
        `indices are whole numbers from 0 to ${columns.length - 1} and rise`
      )
    takeDefaults(place)
    if (defaults[next] === place) next++
    columns[place].take(valueText(words[at + 1]), draft, where)
    previous = place
  }
  takeDefaults(columns.length)
}

/** The text of a value; undefined where it is missing. */
function valueText(word: string): string | undefined {
  return word === '?' ? undefined : wordText(word)
}

/** The value of an attribute that a sparse row omits. Text and dates have none. */
function defaultText(attribute: ArffAttribute): string | undefined {
  if (attribute.kind === 'number') return '0'
  return attribute.kind === 'nominal' ? attribute.values[0] : undefined
}

/** The attributes that add something to a row that omits them: few, so that sparse rows stay cheap. */
function placesWithDefault(columns: readonly Column[]): readonly number[] {
  const places: number[] = []
  for (const [at, {attribute, take}] of columns.entries()) {
    const text = defaultText(attribute)
    if (text === undefined) continue
    const draft = newDraft()
    take(text, draft, '')
    if (draft.features.length + draft.tags.length + Object.keys(draft.value).length > 0) places.push(at)
  }
  return places
}

/** What the values of one row are collected in. */
interface Draft {
  /** The fields asked for, by name. */
  readonly value: Record<string, unknown>
  readonly features: string[]
  readonly tags: string[]
  /** The labels that are missing in the row. */
  readonly unknown: Set<string>
}

function newDraft(): Draft {
  return {value: Object.create(null), features: [], tags: [], unknown: new Set()}
}

/** Puts the value of one attribute into the draft; undefined where it is missing. */
type Take = (text: string | undefined, draft: Draft, where: string) => void

/** Reads a label, which must be true or false. Errors of the attribute itself name `file`. */
function takeLabel(attribute: ArffAttribute, file: string): Take {
  const {name, kind} = attribute
  const refuse = (place: string, got: string) =>
    documentError(
      place,
      `the label "${name}" ${got}`,
      'labels are 0 or 1, false or true, no or yes; turn it into such labels'
    )
  const meanings = new Map(Object.entries({0: false, 1: true, false: false, true: true, no: false, yes: true}))
  if (kind === 'text' || kind === 'date') throw refuse(file, `is of the type ${kind === 'text' ? 'string' : 'date'}`)
  const odd = kind === 'nominal' ? attribute.values.find(value => !meanings.has(value.toLowerCase())) : undefined
  if (odd !== undefined) throw refuse(file, `may have the value "${odd}"`)
  return (text, {tags, unknown}, where) => {
    if (text === undefined) {
      unknown.add(name)
      return
    }
    const isPresent = kind === 'number' ? binaryValue(text) : meanings.get(text.toLowerCase())
    if (isPresent === undefined) throw refuse(where, `has the value "${text}"`)
    if (isPresent) tags.push(name)
  }
}

/** Reads an attribute that is not a label: as a field asked for, as a feature, or not at all. */
function takeValue(attribute: ArffAttribute, {fields}: ReaderContext): Take {
  const {name, kind} = attribute
  if (isField(attribute, fields)) return takeField(name, fields)
  if (kind === 'number') return takeNumber(name)
  if (kind === 'nominal') return takeNominal(name, attribute.values)
  return () => {}
}

/** Whether an attribute is a field asked for, the id or the tags. A word of a bag of words may be called "text"; the field is a string. */
function isField({name, kind}: ArffAttribute, fields: RowFields): boolean {
  const {id, tags} = keyFields(fields)
  if (name === id || name === tags) return kind === 'text'
  return inputNames(fields).includes(name) && (kind === 'text' || !fields.fields.includes(name))
}

function takeField(name: string, fields: RowFields): Take {
  return (text, {value}, where) => {
    value[name] = text === undefined ? undefined : parseCell(text, name, fields, where)
  }
}

function takeNumber(name: string): Take {
  return (text, {features}, where) => {
    if (text === undefined || text === '0') return
    const isThere = binaryValue(text)
    if (isThere === undefined)
      throw documentError(
        where,
        `the attribute "${name}" has the value ${text}`,
        'a number is taken as a word when it is 0 (absent) or 1 (present); ' +
          `read it in bins (\`number\` "${name}:10"), write 1 for every value above 0, or remove the attribute`
      )
    if (isThere) features.push(name)
  }
}

function takeNominal(name: string, values: readonly string[]): Take {
  const isBinary = values.every(value => value === '0' || value === '1')
  const featureOf = new Map(
    values.map(value => [value, isBinary ? (value === '1' ? name : undefined) : `${name}:${value}`])
  )
  return (text, {features}, where) => {
    if (text === undefined) return
    if (!featureOf.has(text)) {
      throw documentError(
        where,
        `the attribute "${name}" has the value "${text}"`,
        `its values are ${firstNames(values)}`
      )
    }
    const feature = featureOf.get(text)
    if (feature !== undefined) features.push(feature)
  }
}
