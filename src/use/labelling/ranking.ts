import {fit} from '../../learn/fit.ts'
import {createInference} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {anchoredCounts, type PooledRates} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {AnchorRates, Evidence} from '../../read/data/index.ts'

/** How probable each concept is in a document, given the labels so far. */
export interface Ranking {
  probabilities(evidence: Evidence): ArrayLike<number>
}

/** Without labels: typical values for anchors of real corpora. */
const USUAL_TRUE_POSITIVE = 0.4
const USUAL_PRECISION = 0.8

/**
 * A quickly fitted model to rank concepts: a tree over the concepts, with the loosest polytope. Rates come from labels, otherwise
 * from the anchors file, otherwise typical values. A wrong model costs the user time but no label.
 */
export async function learnRanking(counts: Counts, rates: readonly PooledRates[] | undefined): Promise<Model> {
  const {documentCount, lexicon} = counts
  const fired = anchoredCounts(counts)
  const anchors = lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = rates?.[i] ?? usualRates(Math.max(fired[i], 0.5) / documentCount)
    const learned = {kind: 'rates', truePositive, falsePositive: Math.min(falsePositive, truePositive / 2)} as const
    const given: AnchorRates | undefined = rates === undefined ? anchor.rates : undefined
    return {...anchor, rates: given ?? learned}
  })
  return fit(
    {...counts, lexicon: {...lexicon, anchors}},
    {noise: 'given', words: 'noisy-or', network: 'tree', polytope: 'simplex'}
  )
}

export function rankBy(model: Model): Ranking {
  const inference = createInference(model, {method: 'message-passing'})
  return {probabilities: evidence => inference.posterior(evidence).probabilities}
}

/** Without a model: concepts whose anchors fire, then the frequent ones. */
export function anchorRanking(counts: Counts): Ranking {
  const shares = anchoredCounts(counts).map(fired => (0.5 * fired) / counts.documentCount)
  return {probabilities: ({anchors}) => shares.map((share, i) => (anchors.includes(i) ? USUAL_PRECISION : share))}
}

function usualRates(share: number): {readonly truePositive: number; readonly falsePositive: number} {
  return {
    truePositive: Math.max(USUAL_TRUE_POSITIVE, Math.min(0.98, 1.2 * share)),
    falsePositive: (1 - USUAL_PRECISION) * share
  }
}
