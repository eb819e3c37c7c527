import fc from 'fast-check'
import {type Rng, rng, shuffled} from '../numeric/index.ts'
import type {Parents} from './graph.ts'

/** Tells whether i and k are d-separated: the moral graph of their ancestors and of `given` has no path between them around `given`. */
export function separated(parents: Parents, i: number, k: number, given: readonly number[]): boolean {
  const ancestors = new Set([i, k, ...given])
  for (const at of ancestors) for (const parent of parents[at]) ancestors.add(parent)
  const families = [...ancestors].map(child => [child, ...parents[child]])
  const seen = new Set([i])
  for (const at of seen)
    for (const family of families)
      if (family.includes(at)) for (const next of family) if (!given.includes(next)) seen.add(next)
  return !seen.has(k)
}

/** Returns an independence test that knows the graph. */
export function oracle(parents: Parents) {
  return (i: number, k: number, given: readonly number[]) => ({
    statistic: 1,
    degreesOfFreedom: 1,
    pValue: separated(parents, i, k, given) ? 0.9 : 1e-9
  })
}

/** Writes one digit per possible independence, 1 if the graph has it; graphs are equivalent if their strings are equal. */
export function independences(parents: Parents): string {
  const m = parents.length
  let all = ''
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++)
      for (let set = 0; set < 2 ** m; set++) {
        if ((set >> i) & 1 || (set >> k) & 1) continue
        const given = parents.map((_, at) => at).filter(at => (set >> at) & 1)
        all += separated(parents, i, k, given) ? '1' : '0'
      }
  return all
}

/** Draws an acyclic graph in which no concept has more than `maxDegree` neighbours. */
export function randomGraph(m: number, maxDegree: number, share: number, random: Rng): number[][] {
  const order = shuffled(
    Array.from({length: m}, (_, i) => i),
    random
  )
  const degree = new Int32Array(m)
  const parents: number[][] = order.map(() => [])
  const pairs = order.flatMap((child, at) => order.slice(0, at).map((parent): [number, number] => [parent, child]))
  for (const [parent, child] of shuffled(pairs, random)) {
    if (degree[parent] >= maxDegree || degree[child] >= maxDegree || random.next() >= share) continue
    degree[parent]++
    degree[child]++
    parents[child].push(parent)
  }
  return parents.map(list => list.sort((a, b) => a - b))
}

export function anyGraph(maxCount: number, maxDegree = maxCount): fc.Arbitrary<number[][]> {
  return fc
    .tuple(fc.integer({min: 1, max: maxCount}), fc.double({min: 0.2, max: 1, noNaN: true}), fc.integer())
    .map(([m, share, seed]) => randomGraph(m, maxDegree, share, rng(seed)))
}
