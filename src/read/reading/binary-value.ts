import {documentError} from './document-error.ts'

/** Whether the value is 1 or 0, however it is written ("1", "1.0", "1e0"); undefined when it is neither. */
export function binaryValue(value: string): boolean | undefined {
  if (value === '1') return true
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN
  if (number === 1) return true
  return number === 0 ? false : undefined
}

/** As {@link binaryValue}, but anything else is refused. */
export function isPresent(value: string, what: string, where: string): boolean {
  const isThere = binaryValue(value)
  if (isThere !== undefined) return isThere
  throw documentError(
    where,
    `${what} has the value ${value === '' ? '(nothing)' : value}`,
    'values must be 0 (absent) or 1 (present); binarise the data first, for instance by writing 1 for every value above 0'
  )
}
