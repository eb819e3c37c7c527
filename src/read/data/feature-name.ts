import {createRegex, type Regex} from '../../base/regex/index.ts'
import {fieldsOf, type RowFields, valueName} from './row-fields.ts'
import {nameParts} from './tokenize.ts'

export const NEGATED_PREFIX = 'neg:'

/** A feature name as the user wrote it, parsed. */
export interface FeatureName {
  /** The ready-made feature of that name; for a category, number or list in the case in which values are read. */
  readonly name: string
  /** The name without its field and without `neg:`. */
  readonly rest: string
  readonly negated: boolean
  /** Index into the fields ({@link fieldsOf}), beyond them for a vote, or undefined for any text field. */
  readonly field: number | undefined
  /** Its words, lower-cased where text is. */
  readonly parts: readonly string[]
  readonly pattern: Regex | undefined
}

/**
 * Parse `python`, `title:python`, `text:chest pain`, `/etoh|alcohol/` or `text:/heart (size )?is enlarged/`; with
 * negation, `text:neg:fever`; for a category, number or list `sex:M`, `age:40-50`, `dispensed:/nalox/`; `votes:nurse=alcohol`.
 */
export function readFeatureName(name: string, reading: RowFields & {readonly negation: boolean}): FeatureName {
  const {keepCase, negation} = reading
  const fields = fieldsOf(reading).fieldNames
  const prefixed = fields.findIndex(field => name.startsWith(`${field}:`))
  const field = prefixed < 0 ? undefined : prefixed
  // Sources and classes may have any name, also one that looks like a regular expression.
  if (field === undefined && readVote(name) !== undefined)
    return {name, rest: name, negated: false, field: fields.length, parts: [], pattern: undefined}
  const inField = field === undefined ? name : name.slice(fields[field].length + 1)
  const isValue = prefixed >= reading.text.length
  const negated = negation && !isValue && inField.startsWith(NEGATED_PREFIX)
  const rest = negated ? inField.slice(NEGATED_PREFIX.length) : inField
  const regex = splitRegex(rest)
  if (regex !== undefined) {
    const flags = new Set([...regex.flags, ...(keepCase ? [] : ['i'])])
    return {name, rest, negated, field, parts: [], pattern: createRegex(regex.source, [...flags].join(''))}
  }
  if (isValue) {
    const value = `${fields[prefixed]}:${valueName(rest, keepCase)}`
    return {name: value, rest, negated, field, parts: [], pattern: undefined}
  }
  return {name, rest, negated, field, parts: nameParts(keepCase ? rest : rest.toLowerCase()), pattern: undefined}
}

/** The parts of `/source/flags`, or undefined for an ordinary name. */
function splitRegex(text: string): {source: string; flags: string} | undefined {
  const match = /^\/(.+)\/([a-z]*)$/s.exec(text)
  return match === null ? undefined : {source: match[1], flags: match[2]}
}

/** The field of a row with its votes, an object: source -> class, true, false or null. */
export const VOTES = 'votes'

const PREFIX = `${VOTES}:`

/** The name of the feature of a vote; `=` and `\\` in the name of a source are escaped, so that it can be read back. */
export function voteFeature(source: string, vote: string): string {
  return `${PREFIX}${source.replace(/[\\=]/g, '\\$&')}=${vote}`
}

/** The source and the class of the feature of a vote; undefined for other features. */
export function readVote(feature: string): {readonly source: string; readonly vote: string} | undefined {
  if (!feature.startsWith(PREFIX)) return undefined
  const [, source, vote] = /^((?:[^\\=]|\\.)*)=(.+)$/s.exec(feature.slice(PREFIX.length)) ?? []
  return source === undefined ? undefined : {source: source.replace(/\\(.)/gs, '$1'), vote}
}

const AGAINST = 'not '

export function against(concept: string): string {
  return `${AGAINST}${concept}`
}

/** The class that `not c` is against, where c is among the names; otherwise the class itself. */
export function askedClass(concept: string, names: ReadonlySet<string>): string {
  const opposite = concept.startsWith(AGAINST) ? concept.slice(AGAINST.length) : ''
  return names.has(opposite) ? opposite : concept
}
