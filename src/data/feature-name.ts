import {nameParts} from './tokenize.ts'

/** A feature name as the user wrote it, understood. */
export interface FeatureName {
  readonly name: string
  /** The name without its field. */
  readonly rest: string
  /** Index into the text fields, or undefined when it may stand in any of them. */
  readonly field: number | undefined
  /** The words it consists of, in lower case where text is read so. */
  readonly parts: readonly string[]
  readonly pattern: RegExp | undefined
}

/** Read `python`, `title:python`, `text:chest pain`, `/etoh|alcohol/` or `text:/heart (size )?is enlarged/`. */
export function readFeatureName(name: string, fields: readonly string[], lowerCase: boolean): FeatureName {
  const prefixed = fields.findIndex(field => name.startsWith(`${field}:`))
  const field = prefixed < 0 ? undefined : prefixed
  const rest = field === undefined ? name : name.slice(fields[field].length + 1)
  const regex = splitRegex(rest)
  if (regex !== undefined) {
    const flags = new Set([...regex.flags, 'g', ...(lowerCase ? ['i'] : [])])
    return {name, rest, field, parts: [], pattern: new RegExp(regex.source, [...flags].join(''))}
  }
  return {name, rest, field, parts: nameParts(lowerCase ? rest.toLowerCase() : rest), pattern: undefined}
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
