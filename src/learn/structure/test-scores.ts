import fc from 'fast-check'
import {topologicalOrder} from '../../base/network/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {type Family, type FamilyScores, subsetsOf} from './bic.ts'

/**
 * Draws random scores, which would be best with many cycles. Every family of at most `maxParents` is listed with probability `share`,
 * the empty one always.
 */
export function randomScores(m: number, maxParents: number, share: number, random: Rng): FamilyScores {
  const concepts = Array.from({length: m}, (_, i) => i)
  const sizes = Array.from({length: maxParents + 1}, (_, size) => size)
  return concepts.map(i =>
    sizes
      .flatMap(size => [...subsetsOf(concepts.toSpliced(i, 1), size)])
      .filter(({length}) => length === 0 || random.next() < share)
      .map((parents): Family => ({parents, score: -100 * random.next() + 20 * parents.length}))
      .sort((a, b) => b.score - a.score)
  )
}

export function anyScores(maxCount: number): fc.Arbitrary<FamilyScores> {
  return fc
    .tuple(fc.integer({min: 1, max: maxCount}), fc.integer({min: 0, max: 3}), fc.integer())
    .map(([m, maxParents, seed]) => randomScores(m, maxParents, 0.7, rng(seed)))
}

/** Returns the best score of an acyclic graph, by trying every combination of families; -Infinity if there is none. */
export function bestByBruteForce(scores: FamilyScores): number {
  let best = Number.NEGATIVE_INFINITY
  const parents: (readonly number[])[] = scores.map(() => [])
  const extend = (i: number, score: number) => {
    if (topologicalOrder(parents) === undefined) return
    if (i === scores.length) {
      best = Math.max(best, score)
      return
    }
    for (const family of scores[i]) {
      parents[i] = family.parents
      extend(i + 1, score + family.score)
    }
    parents[i] = []
  }
  extend(0, 0)
  return best
}

/** Returns the score of a graph, the sum over its families. */
export function scoreOf(scores: FamilyScores, parents: readonly (readonly number[])[]): number {
  return parents.reduce((sum, list, i) => {
    const family = scores[i].find(candidate => candidate.parents.join() === list.join())
    return sum + (family?.score ?? Number.NaN)
  }, 0)
}
