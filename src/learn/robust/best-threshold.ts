export interface BestThreshold {
  readonly threshold: number
  readonly expectedF1: number
}

const ROUND_LIMIT = 100

/**
 * The threshold that maximises the F1 expected under the probabilities:
 * F(tau) = 2 sum_{q >= tau} q / (number with q >= tau + sum of all q). The best F has tau = F / 2; Dinkelbach's method
 * repeats tau = F(tau) / 2, which rises to it in a few rounds. `probabilities[i]` and `weights[i]` belong to concept i.
 */
export function bestThreshold(probabilities: readonly Float64Array[], weights: readonly Float64Array[]): BestThreshold {
  let threshold = 0
  let expectedF1 = 0
  for (let round = 0; round < ROUND_LIMIT; round++) {
    const found = expectedF1At(probabilities, weights, threshold)
    if (!(found > expectedF1)) break
    expectedF1 = found
    threshold = found / 2
  }
  return {threshold, expectedF1}
}

/** The expected F1 of reporting probabilities of at least `threshold`. */
export function expectedF1At(
  probabilities: readonly Float64Array[],
  weights: readonly Float64Array[],
  threshold: number
): number {
  let hits = 0
  let reported = 0
  let present = 0
  probabilities.forEach((own, i) => {
    for (let d = 0; d < own.length; d++) {
      present += weights[i][d] * own[d]
      if (own[d] < threshold) continue
      hits += weights[i][d] * own[d]
      reported += weights[i][d]
    }
  })
  return reported + present > 0 ? (2 * hits) / (reported + present) : 0
}
