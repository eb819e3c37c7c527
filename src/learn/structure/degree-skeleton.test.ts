import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyGraph, oracle, separated} from '../../base/network/test-separation.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {type PairTest, type Skeleton, type SkeletonOptions, skeletonSearch} from './degree.ts'
import type {IndependenceTest} from './independence-test.ts'

const plain: SkeletonOptions = {
  maxDegree: 3,
  level: 0.01,
  isRequired: () => false,
  isBarred: () => false,
  onPair: () => {}
}

const result = (pValue: number, degreesOfFreedom = 1): IndependenceTest => ({
  statistic: 1 / pValue,
  degreesOfFreedom,
  pValue
})

/** p-values with no rhyme or reason, but each its own: most small, some not. */
function chance(seed: number, names: readonly number[]): PairTest {
  return (i, k, given) => {
    const pair = [names[i], names[k]].sort((a, b) => a - b)
    const rest = given.map(l => names[l]).sort((a, b) => a - b)
    return result(hashShare(`${seed} ${pair} | ${rest}`) ** 30)
  }
}

const edges = ({pairs}: Skeleton) => pairs.filter(pair => pair.joined).map(({i, k}) => `${i} ${k}`)

describe('skeletonSearch(...)', () => {
  test('skeletonSearch(...) with true answers joins what the graph joins, and separates the rest', () => {
    fc.assert(
      fc.property(anyGraph(7, 3), parents => {
        const found = skeletonSearch(parents.length, oracle(parents), plain)
        const truth = parents.flatMap((list, i) => list.map(k => `${Math.min(i, k)} ${Math.max(i, k)}`))
        expect(edges(found).sort()).toEqual(truth.sort())
        expect(found.droppedForDegree).toBe(0)
        for (const {i, k, joined, separator} of found.pairs) {
          expect(separator === undefined).toBe(joined)
          if (separator !== undefined) expect(separated(parents, i, k, separator)).toBe(true)
        }
      })
    )
  })

  test('skeletonSearch(...) hangs in nothing on the order of the concepts, wrong as the tests may be', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], {minLength: 7})
    let dropped = 0
    fc.assert(
      fc.property(order, fc.integer(), fc.integer({min: 1, max: 3}), (names, seed, maxDegree) => {
        const identity = names.toSorted((a, b) => a - b)
        const one = skeletonSearch(7, chance(seed, identity), {...plain, maxDegree})
        const other = skeletonSearch(7, chance(seed, names), {...plain, maxDegree})
        dropped += one.droppedForDegree
        expect(named(other, names)).toEqual(named(one, identity))
      })
    )
    expect(dropped).toBeGreaterThan(50)
  })

  test('skeletonSearch(...) leaves no concept more than maxDegree neighbours, and takes the weakest edges', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({min: 0, max: 3}), (seed, maxDegree) => {
        const found = skeletonSearch(6, chance(seed, [0, 1, 2, 3, 4, 5]), {...plain, maxDegree})
        for (let i = 0; i < 6; i++)
          expect(found.pairs.filter(pair => pair.joined && (pair.i === i || pair.k === i)).length).toBeLessThanOrEqual(
            maxDegree
          )
      })
    )
    // A star: the p-values of its edges rise with the number of the other end.
    const star: PairTest = (i, k) => (i === 0 ? result(10 ** (k - 20)) : result(0.5))
    const found = skeletonSearch(6, star, {...plain, maxDegree: 2})
    expect(edges(found)).toEqual(['0 1', '0 2'])
    expect(found.droppedForDegree).toBe(3)
    const kept = skeletonSearch(6, star, {...plain, maxDegree: 2, isRequired: (i, k) => i === 0 && k === 5})
    expect(edges(kept)).toEqual(['0 1', '0 5'])
  })

  test('skeletonSearch(...) keeps an edge that only tests without degrees of freedom speak against', () => {
    const blind: PairTest = (_i, _k, given) => (given.length > 0 ? result(1, 0) : result(1e-9))
    expect(edges(skeletonSearch(3, blind, plain))).toEqual(['0 1', '0 2', '1 2'])
    expect(edges(skeletonSearch(3, () => result(1, 0), plain))).toEqual([])
  })

  test('skeletonSearch(...) separates by the surest test, not by the first', () => {
    // 0 - 1 - 2, and a dependence of 0 and 2 that is just too weak to be seen.
    const weak: PairTest = (i, k, given) => {
      if (i === 0 && k === 2) return result(given.length === 0 ? 0.02 : 0.7)
      return result(1e-9)
    }
    const {pairs, tests} = skeletonSearch(3, weak, plain)
    expect(pairs[1]).toMatchObject({joined: false, separator: [1], test: {pValue: 0.7}})
    // Three given nothing, the edges given the one other neighbour of an end, then 0 and 2 given nothing and given 1.
    expect(tests).toBe(3 + 2 + 2)
  })
})

/** What was found in terms of names, in an order of its own. */
function named({pairs, tests, droppedForDegree}: Skeleton, names: readonly number[]) {
  const rising = (list: readonly number[]) => list.map(i => names[i]).sort((a, b) => a - b)
  const found = pairs.map(({i, k, joined, separator, test: {pValue}}) => ({
    pair: rising([i, k]).join(),
    joined,
    separator: separator && rising(separator),
    pValue
  }))
  return {found: found.sort((a, b) => (a.pair < b.pair ? -1 : 1)), tests, droppedForDegree}
}
