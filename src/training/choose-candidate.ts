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

/** Mean score, and how much better it is than the other's: paired, with its standard error over the documents. */
export function compare({values}: Candidate, other: Candidate): {score: number; gain: number; gainError: number} {
  const count = values.length
  let score = 0
  let gain = 0
  for (let d = 0; d < count; d++) {
    score += values[d] / count
    gain += (values[d] - other.values[d]) / count
  }
  let square = 0
  for (let d = 0; d < count; d++) square += (values[d] - other.values[d] - gain) ** 2
  return {score, gain, gainError: Math.sqrt(square) / count}
}
