import {AdfaError} from '../../base/numeric/index.ts'

/**
 * The pull to independence, lambda (supplement, Regularization): a number as published, or `C/N`, which fades as documents
 * come in and keeps the estimator consistent (a fixed lambda does not).
 */
export type Pull = number | `${number}/N`

/** lambda for `documentCount` documents. */
export function pullStrength(pull: Pull, documentCount: number): number {
  const perDocument = typeof pull === 'string'
  const value = perDocument ? Number(pull.slice(0, -2)) : pull
  if (!Number.isFinite(value) || value < 0 || (perDocument && !isPull(pull)))
    throw new AdfaError('bad-option', `a pull is a number >= 0, or C/N with C >= 0, such as 10/N; got ${pull}`)
  return perDocument ? value / documentCount : value
}

/** Read a pull as people type it: `0.01` or `10/N`. */
export function parsePull(text: string): Pull {
  const pull = isPull(text) ? text : Number(text.trim() === '' ? Number.NaN : text)
  pullStrength(pull, 1)
  return pull
}

function isPull(text: string): text is `${number}/N` {
  return /^\d+(\.\d+)?([eE][+-]?\d+)?\/N$/.test(text)
}
