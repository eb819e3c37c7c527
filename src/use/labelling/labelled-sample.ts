import type {LabelledSample} from '../../learn/noise/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {LabelRow} from './label-rows.ts'

/** How often each anchor fires in all documents. */
export type AnchorTotals = Pick<LabelledSample, 'documentCount' | 'anchoredCounts'>

export function anchorTotals(counts: Counts): AnchorTotals {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return {
    documentCount: counts.documentCount,
    anchoredCounts: Array.from({length: m}, (_, i) => pairs[i * m + i])
  }
}

/**
 * What answers say about each concept, ready for `pooledRates`: labelled documents by truth and by whether the anchor fires. Documents
 * drawn for their anchor go with the others where it fires, of which they are a random sample, as long as they are labelled with
 * this concept alone. `firedIn` gives the concepts whose anchors fire in the document of a key. Cost: O(labels).
 */
export function labelledSample(
  concepts: readonly string[],
  rows: readonly LabelRow[],
  firedIn: (key: string) => readonly number[],
  totals: AnchorTotals
): LabelledSample {
  const labelled = new Float64Array(4 * concepts.length)
  for (const {id, labels} of rows) {
    const fired = new Set(firedIn(String(id)))
    concepts.forEach((concept, i) => {
      const truth = labels.get(concept)
      if (truth !== undefined) labelled[4 * i + (truth ? 2 : 0) + (fired.has(i) ? 1 : 0)]++
    })
  }
  return {...totals, labelled}
}
