import {expect, test} from 'vitest'
import {pairNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import {textTable} from '../present/index.ts'
import {networkText} from './text.ts'

const {concepts: drawn} = randomModel({concepts: 4, words: 20}, rng(1))

test('networkText(...) of a directed graph has one line per concept, the commonest first, with its strongest edges', () => {
  const prevalences = [0.5, 0.2, 0.05, 0.1]
  const cpt = [[0.5], [0.1, 0.3], [0.08, 0.02], [0.05, 0.3]]
  const concepts = ['root', 'likes', 'avoids', 'leaf'].map((name, i) => ({
    ...drawn[i],
    name,
    prevalence: prevalences[i]
  }))
  const network = {parents: [[], [0], [0], [1]], cpt: cpt.map(list => Float64Array.from(list))}
  expect(networkText({concepts, network, certificate: {}}).split('\n')).toEqual([
    'concept  share  odds of other concepts where it is present',
    'root       50%  likes x 3.9, avoids x 0.23',
    'likes      20%  leaf x 8.1, root x 3.9',
    'leaf       10%  likes x 8.1',
    'avoids    5.0%  root x 0.23'
  ])
})

test('networkText(...) of pairs has one line per concept, the commonest first, with its strongest edges', () => {
  const prevalence = Float64Array.of(0.1, 0.4, 0.3, 0.05)
  const couplings = new Float64Array(16)
  const [low, high] = [couplings.map(() => 1), couplings.map(() => 1)]
  const join = (i: number, k: number, ratio: number, ends: readonly [number, number]) => {
    for (const at of [4 * i + k, 4 * k + i]) [couplings[at], low[at], high[at]] = [Math.log(ratio), ...ends]
  }
  join(0, 1, 3.1, [2.4, 4])
  join(1, 2, 0.4, [0.3, 0.52])
  join(1, 3, 1.2, [1.1, 1.3])
  // Its interval holds 1: no edge.
  join(3, 2, 1.2, [0.9, 1.5])
  const network = pairNetwork({prevalence, couplings, low, high})
  const named = ['rare', 'common', 'some', 'last'].map((name, i) => ({...drawn[i], name, prevalence: prevalence[i]}))
  expect(networkText({concepts: named, network, certificate: {}}).split('\n')).toEqual([
    'concept  share  odds of other concepts where it is present',
    'common     40%  some x 0.40, rare x 3.1, 1 more',
    'some       30%  common x 0.40',
    'rare       10%  common x 3.1',
    'last      5.0%  common x 1.2'
  ])
})

test('textTable(...) sets numbers to the right and words to the left, without blanks at the ends', () => {
  const rows = [
    ['', 'share', 'words'],
    ['a long name', '5.0%', 'x'],
    ['b', '12%', 'longer words']
  ]
  expect(textTable(rows)).toBe('             share  words\na long name   5.0%  x\nb              12%  longer words')
})
