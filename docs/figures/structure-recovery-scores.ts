/**
 * BIC for tables that were recovered through noisy anchors.
 *
 * BIC grants a free parameter ln(N) / 2 because chance alone raises N times the information by about 1/2. The chance in a
 * recovered table mu is larger: N times its covariance is S = R^-1 (diag(a) - a a') R^-T with a = R mu, R the anchors'
 * channel. Fitting a table of the concepts T freely then gains, in place of half of 2^|T| - 1, half of
 *
 *     K(T) = sum over cells c of S_cc / mu_c,
 *
 * and a family pays penalty ln(N) (K(i and parents) - K(parents)). Without noise that is BIC. Being a difference of one
 * function of sets, it scores equivalent graphs the same, if the tables agree with each other. A cell that may be empty is
 * not known to within less than its standard error, so mu_c is taken to be at least that.
 */
import type {NoiseRates} from '../../src/noise/index.ts'
import {bicScores, type ConceptTables, type FamilyScores, pruneFamilies} from '../../src/structure/index.ts'

interface VarianceOptions {
  readonly maxParents: number
  readonly penalty: number
}

export function varianceScores(
  tables: ConceptTables,
  noise: NoiseRates,
  sampleCount: number,
  {maxParents, penalty}: VarianceOptions
): FamilyScores {
  const free = bicScores(tables, noise.prevalence.length, sampleCount, {maxParents, penalty: 0})
  const known = new Map<string, number>([['', 0]])
  const parameters = (concepts: readonly number[]) => {
    const name = concepts.join()
    const count = known.get(name) ?? noisyParameters(tables(concepts), concepts, noise, sampleCount)
    known.set(name, count)
    return count
  }
  return pruneFamilies(
    free.map((families, child) =>
      families.map(({parents, score}) => {
        const family = [...parents, child].sort((a, b) => a - b)
        return {parents, score: score - penalty * Math.log(sampleCount) * (parameters(family) - parameters(parents))}
      })
    )
  )
}

/**
 * The same with K(T) from the rates of the anchors alone, as if concepts were independent: the product of 1 + V over T, less 1,
 * where V = 1 / corr(A, Y)^2 is what the anchor multiplies the variance by.
 */
export function rateScores(
  tables: ConceptTables,
  noise: NoiseRates,
  sampleCount: number,
  {maxParents, penalty}: VarianceOptions
): FamilyScores {
  const inflation = Array.from(noise.prevalence, (p, i) =>
    noisyParameters([1 - p, p], [i], noise, Number.POSITIVE_INFINITY)
  )
  const free = bicScores(tables, inflation.length, sampleCount, {maxParents, penalty: 0})
  return pruneFamilies(
    free.map((families, child) =>
      families.map(({parents, score}) => {
        const parameters = parents.reduce((product, k) => product * (1 + inflation[k]), inflation[child])
        return {parents, score: score - penalty * Math.log(sampleCount) * parameters}
      })
    )
  )
}

/** K(T): how many parameters the table of some concepts counts for. */
export function noisyParameters(
  mu: ArrayLike<number>,
  concepts: readonly number[],
  {truePositive, falsePositive}: NoiseRates,
  sampleCount: number
): number {
  const seen = Float64Array.from(mu)
  concepts.forEach((i, at) => {
    const [t, e] = [truePositive[i], falsePositive[i]]
    eachPair(seen, concepts.length - 1 - at, (off, on) => [(1 - e) * off + (1 - t) * on, e * off + t * on])
  })
  concepts.forEach((i, at) => {
    const [t, e] = [truePositive[i], falsePositive[i]]
    const square = (numerator: number) => (numerator / (t - e)) ** 2
    eachPair(seen, concepts.length - 1 - at, (off, on) => [
      square(t) * off + square(1 - t) * on,
      square(e) * off + square(1 - e) * on
    ])
  })
  return seen.reduce((sum, second, cell) => {
    const variance = Math.max(0, second - mu[cell] ** 2)
    return variance === 0 ? sum : sum + variance / Math.max(mu[cell], Math.sqrt(variance / sampleCount))
  }, 0)
}

/** Replace every two cells that differ in one bit alone. */
function eachPair(
  cells: Float64Array,
  bit: number,
  change: (off: number, on: number) => readonly [number, number]
): void {
  const half = 1 << bit
  for (let cell = 0; cell < cells.length; cell++)
    if (!(cell & half)) [cells[cell], cells[cell | half]] = change(cells[cell], cells[cell | half])
}
