import {AdfaError, badOption} from '../../base/checks/index.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'

/**
 * Labelled documents, and the anchors of all documents, by concept. The labelled documents of a concept must be a random
 * sample of those where its anchor fires, and of those where it does not; the two shares may differ. So documents drawn at
 * random may be joined by documents drawn where an anchor fires and labelled for that concept alone.
 */
export interface LabelledSample {
  /** All documents, labelled or not. */
  readonly documentCount: number
  /** The number of all documents in which each anchor fires. */
  readonly anchoredCounts: readonly number[]
  /** Labelled documents per concept, cell `4*i + 2*y + a` (as in `Counts`). */
  readonly labelled: ArrayLike<number>
}

/** The number of documents in which each anchor fires. */
export function anchoredCounts(counts: Counts): number[] {
  const m = counts.lexicon.anchors.length
  const pairs = anchorPairCounts(counts)
  return Array.from({length: m}, (_, i) => pairs[i * m + i])
}

/** The labelled documents of a concept where its anchor fires, or does not: [without the concept, with it]. */
export function labelledCells({labelled}: LabelledSample, i: number, fires: 0 | 1): [number, number] {
  return [labelled[4 * i + fires], labelled[4 * i + 2 + fires]]
}

/** The number of documents where the anchor fires, or does not. */
export function stratumSize({documentCount, anchoredCounts}: LabelledSample, i: number, fires: 0 | 1): number {
  return fires === 1 ? anchoredCounts[i] : documentCount - anchoredCounts[i]
}

/** Refuse impossible counts, and labels without any positive. */
export function checkSample(sample: LabelledSample, level: number): void {
  if (!(level > 0 && level < 1)) throw badOption('pooledRates', 'level', 'a number between 0 and 1', level)
  const {documentCount, anchoredCounts, labelled} = sample
  const m = anchoredCounts.length
  if (labelled.length !== 4 * m)
    throw refuse(`${labelled.length} counts of labelled documents for ${m} anchors; give four per anchor`)
  const isCount = (count: number, limit: number) => Number.isInteger(count) && count >= 0 && count <= limit
  let positives = 0
  for (let i = 0; i < m; i++) {
    const cells = [0, 1, 2, 3].map(cell => labelled[4 * i + cell])
    const [absent, falsely, missed, hit] = cells
    const anchored = anchoredCounts[i]
    if (
      !isCount(anchored, documentCount) ||
      !cells.every(cell => isCount(cell, documentCount)) ||
      falsely + hit > anchored ||
      absent + missed > documentCount - anchored
    )
      throw refuse(
        `concept number ${i}: its anchor fires in ${anchored} of ${documentCount} documents; ${falsely + hit} are ` +
          `labelled where it fires, ${absent + missed} where it does not (${cells.join(', ')}); each must be a whole ` +
          'number, and no more than there are documents; count again'
      )
    positives += missed + hit
  }
  if (positives === 0) throw refuse(`no labelled document has any of the ${m} concepts; label more documents`)
}

function refuse(message: string): AdfaError {
  return new AdfaError('bad-rates', message)
}
