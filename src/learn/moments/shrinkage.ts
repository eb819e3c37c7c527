import {AdfaError} from '../../base/checks/index.ts'

/**
 * The shrinkage towards independence, lambda (supplement, Regularization): a number as published, or `C/N`, which fades as the
 * number of documents N grows and keeps the estimator consistent (a fixed lambda does not).
 */
export type Shrinkage = number | `${number}/N`

/** lambda for `documentCount` documents. */
export function shrinkageStrength(shrinkage: Shrinkage, documentCount: number): number {
  const perDocument = typeof shrinkage === 'string'
  const value = perDocument ? Number(shrinkage.slice(0, -2)) : shrinkage
  if (!Number.isFinite(value) || value < 0 || (perDocument && !isShrinkage(shrinkage)))
    throw badShrinkage(String(shrinkage))
  return perDocument ? value / documentCount : value
}

/** Parses a shrinkage as typed: `0.01` or `10/N`. */
export function parseShrinkage(text: string): Shrinkage {
  const shrinkage = isShrinkage(text) ? text : Number(text.trim() === '' ? Number.NaN : text)
  if (Number.isNaN(shrinkage)) throw badShrinkage(JSON.stringify(text))
  shrinkageStrength(shrinkage, 1)
  return shrinkage
}

function badShrinkage(got: string): AdfaError {
  return new AdfaError('bad-option', `a shrinkage is a number >= 0, or C/N with C >= 0, such as 10/N; got ${got}`)
}

function isShrinkage(text: string): text is `${number}/N` {
  return /^\d+(\.\d+)?([eE][+-]?\d+)?\/N$/.test(text)
}
