import {describe, expect, test} from 'vitest'
import {networkTable} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../synthetic/index.ts'
import {edgeInWords, isDrawable, networkNeighbours, strengthInWords} from './network-edges.ts'

describe('networkNeighbours', () => {
  test('networkNeighbours(...) of a tree is what the table of both concepts says, from either side', () => {
    const model = randomModel({concepts: 6, words: 30}, rng(4))
    const neighbours = networkNeighbours(model)
    let pairs = 0
    for (const [i, list] of neighbours.entries())
      for (const {index: k, shareWith, shareWithout} of list) {
        const [none, onlyK, onlyI, both] = networkTable(model.network, [i, k])
        expect(shareWith).toBeCloseTo(both / (both + onlyI), 10)
        expect(shareWithout).toBeCloseTo(onlyK / (onlyK + none), 10)
        expect(neighbours[k].map(({index}) => index)).toContain(i)
        pairs++
      }
    expect(pairs).toBe(10)
  })

  test('networkNeighbours(...) has the strongest first, whichever its sign', () => {
    const model = randomModel({concepts: 30, words: 30}, rng(5))
    for (const list of networkNeighbours(model)) {
      const sizes = list.map(({strength}) => Math.abs(strength))
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    }
  })

  test('networkNeighbours(...) of a network too tangled for exact sums takes the other parents as independent', () => {
    // Each concept has up to two parents, scattered over all before it, each of which adds a tenth.
    const parents = Array.from({length: 200}, (_, i) => [
      ...new Set(i === 0 ? [] : [((i * 7919) % 1009) % i, ((i * 104729) % 1013) % i])
    ])
    const cpt = parents.map(list => Float64Array.from([0.1, 0.2, 0.2, 0.3].slice(0, 2 ** list.length)))
    const concepts = parents.map((_, i) => ({name: `c${i}`, truePositive: 0.5, falsePositive: 0.01, prevalence: 0.2}))
    const model = {concepts, network: {parents, cpt}}
    expect(isDrawable(model)).toBe(false)
    const child = parents.findLastIndex(list => list.length === 2)
    const seen = networkNeighbours(model)[parents[child][0]].find(({index}) => index === child)
    expect(seen?.shareWithout).toBeCloseTo(0.1 + 0.2 * 0.1, 12)
    expect(seen?.shareWith).toBeCloseTo(0.2 + 0.2 * 0.1, 12)
  })
})

const edge = {
  parent: 'flu',
  child: 'fever',
  sign: 'positive',
  mutualInformation: 0.1,
  strength: 2.6,
  childWithout: 0.1,
  childWith: 0.6
} as const

test('edgeInWords(...) says how two concepts hang together, and how often', () => {
  expect(edgeInWords(edge)).toBe(
    'flu and fever occur together far more often than by chance; fever is in 60% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'negative', strength: -9, childWith: 0.00001})).toBe(
    'flu and fever occur together vastly less often than by chance; fever is in <0.01% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'none', strength: 0})).toMatch(
    /^flu and fever occur together as often as by chance; /
  )
})

test('strengthInWords(...) goes by the odds ratio and its sign', () => {
  const words = [1.2, 2, 5, 20, 100].map(ratio => strengthInWords(Math.log(ratio)))
  const degrees = ['hardly', 'slightly', 'clearly', 'far', 'vastly']
  expect(words).toEqual(degrees.map(degree => `${degree} more often than by chance`))
  expect(strengthInWords(-Math.log(20))).toBe('far less often than by chance')
  expect(strengthInWords(Number.POSITIVE_INFINITY)).toBe('vastly more often than by chance')
})
