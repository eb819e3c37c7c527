import {badRow} from './bad-row.ts'
import {binName} from './number-bins.ts'
import {type NumberField, type RowFields, valueName} from './row-fields.ts'

/** The features that the categories, numbers and lists of a row become; what is missing, null or empty becomes none. */
export function valueFeatures(entries: ReadonlyMap<string, unknown>, fields: RowFields, where: string): string[] {
  const {categories = [], numbers = [], lists = [], lowerCase} = fields
  const features: string[] = []
  const add = (field: string, value: string) => {
    const name = valueName(value, lowerCase)
    if (name !== '') features.push(`${field}:${name}`)
  }
  for (const field of categories) {
    const value = entries.get(field)
    if (value !== undefined) add(field, categoryText(value, field, where))
  }
  for (const bins of numbers) {
    const value = numberOf(entries.get(bins.field), bins, where)
    if (value !== undefined) add(bins.field, binName(value, bins))
  }
  for (const field of lists) for (const item of listItems(entries.get(field), field, where)) add(field, item)
  return features
}

function categoryText(value: unknown, field: string, where: string): string {
  if (isValue(value)) return String(value)
  const wayOut = Array.isArray(value) ? ' (a field with several is read with --list)' : ''
  throw badRow(where, `has a "${field}" that is not one value`, `text, a number, true or false${wayOut}`, value)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function numberOf(value: unknown, {field}: NumberField, where: string): number | undefined {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  const shown = typeof value === 'number' ? String(value) : value
  throw badRow(
    where,
    `has a "${field}" that is not a number`,
    'a number such as 47 or 36.6; mend it, leave it empty, or read the field with --category',
    shown
  )
}

function listItems(value: unknown, field: string, where: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value))
    throw badRow(
      where,
      `has a "${field}" that is not a list`,
      'an array such as ["a", "b"] (a field with one value is read with --category)',
      value
    )
  return value
    .filter(item => item !== null && item !== undefined)
    .map(item => {
      if (!isValue(item))
        throw badRow(where, `has a "${field}" with an entry that is not one value`, 'text or numbers', item)
      return String(item)
    })
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
