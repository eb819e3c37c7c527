import {describe, expect, test} from 'vitest'
import {type BayesNetwork, edgeList, logPrior, networkEdges} from '../../../src/base/network/index.ts'
import {explainingAway, fallOf} from './measure.ts'

const names = ['cough', 'smoke', 'dust', 'cold', 'rest']

/** 1 -> 0 <- 2 explains away; 1 -> 3 <- 4 has a parent that lowers; 3 has no other. */
const network: BayesNetwork = {
  parents: [[1, 2], [], [], [1, 4], []],
  cpt: [[0.05, 0.6, 0.5, 0.7], [0.2], [0.3], [0.3, 0.1, 0.6, 0.2], [0.4]].map(list => Float64Array.from(list))
}

function explained(of: BayesNetwork, truths: readonly (readonly number[])[] = []) {
  const list = edgeList(of, names)
  const edges = networkEdges(of).map(([parent, child], at) => ({...list[at], parent, child}))
  const evidence = {words: [], anchors: [], members: []}
  return explainingAway(
    of,
    edges,
    truths.map((labels, d) => ({key: `d${d}`, ...evidence, labels: Int8Array.from(labels)}))
  )
}

/** P(all of `wanted` present), by adding up every assignment. */
function chance(of: BayesNetwork, wanted: readonly number[]): number {
  let sum = 0
  for (let state = 0; state < 32; state++) {
    const y = names.map((_, i) => (state >> i) & 1)
    if (wanted.every(i => y[i] === 1)) sum += Math.exp(logPrior(of, y))
  }
  return sum
}

describe('explainingAway', () => {
  test('explainingAway(...) finds unlinked parents that both raise a child, with chances that enumeration gives', () => {
    const found = explained(network)
    expect(found.map(({child}) => child)).toEqual([0])
    const [{known, other, chance: alone, givenChild, givenBoth}] = found
    expect([known, other].toSorted()).toEqual([1, 2])
    expect(alone).toBeCloseTo(chance(network, [other]), 6)
    expect(givenChild).toBeCloseTo(chance(network, [0, other]) / chance(network, [0]), 6)
    expect(givenBoth).toBeCloseTo(chance(network, [0, known, other]) / chance(network, [0, known]), 6)
    expect(fallOf(found[0])).toBeGreaterThan(0)
    // Asked the other way round it falls by less.
    const fall = (a: number, b: number) =>
      chance(network, [0, b]) / chance(network, [0]) - chance(network, [0, a, b]) / chance(network, [0, a])
    expect(fall(known, other)).toBeGreaterThan(fall(other, known))
  })

  test('explainingAway(...) leaves out parents that are linked, in either direction', () => {
    const linked = (child: number, parent: number): BayesNetwork => ({
      parents: network.parents.map((list, i) => (i === child ? [parent] : list)),
      cpt: network.cpt.map((chances, i) => (i === child ? Float64Array.of(0.2, 0.4) : chances))
    })
    expect(explained(linked(1, 2))).toEqual([])
    expect(explained(linked(2, 1))).toEqual([])
  })

  test('explainingAway(...) puts the largest fall first, and keeps v-structures where nothing falls', () => {
    // Concept 3 has two parents that must come together: each makes the other likelier.
    const together: BayesNetwork = {
      ...network,
      cpt: network.cpt.map((chances, i) => (i === 3 ? Float64Array.of(0.05, 0.06, 0.06, 0.9) : chances))
    }
    const found = explained(together)
    expect(found.map(({child}) => child)).toEqual([0, 3])
    expect(fallOf(found[1])).toBeLessThan(0)
  })

  test('explainingAway(...) counts the same among the tags', () => {
    const [{known, other, tagged}] = explained(network, [
      [1, 1, 0, 0, 0],
      [1, 1, 1, 0, 0],
      [1, 0, 1, 0, 0],
      [1, 0, 1, 0, 1],
      [0, 1, 1, 1, 1],
      [1, 0, 0, 0, -1]
    ])
    // Five coughs; two of them smoke, three have dust, one both.
    expect(tagged).toEqual(known === 1 ? [5, 3, 2, 1] : [5, 2, 3, 1])
    expect([known, other].toSorted()).toEqual([1, 2])
  })
})
