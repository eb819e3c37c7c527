import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {multiplyKronecker, recoverMoments} from '../../learn/moments/index.ts'
import type {EstimatedRates, NoiseRates} from '../../learn/noise/index.ts'
import type {AnchorStatistics} from './anchor-statistics.ts'
import {finding} from './finding.ts'

const LEAST_CHANCE = 0.001
/** Residuals grow with the number of documents; a misfit below this share is harmless, however significant. */
const LEAST_MISFIT = 0.25
const LEAST_DOCUMENTS = 10

/** Pairs of anchors whose joint counts no concepts with these rates can produce, worst first; one finding per concept. */
export function checkResiduals({counts}: AnchorStatistics, residuals: readonly PairResidual[]) {
  const {anchors} = counts.lexicon
  const named = new Set<number>()
  return residuals
    .filter(({chance, together, alone}) => chance < LEAST_CHANCE && (isMisfit(together) || isMisfit(alone)))
    .toSorted((x, y) => y.divergence - x.divergence)
    .flatMap(({concepts: [i, k], divergence, chance, together, alone}) => {
      if (named.has(i) || named.has(k)) return []
      named.add(i).add(k)
      const isTogether = isMisfit(together)
      const evidence = {
        other: anchors[k].concept,
        together: together.observed,
        expectedTogether: together.expected,
        divergence,
        chance,
        isTogether,
        ...(isTogether ? together : alone)
      }
      return [finding(anchors[i].concept, 'warning', 'residual', evidence)]
    })
}

function isMisfit({observed, expected}: Residual): boolean {
  const least = LEAST_MISFIT * Math.min(observed, expected)
  return Math.max(observed, expected) >= LEAST_DOCUMENTS && Math.abs(observed - expected) > least
}

/** Documents counted, and expected under the nearest hidden table. */
interface Residual {
  readonly observed: number
  readonly expected: number
}

export interface PairResidual {
  readonly concepts: readonly [number, number]
  /** 2 N KL in nats, and its p-value times the number of pairs. */
  readonly divergence: number
  readonly chance: number
  /** Documents with both anchors, and with exactly one. */
  readonly together: Residual
  readonly alone: Residual
}

/**
 * The residuals of all pairs of concepts with known rates: 2 N KL(a, R mu), where a is the observed table of the two
 * anchors and mu the nearest hidden table (recoverMoments on the simplex, without shrinkage).
 *
 * Where R^-1 a is a table, the residual is 0. Elsewhere mu lies on the boundary, and under the rates the residual is at
 * most a chi-square variable with one degree of freedom per cell at 0. The p-value uses one degree, Bonferroni-corrected
 * over all pairs, since small errors of the rates matter more. Cost: a few microseconds per pair.
 */
export async function pairResiduals(
  {counts, m, N, fired, pairs}: AnchorStatistics,
  rates: readonly (EstimatedRates | undefined)[]
): Promise<PairResidual[]> {
  const usable = rates.map(own => (own !== undefined && own.truePositive > own.falsePositive ? own : undefined))
  // Concepts without rates get placeholders; their pairs are skipped below.
  const noise: NoiseRates = {
    truePositive: Float64Array.from(usable, own => own?.truePositive ?? 0.9),
    falsePositive: Float64Array.from(usable, own => own?.falsePositive ?? 0.1),
    prevalence: Float64Array.from(usable, own => own?.prevalence.value ?? 0.5)
  }
  const moments = await recoverMoments(counts, noise, {polytope: 'simplex', shrinkage: 0})
  const tests = (m * (m - 1)) / 2
  const residuals: PairResidual[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      if (usable[i] === undefined || usable[k] === undefined) continue
      const together = pairs[i * m + k]
      const observed = [N - fired[i] - fired[k] + together, fired[k] - together, fired[i] - together, together]
      const expected = moments.pair(i, k)
      multiplyKronecker(Float64Array.from([...rateTable(noise, i), ...rateTable(noise, k)]), expected)
      const sum = observed.reduce(
        (sum, documents, c) => (documents > 0 ? sum + 2 * documents * log(documents / (N * expected[c])) : sum),
        0
      )
      const divergence = Math.max(0, sum)
      residuals.push({
        concepts: [i, k],
        divergence,
        chance: Math.min(1, tests * chiSquareTail(divergence, 1)),
        together: {observed: together, expected: N * expected[3]},
        alone: {observed: observed[1] + observed[2], expected: N * (expected[1] + expected[2])}
      })
    }
  return residuals
}

/** P(A|Y), rows by A. */
function rateTable({truePositive, falsePositive}: NoiseRates, i: number): readonly number[] {
  return [1 - falsePositive[i], 1 - truePositive[i], falsePositive[i], truePositive[i]]
}
