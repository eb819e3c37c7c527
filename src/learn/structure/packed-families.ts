import type {FamilyScores} from './family-scores.ts'

/**
 * Family scores in flat arrays: family n of all belongs to the concept i with `starts[i] <= n < starts[i + 1]`, best first,
 * and has the parents `parents[parentStarts[n]] .. parents[parentStarts[n + 1] - 1]`.
 */
export interface PackedFamilies {
  readonly starts: Int32Array
  readonly scores: Float64Array
  readonly parentStarts: Int32Array
  readonly parents: Int32Array
  /** The concept of each family. */
  readonly children: Int32Array
}

export function packFamilies(scores: FamilyScores): PackedFamilies {
  const all = scores.flat()
  return {
    starts: startsOf(scores),
    scores: Float64Array.from(all, family => family.score),
    parentStarts: startsOf(all.map(family => family.parents)),
    parents: Int32Array.from(all.flatMap(family => family.parents)),
    children: Int32Array.from(scores.flatMap((families, i) => families.map(() => i)))
  }
}

/** The first, thus best, family of concept i whose parents all have a smaller `position` than i; -1 if there is none. */
export function bestFamilyBefore(families: PackedFamilies, i: number, position: ArrayLike<number>): number {
  const {starts, parentStarts, parents} = families
  for (let n = starts[i]; n < starts[i + 1]; n++) {
    let at = parentStarts[n]
    const end = parentStarts[n + 1]
    while (at < end && position[parents[at]] < position[i]) at++
    if (at === end) return n
  }
  return -1
}

function startsOf(lists: readonly (readonly unknown[])[]): Int32Array {
  const starts = new Int32Array(lists.length + 1)
  lists.forEach((list, n) => {
    starts[n + 1] = starts[n] + list.length
  })
  return starts
}
