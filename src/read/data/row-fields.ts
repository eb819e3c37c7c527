import {AdfaError} from '../../base/checks/index.ts'

/** A field with a number, and the bins it is put in: all of one width, or with these edges. */
export type NumberField =
  | {readonly field: string; readonly width: number; readonly edges?: undefined}
  | {readonly field: string; readonly edges: readonly number[]; readonly width?: undefined}

/** Which fields of a row are read, and as what; `id`, `features`, `tags` and `labels` are read in any case. */
export interface RowFields {
  /** Text fields to tokenise; a word from one is named `field:token`. */
  readonly fields: readonly string[]
  /** Fields with one value, which becomes the feature `sex:m`. */
  readonly categories?: readonly string[]
  /** Fields with a number, which becomes the feature `age:40-50`. */
  readonly numbers?: readonly NumberField[]
  /** Fields with a list of values, each of which becomes a feature: `dispensed:naloxone`. */
  readonly lists?: readonly string[]
  /** Whether text and values are put in lower case; they are by default. */
  readonly lowerCase?: boolean
}

/** The names of all fields asked for: text, then categories, numbers and lists. */
export function fieldNames(fields: RowFields): string[] {
  return [...fields.fields, ...valueFieldNames(fields)]
}

/** The names of the fields whose values become features as they are. */
export function valueFieldNames({categories = [], numbers = [], lists = []}: RowFields): string[] {
  return [...categories, ...numbers.map(({field}) => field), ...lists]
}

/** The value as it stands in the name of its feature. */
export function valueName(value: string, lowerCase: boolean | undefined): string {
  const trimmed = value.trim()
  return lowerCase === false ? trimmed : trimmed.toLowerCase()
}

const OWN_MEANING: ReadonlySet<string> = new Set(['id', 'features', 'tags', 'labels'])

/** Refuse names and bins that make no sense. */
export function checkRowFields(fields: RowFields): void {
  const refuse = (name: string, rule: string, got: unknown) =>
    new AdfaError('bad-option', `${name} is ${rule}; got ${JSON.stringify(got)}`)
  const {fields: text, categories = [], numbers = [], lists = []} = fields
  const named = {text, category: categories, number: numbers.map(({field}) => field), list: lists}
  for (const [kind, names] of Object.entries(named)) {
    if (names.some(name => typeof name !== 'string' || name.trim() === '' || name.includes(':')))
      throw refuse(kind, 'a list of field names without colons', names)
    const taken = names.find(name => OWN_MEANING.has(name))
    if (kind !== 'text' && taken !== undefined)
      throw refuse(kind, `a list of fields other than ${[...OWN_MEANING].join(', ')}, which have a meaning`, taken)
  }
  const all = fieldNames(fields)
  const twice = all.find((name, at) => all.indexOf(name) < at)
  if (twice !== undefined)
    throw new AdfaError(
      'bad-option',
      `the field "${twice}" is named twice; a field is read in one way; name it once among text, category, number and list`
    )
  for (const bins of numbers) checkBins(bins)
}

function checkBins({field, width, edges}: NumberField): void {
  const refuse = (rule: string, got: unknown) =>
    new AdfaError('bad-option', `number ${field}: ${rule}; got ${Array.isArray(got) ? got.join(',') : got}`)
  if (edges === undefined) {
    if (!(Number.isFinite(width) && width > 0))
      throw refuse('the width of its bins is a number above 0, such as 10', width)
    return
  }
  if (width !== undefined) throw refuse('its bins have a width or edges, not both', [width, ...edges])
  if (edges.length === 0 || !edges.every(Number.isFinite) || edges.some((edge, at) => at > 0 && edge <= edges[at - 1]))
    throw refuse('the edges of its bins are numbers from low to high, each once, such as 18,40,65', edges)
}
