import {describe, expect, test} from 'vitest'
import {networkEdges} from '../../../src/base/network/index.ts'
import {mutualInformation} from '../../../src/base/numeric/index.ts'
import {experimentDefaults, type Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {testMaterial, testPictures} from '../test-material.ts'

import {agreementText, compareNetworks, explainingSummary, explainingText, proofText} from './findings.ts'
import {measureNetwork, type TreesCell, type TreesResult, tagCorpus} from './measure.ts'
import {trees} from './present.ts'

const {model, material} = testMaterial(3000, {concepts: 5, seed: 3})
const names = material.lexicon.anchors.map(({concept}) => concept)
const runs = await measureAll(material)
const result = (network: TreesCell['network'], source: TreesCell['source'], of = runs) => {
  const run = of.find(({cell}) => cell.network === network && cell.source === source)
  if (run === undefined) throw new Error(`no ${network} from ${source}`)
  return run.result
}

async function measureAll(of: Material): Promise<Run<TreesCell, TreesResult>[]> {
  const all: Run<TreesCell, TreesResult>[] = []
  for (const cell of trees.cells(of, experimentDefaults)) all.push({cell, result: await trees.measure(of, cell)})
  return all
}

const pairs = (edges: readonly (readonly [number, number])[]) =>
  edges.map(edge => edge.toSorted((a, b) => a - b).join()).toSorted()
const linked = ({edges}: TreesResult) => pairs(edges.map(({parent, child}) => [parent, child]))

/** P(tag i, tag k) among the documents, cell 2 yi + yk. */
function tagTable(i: number, k: number): Float64Array {
  const table = new Float64Array(4)
  for (const {labels} of material.documents)
    if (labels) table[2 * labels[i] + labels[k]] += 1 / material.documents.length
  return table
}

/** Every tree over five concepts, by its Pruefer code. */
function allTrees(): (readonly [number, number])[][] {
  const codes = Array.from({length: 125}, (_, at) => [at % 5, Math.floor(at / 5) % 5, Math.floor(at / 25)])
  return codes.map(code => {
    const degree = names.map((_, i) => 1 + code.filter(k => k === i).length)
    const edges = code.map(k => {
      const leaf = degree.indexOf(1)
      degree[leaf]--
      degree[k]--
      return [leaf, k] as const
    })
    const rest = degree.flatMap((d, i) => (d === 1 ? [i] : []))
    return [...edges, [rest[0], rest[1]] as const]
  })
}

describe('trees.cells', () => {
  test('trees.cells(...) learns every kind of network from anchors and from tags, those that take longest first', () => {
    const cells = trees.cells(material, {...experimentDefaults, seed: 7})
    expect(cells).toHaveLength(6)
    expect(new Set(cells.map(cell => `${cell.network} ${cell.source}`)).size).toBe(6)
    expect(cells.every(({seed}) => seed === 7)).toBe(true)
    const costs = cells.map(cell => trees.cost?.(cell) ?? 0)
    expect(costs).toEqual(costs.toSorted((a, b) => b - a))
  })
})

describe('measureNetwork', () => {
  test('measureNetwork(...) of the tags finds the best of all trees by plain counting', () => {
    const worth = (edges: readonly (readonly [number, number])[]) =>
      edges.reduce((sum, [i, k]) => sum + mutualInformation(tagTable(i, k)), 0)
    const best = allTrees().reduce((found, tree) => (worth(tree) > worth(found) ? tree : found))
    const found = result('tree', 'tags')
    expect(linked(found)).toEqual(pairs(best))
    for (const {parent, child, childWith, childWithout, tagged, sign} of found.edges) {
      const [none, onlyChild, onlyParent, both] = tagTable(parent, child)
      // The shrinkage of 0.01 moves a chance by no more than 1% of the way to the prevalence.
      expect(Math.abs(childWith - both / (onlyParent + both))).toBeLessThan(0.01)
      expect(Math.abs(childWithout - onlyChild / (none + onlyChild))).toBeLessThan(0.01)
      expect(tagged.map(count => count / 3000)).toEqual([...tagTable(parent, child)].map(p => expect.closeTo(p, 9)))
      expect(sign).toBe(childWith > childWithout ? 'positive' : 'negative')
    }
  })

  test('measureNetwork(...) of the anchors finds the edges that the documents were drawn with', () => {
    const truth = pairs(networkEdges(model.network))
    expect(linked(result('tree', 'anchors'))).toEqual(truth)
    expect(linked(result('forest', 'anchors')).every(pair => truth.includes(pair))).toBe(true)
    expect(result('two-parents', 'anchors').parents.every(list => list.length <= 2)).toBe(true)
  })

  test('measureNetwork(...) says how sure it is, and gives the same again, also as JSON', async () => {
    const cell = {network: 'two-parents', source: 'anchors', seed: 0} as const
    const again = await measureNetwork(material, cell)
    expect(again).toEqual(result('two-parents', 'anchors'))
    expect(JSON.parse(JSON.stringify(again))).toEqual(again)
    expect(again.search).toMatchObject({status: 'optimal', gap: 0})
    expect(again.moments.status).toBe('optimal')
    expect(again.documents).toBe(3000)
    expect(again.cpt.flat().every(p => p > 0 && p < 1)).toBe(true)
  })

  test('measureNetwork(...) never looks at words, nor at tags but for the rates and to compare', async () => {
    const bare = material.documents.map(document => ({...document, words: []}))
    const cell = {network: 'tree', source: 'anchors', seed: 0} as const
    expect(await measureNetwork({...material, documents: bare}, cell)).toEqual(result('tree', 'anchors'))
  })

  test('tagCorpus(...) leaves out documents with unknown tags and refuses to be left with none', () => {
    const [first, ...rest] = material.documents
    const unknown = {...first, labels: first.labels?.map(() => -1)}
    expect(tagCorpus({...material, documents: [unknown, ...rest]}).documents).toHaveLength(2999)
    expect(() => tagCorpus({...material, documents: [unknown]})).toThrow(
      /generated: no document has all its tags known/
    )
  })
})

describe('compareNetworks', () => {
  const edge = (
    parent: number,
    child: number,
    sign: 'positive' | 'negative',
    tagged: readonly [number, number, number, number]
  ) => ({parent, child, sign, mutualInformation: 0.1, strength: 1, childWithout: 0.1, childWith: 0.2, tagged}) as const
  const base = result('tree', 'anchors')

  test('compareNetworks(...) counts edges whatever their direction, signs, and what chance would give', () => {
    const found = {
      ...base,
      edges: [
        edge(0, 1, 'positive', [5, 1, 1, 5]),
        edge(2, 3, 'positive', [1, 5, 5, 1]),
        edge(3, 4, 'negative', [1, 5, 5, 1])
      ]
    }
    const fromTags = {...base, edges: [edge(1, 0, 'negative', [5, 1, 1, 5]), edge(4, 3, 'negative', [1, 5, 5, 1])]}
    const agreement = compareNetworks(found, fromTags)
    expect(agreement).toEqual({
      edges: 3,
      positive: 2,
      negative: 1,
      shared: 2,
      byChance: 0.6,
      sharedSigns: 1,
      tagSigns: 2
    })
    expect(agreementText('tree', agreement)).toBe(
      'Of 3 edges of the tree (paper), 2 are also learned from the tags themselves by the same method (0.6 expected by chance), 1 of these with the same sign; 2 of 3 have the sign found in the tags.'
    )
  })

  test('compareNetworks(...) has nothing to say of a network without edges', () => {
    const agreement = compareNetworks({...base, edges: []}, base)
    expect(agreement).toMatchObject({edges: 0, shared: 0, byChance: 0})
    expect(agreementText('forest', agreement)).toBe('The forest (robust) has no edges.')
  })
})

describe('words of the trees', () => {
  const {search, moments} = result('two-parents', 'anchors')

  test('proofText(...) says what is proven and what is not', () => {
    expect(proofText({search, moments})).toMatch(/^The search is complete.*scores higher.*within 0\.001 nats/)
    const stopped = {...search, status: 'stopped', gap: 12.3456, steps: 100_000}
    expect(proofText({search: stopped, moments: {...moments, status: 'gap', gap: 0.0567}})).toBe(
      'The search ended after 100,000 steps without proof (stopped): another network may score higher by up to 12 nats. The recovery of the moments stopped (gap) within 0.057 nats of the best in their polytope.'
    )
  })

  test('explainingText(...) says which way chances go, by the network and by the tags', () => {
    const each = {
      child: 0,
      known: 1,
      other: 2,
      chance: 0.02,
      givenChild: 0.12,
      givenBoth: 0.04,
      tagged: [200, 22, 50, 2]
    } as const
    const names = ['shock', 'cellulitis', 'pneumonia <b>']
    expect(explainingText(each, names).text).toBe(
      'Knowing <strong>shock</strong> raises the chance of <strong>pneumonia &lt;b&gt;</strong> from 2.0% to 12%; once <strong>cellulitis</strong> is known too, it falls to 4.0%. According to the tags: 11% of 200 documents with shock, 4.0% of the 50 with cellulitis as well.'
    )
    expect(explainingText({...each, givenChild: 0.01, givenBoth: 0.5}, names).text).toMatch(/lowers .* it rises to 50%/)
    expect(explainingText({...each, tagged: [3, 1, 0, 0]}, names).text).toMatch(/No document has both tags/)
    expect(explainingSummary([each, {...each, givenBoth: 0.2}])).toMatch(
      /2 pairs .* in 1 of 2 .* becomes less likely\. According to the tags the other is rarer too in 1 of the 1 of these/
    )
    expect(explainingSummary([])).toMatch(/nothing to explain away/)
  })
})

describe('presentTrees', () => {
  const shown = trees.present(runs, material, testPictures)
  const table = (name: string) => shown.tables.find(each => each.name === name)

  test('presentTrees(...) draws every network and shows those of the anchors', () => {
    expect(shown.figures.map(({name}) => name).toSorted()).toEqual(
      ['forest', 'forest-from-tags', 'tree', 'tree-from-tags', 'two-parents', 'two-parents-from-tags'].toSorted()
    )
    expect(shown.html.text).toContain('<svg id="trees-two-parents">')
    expect(shown.html.text).not.toContain('<svg id="trees-two-parents-from-tags">')
  })

  test('presentTrees(...) puts all edges and probabilities into tables', () => {
    const edges = runs.reduce((sum, run) => sum + run.result.edges.length, 0)
    expect(table('edges')?.rows).toHaveLength(edges)
    expect(table('networks')?.rows).toHaveLength(6)
    expect(table('probabilities')?.rows).toHaveLength(runs.reduce((sum, run) => sum + run.result.cpt.flat().length, 0))
    const child = result('tree', 'anchors').parents.findIndex(list => list.length === 1)
    expect(table('probabilities')?.rows).toContainEqual([
      ...['tree', 'anchors', 0, names[child], names[result('tree', 'anchors').parents[child][0]], '1'],
      result('tree', 'anchors').cpt[child][1]
    ])
    for (const {head, rows} of shown.tables) for (const row of rows) expect(row).toHaveLength(head.length)
  })

  test('presentTrees(...) says of each edge whether the tags have it too', () => {
    const column = table('edges')?.head.indexOf('alsoFromTags') ?? -1
    const rows = table('edges')?.rows.filter(([network, source]) => network === 'tree' && source === 'anchors') ?? []
    const {shared} = compareNetworks(result('tree', 'anchors'), result('tree', 'tags'))
    expect(rows.filter(row => row[column] === 'yes')).toHaveLength(shared)
    expect(
      table('edges')
        ?.rows.filter(([, source]) => source === 'tags')
        .every(row => row[column] === 'yes')
    ).toBe(true)
  })

  test('presentTrees(...) says what the results say, and something else of other results', () => {
    const agreement = compareNetworks(result('tree', 'anchors'), result('tree', 'tags'))
    expect(shown.html.text).toContain(agreementText('tree', agreement))
    const without = runs.map(run => (run.cell.network === 'tree' ? {...run, result: {...run.result, edges: []}} : run))
    const other = trees.present(without, material, testPictures).html.text
    expect(other).toContain('The tree (paper) has no edges.')
    expect(other).not.toContain(agreementText('tree', agreement))
  })

  test('presentTrees(...) names the strongest edges first', () => {
    const [first] = result('tree', 'anchors').edges.toSorted((a, b) => b.mutualInformation - a.mutualInformation)
    const rows = shown.html.text.slice(shown.html.text.indexOf('most mutual information in the tree'))
    expect(rows.slice(rows.indexOf('<tbody>')).trim()).toMatch(
      new RegExp(`^<tbody>\\s*<tr><th scope="row">${names[first.parent]} and ${names[first.child]} occur together `)
    )
  })

  test('presentTrees(...) works with two concepts', async () => {
    const small = testMaterial(300, {concepts: 2, seed: 5}).material
    const {html: section} = trees.present(await measureAll(small), small, testPictures)
    expect(section.text).toContain('nothing to explain away')
    expect(section.text).not.toContain('NaN')
  })
})
