import {AdfaError} from '../../base/checks/index.ts'
import {binName, type NumberField, type TextOptions} from '../data/index.ts'
import type {TextDialect} from './dialects.ts'
import {tokensInSql} from './sql-tokens.ts'

/** The words of a document from one of its columns. */
export interface WordList {
  readonly column: string
  /** A list of text; a name without anything after its `prefix` stands for an empty field. */
  readonly list: string
  readonly prefix: string
}

/** The words of a document as lists, one per field; `phrases` are those of text that are read as one word, each as its parts. */
export function wordLists(
  sql: TextDialect,
  {fields, categories, numbers, lists, lowerCase}: TextOptions,
  phrases: readonly (readonly string[])[]
): WordList[] {
  const cased = (value: string) => (lowerCase ? sql.lower(value) : value)
  const trimmed = (value: string) => cased(sql.replace(value, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', ''))
  const one = (value: string) => sql.split(value, '\x07')
  const text = (column: string) => sql.plainText(sql.identifier(column))
  const from = (column: string, values: string): WordList => {
    const prefix = `${column}:`
    return {column, prefix, list: sql.map(values, item => `concat(${sql.text(prefix)}, ${item})`)}
  }
  return [
    ...fields.map(column => from(column, tokensInSql(sql, cased(text(column)), phrases))),
    ...categories.map(column => from(column, one(trimmed(text(column))))),
    ...numbers.map(bins => from(bins.field, one(binInSql(sql, bins)))),
    ...lists.map(column => from(column, sql.map(sql.plainList(sql.identifier(column)), trimmed)))
  ]
}

/** The name of the bin of a number, as `binName` gives it. */
function binInSql(sql: TextDialect, bins: NumberField): string {
  const {field, width, edges} = bins
  const number = sql.plainNumber(sql.identifier(field))
  if (edges !== undefined) {
    const cases = edges.map((edge, at) => {
      const below = binName(at === 0 ? Number.NEGATIVE_INFINITY : edges[at - 1], bins)
      return `WHEN ${number} < ${edge} THEN ${sql.text(below)}`
    })
    const last = sql.text(binName(edges[edges.length - 1], bins))
    return `coalesce(CASE WHEN ${number} IS NULL THEN '' ${cases.join(' ')} ELSE ${last} END, '')`
  }
  if (!Number.isSafeInteger(width))
    throw new AdfaError(
      'bad-option',
      `"${field}" has bins of ${width}, and SQL divides in binary; use a whole width, or edges`
    )
  const lower = `floor(${number} / ${width}) * ${width}`
  const joint = `CASE WHEN ${number} < 0 THEN '..' ELSE '-' END`
  return `coalesce(concat(${sql.whole(lower)}, ${joint}, ${sql.whole(`${lower} + ${width}`)}), '')`
}
