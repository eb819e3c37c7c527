import {AdfaError} from '../../base/checks/index.ts'
import {binName, listName, type NumberField, parseNumberField, type TextOptions} from '../data/index.ts'
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
  {text: fields, category, number, list, keepCase}: TextOptions,
  phrases: readonly (readonly string[])[]
): WordList[] {
  const cased = (value: string) => (keepCase ? value : sql.lower(lowered(sql, value)))
  const trimmed = (value: string) => cased(sql.replace(value, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', ''))
  const one = (value: string) => sql.split(value, '\x07')
  const text = (column: string) => sql.plainText(sql.identifier(column))
  const from = (column: string, values: string): WordList => {
    const prefix = `${column}:`
    return {column, prefix, list: sql.map(values, item => `concat(${sql.text(prefix)}, ${item})`)}
  }
  return [
    ...fields.map(column => from(column, tokensInSql(sql, cased(text(column)), phrases))),
    ...category.map(column => from(column, one(trimmed(text(column))))),
    ...number.map(parseNumberField).map(bins => from(bins.field, one(binInSql(sql, bins)))),
    ...list.map(listName).map(column => from(column, sql.map(sql.plainList(sql.identifier(column)), trimmed)))
  ]
}

/** Characters that do not end a word where letters change their case, and the letters that do. */
const IGNORED =
  "\\p{Mn}\\p{Me}\\p{Cf}\\p{Lm}\\p{Sk}'.:\u00b7\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"
const CASED = '\\p{Lu}\\p{Ll}\\p{Lt}'

/** Lower case where databases have another one: a sigma at the end of a word, and the capital i with a dot. */
function lowered(sql: TextDialect, text: string): string {
  const finalSigma = `([${CASED}][${IGNORED}]*)\u03a3([${IGNORED}]*(?:[^${CASED}${IGNORED}]|$))`
  return sql.replace(sql.replace(text, finalSigma, '\\1\u03c2\\2'), '\u0130', 'i\u0307')
}

/** The name of the bin of a number, as `binName` gives it. */
function binInSql(sql: TextDialect, bins: NumberField): string {
  const {field, width, edges} = bins
  const number = sql.plainNumber(sql.identifier(field))
  // Some databases join texts as if a null among them were empty.
  const known = (bin: string) => `coalesce(CASE WHEN ${number} IS NULL THEN '' ${bin} END, '')`
  if (edges !== undefined) {
    const cases = edges.map((edge, at) => {
      const below = binName(at === 0 ? Number.NEGATIVE_INFINITY : edges[at - 1], bins)
      return `WHEN ${number} < ${edge} THEN ${sql.text(below)}`
    })
    const last = sql.text(binName(edges[edges.length - 1], bins))
    return known(`${cases.join(' ')} ELSE ${last}`)
  }
  if (!Number.isSafeInteger(width))
    throw new AdfaError(
      'bad-option',
      `"${field}" has bins of ${width}, and SQL divides in binary; use a whole width, or edges`
    )
  const lower = `floor(${number} / ${width}) * ${width}`
  const joint = `CASE WHEN ${number} < 0 THEN '..' ELSE '-' END`
  return known(`ELSE concat(${sql.whole(lower)}, ${joint}, ${sql.whole(`${lower} + ${width}`)})`)
}
