import {describe, expect, test} from 'vitest'
import {tangledNetwork} from '../../app/report/test-report.ts'
import {edgeList, jointTable, networkEdges, networkTable} from '../../base/network/index.ts'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../synthetic/index.ts'
import {
  drawnEdges,
  edgeInWords,
  isDrawable,
  networkNeighbours,
  oddsInWords,
  oddsText,
  strengthInWords
} from './network-edges.ts'

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
    const network = tangledNetwork()
    const {parents} = network
    const concepts = parents.map((_, i) => ({name: `c${i}`, truePositive: 0.5, falsePositive: 0.01, prevalence: 0.2}))
    const model = {concepts, network}
    expect(isDrawable(model)).toBe(false)
    const child = parents.findLastIndex(list => list.length === 2)
    const seen = networkNeighbours(model)[parents[child][0]].find(({index}) => index === child)
    expect(seen?.shareWithout).toBeCloseTo(0.1 + 0.2 * 0.1, 12)
    expect(seen?.shareWith).toBeCloseTo(0.2 + 0.2 * 0.1, 12)
  })
})

describe('networks of pairs', () => {
  const network = randomPairs(20, rng(6))
  const names = Array.from(network.prevalence, (_, i) => `c${i}`)
  const concepts = names.map((name, i) => ({
    name,
    truePositive: 0.5,
    falsePositive: 0.01,
    prevalence: network.prevalence[i]
  }))

  test('networkNeighbours(...) of pairs has the odds ratio, and shares from the table of the two', () => {
    const neighbours = networkNeighbours({network, concepts})
    expect(neighbours.flat()).toHaveLength(2 * networkEdges(network).length)
    const {prevalence: p, couplings} = network
    for (const [i, list] of neighbours.entries())
      for (const {index: k, shareWith, shareWithout, strength} of list) {
        const at = i * names.length + k
        const [none, onlyK, onlyI, both] = jointTable(p[i], p[k], couplings[at])
        expect(strength).toBeCloseTo(couplings[at], 9)
        expect(shareWith).toBeCloseTo(both / (both + onlyI), 10)
        expect(shareWithout).toBeCloseTo(onlyK / (onlyK + none), 10)
      }
  })

  test('drawnEdges(...) of pairs keeps the two of greatest mutual information of each concept, and counts the others', () => {
    const {drawn, left} = drawnEdges(network, names)
    const all = edgeList(network, names)
    expect(drawn.length + left).toBe(all.length)
    expect(left).toBeGreaterThan(20)
    const kept = new Set(drawn.map(({from, to}) => `${names[from]} ${names[to]}`))
    const wanted = names.flatMap(name =>
      all
        .filter(({parent, child}) => parent === name || child === name)
        .sort((a, b) => b.mutualInformation - a.mutualInformation)
        .slice(0, 2)
        .map(({parent, child}) => `${parent} ${child}`)
    )
    expect(kept).toEqual(new Set(wanted))
    expect(drawn.every(({from, to, parent, child}) => names[from] === parent && names[to] === child)).toBe(true)
    expect(isDrawable({network})).toBe(true)
  })

  test('drawnEdges(...) around a concept has all of its own, and the strongest between its neighbours', () => {
    const edges = networkEdges(network)
    const {drawn, left, shown} = drawnEdges(network, names, 3)
    const near = names.map((_, i) => i === 3 || edges.some(ends => ends.includes(3) && ends.includes(i)))
    expect(shown).toEqual(names.flatMap((_, i) => (near[i] ? [i] : [])))
    const own = edges.filter(ends => ends.includes(3))
    expect(drawn.filter(({from, to}) => from === 3 || to === 3).map(({from, to}) => [from, to])).toEqual(own)
    expect(drawn.every(({from, to}) => near[from] && near[to])).toBe(true)
    expect(drawn.length + left).toBe(edges.filter(([a, b]) => near[a] && near[b]).length)
  })

  test('drawnEdges(...) of a directed network has all', () => {
    const model = randomModel({concepts: 30, words: 30, structure: 'indegree:3'}, rng(5))
    const {drawn, left} = drawnEdges(
      model.network,
      model.concepts.map(({name}) => name)
    )
    expect([drawn.map(({from, to}) => [from, to]), left]).toEqual([networkEdges(model.network), 0])
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

test('edgeInWords(...) states how two concepts are related, and how often they occur', () => {
  expect(edgeInWords(edge)).toBe(
    'flu and fever occur together much more often than by chance; fever is in 60% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'negative', strength: -9, childWith: 0.00001})).toBe(
    'flu and fever occur together far less often than by chance; fever is in <0.01% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'none', strength: 0})).toMatch(
    /^flu and fever occur together as often as by chance; /
  )
})

test('strengthInWords(...) goes by the odds ratio and its sign', () => {
  const words = [1.2, 2, 5, 20, 100].map(ratio => strengthInWords(Math.log(ratio)))
  const degrees = ['barely', 'slightly', 'clearly', 'much', 'far']
  expect(words).toEqual(degrees.map(degree => `${degree} more often than by chance`))
  expect(strengthInWords(-Math.log(20))).toBe('much less often than by chance')
  expect(strengthInWords(Number.POSITIVE_INFINITY)).toBe('far more often than by chance')
})

test('oddsText(...) states the factor of the odds, with its interval', () => {
  expect([0, 1, -1, 3, 6].map(logOdds => oddsText(logOdds))).toEqual([
    '×\u00a01.0',
    '×\u00a02.7',
    '÷\u00a02.7',
    '×\u00a020',
    '×\u00a0>100'
  ])
  expect(oddsText(Math.log(3.1), [2.4, 4])).toBe('×\u00a03.1 (2.4 to 4.0)')
  expect(oddsText(-Math.log(2), [0.25, 0.8])).toBe('÷\u00a02.0 (1.3 to 4.0)')
})

test('oddsInWords(...) says the same in words', () => {
  expect(oddsInWords(-Math.log(2))).toBe('odds divided by 2.0')
  expect(oddsInWords(1)).toBe('2.7 times the odds')
})
