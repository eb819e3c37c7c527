import {mutualInformation} from '../../base/numeric/index.ts'
import type {Moments} from '../moments/index.ts'

/**
 * The tree of maximum mutual information (Chow and Liu), or whatever else an edge is worth, rooted at `root`, by Prim's
 * method in O(m^2). Mutual information is computed wholly from each pair's own table, since simplex moments of pairs and
 * singles may differ. Among equal edges the one to the lower-numbered concept wins.
 */
export function chowLiuTree(
  moments: Moments,
  root: number,
  worth: (i: number, k: number) => number = (i, k) => mutualInformation(moments.pair(i, k))
): {parents: number[][]; score: number} {
  const m = moments.conceptCount
  const parents: number[][] = Array.from({length: m}, () => [])
  const best = new Float64Array(m).fill(Number.NEGATIVE_INFINITY)
  const bestParent = new Int32Array(m)
  const joined = new Uint8Array(m)
  let score = 0
  for (let count = 0, last = root; count < m; count++) {
    joined[last] = 1
    if (count > 0) {
      parents[last] = [bestParent[last]]
      score += best[last]
    }
    let next = -1
    for (let i = 0; i < m; i++) {
      if (joined[i]) continue
      const value = worth(last, i)
      if (value > best[i]) {
        best[i] = value
        bestParent[i] = last
      }
      if (next < 0 || best[i] > best[next]) next = i
    }
    last = next
  }
  return {parents, score}
}
