import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {counted, grouped} from '../../base/text/index.ts'
import {multiplyKronecker, recoverMoments} from '../../learn/moments/index.ts'
import type {EstimatedRates, NoiseRates} from '../../learn/noise/index.ts'
import type {AnchorStatistics} from './anchor-statistics.ts'
import type {Finding} from './finding.ts'

const LEAST_CHANCE = 0.001
/** Residuals grow with the number of documents; a misfit below this share is harmless, however significant. */
const LEAST_MISFIT = 0.25
const LEAST_DOCUMENTS = 10

/** Pairs of anchors whose joint counts no concepts with these rates can produce, worst first; one finding per concept. */
export function checkResiduals({counts}: AnchorStatistics, residuals: readonly PairResidual[]): Finding[] {
  const {anchors} = counts.lexicon
  const named = new Set<number>()
  return residuals
    .filter(({chance, together, alone}) => chance < LEAST_CHANCE && (isMisfit(together) || isMisfit(alone)))
    .toSorted((x, y) => y.divergence - x.divergence)
    .flatMap((residual): Finding[] => {
      const {concepts, divergence, chance, together, alone} = residual
      const [i, k] = concepts
      if (named.has(i) || named.has(k)) return []
      named.add(i).add(k)
      const {observed, expected} = isMisfit(together) ? together : alone
      const other = anchors[k].concept
      return [
        {
          concept: anchors[i].concept,
          severity: 'warning',
          kind: 'residual',
          message:
            `${isMisfit(together) ? `its anchor and that of "${other}" fire together` : `either its anchor or that of "${other}" fires alone`} in ${counted(observed, 'document')}; ` +
            `their rates imply ${observed > expected ? 'at most' : 'at least'} about ${grouped(expected)}`,
          evidence: {other, together: together.observed, expectedTogether: together.expected, divergence, chance},
          remedy: isShared(residual)
            ? 'they share words or phrases, or a rate is too low: read documents with both; veto with "not" or correct the rates'
            : 'one excludes the other (a longer phrase, a veto, short texts), or a rate is too high: correct the rates'
        }
      ]
    })
}

function isMisfit({observed, expected}: PairResidual['together']): boolean {
  const least = LEAST_MISFIT * Math.min(observed, expected)
  return Math.max(observed, expected) >= LEAST_DOCUMENTS && Math.abs(observed - expected) > least
}

/** Together more often, or alone less often, than the rates allow. */
function isShared({together, alone}: PairResidual): boolean {
  return isMisfit(together) ? together.observed > together.expected : alone.observed < alone.expected
}

interface Residual {
  readonly observed: number
  readonly expected: number
}

export interface PairResidual {
  readonly concepts: readonly [number, number]
  /** 2 N KL in nats, and its p-value times the number of pairs. */
  readonly divergence: number
  readonly chance: number
  /** Documents with both anchors and with exactly one: counted, and expected under the nearest hidden table. */
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
  const isUsable = rates.map(known => known !== undefined && known.truePositive > known.falsePositive)
  const known = (pick: (rate: EstimatedRates) => number, otherwise: number) =>
    Float64Array.from(rates, (rate, i) => (rate !== undefined && isUsable[i] ? pick(rate) : otherwise))
  // Concepts without rates get placeholders; their pairs are skipped below.
  const noise: NoiseRates = {
    truePositive: known(rate => rate.truePositive, 0.9),
    falsePositive: known(rate => rate.falsePositive, 0.1),
    prevalence: known(rate => rate.prevalence.value, 0.5)
  }
  const moments = await recoverMoments(counts, noise, {polytope: 'simplex', shrinkage: 0})
  const residuals: PairResidual[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      if (!isUsable[i] || !isUsable[k]) continue
      const together = pairs[i * m + k]
      const observed = [N - fired[i] - fired[k] + together, fired[k] - together, fired[i] - together, together]
      const expected = moments.pair(i, k)
      multiplyKronecker(Float64Array.from([...rateTable(noise, i), ...rateTable(noise, k)]), expected)
      const divergence = observed.reduce(
        (sum, documents, c) => (documents > 0 ? sum + 2 * documents * log(documents / (N * expected[c])) : sum),
        0
      )
      const tests = (m * (m - 1)) / 2
      residuals.push({
        concepts: [i, k],
        divergence: Math.max(0, divergence),
        chance: Math.min(1, tests * chiSquareTail(Math.max(0, divergence), 1)),
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
