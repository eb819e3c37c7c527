/**
 * Two conditionally independent members of an anchor and a third observation determine a hidden binary Y, in closed form
 * (supplement, "two anchors per concept variable"; the paper refers to ten Berge for an algorithm).
 *
 * Members a, b and an observation s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a|1) - P(a|0), the central moments C_ab = v d_a d_b (C_as, C_bs alike) and K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs; Y=1 is the component with the larger P(a=1|.),
 * so d_a > 0. The third enters by its mean alone: any score of further observations serves, not just one word.
 * A further member c needs only C_c = cov(c, a + b) = v d_c (d_a + d_b).
 */
import {log} from '../../base/numeric/index.ts'

/** Documents in groups of equal members: a, b and whether any further member c fires. */
export interface PairGroups {
  readonly documents: Float64Array
  /** 1 where the member fires, by group. */
  readonly a: Uint8Array
  readonly b: Uint8Array
  readonly c: Uint8Array
  /** Mean and variance of s within each group. */
  readonly score: Float64Array
  readonly scoreVariance: Float64Array
}

/**
 * Layout: p, then P(.=1|Y=0), P(.=1|Y=1) of a, b, c and of the union of the three, then E[s|Y=0], E[s|Y=1].
 * Standard errors have the same layout.
 */
export interface PairSolution {
  readonly parameters: Float64Array
  readonly standardErrors: Float64Array
}

/** Places of parameters; the value given Y=1 follows the one given Y=0. */
export const PREVALENCE = 0
export const FIRST = 1
export const SECOND = 3
export const UNION = 7
export const SCORE = 9

/** Places of moments: C_ab, C_as, C_bs, K, C_c, then the means of s, a, b and c. */
export const C_AS = 1
export const C_BS = 2
export const K_ABS = 3
export const SCORE_MEAN = 5
/** The step of numerical derivatives, relative to a moment. */
const STEP = 1e-5

/**
 * The parameters and their standard errors by the delta method: the gradient is numerical, and the influence of a document
 * on the moments is linear in its s, so mean and variance of s in each group suffice. Undefined where C_ab C_as C_bs is
 * not positive: no two components have such moments. `addedVariance` is what the parameters add to the variance of s in a group.
 * Cost: one pass over the groups.
 */
export function solvePair(
  groups: PairGroups,
  addedVariance: (parameters: Float64Array, group: number) => number = () => 0
): PairSolution | undefined {
  const moments = centralMoments(groups)
  const [Cab, Cas, Cbs] = moments
  if (!(Cab * Cas * Cbs > 0)) return undefined
  const parameters = solveMoments(moments)
  const gradient = Array.from(moments, (moment, at) => {
    const step = STEP * (Math.abs(moment) || 1)
    const [above, below] = [step, -step].map(by => solveMoments(moments.with(at, moment + by)))
    return above.map((value, k) => (value - below[k]) / (2 * step))
  })
  const scoreVariance = groups.scoreVariance.map((variance, g) => variance + addedVariance(parameters, g))
  return {parameters, standardErrors: momentErrors({...groups, scoreVariance}, moments, at => gradient[at])}
}

export function centralMoments({documents, a, b, c, score}: PairGroups): Float64Array {
  let [N, meanS, meanA, meanB, meanC] = [0, 0, 0, 0, 0]
  documents.forEach((count, g) => {
    N += count
    meanS += count * score[g]
    meanA += count * a[g]
    meanB += count * b[g]
    meanC += count * c[g]
  })
  const means = [meanS, meanA, meanB, meanC].map(sum => sum / N)
  const sums = new Float64Array(5)
  documents.forEach((count, g) => {
    const [sigma, alpha, beta, gamma] = [score[g] - means[0], a[g] - means[1], b[g] - means[2], c[g] - means[3]]
    sums[0] += count * alpha * beta
    sums[1] += count * alpha * sigma
    sums[2] += count * beta * sigma
    sums[3] += count * alpha * beta * sigma
    sums[4] += count * gamma * (alpha + beta)
  })
  return Float64Array.from([...sums.map(sum => sum / N), ...means])
}

function solveMoments([Cab, Cas, Cbs, K, Cc, meanS, meanA, meanB, meanC]: Float64Array): Float64Array {
  const u = K / Cbs
  const da = Math.sqrt(u * u + (4 * Cab * Cas) / Cbs)
  const p = (1 - u / da) / 2
  const db = (da * Cbs) / Cas
  const ds = (da * Cbs) / Cab
  const dc = Cc / (p * (1 - p) * (da + db))
  const values = (mean: number, difference: number) => [mean - p * difference, mean + (1 - p) * difference]
  const members = [values(meanA, da), values(meanB, db), values(meanC, dc)]
  const union = [0, 1].map(y => 1 - members.reduce((silent, rates) => silent * (1 - rates[y]), 1))
  return Float64Array.from([p, ...members.flat(), ...union, ...values(meanS, ds)])
}

/**
 * Standard errors of linear combinations k of the moments, of which `weightsOf` gives the weights by moment: the influence of a
 * document is the same combination of its influences on the moments, which are `base` at the mean score of its group and
 * change by `slope` per unit of s.
 */
export function momentErrors(
  groups: PairGroups,
  [Cab, Cas, Cbs, K, Cc, meanS, meanA, meanB, meanC]: Float64Array,
  weightsOf: (moment: number) => ArrayLike<number>
): Float64Array {
  const {documents, a, b, c, score, scoreVariance} = groups
  const weights = Array.from({length: 9}, (_, at) => weightsOf(at))
  const variances = new Float64Array(weights[0].length)
  let N = 0
  documents.forEach((count, g) => {
    N += count
    const [sigma, alpha, beta, gamma] = [score[g] - meanS, a[g] - meanA, b[g] - meanB, c[g] - meanC]
    const slope = [0, alpha, beta, alpha * beta - Cab, 0, 1, 0, 0, 0]
    const base = [
      alpha * beta - Cab,
      alpha * sigma - Cas,
      beta * sigma - Cbs,
      (alpha * beta - Cab) * sigma - K - alpha * Cbs - beta * Cas,
      gamma * (alpha + beta) - Cc,
      sigma,
      alpha,
      beta,
      gamma
    ]
    for (let k = 0; k < variances.length; k++) {
      let [influence, byScore] = [0, 0]
      for (let at = 0; at < base.length; at++) {
        influence += weights[at][k] * base[at]
        byScore += weights[at][k] * slope[at]
      }
      variances[k] += count * (influence * influence + byScore * byScore * scoreVariance[g])
    }
  })
  return variances.map(sum => Math.sqrt(sum) / N)
}

/** P(.=1|Y=0) and P(.=1|Y=1). */
export type Conditional = readonly [number, number]

interface Components {
  readonly prevalence: number
  readonly first: Conditional
  readonly second: Conditional
  readonly third: Conditional
}

/** The two components of a 2x2x2 table, Y=1 the one with the larger P(W1=1|.), with their standard errors. */
export interface Decomposition extends Components {
  readonly kind: 'decomposed'
  readonly errors: Components
}

export interface NotDecomposed {
  readonly kind: 'unusable'
  readonly reason: string
}

/** Covariances below this many standard errors are not significant, and their ratios meaningless. */
export const DEPENDENCE_ERRORS = 4

/** A rate outside [0, 1] by more than this many standard errors means that the assumption has failed. */
const IMPOSSIBLE_ERRORS = 4

/**
 * Decompose P(W1, W2, X) = sum_y P(y) P(w1|y) P(w2|y) P(x|y). `documents` counts them in 8 cells `4*w1 + 2*w2 + x`.
 * Unusable: a pair of the three is not significantly dependent, an odd number of dependences is negative (no real
 * components), or components are not probabilities. Values outside [0, 1] within the noise are returned unchanged.
 */
export function decomposeTensor(documents: ArrayLike<number>): Decomposition | NotDecomposed {
  const cells = Float64Array.from({length: 4}, (_, c) => documents[2 * c] + documents[2 * c + 1])
  const weak = weakPairs(documents)
  if (weak.length > 0) return {kind: 'unusable', reason: `${weak.join(' and ')} are not significantly dependent`}
  const solution = solvePair(
    tableGroups(
      cells,
      cells.map((_, c) => documents[2 * c + 1])
    )
  )
  if (solution === undefined)
    return {kind: 'unusable', reason: 'the signs of the three dependences do not fit two components'}
  const {parameters, standardErrors} = solution
  if (isImpossible(parameters, standardErrors))
    return {kind: 'unusable', reason: 'a component has probabilities outside [0, 1]: the three depend on more than Y'}
  return {kind: 'decomposed', ...componentsOf(parameters), errors: componentsOf(standardErrors)}
}

/** The groups of a 2x2x2 table: documents in cells `2*a + b`, and those of them in which a binary third is on. */
export function tableGroups(documents: Float64Array, on: Float64Array): PairGroups {
  const score = documents.map((count, cell) => (count > 0 ? on[cell] / count : 0))
  return {
    documents,
    a: Uint8Array.of(0, 0, 1, 1),
    b: Uint8Array.of(0, 1, 0, 1),
    c: new Uint8Array(4),
    score,
    scoreVariance: score.map(share => share * (1 - share))
  }
}

function componentsOf(values: Float64Array): Components {
  const at = (k: number): Conditional => [values[k], values[k + 1]]
  return {prevalence: values[PREVALENCE], first: at(FIRST), second: at(SECOND), third: at(SCORE)}
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
