/** The predictions whose probabilities fall into one bin: what was said of them, and what came true. */
export interface ReliabilityBin {
  readonly meanProbability: number
  /** The share of them in which the concept is present. */
  readonly shareFound: number
  /** Predictions, one a document and concept. */
  readonly count: number
}

const BIN_COUNT = 15

/**
 * The reliability curve: fifteen equally wide bins, lowest first, empty ones left out. Where probabilities can be taken
 * at their word, both shares of a bin agree. Layout as in `taggingFigures`.
 */
export function reliabilityCurve(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[]
): ReliabilityBin[] {
  const said = new Float64Array(BIN_COUNT)
  const found = new Float64Array(BIN_COUNT)
  const counts = new Float64Array(BIN_COUNT)
  scores.forEach((probabilities, i) => {
    for (let at = 0; at < probabilities.length; at++) {
      const bin = Math.min(BIN_COUNT - 1, Math.floor(probabilities[at] * BIN_COUNT))
      said[bin] += probabilities[at]
      found[bin] += truths[i][at]
      counts[bin]++
    }
  })
  return Array.from(counts, (count, bin) => ({
    meanProbability: said[bin] / count,
    shareFound: found[bin] / count,
    count
  })).filter(({count}) => count > 0)
}

/** The mean distance of both shares over the bins, weighted by their size. */
export function calibrationError(curve: readonly ReliabilityBin[]): number {
  let distance = 0
  let total = 0
  for (const {meanProbability, shareFound, count} of curve) {
    distance += count * Math.abs(meanProbability - shareFound)
    total += count
  }
  return distance / total
}
