/**
 * Area under the ROC curve: the probability that a positive scores above a negative, equal scores counting half.
 * Undefined when either class is missing.
 */
export function rocArea(
  scores: ArrayLike<number>,
  isPositive: ArrayLike<number>,
  order = descending(scores)
): number | undefined {
  let positives = 0
  let negatives = 0
  let area = 0
  for (const {hits, misses} of ties(scores, isPositive, order)) {
    area += misses * (positives + hits / 2)
    positives += hits
    negatives += misses
  }
  return positives > 0 && negatives > 0 ? area / (positives * negatives) : undefined
}

/**
 * Average precision: the mean, over the positives, of the precision at their score; equal scores are taken together.
 * Undefined without a positive.
 */
export function averagePrecision(
  scores: ArrayLike<number>,
  isPositive: ArrayLike<number>,
  order = descending(scores)
): number | undefined {
  let positives = 0
  let seen = 0
  let sum = 0
  for (const {hits, misses} of ties(scores, isPositive, order)) {
    positives += hits
    seen += hits + misses
    sum += hits * (positives / seen)
  }
  return positives > 0 ? sum / positives : undefined
}

/** Places from the highest score to the lowest. */
export function descending(scores: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({length: scores.length}, (_, at) => at).sort((a, b) => scores[b] - scores[a])
}

/** Positives and negatives of each score, in the order of {@link descending}. */
function* ties(scores: ArrayLike<number>, isPositive: ArrayLike<number>, order: Uint32Array) {
  for (let at = 0; at < order.length; ) {
    const score = scores[order[at]]
    let [hits, misses] = [0, 0]
    for (; at < order.length && scores[order[at]] === score; at++)
      if (isPositive[order[at]]) hits++
      else misses++
    yield {hits, misses}
  }
}
