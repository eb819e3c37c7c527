/** A model that could be the result, and how well it foretells the anchors of each document out of fold. */
export interface Candidate {
  readonly step: number
  readonly strength: number
  readonly values: Float64Array
}

/**
 * The candidate to take: of those that beat the start (the first) by `standardErrors` of their paired difference, the one
 * whose words say least, and of these the one with the best score; the start if there is none.
 *
 * Not simply the best score: words and anchors come from the same hand, also beyond what the concept explains, so that
 * foretelling anchors flatters strong words. What training gains by the score is spent on words that say less.
 */
export function chooseCandidate(candidates: readonly Candidate[], standardErrors: number): Candidate {
  const [start] = candidates
  const better = candidates.filter(candidate => {
    const {gain, gainError} = compare(candidate, start)
    return gain > standardErrors * gainError
  })
  const weakest = better.reduce((least, {strength}) => Math.min(least, strength), 1)
  return better
    .filter(({strength}) => strength === weakest)
    .reduce((best, next) => (best === start || compare(next, best).gain > 0 ? next : best), start)
}

/** Mean score, and how much better it is than the other's: paired, each with its standard error over the documents. */
export function compare(
  {values}: Candidate,
  other: Candidate
): {score: number; scoreError: number; gain: number; gainError: number} {
  const {mean: score, error: scoreError} = meanAndError(values)
  const {mean: gain, error: gainError} = meanAndError(values.map((value, d) => value - other.values[d]))
  return {score, scoreError, gain, gainError}
}

function meanAndError(values: Float64Array): {mean: number; error: number} {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0)
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {mean, error: Math.sqrt(square) / values.length}
}
