import {AdfaError} from '../../base/checks/index.ts'

/**
 * What labelled documents, and the anchors of all documents, say about each concept.
 *
 * Labelled documents of a concept must be a random sample of those where its anchor fires, and another of those where
 * it does not; the two shares may differ. So whole documents drawn at random will do, and with them some drawn
 * among those where an anchor fires and labelled with the concept of that anchor alone.
 */
export interface LabelledSample {
  /** All documents, labelled or not. */
  readonly documentCount: number
  /** In how many of all documents each anchor fires. */
  readonly anchoredCounts: readonly number[]
  /** Labelled documents per concept, cell `4*i + 2*y + a` (as in `Counts`). */
  readonly labelled: ArrayLike<number>
}

/** The labelled documents of a concept where its anchor fires, or where it does not: [without it, with it]. */
export function labelledCells({labelled}: LabelledSample, i: number, fires: 0 | 1): [number, number] {
  return [labelled[4 * i + fires], labelled[4 * i + 2 + fires]]
}

/** How many documents there are where the anchor fires, or where it does not. */
export function stratumSize({documentCount, anchoredCounts}: LabelledSample, i: number, fires: 0 | 1): number {
  return fires === 1 ? anchoredCounts[i] : documentCount - anchoredCounts[i]
}

/** Refuse counts that cannot be, and labels that say nothing. */
export function checkSample(sample: LabelledSample, level: number): void {
  if (!(level > 0 && level < 1))
    throw new AdfaError('bad-option', `level ${level}; an interval needs one between 0 and 1`)
  const {documentCount, anchoredCounts, labelled} = sample
  const m = anchoredCounts.length
  if (labelled.length !== 4 * m)
    throw refuse(`${labelled.length} counts of labelled documents beside ${m} anchors; give four for each anchor`)
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
        `concept number ${i}: its anchor fires in ${anchored} of ${documentCount} documents; labelled are ` +
          `${falsely + hit} where it fires, ${absent + missed} where it does not (${cells.join(', ')}); ` +
          'each must be a whole number from 0 to what it is counted in; count again'
      )
    positives += missed + hit
  }
  if (positives === 0) throw refuse(`no labelled document has any of ${m} concepts; label more documents`)
}

function refuse(message: string): AdfaError {
  return new AdfaError('bad-rates', message)
}
