/**
 * Two conditionally independent members of an anchor and a third observation determine a hidden binary Y, in closed form
 * (supplement, "two anchors per concept variable"; the paper refers to ten Berge for an algorithm).
 *
 * Members a, b and an observation s with E[a b s | Y] = E[a|Y] E[b|Y] E[s|Y] have, with p = P(Y=1), v = p (1 - p) and
 * d_a = P(a|1) - P(a|0), the central moments C_ab = v d_a d_b (C_as, C_bs alike) and K = v (1 - 2p) d_a d_b d_s. So
 *
 *     u = (1 - 2p) d_a = K / C_bs,   d_a^2 = u^2 + 4 C_ab C_as / C_bs,   d_b = d_a C_bs / C_as,   p = (1 - u / d_a) / 2.
 *
 * d_a C_bs is the root of the hyperdeterminant K^2 + 4 C_ab C_as C_bs. Y=1 is the component with the larger P(a=1|.), so
 * d_a > 0. The third observation enters by its mean alone: it may be a word, or a score of many words.
 */
import {log} from '../../base/numeric/index.ts'

/** Documents with the same observations: two members, the third observation, and a further member (0 without any). */
export interface Cell {
  readonly documents: number
  readonly first: number
  readonly second: number
  readonly third: number
  readonly further: number
}

/** The mean of an observation given Y=0 and given Y=1; of a binary one, its probability. */
export type Conditional = readonly [number, number]

/** The two components of the joint distribution; Y=1 is the one with the larger P(first=1|.). */
export interface Decomposition {
  readonly prevalence: number
  readonly first: Conditional
  readonly second: Conditional
  readonly third: Conditional
  readonly further: Conditional
}

/** The step of numerical derivatives, relative to the documents of a cell; rounding and curvature both stay below 1e-6. */
const STEP = 1e-4

/**
 * Decomposes P(W1, W2, X) = sum_y P(y) P(w1|y) P(w2|y) P(x|y). Undefined where C_ab C_as C_bs is not positive, since no two
 * components have such moments. Values outside [0, 1] are returned unchanged: noise or a broken assumption.
 */
export function decomposeTensor(cells: readonly Cell[]): Decomposition | undefined {
  const {means, ab, as, bs, abs, furtherWithBoth} = centralMoments(cells)
  if (!(ab * as * bs > 0)) return undefined
  const u = abs / bs
  const da = Math.sqrt(u * u + (4 * ab * as) / bs)
  const db = (da * bs) / as
  const p = (1 - u / da) / 2
  const conditional = (mean: number, difference: number): Conditional => [
    mean - p * difference,
    mean + (1 - p) * difference
  ]
  return {
    prevalence: p,
    first: conditional(means.first, da),
    second: conditional(means.second, db),
    third: conditional(means.third, (da * bs) / ab),
    // A further member c has cov(c, a + b) = v d_c (d_a + d_b).
    further: conditional(means.further, furtherWithBoth / (p * (1 - p) * (da + db)))
  }
}

/** The means, C_ab, C_as, C_bs and K of two members a, b and the third observation s, and cov(c, a + b) of a further one c. */
export function centralMoments(cells: readonly Cell[]) {
  const all = cells.reduce((sum, {documents}) => sum + documents, 0)
  const mean = (value: (cell: Cell) => number) =>
    cells.reduce((sum, cell) => sum + cell.documents * value(cell), 0) / all
  const means = {
    first: mean(({first}) => first),
    second: mean(({second}) => second),
    third: mean(({third}) => third),
    further: mean(({further}) => further)
  }
  const a = ({first}: Cell) => first - means.first
  const b = ({second}: Cell) => second - means.second
  const s = ({third}: Cell) => third - means.third
  return {
    means,
    ab: mean(cell => a(cell) * b(cell)),
    as: mean(cell => a(cell) * s(cell)),
    bs: mean(cell => b(cell) * s(cell)),
    abs: mean(cell => a(cell) * b(cell) * s(cell)),
    furtherWithBoth: mean(cell => (cell.further - means.further) * (a(cell) + b(cell)))
  }
}

/**
 * Standard errors of statistics by the delta method: the documents of a cell vary like a Poisson number, and the derivative
 * by it is numerical.
 */
export function standardErrors(
  cells: readonly Cell[],
  statistics: (cells: readonly Cell[]) => readonly number[]
): number[] {
  const variances = statistics(cells).map(() => 0)
  cells.forEach((cell, at) => {
    if (cell.documents === 0) return
    const step = STEP * cell.documents
    const [above, below] = [step, -step].map(by =>
      statistics(cells.with(at, {...cell, documents: cell.documents + by}))
    )
    above.forEach((value, k) => {
      variances[k] += cell.documents * ((value - below[k]) / (2 * step)) ** 2
    })
  })
  return variances.map(Math.sqrt)
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
