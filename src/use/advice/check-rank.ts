import {twoAnchorRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {type Finding, listOf} from './finding.ts'

/** So many contradicting words, or so much disagreement of the others among at least so many, are more than chance. */
const REJECTED_LIMIT = 3
const DISAGREEMENT_LIMIT = 2
const LEAST_VIEWS = 5
/** Pairs of features whose rates differ by more than this do not speak of one concept. */
const SPREAD_LIMIT = 0.3

/**
 * The rank test of anchors with two or more features: all other words and anchors depend on them through the concept
 * alone, so that their covariances with one feature are proportional to those with another (`twoAnchorRates`).
 */
export function checkRank(counts: Counts): Finding[] {
  return counts.lexicon.anchors.flatMap(({any}, i) => {
    if (any.length < 2) return []
    const rates = twoAnchorRates(counts, i)
    if (rates.kind === 'unusable') return []
    const {pair, usedViews, rejectedViews, disagreement, pairSpread, pairCount, impossiblePairs} = rates.certificate
    const isUneven = disagreement >= DISAGREEMENT_LIMIT && usedViews.length >= LEAST_VIEWS
    const isSpread = impossiblePairs > 0 || (pairCount > 1 && pairSpread > SPREAD_LIMIT)
    if (rejectedViews.length === 0 && !isUneven && !isSpread) return []
    const [a, b] = pair
    const details = [
      ...(rejectedViews.length > 0
        ? [
            `${listOf(rejectedViews)} ${rejectedViews.length === 1 ? 'goes' : 'go'} with one of '${a}' and '${b}' in a way that the concept does not explain`
          ]
        : []),
      ...(isUneven ? [`the words that go with '${a}' and with '${b}' do so unevenly`] : []),
      ...(isSpread ? ['different pairs of its features give different pictures of the concept'] : [])
    ]
    return [
      {
        concept: rates.concept,
        severity: rejectedViews.length >= REJECTED_LIMIT || isUneven || isSpread ? 'warning' : 'note',
        kind: 'members-disagree',
        message: `the features of its anchor do not stand for one thing alone: ${details.join('; ')}`,
        evidence: {pair, rejected: rejectedViews, used: usedViews.length, disagreement, pairSpread, impossiblePairs},
        remedy: 'fixed phrases and side meanings do this; veto them with "not", or drop the looser feature'
      } satisfies Finding
    ]
  })
}
