/**
 * Reading parsed JSON of unknown shape: each function returns the value as the type it must have, or throws an Error that
 * names the place. The file is read once, at the door; behind it everything has its type.
 */

export type JsonObject = Readonly<Record<string, unknown>>

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

/** A list of numbers, of the given length if there is one. */
export function numbersAt(value: unknown, place: string, length?: number): Float64Array {
  if (!Array.isArray(value) || !value.every(entry => typeof entry === 'number'))
    throw expected(place, 'a list of numbers', value)
  if (length !== undefined && value.length !== length)
    throw new Error(`${place} has ${value.length} numbers, not ${length}`)
  return Float64Array.from(value)
}

/** The named entries of an object, all read the same way, in this order. */
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
  const shown = JSON.stringify(value) ?? 'nothing'
  return new Error(`${place} must be ${what}, not ${shown.length > 40 ? `${shown.slice(0, 40)}...` : shown}`)
}
