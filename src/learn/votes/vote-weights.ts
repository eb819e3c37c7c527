import {exp} from '../../base/numeric/index.ts'

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

/**
 * What the members that fired add to the log-odds of classes; other concepts keep their place in `out`. Members are numbered
 * through all concepts, and `conceptOf` has the concept of each.
 */
export function voteEvidence(
  votes: readonly VoteWeights[],
  conceptOf: readonly number[]
): (fired: ArrayLike<number>, out: Float64Array) => void {
  const readers = votes.map(own => {
    const {concepts} = own
    const members = [...conceptOf.keys()].filter(k => concepts.includes(conceptOf[k]))
    const labels = members.map(k => concepts.indexOf(conceptOf[k]))
    const placeOf = new Map(members.map((k, place) => [k, place]))
    const sums = new Float64Array(concepts.length)
    return (fired: ArrayLike<number>, out: Float64Array) => {
      const places: number[] = []
      for (let at = 0; at < fired.length; at++) {
        const place = placeOf.get(fired[at])
        if (place !== undefined) places.push(place)
      }
      addVotes(own, labels, places, sums.fill(0))
      for (let c = 0; c < sums.length; c++) out[concepts[c]] = sums[c]
    }
  })
  return (fired, out) => {
    for (const read of readers) read(fired, out)
  }
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

/** Softmax, in place. */
export function toProbabilities(logits: Float64Array): void {
  const top = Math.max(...logits)
  let sum = 0
  for (let c = 0; c < logits.length; c++) {
    logits[c] = exp(logits[c] - top)
    sum += logits[c]
  }
  for (let c = 0; c < logits.length; c++) logits[c] /= sum
}
