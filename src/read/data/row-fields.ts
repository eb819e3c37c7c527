import {AdfaError, badOption, nearestName} from '../../base/checks/index.ts'

/** A numeric field and its bins: all of one width, or with these edges. */
export type NumberField =
  | {readonly field: string; readonly width: number; readonly edges?: undefined}
  | {readonly field: string; readonly edges: readonly number[]; readonly width?: undefined}

/**
 * Which fields of a row are read, and as what, under the names of the command line and of `read` in adfa.json; `features`, `labels` and
 * `votes` are always read. A name also means the column of a table that differs from it only in case or in blanks around it.
 */
export interface RowFields {
  /** Text fields to tokenise; a word from one is named `field:token`. */
  readonly text: readonly string[]
  /** Fields with one value, which becomes the feature `sex:m`. */
  readonly category?: readonly string[]
  /** Fields with a number and its bins, `age:10` or `age:18,40,65` ({@link parseNumberField}); gives the feature `age:40-50`. */
  readonly number?: readonly string[]
  /**
   * Fields with a list of values, each of which becomes a feature: `dispensed:naloxone`. `meds:;` also gives the separator of the
   * items in a cell of a table.
   */
  readonly list?: readonly string[]
  /** Fields that are sources of votes, each with a class, true or false: the feature `votes:nurse=alcohol`. */
  readonly votes?: readonly string[]
  /** Whether text and values keep their case; otherwise they are lower-cased. */
  readonly keepCase?: boolean
  /** Separates the items of `features`, `tags` and other lists in one cell of a table; default `|`. */
  readonly separator?: string
  /** The field with the id; default `id`. */
  readonly id?: string
  /** The field with the tags; default `tags`. */
  readonly tags?: string
  /** Separates tags in one cell of a table; by default, or if empty, `separator` does. */
  readonly tagSeparator?: string
}

export const numberFieldRule = 'a field and its bins: age:10 (a width) or age:18,40,65 (edges)'

/** `age:10`: bins of equal width; `age:18,40,65`: bins with given edges; a single edge is `age:65+`. */
export function parseNumberField(text: string): NumberField {
  const [, name, numbers, plus] = /^([^:]+):([^:]+?)(\+?)$/.exec(text) ?? []
  const bounds = numbers?.split(',').map(bound => (bound.trim() === '' ? Number.NaN : Number(bound)))
  const isAscending = bounds?.every((bound, at) => Number.isFinite(bound) && (at === 0 || bound > bounds[at - 1]))
  const isWidth = bounds?.length === 1 && plus === ''
  if (bounds === undefined || !isAscending || (isWidth && bounds[0] <= 0) || isNoName(name))
    throw badOption('reading', 'number', numberFieldRule, text)
  return isWidth ? {field: name.trim(), width: bounds[0]} : {field: name.trim(), edges: bounds}
}

/** The field with its bins in the one way that files store them. */
export function numberFieldText({field, width, edges}: NumberField): string {
  if (edges === undefined) return `${field}:${width}`
  return `${field}:${edges.join(',')}${edges.length === 1 ? '+' : ''}`
}

/** The name of a list, which its own separator may follow. */
export function listName(entry: string): string {
  const colon = entry.indexOf(':')
  return colon > 0 && colon < entry.length - 1 ? entry.slice(0, colon) : entry
}

/**
 * The columns of ids and tags, and the separator of tags, where they are named. They describe a file, so they may differ from
 * those of a model or of counts.
 */
export function keyColumns({id, tags, tagSeparator}: Partial<RowFields>): Partial<RowFields> {
  return {
    ...(id !== undefined && {id: id.trim()}),
    ...(tags !== undefined && {tags: tags.trim()}),
    ...(tagSeparator !== undefined && {tagSeparator})
  }
}

/** A reading with its defaults and its entries parsed. */
export type ParsedFields = ReturnType<typeof parseFields>

const parsed = new WeakMap<RowFields, ParsedFields>()

/** The fields of a reading. They are parsed once, since every row asks for them. */
export function fieldsOf(reading: RowFields): ParsedFields {
  const fields = parsed.get(reading) ?? parseFields(reading)
  parsed.set(reading, fields)
  return fields
}

function parseFields(reading: RowFields) {
  const {text, category = [], number = [], list = [], votes = [], keepCase = false} = reading
  const {id = 'id', tags = 'tags', separator: given = '|', tagSeparator = ''} = reading
  const separator = checkSeparator('separator', given)
  const numbers = number.map(parseNumberField)
  const lists = list.map(entry => {
    const name = listName(entry)
    return {name, separator: name === entry ? separator : checkSeparator('list', entry.slice(name.length + 1))}
  })
  const valueNames = [...category, ...numbers.map(({field}) => field), ...lists.map(({name}) => name)]
  return {
    ...{text, category, numbers, lists, votes, keepCase, id, tags},
    /** Separates the items of `features` in one cell of a table. */
    separator,
    tagSeparator: tagSeparator === '' ? separator : checkSeparator('tagSeparator', tagSeparator),
    /** The names of the fields whose values become features. */
    valueNames,
    /** The names of all fields to read: text, then categories, numbers and lists. */
    fieldNames: [...text, ...valueNames],
    /** The names of all fields that are read for words and anchors: also sources of votes. */
    inputNames: [...text, ...valueNames, ...votes]
  }
}

/** A separator of list items in a cell; one that would be trimmed away is refused. */
function checkSeparator(option: string, separator: unknown): string {
  if (isNoName(separator) && separator !== '\t')
    throw badOption('reading', option, 'a character such as | or ;', separator)
  return String(separator)
}

export function inputNames(reading: RowFields): string[] {
  return fieldsOf(reading).inputNames
}

/** The value as it is written in the name of its feature. */
export function valueName(value: string, keepCase: boolean | undefined): string {
  return keepCase ? value.trim() : value.trim().toLowerCase()
}

const FIXED: readonly string[] = ['features', 'labels']

export function checkRowFields(fields: RowFields): void {
  const {text, category, numbers, lists, votes, id, tags, inputNames: all} = fieldsOf(fields)
  const named = {
    ...{text, category, votes},
    number: numbers.map(({field}) => field),
    list: lists.map(({name}) => name)
  }
  const reserved = [id, tags, ...FIXED]
  for (const [option, names] of Object.entries(named)) {
    if (names.some(name => isNoName(name) || (name.includes(':') && option !== 'votes')))
      throw badOption('reading', option, 'field names without colons', names)
    const taken = option === 'text' ? undefined : names.find(name => reserved.includes(name))
    if (taken !== undefined)
      throw badOption('reading', option, `fields other than ${reserved.join(', ')}, which have a fixed meaning`, taken)
  }
  for (const [option, name] of Object.entries({id, tags}))
    if (isNoName(name) || FIXED.includes(name)) throw badOption('reading', option, 'the name of a field', name)
  if (id === tags || (tags !== 'tags' && text.includes(tags)))
    throw badOption('reading', 'tags', 'a field of its own, not the id and not read as text', tags)
  const twice = all.find((name, at) => all.indexOf(name) < at)
  if (twice !== undefined)
    throw new AdfaError(
      'bad-option',
      `the field "${twice}" is named twice; name it once among \`text\`, \`category\`, \`number\`, \`list\` and \`votes\``
    )
}

function isNoName(name: unknown): boolean {
  return typeof name !== 'string' || name.trim() === ''
}

/**
 * The column that each name means, for names that are not columns themselves: the one that differs only in case or in
 * blanks around it. A column that another name means exactly is not taken.
 */
export function otherSpellings(
  names: readonly string[],
  columns: {has(name: string): boolean; keys(): Iterable<string>},
  where: string
): readonly (readonly [name: string, column: string])[] {
  const absent = names.filter(name => !columns.has(name))
  if (absent.length === 0) return []
  const free = [...columns.keys()]
    .filter(column => !names.includes(column))
    .map(column => ({column, key: plainName(column)}))
  return absent.flatMap((name): [string, string][] => {
    const [one, other] = free.filter(({key}) => key === plainName(name))
    if (other !== undefined)
      throw new AdfaError(
        'bad-document',
        `${where}: "${name}" may mean "${one.column}" or "${other.column}"; name one of them exactly`
      )
    return one === undefined ? [] : [[name, one.column]]
  })
}

/** A question that ends an error about a name that does not exist: `; did you mean "note"?`, or nothing. */
export function didYouMean(name: string, columns: readonly string[]): string {
  const key = plainName(name)
  const near = nearestName(key, columns.map(plainName))
  const isPart = (column: string) => near === undefined && key.length > 2 && plainName(column).includes(key)
  const meant = columns.find(column => plainName(column) === near || isPart(column))
  return meant === undefined ? '' : `; did you mean "${meant.trim()}"?`
}

/** The name without case and without blanks around it. */
function plainName(name: string): string {
  return name.trim().toLowerCase()
}
