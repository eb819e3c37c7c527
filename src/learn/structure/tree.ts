import {maximumSpanningTree} from '../../base/network/index.ts'
import {log, mutualInformation} from '../../base/numeric/index.ts'
import type {Moments} from '../moments/index.ts'
import {type BicOptions, bicScore} from './bic.ts'

/** A tree or forest: the parents of each concept, none or one, and the total worth of the edges. */
export interface ScoredTree {
  readonly parents: readonly (readonly number[])[]
  readonly score: number
}

/**
 * Finds the tree of greatest mutual information (Chow and Liu), or of another `worth` of edges, rooted at `root`, in O(m^2).
 * Mutual information is computed from each pair's own table alone, since simplex moments of pairs and singles may differ.
 * Among equal edges the one to the lower-numbered concept wins.
 */
export function chowLiuTree(
  moments: Moments,
  root: number = commonest(moments),
  worth: (i: number, k: number) => number = (i, k) => mutualInformation(moments.pair(i, k))
): ScoredTree {
  const {order, parent} = maximumSpanningTree(moments.conceptCount, worth, {root})
  const score = order.reduce((sum, i) => (parent[i] < 0 ? sum : sum + worth(parent[i], i)), 0)
  return {parents: Array.from(parent, k => (k < 0 ? [] : [k])), score}
}

/**
 * Finds the graph of best BIC score with at most one parent per concept. An edge is worth the same in both directions, N I minus
 * the cost of its own parameters, so this is the tree of greatest worth without the edges of no positive worth.
 */
export function bestForest(moments: Moments, bic: Pick<BicOptions, 'penalty' | 'parameters'>): ScoredTree {
  const {penalty, parameters} = bic
  const {sampleCount: N, table} = moments
  const worth = (i: number, k: number) => {
    const own = parameters([i, k]) - parameters([i]) - parameters([k])
    return N * mutualInformation(moments.pair(i, k)) - penalty * log(N) * own
  }
  const tree = chowLiuTree(moments, commonest(moments), worth)
  const parents = tree.parents.map((list, i) => list.filter(k => worth(k, i) > 0))
  return {parents, score: bicScore(table, parents, N, bic)}
}

/** Chooses the root: singles and pairs of simplex moments differ slightly, so it must not depend on the order of the concepts. */
function commonest(moments: Moments): number {
  let best = 0
  for (let i = 1; i < moments.conceptCount; i++) if (moments.single(i) > moments.single(best)) best = i
  return best
}
