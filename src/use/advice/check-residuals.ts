import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {counted, grouped} from '../../base/text/index.ts'
import {applyFactors, recoverMoments} from '../../learn/moments/index.ts'
import type {EstimatedRates, NoiseRates} from '../../learn/noise/index.ts'
import type {AnchorStatistics} from './anchor-statistics.ts'
import type {Finding} from './finding.ts'

const LEAST_CHANCE = 0.001
/** Residuals grow with the number of documents; a misfit smaller than this share of them does no harm. */
const LEAST_MISFIT = 0.25
const LEAST_DOCUMENTS = 10

/** Pairs of anchors that no concepts with these rates could make, worst first, each concept in at most one. */
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
            `with their rates there should be ${observed > expected ? 'at most' : 'at least'} about ${grouped(expected)}`,
          evidence: {other, together: together.observed, expectedTogether: together.expected, divergence, chance},
          remedy: isShared(residual)
            ? 'they share words or phrases, or a rate is too low: look at documents with both; veto with "not" or correct the rates'
            : 'one shuts the other out (a longer phrase, a veto, short texts), or a rate is too high: correct the rates'
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

/**
 * How far the anchors of two concepts are from anything that their rates allow: 2 N KL(a, R mu), with a the observed
 * table of the two anchors and mu the nearest hidden table (recoverMoments on the simplex, without shrinkage).
 *
 * Where R^-1 a is a table, the residual is 0; elsewhere mu lies on the border, and by chance the residual is at most a
 * chi-square variable of one degree of freedom for each cell at 0. Here one is taken, Bonferroni over all pairs, since
 * rates off by a little matter more. Cost: a few microseconds a pair.
 */

interface Residual {
  readonly observed: number
  readonly expected: number
}

export interface PairResidual {
  readonly concepts: readonly [number, number]
  /** 2 N KL in nats, and the chance of as much, times the number of pairs. */
  readonly divergence: number
  readonly chance: number
  /** Documents with both anchors and with just one, and what the nearest hidden table makes of them. */
  readonly together: Residual
  readonly alone: Residual
}

/** The residuals of all pairs of concepts whose rates are known. */
export function pairResiduals(
  {counts, m, N, fired, pairs}: AnchorStatistics,
  rates: readonly (EstimatedRates | undefined)[]
): PairResidual[] {
  const isUsable = rates.map(known => known !== undefined && known.truePositive > known.falsePositive)
  const known = (pick: (rate: EstimatedRates) => number, otherwise: number) =>
    Float64Array.from(rates, (rate, i) => (rate !== undefined && isUsable[i] ? pick(rate) : otherwise))
  // Concepts without rates take part with made-up ones and are not looked at.
  const noise: NoiseRates = {
    truePositive: known(rate => rate.truePositive, 0.9),
    falsePositive: known(rate => rate.falsePositive, 0.1),
    prevalence: known(rate => rate.prevalence.value, 0.5)
  }
  const moments = recoverMoments(counts, noise, {polytope: 'simplex', shrinkage: 0})
  const residuals: PairResidual[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      if (!isUsable[i] || !isUsable[k]) continue
      const together = pairs[i * m + k]
      const observed = [N - fired[i] - fired[k] + together, fired[k] - together, fired[i] - together, together]
      const expected = moments.pair(i, k)
      applyFactors(Float64Array.from([...channel(noise, i), ...channel(noise, k)]), expected)
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
function channel({truePositive, falsePositive}: NoiseRates, i: number): readonly number[] {
  return [1 - falsePositive[i], 1 - truePositive[i], falsePositive[i], truePositive[i]]
}
