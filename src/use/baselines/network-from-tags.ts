import type {BayesNetwork} from '../../base/network/index.ts'
import {chowLiuTree, networkFromMoments} from '../../learn/structure/index.ts'

/** Which concepts each document has, in ascending order. */
export type TagLists = readonly (readonly number[])[]

/**
 * The tree of maximum likelihood for tags that are all seen (Chow and Liu), or independent concepts.
 * One more document is counted in which concepts are independent and as frequent as in the others, so that nothing that
 * did not happen is impossible. Cost: O(tags^2) a document, then O(m^2).
 */
export function networkFromTags(tags: TagLists, conceptCount: number, kind: 'tree' | 'independent'): BayesNetwork {
  const m = conceptCount
  const counts = new Float64Array(m * m)
  for (const list of tags) for (const i of list) for (const k of list) counts[i * m + k]++
  const total = tags.length + 1
  const share = (i: number) => (counts[i * m + i] + 0.5) / total
  const single = (i: number) => (counts[i * m + i] + share(i)) / total
  const pair = (i: number, k: number) => {
    const both = (counts[i * m + k] + share(i) * share(k)) / total
    return Float64Array.of(1 - single(i) - single(k) + both, single(k) - both, single(i) - both, both)
  }
  const moments = {
    conceptCount: m,
    sampleCount: tags.length,
    single,
    pair,
    table: ([i, k]: readonly number[]) => (k === undefined ? Float64Array.of(1 - single(i), single(i)) : pair(i, k)),
    certificate: {objective: 0, lowerBound: 0, gap: 0, steps: 0, atoms: 0, cuts: 0, status: 'optimal' as const}
  }
  const parents = kind === 'tree' ? chowLiuTree(moments, 0).parents : Array.from({length: m}, () => [])
  return networkFromMoments(moments, parents).network
}
