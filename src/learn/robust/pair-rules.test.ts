import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {networkEdges} from '../../base/network/index.ts'
import {marginalsOf, pairWeights} from '../../base/network/test-pairs.ts'
import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import type {NamedEdges} from '../structure/index.ts'
import {learnPairs, oddsOfLift, pairRules} from './learn-pairs.ts'
import {type AnchorPair, fitLifts} from './lift-distribution.ts'
import {countsOf, coupled, lexicon, ratesOf} from './test-anchor-counts.ts'

const truth = coupled([
  [0.1, 0.05, 0.4],
  [0.2, 0.1, 0.1],
  [0.15, 0.2, 0.03]
])
const m = 6
const rates = ratesOf(truth, 0.8, 0.02)
const counts = countsOf(truth, rates, 4000, 7)
const names = Array.from({length: m}, (_, i) => `c${i}`)
const allPairs = names.flatMap((_, i) => names.slice(i + 1).map((_, k) => [i, i + 1 + k] as const))

/** Rules for some of the pairs, in either order. */
const someRules = fc
  .array(fc.tuple(fc.constantFrom(undefined, 'require', 'forbid'), fc.boolean()), {
    minLength: allPairs.length,
    maxLength: allPairs.length
  })
  .map(draws => {
    const of = (kind: string) =>
      allPairs.flatMap(([i, k], at): [number, number][] => {
        const [rule, isTurned] = draws[at]
        return rule === kind ? [isTurned ? [k, i] : [i, k]] : []
      })
    return {require: of('require'), forbid: of('forbid')}
  })

const named = (pairs: readonly (readonly [number, number])[]) => pairs.map(([i, k]) => [names[i], names[k]] as const)

/** What the anchors of a pair say, straight from the counts. */
function pairOf(i: number, k: number): AnchorPair {
  const together = anchorPairCounts(counts)
  const fired = (j: number) => together[j * m + j]
  const share = (j: number) => ((0.8 - 0.02) * rates.prevalence[j]) / (fired(j) / 4000)
  return {
    i,
    k,
    seen: together[i * m + k],
    expected: (fired(i) * fired(k)) / 4000,
    trueShare: Math.min(1, share(i)) * Math.min(1, share(k)),
    similarity: 0,
    isRequired: false
  }
}

/** E[log lift] by the definition: a Poisson count, and a standard normal prior on the grid. */
function slowLift({seen, expected, trueShare}: AnchorPair): number {
  const grid = Array.from({length: 33}, (_, g) => (g - 16) / 4)
  const logs = grid.map(value => {
    const mean = expected * Math.max(1e-3, 1 + trueShare * (Math.exp(value) - 1))
    return seen * Math.log(mean) - mean - value ** 2 / 2
  })
  const weights = logs.map(value => Math.exp(value - Math.max(...logs)))
  const total = weights.reduce((sum, weight) => sum + weight)
  return Math.exp(grid.reduce((sum, value, g) => sum + value * weights[g], 0) / total)
}

const has = (pairs: readonly (readonly [number, number])[], i: number, k: number) =>
  pairs.some(pair => pair.includes(i) && pair.includes(k))

test('learnPairs(..., {edges}) has no coupling of forbidden pairs, estimates required ones alone, and learns the others from each other', () => {
  fc.assert(
    fc.property(someRules, ({require, forbid}) => {
      const edges = {require: named(require), forbid: named(forbid)}
      const {network, certificate, moments} = learnPairs(counts, rates, 'noise', {edges})
      const free = allPairs.filter(([i, k]) => !has(require, i, k) && !has(forbid, i, k))
      const twin = fitLifts(free.map(([i, k]) => pairOf(i, k)))
      const liftOf = (i: number, k: number) =>
        has(require, i, k)
          ? slowLift(pairOf(i, k))
          : twin.posteriors[free.findIndex(pair => pair.includes(i) && pair.includes(k))].lift
      for (const [i, k] of allPairs) {
        const at = i * m + k
        const isForbidden = has(forbid, i, k)
        const odds = isForbidden ? 1 : oddsOfLift(rates.prevalence[i], rates.prevalence[k], liftOf(i, k), 'noise')
        expect(network.couplings[at]).toBeCloseTo(Math.log(odds), 9)
        if (isForbidden) expect([network.couplings[at], network.low[at], network.high[at]]).toEqual([0, 1, 1])
        else expect(network.low[at] < odds && odds < network.high[at]).toBe(true)
      }
      // The sum over all states has the prevalences.
      for (const [i, p] of marginalsOf(pairWeights(network), m).entries())
        expect(Math.abs(p - rates.prevalence[i])).toBeLessThan(1e-9)
      const found = networkEdges(network)
      for (const [i, k] of require) expect(has(found, i, k)).toBe(true)
      for (const [i, k] of forbid) expect(has(found, i, k)).toBe(false)
      expect(moments.objective).toBeCloseTo(twin.certificate.objective, 9)
      expect(certificate).toMatchObject({couplings: free.length + require.length, edges: found.length})
    }),
    {numRuns: 40}
  )
})

describe('pairRules(...)', () => {
  const lexiconOf = (given: Partial<Counts['lexicon']> = {}) => ({...lexicon(4), ...given})
  const exclusive = {group: 0, size: 2}

  test('knows pairs in either order, once each, and counts rules of concepts that were left out', () => {
    const skipped = [{concept: 'gone', reason: 'it never fires'}]
    const edges: NamedEdges = {
      require: [
        ['c0', 'c1'],
        ['c1', 'c0'],
        ['c2', 'gone']
      ],
      forbid: [['c3', 'c2']]
    }
    const {ruleOf, ruleCounts: found} = pairRules(edges, lexiconOf({skipped}))
    expect([ruleOf(1, 0), ruleOf(0, 1), ruleOf(2, 3), ruleOf(0, 2)]).toEqual([
      'required',
      'required',
      'forbidden',
      undefined
    ])
    expect(found).toEqual({requiredEdges: 1, forbiddenEdges: 1, ignoredEdges: 1})
  })

  test('leaves pairs of a group alone', () => {
    const anchors = lexiconOf().anchors.map((anchor, i) => (i < 2 ? {...anchor, exclusive} : anchor))
    const {ruleOf, ruleCounts: found} = pairRules({forbid: [['c0', 'c1']]}, lexiconOf({anchors}))
    expect([ruleOf(0, 1), found.forbiddenEdges]).toEqual(['exclusive', 0])
    expect(() => pairRules({require: [['c1', 'c0']]}, lexiconOf({anchors}))).toThrow(
      'edges: edge "c1" - "c0" is required, but its concepts exclude each other; drop the rule, or the group'
    )
  })

  test.each<[NamedEdges, RegExp]>([
    [{require: [['c0', 'c1']], forbid: [['c1', 'c0']]}, /"c0" - "c1" is both required and forbidden; drop one/],
    [{require: [['c0', 'c0']]}, /an edge leads from "c0" to itself/],
    [{forbid: [['c0', 'c9']]}, /"c9" is not a concept of the model/]
  ])('refuses %j', (edges, message) => {
    expect(() => pairRules(edges, lexiconOf())).toThrow(message)
  })
})
