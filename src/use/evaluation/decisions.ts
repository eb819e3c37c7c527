/** How well yes and no agree with the truth. */
export interface DecisionFigures {
  /** F1 of all decisions together. */
  readonly microF1: number
  /** Mean F1 over the concepts that occur. */
  readonly macroF1: number
}

/** A concept is reported from a probability of `threshold` on; layout as in `taggingFigures`. */
export function decisionFigures(
  scores: readonly ArrayLike<number>[],
  truths: readonly ArrayLike<number>[],
  threshold: number
): DecisionFigures {
  const decisions = scores.map((probabilities, i) => countDecisions(probabilities, truths[i], threshold))
  const total = decisions.reduce((sum, {hits, misses, alarms}) => ({
    hits: sum.hits + hits,
    misses: sum.misses + misses,
    alarms: sum.alarms + alarms
  }))
  const occurring = decisions.filter(({hits, misses}) => hits + misses > 0)
  return {microF1: f1(total), macroF1: occurring.reduce((sum, own) => sum + f1(own), 0) / occurring.length}
}

interface Decisions {
  readonly hits: number
  readonly misses: number
  readonly alarms: number
}

function countDecisions(probabilities: ArrayLike<number>, truth: ArrayLike<number>, threshold: number): Decisions {
  let hits = 0
  let misses = 0
  let alarms = 0
  for (let at = 0; at < truth.length; at++) {
    const isReported = probabilities[at] >= threshold
    if (truth[at] && isReported) hits++
    else if (truth[at]) misses++
    else if (isReported) alarms++
  }
  return {hits, misses, alarms}
}

function f1({hits, misses, alarms}: Decisions): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + misses + alarms)
}
