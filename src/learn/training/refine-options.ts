import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type EmOptions, emDefaults} from './em-options.ts'

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
