/**
 * These functions check parsed JSON of unknown shape. Each returns the value as the type it must have, or throws an Error that
 * begins with the path of the value, such as `anchors[2].rates`.
 */

export type JsonObject = Readonly<Record<string, unknown>>

/** Values nested deeper than this are refused, since recursive functions could overflow the stack; adfa never writes such values. */
const MAX_DEPTH = 100

/** Parses JSON from outside; throws an Error for text that is not JSON, and for values that are nested too deeply. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new Error(`lists and objects are nested more than ${MAX_DEPTH} deep`)
    const next: unknown[] = []
    for (const outer of level)
      if (typeof outer === 'object' && outer !== null)
        for (const inner of Array.isArray(outer) ? outer : Object.values(outer))
          if (typeof inner === 'object' && inner !== null) next.push(inner)
    level = next
  }
  return value
}

/** Returns a value as errors quote it: JSON, cut after `maxLength` characters, however large or deep the value is. */
export function shownValue(value: unknown, maxLength = 80): string {
  const text = jsonStart(value, maxLength, 0)
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text
}

/** Returns JSON whose first `maxLength` characters are right; what would come later may be left out. */
function jsonStart(value: unknown, maxLength: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxLength + 1))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let length = 2
  if (depth < 10)
    for (const key in value) {
      const part = jsonStart((value as JsonObject)[key], maxLength, depth + 1)
      parts.push(isList ? part : `${jsonStart(key, maxLength, 0)}:${part}`)
      length += part.length
      if (length > maxLength) break
    }
  else parts.push('...')
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

export function objectAt(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(path, 'an object', value)
  return value as JsonObject
}

/** Returns a value as the type it must have; errors name it by its path. */
export type ReadAt<T> = (value: unknown, path: string) => T

export function arrayAt<T>(value: unknown, path: string, item: ReadAt<T>): T[] {
  if (!Array.isArray(value)) throw expected(path, 'a list', value)
  return value.map((entry, at) => item(entry, `${path}[${at}]`))
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw expected(path, 'text', value)
  return value
}

export function numberAt(value: unknown, path: string): number {
  if (typeof value !== 'number') throw expected(path, 'a number', value)
  return value
}

/** Returns a whole number of at least `low`. */
export function wholeAt(value: unknown, path: string, low = 0): number {
  if (!Number.isSafeInteger(value) || Number(value) < low)
    throw expected(path, `a whole number${low > Number.MIN_SAFE_INTEGER ? `, at least ${low}` : ''}`, value)
  return Number(value)
}

export function booleanAt(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw expected(path, 'true or false', value)
  return value
}

export function textsAt(value: unknown, path: string): string[] {
  return arrayAt(value, path, textAt)
}

/** Returns a list of texts, in which none may occur twice. */
export function distinctAt(value: unknown, path: string): string[] {
  const texts = textsAt(value, path)
  const seen = new Set<string>()
  const twice = texts.find(text => seen.size === seen.add(text).size)
  if (twice !== undefined) throw new Error(`${path} names ${shownValue(twice)} twice`)
  return texts
}

/** Returns a list of numbers, which must have this length if one is given. */
export function numbersAt(value: unknown, path: string, length?: number): Float64Array {
  if (!Array.isArray(value) || !value.every(entry => typeof entry === 'number'))
    throw expected(path, 'a list of numbers', value)
  if (length !== undefined && value.length !== length)
    throw new Error(`${path} has ${value.length} numbers, not ${length}`)
  return Float64Array.from(value)
}

/** Returns the named fields of an object, all read by the same function. */
export function fieldsAt<Name extends string, T>(
  value: unknown,
  path: string,
  names: readonly Name[],
  read: ReadAt<T>
): Record<Name, T> {
  const object = objectAt(value, path)
  const entries = names.map(name => [name, read(object[name], `${path}.${name}`)])
  return Object.fromEntries(entries)
}

function expected(path: string, what: string, value: unknown): Error {
  return new Error(`${path} must be ${what}, not ${value === undefined ? 'nothing' : shownValue(value, 40)}`)
}
