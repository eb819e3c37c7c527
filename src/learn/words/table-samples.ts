import {anchorPairCounts, anchorWordCounts, type Counts, wordTotals} from '../../read/counts/index.ts'
import type {CompanyReader} from './company.ts'
import {type ConceptSample, NORMAL_POINTS} from './concept-sample.ts'

/**
 * The samples of all concepts from tables of two anchors or words, as releases have them. Where a concept's own anchor fired, and
 * where it did not, the means of what other anchors and words say are known exactly; both are taken for normal around them, with
 * the variance that independent ones would have: nine entries each. Cost: O(m (m + n)).
 */
export function tableSamples(counts: Counts, company: CompanyReader, weights: Float64Array): ConceptSample[] {
  const m = counts.lexicon.anchors.length
  const n = counts.lexicon.words.length
  const pairs = anchorPairCounts(counts)
  const withAnchor = anchorWordCounts(counts)
  const totals = wordTotals(counts)
  const silent = saidBy(company, [], m)
  const firedSays = Array.from({length: m}, (_, k) => saidBy(company, [k], m).map((say, i) => say - silent[i]))
  return Array.from({length: m}, (_, i) => {
    const fired = pairs[i * m + i]
    const strata = [0, 1].map(a => {
      const documents = a === 1 ? fired : counts.documentCount - fired
      const share = (both: number, all: number) => Math.max(0, a === 1 ? both : all - both) / Math.max(1, documents)
      const others = spread(
        m,
        k => share(pairs[i * m + k], pairs[k * m + k]),
        k => firedSays[k][i]
      )
      const words = spread(
        n,
        j => share(withAnchor[i * n + j], totals[j]),
        j => weights[i * n + j]
      )
      return {documents, others: {...others, mean: others.mean + silent[i]}, words}
    })
    const entries = strata.flatMap(({documents, others, words}, a) =>
      NORMAL_POINTS.flatMap(x =>
        NORMAL_POINTS.map(y => ({
          others: others.mean + x.place * others.deviation,
          scores: words.mean + y.place * words.deviation,
          weights: x.share * y.share * documents,
          fired: a
        }))
      )
    )
    return {
      others: Float64Array.from(entries, entry => entry.others),
      scores: Float64Array.from(entries, entry => entry.scores),
      weights: Float64Array.from(entries, entry => entry.weights),
      fired: Uint8Array.from(entries, entry => entry.fired)
    }
  })
}

function saidBy(company: CompanyReader, fired: readonly number[], m: number): Float64Array {
  const out = new Float64Array(m)
  company.fromAnchors(fired, undefined, out)
  return out
}

/** Mean and deviation of the sum of what independent things say, each present with its own share. */
function spread(size: number, shareOf: (at: number) => number, sayOf: (at: number) => number) {
  let [mean, variance] = [0, 0]
  for (let at = 0; at < size; at++) {
    const [share, say] = [shareOf(at), sayOf(at)]
    mean += say * share
    variance += say * say * share * (1 - share)
  }
  return {mean, deviation: Math.sqrt(variance)}
}
