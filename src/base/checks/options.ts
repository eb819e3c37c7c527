import {AdfaError} from './error.ts'
import {shownValue} from './json.ts'
import {nearestName} from './nearest-name.ts'

/** A test of a value, and the words that say in errors, after "must be", what passes it. */
export type Rule = readonly [isMet: (value: unknown) => boolean, words: string]

export type Rules<T> = {readonly [Name in keyof T]?: Rule}

/**
 * Returns the given options, completed by their defaults. A name without a default is refused, and so is a value that breaks its
 * rule; undefined counts as not given. `owner` is the function that takes the options. Errors name the option in backticks and as
 * `details.option`, so that a program that calls it something else can translate them.
 */
export function checkOptions<T extends object>(
  owner: string,
  defaults: T,
  rules: Rules<T>,
  given: Partial<T> | undefined
): T {
  const options = withDefaults(owner, defaults, given)
  for (const name of Object.keys(rules) as (keyof T & string)[]) {
    const rule = rules[name]
    if (rule !== undefined && !rule[0](options[name])) throw badOption(owner, name, rule[1], options[name])
  }
  return options
}

/** Returns the given options, completed by their defaults; a name without a default is refused. */
export function withDefaults<T extends object>(owner: string, defaults: T, given: Partial<T> | undefined): T {
  const known = Object.keys(defaults)
  const filled: T = {...defaults}
  for (const [option, value] of Object.entries(given ?? {})) {
    if (!known.includes(option)) {
      const near = nearestName(option, known)
      throw new AdfaError(
        'bad-option',
        `${owner} has no option "${option}"; ${near === undefined ? `it has ${known.join(', ')}` : `did you mean "${near}"?`}`,
        {details: {option}}
      )
    }
    if (value !== undefined) Object.assign(filled, {[option]: value})
  }
  return filled
}

/** Returns the error for an option whose value breaks a rule; `words` say what the value must be. */
export function badOption(owner: string, option: string, words: string, value: unknown): AdfaError {
  return new AdfaError('bad-option', `${owner}: \`${option}\` must be ${words}; got ${shownValue(value, 200)}`, {
    details: {option}
  })
}

export function oneOf(...choices: readonly string[]): Rule {
  const [last, ...others] = choices.map(choice => `'${choice}'`).reverse()
  const words = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
  return [value => choices.some(choice => choice === value), words]
}

/** Requires a whole number within bounds, both included. */
export function whole(low = Number.MIN_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER): Rule {
  const bounds =
    high < Number.MAX_SAFE_INTEGER
      ? ` from ${low} to ${high}`
      : low > Number.MIN_SAFE_INTEGER
        ? `, at least ${low}`
        : ''
  return [
    value => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high,
    `a whole number${bounds}`
  ]
}

/** Requires a finite number of at least `low`. */
export function atLeast(low: number): Rule {
  return [value => Number.isFinite(value) && Number(value) >= low, `a number, at least ${low}`]
}

/** Requires a finite number above `low`. */
export function above(low: number): Rule {
  return [value => Number.isFinite(value) && Number(value) > low, `a number above ${low}`]
}

/** Requires a number from `low` to `high`, both included. */
export function within(low: number, high: number): Rule {
  return [value => typeof value === 'number' && value >= low && value <= high, `a number from ${low} to ${high}`]
}

export const trueOrFalse: Rule = [value => typeof value === 'boolean', 'true or false']

/** Allows undefined in addition to what a rule allows. */
export function optional([isMet, words]: Rule): Rule {
  return [value => value === undefined || isMet(value), words]
}
