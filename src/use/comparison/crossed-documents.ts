import type {Match} from './match-concepts.ts'

/** The probabilities of documents by one model. */
export interface Scores {
  /** Of concept i in document d: `probabilities[d * conceptCount + i]`. */
  readonly probabilities: Float32Array
  readonly conceptCount: number
  /** The probability from which a concept is reported. */
  readonly threshold: number
}

/** Documents, by number, that report a concept by the second model alone, and by the first alone. */
export interface Crossing {
  readonly match: Match
  readonly entered: readonly number[]
  readonly left: readonly number[]
}

/** The documents that cross the threshold of a concept. Both models must have read the same documents. */
export function crossedDocuments(matches: readonly Match[], a: Scores, b: Scores): Crossing[] {
  const documents = a.probabilities.length / a.conceptCount
  return matches.map(match => {
    const [i, k] = match
    const [entered, left]: [number[], number[]] = [[], []]
    for (let at = 0; at < documents; at++) {
      const was = a.probabilities[at * a.conceptCount + i] >= a.threshold
      const is = b.probabilities[at * b.conceptCount + k] >= b.threshold
      if (was !== is) (is ? entered : left).push(at)
    }
    return {match, entered, left}
  })
}
