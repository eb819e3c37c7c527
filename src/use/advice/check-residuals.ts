import type {AnchorStatistics} from './anchor-statistics.ts'
import {documentsOf, type Finding} from './finding.ts'
import type {PairResidual} from './pair-residuals.ts'

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
            `${isMisfit(together) ? `its anchor and that of "${other}" fire together` : `either its anchor or that of "${other}" fires alone`} in ${documentsOf(observed)}; ` +
            `with their rates there should be ${observed > expected ? 'at most' : 'at least'} about ${Math.round(expected).toLocaleString('en')}`,
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
