import {describe, expect, test} from 'vitest'
import {type BayesNetwork, edgeList, logPrior, networkEdges} from '../../src/base/network/index.ts'
import {mutualInformation} from '../../src/base/numeric/index.ts'
import {experimentDefaults, Results, type Run} from './experiment.ts'
import {type Material, tagCorpus} from './material.ts'
import {testMaterial} from './test-material.ts'
import {agreementOf, explainingAway, fallOf, measureNetwork, networkOf, trees} from './trees.ts'

const names = ['cough', 'smoke', 'dust', 'cold', 'rest']

/** 1 -> 0 <- 2 explains away; 1 -> 3 <- 4 has a parent that lowers; 3 has no other. */
const network: BayesNetwork = {
  parents: [[1, 2], [], [], [1, 4], []],
  cpt: [[0.05, 0.6, 0.5, 0.7], [0.2], [0.3], [0.3, 0.1, 0.6, 0.2], [0.4]].map(list => Float64Array.from(list))
}

function explained(of: BayesNetwork, truths: readonly (readonly number[])[] = []) {
  const list = edgeList(of, names)
  const positive = networkEdges(of).flatMap((edge, at) => (list[at].sign === 'positive' ? [edge.join()] : []))
  const evidence = {words: [], anchors: [], members: []}
  return explainingAway(
    of,
    new Set(positive),
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
    // Asked the other way round it falls by less.
    const fall = (a: number, b: number) =>
      chance(network, [0, b]) / chance(network, [0]) - chance(network, [0, a, b]) / chance(network, [0, a])
    expect(fall(known, other)).toBeGreaterThan(Math.max(0, fall(other, known)))
  })

  test('explainingAway(...) leaves out linked parents, and puts the largest fall first, also where nothing falls', () => {
    const changed = (i: number, parents: readonly number[], cpt: readonly number[]): BayesNetwork => ({
      parents: network.parents.map((list, k) => (k === i ? parents : list)),
      cpt: network.cpt.map((chances, k) => (k === i ? Float64Array.from(cpt) : chances))
    })
    expect(explained(changed(1, [2], [0.2, 0.4]))).toEqual([])
    expect(explained(changed(2, [1], [0.2, 0.4]))).toEqual([])
    // Concept 3 has two parents that must come together: each makes the other likelier.
    const found = explained(changed(3, [1, 4], [0.05, 0.06, 0.06, 0.9]))
    expect(found.map(({child}) => child)).toEqual([0, 3])
    expect(found.map(each => Math.sign(fallOf(each)))).toEqual([1, -1])
  })

  test('explainingAway(...) counts the same among the tags', () => {
    // Five coughs; two of them smoke, three have dust, one both.
    const truths = ['11000', '11100', '10100', '10101', '01111'].map(row => [...row].map(Number))
    const [{known, ...tags}] = explained(network, [...truths, [1, 0, 0, 0, -1]])
    expect([tags.tagsChild, tags.tagsChildOther, tags.tagsChildKnown, tags.tagsAll]).toEqual(
      known === 1 ? [5, 3, 2, 1] : [5, 2, 3, 1]
    )
  })
})

const {model, material} = testMaterial(3000, {concepts: 5, seed: 3})
const concepts = material.lexicon.anchors.map(({concept}) => concept)
const results = new Results(await measureAll(material))
const pairs = (edges: readonly (readonly unknown[])[]) => edges.map(edge => edge.toSorted().join()).toSorted()
const linked = (network: string, source: string) =>
  pairs(results.rows('edges', {network, source}).map(({parent, child}) => [parent, child]))

async function measureAll(of: Material): Promise<Run[]> {
  const runs: Run[] = []
  for (const cell of trees.cells(of, experimentDefaults)) runs.push({cell, tables: await measureNetwork(of, cell)})
  return runs
}

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
    const degree = concepts.map((_, i) => 1 + code.filter(k => k === i).length)
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

describe('measureNetwork', () => {
  test('measureNetwork(...) of the tags finds the best of all trees by plain counting', () => {
    const worth = (edges: readonly (readonly [number, number])[]) =>
      edges.reduce((sum, [i, k]) => sum + mutualInformation(tagTable(i, k)), 0)
    const best = allTrees().reduce((found, tree) => (worth(tree) > worth(found) ? tree : found))
    expect(linked('tree', 'tags')).toEqual(pairs(best.map(edge => edge.map(i => concepts[i]))))
    for (const edge of results.rows('edges', {network: 'tree', source: 'tags'})) {
      const [parent, child] = [edge.parent, edge.child].map(name => concepts.indexOf(`${name}`))
      const [none, onlyChild, onlyParent, both] = tagTable(parent, child)
      // The shrinkage of 0.01 moves a chance by no more than 1% of the way to the prevalence.
      expect(Math.abs(Number(edge.childWith) - both / (onlyParent + both))).toBeLessThan(0.01)
      expect(Math.abs(Number(edge.childWithout) - onlyChild / (none + onlyChild))).toBeLessThan(0.01)
      const counts = [edge.tagsNeither, edge.tagsChildOnly, edge.tagsParentOnly, edge.tagsBoth]
      expect(counts.map(count => Number(count) / 3000)).toEqual(
        [...tagTable(parent, child)].map(p => expect.closeTo(p, 9))
      )
      expect(edge.sign).toBe(Number(edge.childWith) > Number(edge.childWithout) ? 'positive' : 'negative')
    }
  })

  test('measureNetwork(...) of the anchors finds the edges that the documents were drawn with', () => {
    const truth = pairs(networkEdges(model.network).map(edge => edge.map(i => concepts[i])))
    expect(linked('tree', 'anchors')).toEqual(truth)
    expect(linked('forest', 'anchors').every(pair => truth.includes(pair))).toBe(true)
    const {parents} = networkOf(results, material.lexicon.anchors, {network: 'two-parents', source: 'anchors'})
    expect(parents.every(list => list.length <= 2)).toBe(true)
  })

  test('measureNetwork(...) reads no words, gives the same as JSON, and stops at a gap', async () => {
    const cell = {network: 'two-parents', source: 'anchors', seed: 0} as const
    const bare = {...material, documents: material.documents.map(document => ({...document, words: []}))}
    const again = await measureNetwork(bare, cell)
    expect(JSON.parse(JSON.stringify(again))).toEqual(await measureNetwork(material, cell))
    const proven = {searchStatus: 'optimal', scoreGap: 0, momentStatus: 'optimal'}
    expect(again.networks).toMatchObject([{documents: 3000, ...proven}])
    expect(again.probabilities.every(({probability: p}) => Number(p) > 0 && Number(p) < 1)).toBe(true)
    const loose = await measureNetwork(testMaterial(300, {concepts: 8}).material, {...cell, network: 'tree', gap: 0.05})
    const momentGap = Number(loose.networks[0].momentGap)
    expect([momentGap > 1e-4, momentGap <= 0.05]).toEqual([true, true])
  })

  test('tagCorpus(...) leaves out documents with unknown tags and refuses to be left with none', () => {
    const [first, ...rest] = material.documents
    const unknown = {...first, labels: first.labels?.map(() => -1)}
    expect(tagCorpus({...material, documents: [unknown, ...rest]}, 'generated').documents).toHaveLength(2999)
    expect(() => tagCorpus({...material, documents: [unknown]}, 'generated')).toThrow(
      /generated: no document has all its tags known/
    )
  })
})

test('agreementOf(...) counts edges whatever their direction, signs, and what chance would give', () => {
  const edge = (parent: string, child: string, sign: string, [neither, childOnly, parentOnly, both]: number[]) => ({
    ...{parent, child, sign, tagsNeither: neither, tagsChildOnly: childOnly, tagsParentOnly: parentOnly},
    tagsBoth: both
  })
  const probabilities = names.map(concept => ({concept, parentStates: '', probability: 0.5}))
  const of = (source: string, edges: ReturnType<typeof edge>[]): Run => ({
    cell: {network: 'tree', source},
    tables: {edges, probabilities}
  })
  const [together, apart] = [
    [5, 1, 1, 5],
    [1, 5, 5, 1]
  ]
  const [a, b, c, d, e] = names
  const found = [edge(a, b, 'positive', together), edge(c, d, 'positive', apart), edge(d, e, 'negative', apart)]
  const fromTags = [edge(b, a, 'negative', together), edge(e, d, 'negative', apart)]
  expect(agreementOf(new Results([of('anchors', found), of('tags', fromTags)]), 'tree')).toEqual({
    ...{edges: 3, positive: 2, fromTags: 2, shared: 2, byChance: 0.6, sharedSigns: 1, tagSigns: 2}
  })
  const none = new Results([of('anchors', []), of('tags', fromTags)])
  expect(agreementOf(none, 'tree')).toMatchObject({edges: 0, shared: 0, byChance: 0})
})
