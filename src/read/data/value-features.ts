import {AdfaError, shownValue} from '../../base/checks/index.ts'
import {voteFeature} from './feature-name.ts'
import {type NumberField, valueName} from './row-fields.ts'

/** Gives the value of a row in a field; undefined where it is missing or null. */
type ValueAt = (field: string) => unknown

export interface ValueFields {
  readonly categories: readonly string[]
  readonly numbers: readonly NumberField[]
  readonly lists: readonly string[]
  readonly keepCase: boolean | undefined
}

/** The features from the categories, numbers and lists of a row; missing, null and empty values give none. */
export function valueFeatures(valueAt: ValueAt, fields: ValueFields, where: string): string[] {
  const {categories, numbers, lists, keepCase} = fields
  const features: string[] = []
  const add = (field: string, value: string) => {
    const name = valueName(value, keepCase)
    if (name !== '') features.push(`${field}:${name}`)
  }
  for (const field of categories) {
    const value = valueAt(field)
    if (value !== undefined) add(field, categoryText(value, field, where))
  }
  for (const bins of numbers) {
    const value = numberOf(valueAt(bins.field), bins, where)
    if (value !== undefined) add(bins.field, binName(value, bins))
  }
  for (const field of lists) for (const item of listItems(valueAt(field), field, where)) add(field, item)
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
        `the vote of "${source}" is no class`,
        'the name of a class as text, true, false or, to abstain, null (in a table an empty cell)',
        vote
      )
    return name === '' ? [] : [voteFeature(source, name)]
  })
}

function categoryText(value: unknown, field: string, where: string): string {
  if (isValue(value)) return String(value)
  const wayOut = Array.isArray(value) ? ' (read a field with several values with `list`)' : ''
  throw badRow(where, `field "${field}" is not one value`, `text, a number, true or false${wayOut}`, value)
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

function listItems(value: unknown, field: string, where: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value))
    throw badRow(
      where,
      `field "${field}" is not a list`,
      'an array such as ["a", "b"] (read a field with one value with `category`)',
      value
    )
  return value
    .filter(item => item !== null && item !== undefined)
    .map(item => {
      if (!isValue(item))
        throw badRow(where, `field "${field}" has an entry that is not one value`, 'text or numbers', item)
      return String(item)
    })
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/**
 * The name of the bin of a number: `40-50` by width 10; `<18`, `18-40`, `65+` by edges. A bin includes its lower bound
 * and excludes its upper one. Negative bounds are separated by dots, `-20..-10`.
 *
 * Bounds are whole multiples of the width. Number and width are taken as the decimals that they print as: 0.3 lies in
 * `0.3-0.4` by width 0.1, although 0.3 / 0.1 is below 3 in binary arithmetic. Cost: a few big integers.
 */
export function binName(value: number, bins: NumberField): string {
  if (bins.edges !== undefined) return edgeBin(value, bins.edges)
  const places = Math.max(placesOf(value), placesOf(bins.width))
  const [X, W] = [scaled(value, places), scaled(bins.width, places)]
  const lower = (X >= 0n ? X / W : (X + 1n) / W - 1n) * W
  return between(decimalText(lower, places), decimalText(lower + W, places))
}

function edgeBin(value: number, edges: readonly number[]): string {
  const above = edges.findIndex(edge => value < edge)
  if (above === 0) return `<${plainDecimal(edges[0])}`
  const lower = plainDecimal(edges.at(above < 0 ? -1 : above - 1) ?? 0)
  return above < 0 ? `${lower}+` : between(lower, plainDecimal(edges[above]))
}

function between(lower: string, upper: string): string {
  return `${lower}${lower.startsWith('-') ? '..' : '-'}${upper}`
}

/** The shortest decimal number that reads back as `value`, which is finite: its whole digits, its decimals and its exponent. */
function decimalOf(value: number): [whole: string, fraction: string, exponent: number] {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const [whole, fraction = ''] = mantissa.split('.')
  return [whole, fraction, Number(exponent)]
}

function placesOf(value: number): number {
  const [, fraction, exponent] = decimalOf(value)
  return Math.max(0, fraction.length - exponent)
}

/** `value` times 10^`places`, which is whole. */
function scaled(value: number, places: number): bigint {
  const [whole, fraction, exponent] = decimalOf(value)
  return BigInt(whole + fraction) * 10n ** BigInt(places + exponent - fraction.length)
}

/** Without an exponent. */
function plainDecimal(value: number): string {
  const places = placesOf(value)
  return decimalText(scaled(value, places), places)
}

function decimalText(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : ''
  const all = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const whole = all.slice(0, all.length - places)
  const fraction = all.slice(all.length - places).replace(/0+$/, '')
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The error for an invalid row: what is wrong, what is expected, what was found. `where` is "notes.jsonl:12". */
export function badRow(where: string, what: string, rule: string, got: unknown): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; expected ${rule}; got ${shownValue(got)}`)
}
