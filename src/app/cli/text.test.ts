import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {emergencyModel, randomModel} from '../../use/synthetic/index.ts'
import {conceptTree, textTable} from './text.ts'

describe('conceptTree', () => {
  const {concepts: drawn, ...rest} = randomModel({concepts: 4, words: 20}, rng(1))
  const concepts = ['root', 'likes', 'avoids', 'leaf'].map((name, i) => ({
    ...drawn[i],
    name,
    prevalence: [0.5, 0.2, 0.05, 0.1][i]
  }))
  const cpt = [[0.5], [0.1, 0.3], [0.08, 0.02], [0.05, 0.3]].map(list => Float64Array.from(list))
  const model = {...rest, concepts, network: {parents: [[], [0], [0], [1]], cpt}}

  test('conceptTree(...) indents children under their parents, with sign, share and what the parent changes', () => {
    expect(conceptTree(model)).toBe(
      [
        'root  (50%)',
        '  + likes  (20%; 30% with root, 10% without)',
        '    + leaf  (10%; 30% with likes, 5.0% without)',
        '  - avoids  (5.0%; 2.0% with root, 8.0% without)'
      ].join('\n')
    )
  })

  test('conceptTree(...) puts the stronger branch first, and shows every concept of a tree once', () => {
    const strong = {
      ...model,
      network: {...model.network, cpt: [...cpt.slice(0, 2), Float64Array.of(0.001, 0.099), cpt[3]]}
    }
    const names = conceptTree(strong)
      .split('\n')
      .map(line => /[a-z]+/.exec(line)?.[0])
    expect(names).toEqual(['root', 'avoids', 'likes', 'leaf'])
  })

  test('conceptTree(...) shows independent concepts one below the other', () => {
    const network = {parents: [[], [], [], []], cpt: cpt.map(() => Float64Array.of(0.5))}
    expect(conceptTree({...model, network})).toBe('root  (50%)\nlikes  (20%)\navoids  (5.0%)\nleaf  (10%)')
  })

  test('conceptTree(...) shows a long chain', () => {
    const chain = randomModel({concepts: 300, words: 20}, rng(1))
    const parents = chain.concepts.map((_, i) => (i === 0 ? [] : [i - 1]))
    const tables = parents.map(list => Float64Array.from({length: 2 ** list.length}, () => 0.1))
    expect(conceptTree({...chain, network: {parents, cpt: tables}}).split('\n')).toHaveLength(300)
  })

  test('conceptTree(...) shows a concept with several parents once, below the strongest, and tells what each changes', () => {
    // Table rows: neither, second, first, both; the second parent, present in 20%, tells more than the first, in 50%.
    const network = {
      parents: [[], [], [], [0, 1]],
      cpt: [[0.5], [0.2], [0.05], [0.04, 0.8, 0.02, 0.4]].map(list => Float64Array.from(list))
    }
    expect(conceptTree({...model, network})).toBe(
      [
        'root  (50%)',
        'likes  (20%)',
        // With likes 0.5 * 0.8 + 0.5 * 0.4; with root 0.8 * 0.02 + 0.2 * 0.4, without 0.8 * 0.04 + 0.2 * 0.8.
        '  + leaf  (10%; 60% with likes, 3.0% without; 9.6% with root, 19% without)',
        'avoids  (5.0%)'
      ].join('\n')
    )
  })

  test('conceptTree(...) shows every concept of any network once, roots at the margin', () => {
    for (const shown of [emergencyModel(), randomModel({structure: 'indegree:3', concepts: 50, words: 20}, rng(2))]) {
      const lines = conceptTree(shown).split('\n')
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
