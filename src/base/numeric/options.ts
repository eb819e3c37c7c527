import {AdfaError} from './error.ts'
import {nearestName} from './nearest-name.ts'

/** Options filled up with their defaults; a key that has no default is refused by name. Undefined counts as not given. */
export function withDefaults<T extends object>(owner: string, defaults: T, given: Partial<T> | undefined): T {
  const known = Object.keys(defaults)
  const filled: T = {...defaults}
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!known.includes(key)) {
      const near = nearestName(key, known)
      throw new AdfaError(
        'bad-option',
        `${owner} has no option "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}; it has ${known.join(', ')}`
      )
    }
    if (value !== undefined) Object.assign(filled, {[key]: value})
  }
  return filled
}
