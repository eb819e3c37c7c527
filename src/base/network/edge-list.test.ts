import fc from 'fast-check'
import {expect, test} from 'vitest'
import {mutualInformation} from '../numeric/index.ts'
import {type BayesNetwork, logPrior, parentState} from './bayes-network.ts'
import {edgeConfidence, edgeList, edgesToCsv} from './edge-list.ts'
import {jointTable} from './pair-network.ts'
import {anyNetwork} from './test-bif.ts'
import {pairsOf} from './test-pairs.ts'

const vStructure: BayesNetwork = {
  parents: [[], [0], [0, 1]],
  cpt: [[0.2], [0.1, 0.6], [0.1, 0.3, 0.2, 0.3]].map(p => Float64Array.from(p))
}

test('edgeList(...) gives the numbers of a small network that were worked out by hand', () => {
  const [first, second, third] = edgeList(vStructure, ['a', 'b', 'c'])
  expect(first).toMatchObject({parent: 'a', child: 'b', sign: 'positive', childWithout: 0.1, childWith: 0.6})
  expect(first.strength).toBeCloseTo(Math.log(0.6 / 0.4 / (0.1 / 0.9)), 12)
  // P(b) = 0.8 * 0.1 + 0.2 * 0.6 = 0.2: c given a is averaged with 0.8 and 0.2, whether a is there or not.
  expect(second).toMatchObject({parent: 'a', child: 'c', sign: 'positive'})
  expect(second.childWithout).toBeCloseTo(0.8 * 0.1 + 0.2 * 0.3, 12)
  expect(second.childWith).toBeCloseTo(0.8 * 0.2 + 0.2 * 0.3, 12)
  expect(third.childWithout).toBeCloseTo(0.8 * 0.1 + 0.2 * 0.2, 12)
  expect(third.childWith).toBeCloseTo(0.3, 12)
})

test('edgeList(...) equals enumeration of P(Y) on any network', () => {
  fc.assert(
    fc.property(anyNetwork, network => {
      const names = network.parents.map((_, i) => `y${i}`)
      for (const edge of edgeList(network, names)) {
        const [parent, child] = [names.indexOf(edge.parent), names.indexOf(edge.child)]
        const slow = byEnumeration(network, parent, child)
        expect(edge.childWithout).toBeCloseTo(slow.chances[0], 10)
        expect(edge.childWith).toBeCloseTo(slow.chances[1], 10)
        expect(edge.mutualInformation).toBeCloseTo(slow.information, 10)
        expect(Math.sign(edge.strength)).toBe({positive: 1, negative: -1, none: 0}[edge.sign])
      }
    })
  )
})

test('edgeList(...) has an infinite strength beside certainty, and none where the parent changes nothing', () => {
  const at = (...p: number[]) =>
    edgeList({parents: [[], [0]], cpt: [Float64Array.of(0.5), Float64Array.from(p)]}, ['a', 'b'])
  expect(at(0, 0.5)[0]).toMatchObject({sign: 'positive', strength: Number.POSITIVE_INFINITY})
  expect(at(1, 0)[0]).toMatchObject({sign: 'negative', strength: Number.NEGATIVE_INFINITY})
  expect(at(1, 1)[0]).toMatchObject({sign: 'none', strength: 0, mutualInformation: 0})
})

test('edgeList(...) of pairs has those whose interval excludes 1, with the effect of their own table', () => {
  const pairs = pairsOf(
    [0.1, 0.3, 0.2],
    [
      [0, 1, 1.2],
      [0, 2, 0.3],
      [1, 2, -0.8]
    ]
  )
  const edges = edgeList(pairs, ['a', 'b', 'c'])
  expect(edges.map(({parent, child, sign, strength}) => [parent, child, sign, strength])).toEqual([
    ['b', 'a', 'positive', 1.2],
    ['b', 'c', 'negative', -0.8]
  ])
  for (const {childWith, childWithout, strength} of edges) {
    expect(Math.log(childWith / (1 - childWith)) - Math.log(childWithout / (1 - childWithout))).toBeCloseTo(
      strength,
      12
    )
  }
  expect(0.7 * edges[0].childWithout + 0.3 * edges[0].childWith).toBeCloseTo(0.1, 14)
  const table = jointTable(0.3, 0.1, 1.2)
  expect(edges[0].mutualInformation).toBe(mutualInformation(table))
})

test('edgesToCsv(...) writes a header, quotes where needed, and numbers that read back the same', () => {
  const edges = edgeList(vStructure, ['a', 'b, or "c"', ' c'])
  const lines = edgesToCsv(edges).split('\n')
  expect(lines[0]).toBe('parent,child,sign,mutualInformation,strength,childWithout,childWith')
  expect(lines[3]).toMatch(/^"b, or ""c"""," c",positive,/)
  expect(lines[1].split(',').slice(-2)).toEqual([`${edges[0].childWithout}`, `${edges[0].childWith}`])
  expect(lines).toHaveLength(5)
  expect(lines[4]).toBe('')
  expect(edgesToCsv([])).toBe(`${lines[0]}\n`)
  const {parent, child, sign, strength} = edges[0]
  const [, guessed, ...others] = edgesToCsv(edges, new Set(['a'])).split('\n')
  expect(guessed).toBe(`${parent},"${child.replaceAll('"', '""')}",${sign},,${strength},,`)
  expect(others[1]).toBe(lines[3])
})

/** The definitions, summed over all assignments. */
function byEnumeration({parents, cpt}: BayesNetwork, parent: number, child: number) {
  const chances = [0, 0]
  const pair = [0, 0, 0, 0]
  for (let s = 0; s < 2 ** parents.length; s++) {
    const y = parents.map((_, i) => (s >> i) & 1)
    const p = Math.exp(logPrior({parents, cpt}, y))
    pair[2 * y[parent] + y[child]] += p
    for (const value of [0, 1]) chances[value] += p * cpt[child][parentState(parents[child], y.with(parent, value))]
  }
  const side = (i: number, k: number) => (pair[2 * i] + pair[2 * i + 1]) * (pair[k] + pair[2 + k])
  const information = pair.reduce((sum, p, c) => (p > 0 ? sum + p * Math.log(p / side(c >> 1, c & 1)) : sum), 0)
  return {chances, information}
}

function networkWith(...parents: readonly (readonly number[])[]): BayesNetwork {
  return {parents, cpt: parents.map(list => new Float64Array(2 ** list.length).fill(0.5))}
}

test('edgeConfidence(...) is the share of the replicates that join two concepts, the surest first', () => {
  const fitted = networkWith([], [0], [])
  const replicates = [
    networkWith([], [0], [1]),
    networkWith([1], [], [1]),
    networkWith([], [0], []),
    networkWith([], [0, 2], [])
  ]
  expect(edgeConfidence(['a', 'b', 'c'], fitted, replicates)).toEqual([
    {parent: 'a', child: 'b', confidence: 1, directed: 0.75, fitted: true},
    // Not fitted: the commoner direction.
    {parent: 'b', child: 'c', confidence: 0.75, directed: 0.5, fitted: false}
  ])
})

test('edgeConfidence(...) of a required pair is the share of replicates that would have it without the rule', () => {
  const weak = {...pairsOf([0.3, 0.2], [[0, 1, 0.2]]), required: [[0, 1]] as const}
  const strong = {...pairsOf([0.3, 0.2], [[0, 1, 0.9]]), required: [[0, 1]] as const}
  expect(edgeConfidence(['a', 'b'], weak, [weak, strong, weak, weak])).toEqual([
    {parent: 'a', child: 'b', confidence: 0.25, directed: 0.25, fitted: true}
  ])
})

test('edgeConfidence(...) keeps the direction of the fitted edge, and the edge if no replicate has it', () => {
  const fitted = networkWith([1], [], [0])
  expect(edgeConfidence(['a', 'b', 'c'], fitted, [networkWith([], [0], []), networkWith([], [0], [])])).toEqual([
    {parent: 'b', child: 'a', confidence: 1, directed: 0, fitted: true},
    {parent: 'a', child: 'c', confidence: 0, directed: 0, fitted: true}
  ])
})
