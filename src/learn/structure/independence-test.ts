import {chiSquareTail} from '../../base/numeric/index.ts'
import {applyFactors, observingFactors} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'

export interface IndependenceTest {
  readonly statistic: number
  /** The number of settings of the other concepts that were used; 0 when none of them has power. */
  readonly degreesOfFreedom: number
  /** 1 without degrees of freedom. */
  readonly pValue: number
}

/**
 * A setting of the other concepts is used when the strongest dependence that its margins allow is this many standard errors
 * from independence.
 */
const VISIBLE = 2

/** A setting whose standard error, given the settings before it, falls by this factor adds nothing new. */
const DEPENDENT = 1e-5

/**
 * Tests whether the first two concepts of a recovered table are independent given the others, by a score test that accounts
 * for anchor noise.
 *
 * For every setting s of the others, theta_s = mu_11s mu_00s - mu_10s mu_01s is 0 under independence. mu = R^-1 a, and
 * a, the table of the anchors, is that of N documents, so the covariance of theta is
 *
 *     C_ss' = sum over cells c of  a_c (R^-T g_s)_c (R^-T g_s')_c / N,
 *
 * with the gradients g_s and a = R mu0 taken at the nearest independent table mu0, the product of the margins of each
 * setting. (The term -a a' of a multinomial vanishes: g_s' mu0 = 2 theta_s(mu0) = 0.) The statistic theta' C^-1 theta
 * is chi-square with one degree of freedom per setting. Without noise it is exactly Pearson's.
 *
 * At mu itself the covariance of rare concepts that never occur together would be far too small. Settings without power
 * (rare, or with a constant concept) are left out, as they would only cost degrees of freedom. Where the recovered table
 * lies on the boundary it varies less than R^-1 a does, and the test errs towards independence. Rates are taken as known.
 *
 * Layout: `table` has 2^n cells, first concept most significant; `rates` in the same order. Cost: O(n 4^n).
 */
export function independenceTest(
  table: ArrayLike<number>,
  rates: readonly Rates[],
  sampleCount: number
): IndependenceTest {
  const settings = Array.from({length: table.length / 4}, (_, s) => readSetting(table, s))
  const a = new Float64Array(table.length)
  for (const {s, independent} of settings) putSetting(a, s, independent)
  applyFactors(observingFactors(rates), a)
  const inverse = Float64Array.from(rates.flatMap(recovering))
  let statistic = 0
  const used: Direction[] = []
  for (const {s, independent, theta, strongest} of settings) {
    const [q00, q01, q10, q11] = independent
    const G = new Float64Array(table.length)
    putSetting(G, s, [q11, -q10, -q01, q00])
    applyFactors(inverse, G)
    const deviation = Math.sqrt(innerProduct(a, G, G) / sampleCount)
    if (!(strongest > VISIBLE * deviation)) continue
    const direction = {G: G.map(value => value / deviation), z: theta / deviation}
    if (!makeIndependent(direction, used, a, sampleCount)) continue
    statistic += direction.z ** 2
    used.push(direction)
  }
  return {statistic, degreesOfFreedom: used.length, pValue: chiSquareTail(statistic, used.length)}
}

/** Reads the cells 00, 01, 10, 11 of the first two concepts at a setting s of the others. */
function readSetting(table: ArrayLike<number>, s: number) {
  const [p00, p01, p10, p11] = [0, 1, 2, 3].map(at => table[(at * table.length) / 4 + s])
  const mass = p00 + p01 + p10 + p11
  const product = (row: number, column: number) => (mass > 0 ? (row * column) / mass : 0)
  const [q00, q01] = [product(p00 + p01, p00 + p10), product(p00 + p01, p01 + p11)]
  const [q10, q11] = [product(p10 + p11, p00 + p10), product(p10 + p11, p01 + p11)]
  return {
    s,
    independent: [q00, q01, q10, q11],
    theta: p11 * p00 - p10 * p01,
    // Moving x from cells 01 and 10 to 00 and 11 changes theta by x times the mass, until a cell is empty.
    strongest: mass * Math.max(Math.min(q01, q10), Math.min(q00, q11))
  }
}

function putSetting(table: Float64Array, s: number, cells: readonly number[]): void {
  for (const [at, value] of cells.entries()) table[(at * table.length) / 4 + s] = value
}

/** Computes R_i^-T of an anchor. */
function recovering({truePositive: t, falsePositive: q}: Rates): number[] {
  const determinant = t - q
  return [t / determinant, -q / determinant, (t - 1) / determinant, (1 - q) / determinant]
}

/** Computes the sum of a_c G_c H_c over the cells. */
function innerProduct(a: Float64Array, G: Float64Array, H: Float64Array): number {
  let sum = 0
  for (let cell = 0; cell < a.length; cell++) sum += a[cell] * G[cell] * H[cell]
  return sum
}

/** A linear function G of a with the value z, standard deviation 1. */
interface Direction {
  G: Float64Array
  z: number
}

/** Makes a direction uncorrelated with the directions before it (Gram-Schmidt); false when nothing remains of it. */
function makeIndependent(direction: Direction, used: readonly Direction[], a: Float64Array, N: number): boolean {
  for (const {G, z} of used) {
    const correlation = innerProduct(a, direction.G, G) / N
    for (let cell = 0; cell < a.length; cell++) direction.G[cell] -= correlation * G[cell]
    direction.z -= correlation * z
  }
  const left = Math.sqrt(innerProduct(a, direction.G, direction.G) / N)
  if (!(left > DEPENDENT)) return false
  for (let cell = 0; cell < a.length; cell++) direction.G[cell] /= left
  direction.z /= left
  return true
}
