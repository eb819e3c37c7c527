import type {TextOptions} from './lexicon.ts'
import {fieldNames, valueName} from './row-fields.ts'
import {nameParts} from './tokenize.ts'

/** Stands before the name of a word that the text negates. */
export const NEGATED_PREFIX = 'neg:'

/** A feature name as the user wrote it, understood. */
export interface FeatureName {
  /** The ready-made feature of that name; of a category, number or list in the case that values are read in. */
  readonly name: string
  /** The name without its field and without `neg:`. */
  readonly rest: string
  /** Whether it is a negated mention (`text:neg:fever`). */
  readonly negated: boolean
  /** Index into the fields ({@link fieldNames}), or undefined when it may stand in any text field. */
  readonly field: number | undefined
  /** The words it consists of, in lower case where text is read so. */
  readonly parts: readonly string[]
  readonly pattern: RegExp | undefined
}

/**
 * Read `python`, `title:python`, `text:chest pain`, `/etoh|alcohol/` or `text:/heart (size )?is enlarged/`, and, where
 * negation is read, `text:neg:fever`; of a category, number or list `sex:M`, `age:40-50`, `dispensed:/nalox/`.
 */
export function readFeatureName(name: string, text: TextOptions): FeatureName {
  const {lowerCase, negation} = text
  const fields = fieldNames(text)
  const prefixed = fields.findIndex(field => name.startsWith(`${field}:`))
  const field = prefixed < 0 ? undefined : prefixed
  const inField = field === undefined ? name : name.slice(fields[field].length + 1)
  const isValue = prefixed >= text.fields.length
  const negated = negation && !isValue && inField.startsWith(NEGATED_PREFIX)
  const rest = negated ? inField.slice(NEGATED_PREFIX.length) : inField
  const regex = splitRegex(rest)
  if (regex !== undefined) {
    const flags = new Set([...regex.flags, 'g', ...(lowerCase ? ['i'] : [])])
    return {name, rest, negated, field, parts: [], pattern: new RegExp(regex.source, [...flags].join(''))}
  }
  if (isValue) {
    const value = `${fields[prefixed]}:${valueName(rest, lowerCase)}`
    return {name: value, rest, negated, field, parts: [], pattern: undefined}
  }
  return {name, rest, negated, field, parts: nameParts(lowerCase ? rest.toLowerCase() : rest), pattern: undefined}
}

/** The parts of `/source/flags`, or undefined for an ordinary name. */
export function splitRegex(text: string): {source: string; flags: string} | undefined {
  const match = /^\/(.+)\/([a-z]*)$/s.exec(text)
  return match === null ? undefined : {source: match[1], flags: match[2]}
}

/**
 * The paper's anchor rule for a tag: its own name in one of `fields`. A name space in front (`works-with::text`) is not
 * part of the name.
 */
export function tagAnchorFeatures(tag: string, fields: readonly string[]): string[] {
  const own = tag.split(/:+/).findLast(part => part !== '') ?? tag
  return fields.map(field => `${field}:${own}`)
}
