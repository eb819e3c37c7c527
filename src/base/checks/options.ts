import {AdfaError} from './error.ts'
import {shownValue} from './json.ts'
import {nearestName} from './nearest-name.ts'

/** What a value must be: a test, and the rule in words that follow "must be". */
export type Rule = readonly [holds: (value: unknown) => boolean, rule: string]

export type Rules<T> = {readonly [Name in keyof T]?: Rule}

/**
 * Returns the given options over their defaults. A name without a default is refused, and so is a value that breaks its rule;
 * undefined counts as not given. The error names the option in backticks and as `details.option`, so that a program that
 * calls it something else, such as a command line, can say so.
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

/** Returns options filled up with their defaults; a name that has no default is refused. */
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

/** Returns the error of an option whose value breaks its rule. */
export function badOption(owner: string, option: string, rule: string, value: unknown): AdfaError {
  return new AdfaError('bad-option', `${owner}: \`${option}\` must be ${rule}; got ${shownValue(value, 200)}`, {
    details: {option}
  })
}

export function oneOf(...choices: readonly string[]): Rule {
  const [last, ...others] = choices.map(choice => `'${choice}'`).reverse()
  const rule = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
  return [value => choices.some(choice => choice === value), rule]
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

/** Requires a finite number, at least `low`. */
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

/** Allows undefined, and otherwise keeps the rule. */
export function optional([holds, rule]: Rule): Rule {
  return [value => value === undefined || holds(value), rule]
}
