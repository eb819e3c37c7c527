import {describe, expect, test} from 'vitest'
import {networkEdges, pairNetwork} from '../../base/network/index.ts'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {rng} from '../../base/numeric/index.ts'
import {emergencyModel, randomModel} from '../../use/synthetic/index.ts'
import {networkText, textTable} from './text.ts'

describe('networkText', () => {
  const {concepts: drawn, ...rest} = randomModel({concepts: 4, words: 20}, rng(1))
  const concepts = ['root', 'likes', 'avoids', 'leaf'].map((name, i) => ({
    ...drawn[i],
    name,
    prevalence: [0.5, 0.2, 0.05, 0.1][i]
  }))
  const cpt = [[0.5], [0.1, 0.3], [0.08, 0.02], [0.05, 0.3]].map(list => Float64Array.from(list))
  const model = {...rest, concepts, network: {parents: [[], [0], [0], [1]], cpt}}

  test('networkText(...) indents children under their parents, with sign, share and what the parent changes', () => {
    expect(networkText(model)).toBe(
      [
        'root  (50%)',
        '  + likes  (20%; 30% with root, 10% without)',
        '    + leaf  (10%; 30% with likes, 5.0% without)',
        '  - avoids  (5.0%; 2.0% with root, 8.0% without)'
      ].join('\n')
    )
  })

  test('networkText(...) puts the stronger branch first, and shows every concept of a tree once', () => {
    const strong = {
      ...model,
      network: {...model.network, cpt: [...cpt.slice(0, 2), Float64Array.of(0.001, 0.099), cpt[3]]}
    }
    const names = networkText(strong)
      .split('\n')
      .map(line => /[a-z]+/.exec(line)?.[0])
    expect(names).toEqual(['root', 'avoids', 'likes', 'leaf'])
  })

  test('networkText(...) shows independent concepts one below the other', () => {
    const network = {parents: [[], [], [], []], cpt: cpt.map(() => Float64Array.of(0.5))}
    expect(networkText({...model, network})).toBe('root  (50%)\nlikes  (20%)\navoids  (5.0%)\nleaf  (10%)')
  })

  test('networkText(...) shows a long chain', () => {
    const chain = randomModel({concepts: 300, words: 20}, rng(1))
    const parents = chain.concepts.map((_, i) => (i === 0 ? [] : [i - 1]))
    const tables = parents.map(list => Float64Array.from({length: 2 ** list.length}, () => 0.1))
    expect(networkText({...chain, network: {parents, cpt: tables}}).split('\n')).toHaveLength(300)
  })

  test('networkText(...) shows a concept with several parents once, below the strongest, and tells what each changes', () => {
    // Table rows: neither, second, first, both; the second parent, present in 20%, tells more than the first, in 50%.
    const network = {
      parents: [[], [], [], [0, 1]],
      cpt: [[0.5], [0.2], [0.05], [0.04, 0.8, 0.02, 0.4]].map(list => Float64Array.from(list))
    }
    expect(networkText({...model, network})).toBe(
      [
        'root  (50%)',
        'likes  (20%)',
        // With likes 0.5 * 0.8 + 0.5 * 0.4; with root 0.8 * 0.02 + 0.2 * 0.4, without 0.8 * 0.04 + 0.2 * 0.8.
        '  + leaf  (10%; 60% with likes, 3.0% without; 9.6% with root, 19% without)',
        'avoids  (5.0%)'
      ].join('\n')
    )
  })

  test('networkText(...) shows every concept of any network once, roots at the margin', () => {
    for (const shown of [emergencyModel(), randomModel({structure: 'indegree:3', concepts: 50, words: 20}, rng(2))]) {
      const lines = networkText(shown).split('\n')
      const names = lines.map(line => /^ *(?:[+-] )?(.*?) {2}\(/.exec(line)?.[1])
      expect(names.toSorted()).toEqual(shown.concepts.map(({name}) => name).sort())
      expect(lines.filter(line => !line.startsWith(' '))).toHaveLength(
        shown.network.parents.filter(list => list.length === 0).length
      )
      for (const [i, list] of shown.network.parents.entries())
        for (const parent of list)
          expect(lines[names.indexOf(shown.concepts[i].name)]).toContain(`% with ${shown.concepts[parent].name}, `)
    }
  })
})

describe('networkText of pairs', () => {
  test('networkText(...) has one line per concept, the commonest first, with its strongest edges and their intervals', () => {
    const names = ['rare', 'common', 'some', 'alone']
    const prevalence = Float64Array.of(0.1, 0.4, 0.3, 0.05)
    const couplings = new Float64Array(16)
    const [low, high] = [couplings.map(() => 1), couplings.map(() => 1)]
    const join = (i: number, k: number, ratio: number, ends: readonly [number, number]) => {
      for (const at of [4 * i + k, 4 * k + i]) {
        couplings[at] = Math.log(ratio)
        low[at] = ends[0]
        high[at] = ends[1]
      }
    }
    join(0, 1, 3.1, [2.4, 4])
    join(1, 2, 0.4, [0.3, 0.52])
    join(0, 2, 1.2, [1.1, 1.3])
    // Its interval holds 1: no edge.
    join(3, 2, 1.2, [0.9, 1.5])
    const network = pairNetwork({prevalence, couplings, low, high})
    const concepts = names.map((name, i) => ({name, truePositive: 0.5, falsePositive: 0.01, prevalence: prevalence[i]}))
    expect(networkText({concepts, network, certificate: {}})).toBe(
      [
        'concept  share  odds of other concepts where it is present',
        'common     40%  some x 0.40, rare x 3.1',
        'some       30%  common x 0.40, rare x 1.2',
        'rare       10%  common x 3.1, some x 1.2',
        'alone     5.0%'
      ].join('\n')
    )
  })

  test('networkText(...) of pairs counts the edges that it does not name', () => {
    const network = randomPairs(12, rng(4))
    const concepts = Array.from(network.prevalence, (prevalence, i) => ({
      name: `c${i}`,
      truePositive: 0.5,
      falsePositive: 0.01,
      prevalence
    }))
    const ends = networkEdges(network).flat()
    const lines = networkText({concepts, network, certificate: {}}).split('\n').slice(1)
    expect(lines).toHaveLength(12)
    for (const line of lines) {
      const count = ends.filter(i => line.startsWith(`c${i} `)).length
      const named = line.match(/ x /g)?.length ?? 0
      expect([named, Number(/(\d+) more$/.exec(line)?.[1] ?? 0)]).toEqual([Math.min(2, count), Math.max(0, count - 2)])
    }
  })
})

describe('textTable', () => {
  test('textTable(...) sets numbers to the right and words to the left, without blanks at the ends', () => {
    const rows = [
      ['', 'share', 'words'],
      ['a long name', '5.0%', 'x'],
      ['b', '12%', 'longer words']
    ]
    expect(textTable(rows)).toBe('             share  words\na long name   5.0%  x\nb              12%  longer words')
  })
})
