/**
 * Area under the ROC curve: the probability that a positive scores above a negative, equal scores counting half.
 * Undefined when either class is missing.
 */
export function rocArea(scores: ArrayLike<number>, isPositive: ArrayLike<number>): number | undefined {
  const order = byScore(scores)
  let positives = 0
  let negatives = 0
  let area = 0
  for (const [from, to] of ties(order, scores)) {
    let hits = 0
    for (let at = from; at < to; at++) hits += isPositive[order[at]]
    const misses = to - from - hits
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
export function averagePrecision(scores: ArrayLike<number>, isPositive: ArrayLike<number>): number | undefined {
  const order = byScore(scores)
  let positives = 0
  let sum = 0
  for (const [from, to] of ties(order, scores)) {
    let hits = 0
    for (let at = from; at < to; at++) hits += isPositive[order[at]]
    positives += hits
    sum += hits * (positives / to)
  }
  return positives > 0 ? sum / positives : undefined
}

/** Indexes from the highest score to the lowest. */
function byScore(scores: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({length: scores.length}, (_, at) => at).sort((a, b) => scores[b] - scores[a])
}

/** Runs of equal scores in that order, as [from, to). */
function* ties(order: Uint32Array, scores: ArrayLike<number>): Generator<[number, number]> {
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && scores[order[to]] === scores[order[from]]) to++
    yield [from, to]
    from = to
  }
}
