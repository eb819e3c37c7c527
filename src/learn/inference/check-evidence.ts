import {AdfaError} from '../../base/checks/index.ts'
import type {KnownTags} from './posterior.ts'

/** Refuse numbers of words or anchors that no document read by the model's lexicon has. */
export function checkAscending(list: readonly number[], limit: number, what: string): void {
  let previous = -1
  for (let at = 0; at < list.length; at++) {
    const index = list[at]
    if (!(index > previous && index < limit && Number.isInteger(index)))
      throw new AdfaError(
        'mismatch',
        `${what}s of a document must be ascending numbers below ${limit}; got ${index} after ${previous}; read the document with the model's own lexicon`
      )
    previous = index
  }
}

/** Copy known tags to `target`, -1 everywhere if there are none. */
export function readKnown(target: Int8Array, known: KnownTags | undefined): void {
  target.fill(-1)
  if (known === undefined) return
  if (known.length !== target.length)
    throw new AdfaError(
      'mismatch',
      `known tags must have one entry a concept; expected ${target.length}, got ${known.length}`
    )
  for (let i = 0; i < target.length; i++) {
    const tag = known[i]
    if (tag !== -1 && tag !== 0 && tag !== 1)
      throw new AdfaError(
        'mismatch',
        `the known tag of concept ${i} must be -1 (unknown), 0 (absent) or 1 (present); got ${tag}`
      )
    target[i] = tag
  }
}

/** The tags given to the last-tag task, as known tags: 1 for those given, -1 for all others. */
export function readGiven(target: Int8Array, given: readonly number[]): void {
  target.fill(-1)
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < target.length))
      throw new AdfaError('mismatch', `given tag ${i} is none of the ${target.length} concepts`)
    target[i] = 1
  }
}
