import {atLeast, checkOptions, oneOf, type Rules, whole} from '../../base/checks/index.ts'
import {STATE_LIMIT} from './sample-states.ts'

export interface EmOptions {
  /** Rounds of E-step and M-step. */
  readonly steps: number
  /** 'exact' sums over all states of a document, 'gibbs' draws some; 'auto' is exact for at most `exactLimit` concepts. */
  readonly eStep: 'auto' | 'exact' | 'gibbs'
  readonly exactLimit: number
  /** Gibbs: states drawn per document and step. */
  readonly samples: number
  /** Gibbs: sweeps before them, at every step; a chain continues where the step before left it. */
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

const emRules: Rules<EmOptions> = {
  steps: whole(0),
  eStep: oneOf('auto', 'exact', 'gibbs'),
  exactLimit: whole(0, STATE_LIMIT),
  samples: whole(1),
  // A chain may start at a state that the model rules out; one sweep leads out of it.
  burnIn: whole(1),
  startWeight: atLeast(0),
  seed: whole()
}

export function checkEmOptions(options: Partial<EmOptions>): EmOptions {
  return checkOptions('runEm', emDefaults, emRules, options)
}

/** `steps` is the largest number tried; `startWeight` is above 0, unlike in plain EM. */
export interface RefineOptions extends EmOptions, Choice {}

/** How the result is chosen among the candidates. */
export interface Choice {
  /** Parts of the documents; each is predicted by a model trained on the others. */
  readonly folds: number
  /** Factors on the strength of words to try besides 1, each in (0, 1). */
  readonly strengths: readonly number[]
  /** The choice must beat the start by this many standard errors of the difference. */
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

/** The options split into those that choose and those of EM, which `runEm` checks. */
export function checkRefineOptions(
  options: Partial<RefineOptions>,
  documents: number
): {choice: Choice; em: EmOptions} {
  const rules: Rules<RefineOptions> = {
    folds: [whole(2, documents)[0], `a whole number from 2 to the number of documents (${documents})`],
    strengths: [
      value => Array.isArray(value) && value.every(strength => strength > 0 && strength < 1),
      'numbers above 0 and below 1'
    ],
    standardErrors: atLeast(0)
  }
  const {folds, strengths, standardErrors, ...em} = checkOptions('refine', refineDefaults, rules, options)
  return {choice: {folds, strengths, standardErrors}, em}
}
