/**
 * Reading parsed JSON of unknown shape: each function returns the value as the type it must have, or throws an Error that
 * names the place. The file is read once, at the door; behind it everything has its type.
 */

export type JsonObject = Readonly<Record<string, unknown>>

/** Deeper values are refused: adfa writes none, and most functions that take them apart call themselves for every level. */
const deepest = 100

/** Returns the value of a JSON text from outside; throws an Error for text that is not JSON, and for values nested too deeply. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Error(`lists and objects are nested more than ${deepest} deep`)
    const next: unknown[] = []
    for (const outer of level)
      if (typeof outer === 'object' && outer !== null)
        for (const inner of Array.isArray(outer) ? outer : Object.values(outer))
          if (typeof inner === 'object' && inner !== null) next.push(inner)
    level = next
  }
  return value
}

/** Returns a value as errors quote it: JSON, cut after about `most` characters, however large or deep the value is. */
export function shownValue(value: unknown, most = 80): string {
  const whole = brief(value, most, 0)
  return whole.length > most ? `${whole.slice(0, most)}...` : whole
}

function brief(value: unknown, most: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most + 1))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let length = 2
  if (depth < 10)
    for (const key in value) {
      const part = brief((value as JsonObject)[key], most, depth + 1)
      length += parts.push(isList ? part : `${brief(key, most, 0)}:${part}`) && part.length
      if (length > most) break
    }
  else parts.push('...')
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

export function objectAt(value: unknown, place: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(place, 'an object', value)
  return value as JsonObject
}

/** Reads the value at a place. */
export type ReadAt<T> = (value: unknown, place: string) => T

export function arrayAt<T>(value: unknown, place: string, item: ReadAt<T>): T[] {
  if (!Array.isArray(value)) throw expected(place, 'a list', value)
  return value.map((entry, at) => item(entry, `${place}[${at}]`))
}

export function textAt(value: unknown, place: string): string {
  if (typeof value !== 'string') throw expected(place, 'text', value)
  return value
}

export function numberAt(value: unknown, place: string): number {
  if (typeof value !== 'number') throw expected(place, 'a number', value)
  return value
}

/** Returns a whole number of at least `low`. */
export function wholeAt(value: unknown, place: string, low = 0): number {
  if (!Number.isSafeInteger(value) || Number(value) < low)
    throw expected(place, `a whole number${low > Number.MIN_SAFE_INTEGER ? `, at least ${low}` : ''}`, value)
  return Number(value)
}

export function booleanAt(value: unknown, place: string): boolean {
  if (typeof value !== 'boolean') throw expected(place, 'true or false', value)
  return value
}

export function textsAt(value: unknown, place: string): string[] {
  return arrayAt(value, place, textAt)
}

/** Returns a list of texts, in which none may occur twice. */
export function distinctAt(value: unknown, place: string): string[] {
  const texts = textsAt(value, place)
  const seen = new Set<string>()
  const twice = texts.find(text => seen.size === seen.add(text).size)
  if (twice !== undefined) throw new Error(`${place} names ${shownValue(twice)} twice`)
  return texts
}

/** Returns a list of numbers; where a length is given, the list must have it. */
export function numbersAt(value: unknown, place: string, length?: number): Float64Array {
  if (!Array.isArray(value) || !value.every(entry => typeof entry === 'number'))
    throw expected(place, 'a list of numbers', value)
  if (length !== undefined && value.length !== length)
    throw new Error(`${place} has ${value.length} numbers, not ${length}`)
  return Float64Array.from(value)
}

/** Returns the named entries of an object, all read the same way, in this order. */
export function fieldsAt<Name extends string, T>(
  value: unknown,
  place: string,
  names: readonly Name[],
  read: ReadAt<T>
): Record<Name, T> {
  const object = objectAt(value, place)
  const entries = names.map(name => [name, read(object[name], `${place}.${name}`)])
  return Object.fromEntries(entries)
}

function expected(place: string, what: string, value: unknown): Error {
  return new Error(`${place} must be ${what}, not ${value === undefined ? 'nothing' : shownValue(value, 40)}`)
}
