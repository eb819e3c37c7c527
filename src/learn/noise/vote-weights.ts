/** What the votes of a document add to the classes of a group: plain data, part of the word weights of a model file. */
export interface VoteWeights {
  /** The classes, ascending. */
  readonly concepts: readonly number[]
  /** Per member of their anchors, in order: log-odds added to each class where it fires. */
  readonly weights: readonly (readonly number[])[]
  /** Whether the member belongs to a function: n functions that vote for one class count n^-1/2 each. */
  readonly isFunction: readonly boolean[]
  /** Added to a class where none of its members fires. */
  readonly silent: readonly number[]
}

/** What each vote, given by its place, counts; `labels` has the class of each place. */
export function voteFactors({isFunction}: VoteWeights, labels: readonly number[], votes: readonly number[]): number[] {
  const functions = votes.filter(k => isFunction[k])
  return votes.map(k =>
    isFunction[k] ? 1 / Math.sqrt(functions.filter(other => labels[other] === labels[k]).length) : 1
  )
}

/** Classes without a vote. */
export function silentClasses(labels: readonly number[], votes: readonly number[], C: number): number[] {
  return Array.from({length: C}, (_, c) => c).filter(c => !votes.some(k => labels[k] === c))
}

/** Adds the votes to the log-odds of the classes. */
export function addVotes(
  model: VoteWeights,
  labels: readonly number[],
  votes: readonly number[],
  out: Float64Array
): void {
  const factors = voteFactors(model, labels, votes)
  votes.forEach((k, at) => {
    for (let c = 0; c < out.length; c++) out[c] += factors[at] * model.weights[k][c]
  })
  for (const c of silentClasses(labels, votes, out.length)) out[c] += model.silent[c]
}
