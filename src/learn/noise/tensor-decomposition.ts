import {log} from '../../base/numeric/index.ts'
import {memberAt, PREVALENCE, scoreAt, solvePair} from './solve-pair.ts'

/** P(.=1|Y=0) and P(.=1|Y=1). */
export type Conditional = readonly [number, number]

/** The two components of a 2x2x2 table, Y=1 the one with the larger P(W1=1|.), with their standard errors. */
export interface Decomposition {
  readonly kind: 'decomposed'
  readonly prevalence: number
  readonly first: Conditional
  readonly second: Conditional
  readonly third: Conditional
  readonly errors: {
    readonly prevalence: number
    readonly first: Conditional
    readonly second: Conditional
    readonly third: Conditional
  }
}

export interface NotDecomposed {
  readonly kind: 'unusable'
  readonly reason: string
}

/** Covariances below this many standard errors are not significant, and their ratios meaningless. */
export const DEPENDENCE_ERRORS = 4

/** A rate outside [0, 1] by more than this many standard errors means that the assumption has failed. */
export const IMPOSSIBLE_ERRORS = 4

/**
 * Decompose P(W1, W2, X) = sum_y P(y) P(w1|y) P(w2|y) P(x|y) (supplement, "two anchors per concept variable").
 *
 * `documents` counts them in 8 cells `4*w1 + 2*w2 + x`. Where the paper refers to ten Berge for an algorithm, two states
 * have a closed form: see solve-pair.ts. Unusable: a pair of the three is not significantly dependent, an odd number of
 * dependences is negative (no real components), or components are not probabilities. Values outside [0, 1] within the
 * noise are returned as they are.
 */
export function decomposeTensor(documents: ArrayLike<number>): Decomposition | NotDecomposed {
  const cells = Float64Array.from({length: 4}, (_, c) => documents[2 * c] + documents[2 * c + 1])
  const score = Float64Array.from({length: 4}, (_, c) => (cells[c] > 0 ? documents[2 * c + 1] / cells[c] : 0))
  const weak = weakPairs(documents)
  if (weak.length > 0) return {kind: 'unusable', reason: `${weak.join(' and ')} are not significantly dependent`}
  const solution = solvePair({
    memberCount: 2,
    pair: [0, 1],
    flags: Uint8Array.of(0, 0, 0, 1, 1, 0, 1, 1),
    documents: cells,
    score,
    scoreVariance: score.map(share => share * (1 - share))
  })
  if (solution === undefined)
    return {kind: 'unusable', reason: 'the signs of the three dependences do not fit two components'}
  const {parameters, standardErrors} = solution
  if (isImpossible(parameters, standardErrors))
    return {kind: 'unusable', reason: 'a component has probabilities outside [0, 1]: the three depend on more than Y'}
  return {kind: 'decomposed', ...named(parameters), errors: named(standardErrors)}
}

/** Whether a value is outside [0, 1] by more than noise. */
export function isImpossible(values: Float64Array, errors: Float64Array): boolean {
  return values.some((value, at) => Math.max(-value, value - 1) > IMPOSSIBLE_ERRORS * errors[at] + 1e-9)
}

/**
 * The signed root of the likelihood ratio: the distance of two binary variables from independence in standard errors, with
 * the sign of their covariance. (The covariance over its empirical error fails on sparse tables: a word that never occurs
 * with a member has an error of nearly 0.) The table is 00, 01, 10, 11 in documents.
 */
export function dependence(documents: ArrayLike<number>): number {
  const rows = [documents[0] + documents[1], documents[2] + documents[3]]
  const columns = [documents[0] + documents[2], documents[1] + documents[3]]
  const N = rows[0] + rows[1]
  let sum = 0
  for (let cell = 0; cell < 4; cell++) {
    const expected = (rows[cell >> 1] * columns[cell & 1]) / N
    if (documents[cell] > 0) sum += documents[cell] * log(documents[cell] / expected)
  }
  const sign = Math.sign(documents[3] * N - rows[1] * columns[1])
  return sign * Math.sqrt(Math.max(2 * sum, 0))
}

function weakPairs(n: ArrayLike<number>): string[] {
  const pairs = {
    'the first and the second': [n[0] + n[1], n[2] + n[3], n[4] + n[5], n[6] + n[7]],
    'the first and the third': [n[0] + n[2], n[1] + n[3], n[4] + n[6], n[5] + n[7]],
    'the second and the third': [n[0] + n[4], n[1] + n[5], n[2] + n[6], n[3] + n[7]]
  }
  return Object.entries(pairs).flatMap(([name, table]) =>
    Math.abs(dependence(table)) >= DEPENDENCE_ERRORS ? [] : [name]
  )
}

function named(values: Float64Array) {
  const at = (k: number): Conditional => [values[k], values[k + 1]]
  return {prevalence: values[PREVALENCE], first: at(memberAt(0)), second: at(memberAt(1)), third: at(scoreAt(2))}
}
