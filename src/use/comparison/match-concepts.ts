import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Anchor} from '../../read/data/index.ts'

/** The names of concepts in the second model by their names in the first; a name that is not there stays. */
export type Renamed = ReadonlyMap<string, string>

/** The same concept: its number in the first model and in the second. */
export type Match = readonly [a: number, b: number]

/**
 * The concepts that both models have, in the order of the first: those that `renamed` says, then those of equal names, then those
 * whose anchors are equal and nobody else's.
 */
export function matchConcepts(a: Model, b: Model, renamed: Renamed = new Map()): Match[] {
  const placeIn = (model: Model, name: string) => model.concepts.findIndex(concept => concept.name === name)
  const matches = new Map<number, number>()
  const taken = new Set<number>()
  const match = (i: number, k: number) => {
    if (i < 0 || k < 0 || matches.has(i) || taken.has(k)) return
    matches.set(i, k)
    taken.add(k)
  }
  for (const [from, to] of renamed) {
    checkRename(from, to, placeIn(a, from), placeIn(b, to))
    match(placeIn(a, from), placeIn(b, to))
  }
  // The old name of a renamed concept may be that of a new one.
  a.concepts.forEach(({name}, i) => {
    match(i, placeIn(b, name))
  })
  const keys = [a, b].map(model => model.lexicon.anchors.map(anchorKey))
  const only = (all: readonly string[], key: string) => {
    const at = all.indexOf(key)
    return all.indexOf(key, at + 1) < 0 ? at : -1
  }
  for (const [i, key] of keys[0].entries()) if (only(keys[0], key) === i) match(i, only(keys[1], key))
  return [...matches].sort(([i], [k]) => i - k)
}

function checkRename(from: string, to: string, i: number, k: number): void {
  if (i >= 0 && k >= 0) return
  const [model, name] = i < 0 ? ['first', from] : ['second', to]
  throw new AdfaError(
    'bad-option',
    `compareModels: the ${model} model has no concept "${printableLine(name)}" to rename; name concepts as the models have them`,
    {details: {option: 'renamed'}}
  )
}

function anchorKey({any, not}: Anchor): string {
  return JSON.stringify([any.toSorted(), not.toSorted()])
}

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
