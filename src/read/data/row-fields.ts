import {AdfaError, badOption, nearestName} from '../../base/checks/index.ts'

/** A numeric field and its bins: all of one width, or with these edges. */
export type NumberField =
  | {readonly field: string; readonly width: number; readonly edges?: undefined}
  | {readonly field: string; readonly edges: readonly number[]; readonly width?: undefined}

/**
 * Which fields of a row are read, and as what; the id, `features`, tags, `labels` and `votes` are always read. A name also means the
 * field that differs from it only in case or in blanks around it.
 */
export interface RowFields {
  /** Text fields to tokenise; a word from one is named `field:token`. */
  readonly fields: readonly string[]
  /** Fields with one value, which becomes the feature `sex:m`. */
  readonly categories?: readonly string[]
  /** Fields with a number, which becomes the feature `age:40-50`. */
  readonly numbers?: readonly NumberField[]
  /** Fields with a list of values, each of which becomes a feature: `dispensed:naloxone`. */
  readonly lists?: readonly string[]
  /** Fields that are sources of votes, each with a class, true or false: the feature `votes:nurse=alcohol`. */
  readonly votes?: readonly string[]
  /** Whether text and values are lower-cased; true by default. */
  readonly lowerCase?: boolean
  /** Separates the items of `features`, `tags` and other lists in one cell of a table; default `|`. */
  readonly separator?: string
  /** Lists with a separator of their own in a cell of a table: `meds:;`. */
  readonly listSeparators?: readonly string[]
  /** The field with the id; default `id`. */
  readonly idField?: string
  /** The field with the tags; default `tags`. */
  readonly tagsField?: string
  /** Separates tags in one cell of a table; by default, or if empty, `separator` does. */
  readonly tagSeparator?: string
}

/** The names of all fields to read: text, then categories, numbers and lists. */
export function fieldNames(fields: RowFields): string[] {
  return [...fields.fields, ...valueFieldNames(fields)]
}

/** The names of the fields whose values become features. */
export function valueFieldNames({categories = [], numbers = [], lists = []}: RowFields): string[] {
  return [...categories, ...numbers.map(({field}) => field), ...lists]
}

/** The names of all fields that are read for words and anchors: those of {@link fieldNames}, and sources of votes. */
export function inputNames(fields: RowFields): string[] {
  return [...fieldNames(fields), ...(fields.votes ?? [])]
}

/** The value as it is written in the name of its feature. */
export function valueName(value: string, lowerCase: boolean | undefined): string {
  const trimmed = value.trim()
  return lowerCase === false ? trimmed : trimmed.toLowerCase()
}

export function keyFields({idField = 'id', tagsField = 'tags'}: RowFields): {id: string; tags: string} {
  return {id: idField, tags: tagsField}
}

/** The names of all fields that are found by name in whatever case. */
export function soughtNames(fields: RowFields): string[] {
  const {id, tags} = keyFields(fields)
  return [id, tags, ...inputNames(fields)]
}

const FIXED: readonly string[] = ['features', 'labels']

export function checkRowFields(fields: RowFields): void {
  const {fields: text, categories = [], numbers = [], lists = [], votes = []} = fields
  const {id, tags} = keyFields(fields)
  const named = {fields: text, categories, numbers: numbers.map(({field}) => field), lists, votes}
  const reserved = [id, tags, ...FIXED]
  for (const [option, names] of Object.entries(named)) {
    if (names.some(name => isNoName(name) || (name.includes(':') && option !== 'votes')))
      throw badOption('reading', option, 'field names without colons', names)
    const taken = option === 'fields' ? undefined : names.find(name => reserved.includes(name))
    if (taken !== undefined)
      throw badOption('reading', option, `fields other than ${reserved.join(', ')}, which have a fixed meaning`, taken)
  }
  for (const [option, name] of Object.entries({idField: id, tagsField: tags}))
    if (isNoName(name) || FIXED.includes(name)) throw badOption('reading', option, 'the name of a field', name)
  if (id === tags || (tags !== 'tags' && text.includes(tags)))
    throw badOption('reading', 'tagsField', 'a field of its own, not the id and not read as text', tags)
  separatorOf(fields)
  tagSeparatorOf(fields)
  for (const entry of fields.listSeparators ?? []) checkSeparator('listSeparators', entry.slice(entry.indexOf(':') + 1))
  const all = inputNames(fields)
  const twice = all.find((name, at) => all.indexOf(name) < at)
  if (twice !== undefined)
    throw new AdfaError(
      'bad-option',
      `the field "${twice}" is named twice; name it once among \`fields\`, \`categories\`, \`numbers\`, \`lists\` and \`votes\``
    )
  for (const bins of numbers) checkBins(bins)
}

function isNoName(name: unknown): boolean {
  return typeof name !== 'string' || name.trim() === ''
}

/** The separator of list items in a cell, or in a cell of one list; one that would be trimmed away is refused. */
export function separatorOf(fields: Pick<RowFields, 'separator' | 'listSeparators'>, list?: string): string {
  const {separator = '|', listSeparators = []} = fields
  const own = list === undefined ? undefined : listSeparators.find(entry => entry.startsWith(`${list}:`))
  return own === undefined ? checkSeparator('separator', separator) : own.slice(own.indexOf(':') + 1)
}

export function tagSeparatorOf({tagSeparator = '', ...fields}: RowFields): string {
  return tagSeparator === '' ? separatorOf(fields) : checkSeparator('tagSeparator', tagSeparator)
}

function checkSeparator(option: string, separator: unknown): string {
  if (isNoName(separator) && separator !== '\t')
    throw badOption('reading', option, 'a character such as | or ;', separator)
  return String(separator)
}

function checkBins({field, width, edges}: NumberField): void {
  const refuse = (rule: string, got: unknown) => badOption(`field "${field}"`, 'numbers', `binned by ${rule}`, got)
  if (edges === undefined) {
    if (!(Number.isFinite(width) && width > 0)) throw refuse('a width above 0, such as 10', width)
  } else if (width !== undefined) throw refuse('a width or by edges, not both', [width, ...edges])
  else if (
    edges.length === 0 ||
    !edges.every((edge, at) => Number.isFinite(edge) && (at === 0 || edge > edges[at - 1]))
  )
    throw refuse('ascending edges, such as 18,40,65', edges.join(','))
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
  const found: [string, string][] = []
  for (const name of names) {
    if (columns.has(name)) continue
    const key = plain(name)
    let column: string | undefined
    for (const candidate of columns.keys()) {
      if (candidate.length < name.length || plain(candidate) !== key || names.includes(candidate)) continue
      if (column !== undefined)
        throw new AdfaError(
          'bad-document',
          `${where}: "${name}" may mean "${column}" or "${candidate}"; name one of them exactly`
        )
      column = candidate
    }
    if (column !== undefined) found.push([name, column])
  }
  return found
}

/** A question that ends an error about a name that does not exist: `; did you mean "note"?`, or nothing. */
export function didYouMean(name: string, columns: readonly string[]): string {
  const key = plain(name)
  const near = nearestName(key, columns.map(plain))
  const isPart = (column: string) => near === undefined && key.length > 2 && plain(column).includes(key)
  const meant = columns.find(column => plain(column) === near || isPart(column))
  return meant === undefined ? '' : `; did you mean "${meant.trim()}"?`
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}
