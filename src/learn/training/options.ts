import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {STATE_LIMIT} from './sample-states.ts'

export interface EmOptions {
  /** Rounds of E-step and M-step. */
  readonly steps: number
  /** 'exact' sums over all states of a document, 'gibbs' draws some; 'auto' is exact for at most `exactLimit` concepts. */
  readonly eStep: 'auto' | 'exact' | 'gibbs'
  readonly exactLimit: number
  /** Gibbs: states drawn for each document and step. */
  readonly samples: number
  /** Gibbs: sweeps before them, at every step; a chain goes on where the step before left it. */
  readonly burnIn: number
  /**
   * How strongly the start holds: 0 is plain EM, 1 counts the moment estimates as the documents that they are worth,
   * which is the documents with the concept times the squared correlation of concept and anchor.
   */
  readonly startWeight: number
  readonly seed: number
}

export const emDefaults: EmOptions = {
  steps: 9,
  eStep: 'auto',
  exactLimit: 6,
  samples: 10,
  burnIn: 5,
  startWeight: 0,
  seed: 0
}

type Rule = readonly [holds: (value: unknown) => boolean, words: string]

const whole = (low: number, high = Number.MAX_SAFE_INTEGER): Rule => [
  value => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high,
  high === Number.MAX_SAFE_INTEGER ? `a whole number from ${low} on` : `a whole number, ${low} to ${high}`
]

const RULES: Readonly<Record<keyof EmOptions, Rule>> = {
  steps: whole(0),
  eStep: [value => value === 'auto' || value === 'exact' || value === 'gibbs', "'auto', 'exact' or 'gibbs'"],
  exactLimit: whole(0, STATE_LIMIT),
  samples: whole(1),
  // A chain may start at a state that the model rules out; one sweep leads out of it.
  burnIn: whole(1),
  startWeight: [value => typeof value === 'number' && value >= 0 && value < Infinity, 'a number from 0 on'],
  seed: [value => Number.isSafeInteger(value), 'a whole number']
}

/** The full options: what is given, checked, over {@link emDefaults}. */
export function checkEmOptions(options: Partial<EmOptions>): EmOptions {
  const full = withDefaults('runEm', emDefaults, options)
  for (const [name, [holds, words]] of Object.entries(RULES)) {
    const value = full[name as keyof EmOptions]
    if (!holds(value))
      throw new AdfaError('bad-option', `runEm option "${name}" must be ${words}; got ${String(value)}`)
  }
  return full
}

/** `steps` is the most that is tried; `startWeight` is above 0, unlike in plain EM. */
export interface RefineOptions extends EmOptions, Choice {}

/** How the result is chosen among what was tried. */
export interface Choice {
  /** Parts that the documents are dealt into; each is foretold by a model trained on the others. */
  readonly folds: number
  /** How much words say, compared with the model as it is: the factors to try besides 1, each in (0, 1). */
  readonly strengths: readonly number[]
  /** What is chosen must beat the start by so many standard errors of the difference. */
  readonly standardErrors: number
}

export const refineDefaults: RefineOptions = {
  ...emDefaults,
  steps: 2,
  startWeight: 2,
  folds: 3,
  strengths: [0.7, 0.5, 0.35, 0.25],
  standardErrors: 1
}

/** The options apart: those that choose, and those of EM, which `runEm` checks. */
export function checkRefineOptions(
  options: Partial<RefineOptions>,
  documents: number
): {choice: Choice; em: EmOptions} {
  const {folds, strengths, standardErrors, ...em} = withDefaults('refine', refineDefaults, options)
  const refuse = (name: string, rule: string, value: unknown) =>
    new AdfaError('bad-option', `refine option "${name}" must be ${rule}; got ${String(value)}`)
  if (!(Number.isSafeInteger(folds) && folds >= 2 && folds <= documents))
    throw refuse('folds', `a whole number from 2 to the number of documents (${documents})`, folds)
  if (!strengths.every(strength => strength > 0 && strength < 1))
    throw refuse('strengths', 'numbers above 0 and below 1', strengths)
  if (!(standardErrors >= 0)) throw refuse('standardErrors', 'a number from 0 on', standardErrors)
  return {choice: {folds, strengths, standardErrors}, em}
}
