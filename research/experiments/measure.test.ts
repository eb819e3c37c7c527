/** What each experiment measures, against the slow, obvious way. */
import {describe, expect, test} from 'vitest'
import {
  type BayesNetwork,
  directedNetwork,
  edgeList,
  logPrior,
  networkEdges,
  networkTable
} from '../../src/base/network/index.ts'
import {mutualInformation} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {plainLogJoint, plainPosterior} from '../../src/learn/inference/test-models.ts'
import {recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {mean} from '../spread.ts'
import {EM_STEPS, measureDrift} from './em-drift.ts'
import {experimentDefaults, Results, type Row, type Run} from './experiment.ts'
import {measureFactors} from './factors.ts'
import {type LikelihoodCell, measureLikelihood, polytopes} from './heldout-likelihood.ts'
import {families, measureFamily, methods} from './last-tag.ts'
import {anchorsWithTagRates, type Material} from './material.ts'
import {firstOf, predictionSplit, splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'
import {measureTime, timing} from './timing.ts'
import {explainingAway, measureNetwork, trees} from './trees.ts'

type Edge = readonly [number, number]

/** Every tree over so many concepts, by its Pruefer code. */
function allTrees(concepts: number): Edge[][] {
  const codes = Array.from({length: concepts ** (concepts - 2)}, (_, at) =>
    Array.from({length: concepts - 2}, (_, place) => Math.floor(at / concepts ** place) % concepts)
  )
  return codes.map(code => {
    const degree = Array.from({length: concepts}, (_, i) => 1 + code.filter(k => k === i).length)
    const edges = code.map((k): Edge => {
      const leaf = degree.indexOf(1)
      degree[leaf]--
      degree[k]--
      return [leaf, k]
    })
    const [i, k] = degree.flatMap((d, each) => (d === 1 ? [each] : []))
    return [...edges, [i, k]]
  })
}

/** The tree with the most mutual information in tables of two concepts. */
function bestTree(concepts: number, tableOf: (i: number, k: number) => Float64Array): Edge[] {
  const worth = (tree: readonly Edge[]) => tree.reduce((sum, [i, k]) => sum + mutualInformation(tableOf(i, k)), 0)
  return allTrees(concepts).reduce((found, tree) => (worth(tree) > worth(found) ? tree : found))
}

/** P(tag i, tag k) among the documents, cell 2 yi + yk. */
function tagTable({documents}: Pick<Material, 'documents'>, i: number, k: number): Float64Array {
  const table = new Float64Array(4)
  for (const {labels} of documents) if (labels) table[2 * labels[i] + labels[k]] += 1 / documents.length
  return table
}

describe('trees', () => {
  const {model, material} = testMaterial(3000, {concepts: 5, seed: 3})
  const concepts = material.lexicon.anchors.map(({concept}) => concept)
  const named = (edges: readonly Edge[]) => pairs(edges.map(edge => edge.map(i => concepts[i])))
  const pairs = (edges: readonly (readonly unknown[])[]) => edges.map(edge => edge.toSorted().join()).toSorted()

  test('measureNetwork(...) finds the best of all trees in the tags, and the drawn edges in the anchors', async () => {
    const runs: Run[] = []
    for (const cell of trees.cells(material, experimentDefaults))
      runs.push({cell, tables: await measureNetwork(material, cell)})
    const results = new Results(runs)
    const linked = (source: string) =>
      pairs(results.rows('edges', {network: 'tree', source}).map(({parent, child}) => [parent, child]))
    expect(linked('tags')).toEqual(named(bestTree(5, (i, k) => tagTable(material, i, k))))
    expect(linked('anchors')).toEqual(named(networkEdges(model.network)))
    for (const {parent, child, ...edge} of results.rows('edges', {network: 'tree', source: 'tags'})) {
      const table = tagTable(material, concepts.indexOf(`${parent}`), concepts.indexOf(`${child}`))
      const counts = [edge.tagsNeither, edge.tagsChildOnly, edge.tagsParentOnly, edge.tagsBoth]
      expect(counts.map(count => Number(count) / 3000)).toEqual([...table].map(p => expect.closeTo(p, 9)))
      // The shrinkage of 0.01 moves a chance by no more than 1% of the way to the prevalence.
      expect(Math.abs(Number(edge.childWith) - table[3] / (table[2] + table[3]))).toBeLessThan(0.01)
    }
  })

  test('explainingAway(...) finds unlinked parents that both raise a child, with chances that enumeration gives', () => {
    /** 1 -> 0 <- 2 explains away; 1 -> 3 <- 4 has a parent that lowers. */
    const network: BayesNetwork = {
      parents: [[1, 2], [], [], [1, 4], []],
      cpt: [[0.05, 0.6, 0.5, 0.7], [0.2], [0.3], [0.3, 0.1, 0.6, 0.2], [0.4]].map(list => Float64Array.from(list))
    }
    const chance = (wanted: readonly number[]) => {
      const states = Array.from({length: 32}, (_, state) => concepts.map((_, i) => (state >> i) & 1))
      return states
        .filter(y => wanted.every(i => y[i] === 1))
        .reduce((sum, y) => sum + Math.exp(logPrior(network, y)), 0)
    }
    const list = edgeList(network, concepts)
    const positive = networkEdges(network).flatMap((edge, at) => (list[at].sign === 'positive' ? [edge.join()] : []))
    // Five documents with concept 0; two of them with concept 1, three with concept 2, one with both.
    const documents = ['11000', '11100', '10100', '10101', '01111', '10000'].map((row, d) => ({
      ...{key: `d${d}`, words: [], anchors: [], members: []},
      labels: Int8Array.from(row, Number)
    }))
    const [{child, known, other, ...found}, ...rest] = explainingAway(network, new Set(positive), documents)
    expect([child, [known, other].toSorted(), rest]).toEqual([0, [1, 2], []])
    expect(found).toEqual({
      chance: expect.closeTo(chance([other]), 6),
      givenChild: expect.closeTo(chance([0, other]) / chance([0]), 6),
      givenBoth: expect.closeTo(chance([0, known, other]) / chance([0, known]), 6),
      ...{tagsChild: 5, tagsChildOther: known === 1 ? 3 : 2, tagsChildKnown: known === 1 ? 2 : 3, tagsAll: 1}
    })
  })
})

test('measureFactors(...) ranks words by failure as the model has them, and finds those the documents were drawn with', async () => {
  const {model, material} = testMaterial(2500, {concepts: 4, words: 40, seed: 2})
  const {words, anchors} = material.lexicon
  const tables = await measureFactors(material, {method: 'paper', seed: 0})
  const rated = {...material.lexicon, anchors: anchorsWithTagRates(material.lexicon, material.documents)}
  const {loadings} = await fit(countCorpus({...material, lexicon: rated}), {preset: 'paper'})
  for (const [i, {concept}] of anchors.entries()) {
    const list = tables.words.filter(row => row.concept === concept && row.ranking === 'failure')
    const rowOf = (failure: Float64Array) => Array.from(failure.subarray(i * words.length, (i + 1) * words.length))
    const lowest = rowOf(loadings.failure).toSorted((a, b) => a - b)
    expect(list.map(({value}) => value)).toEqual(lowest.slice(0, 10).map(f => expect.closeTo(f, 4)))
    const own = new Set(list.map(({word}) => words.indexOf(`${word}`)))
    const drawn = rowOf(model.loadings.failure)
    expect(mean(drawn.filter((_, j) => own.has(j)))).toBeLessThan(mean(drawn.filter((_, j) => !own.has(j))) - 0.1)
  }
})

describe('heldout-likelihood', () => {
  const {material} = testMaterial(800)
  // So few documents that no two polytopes give the same.
  const cell: LikelihoodCell = {data: 'real', shrinkage: '0.001', split: 0, seed: 3, size: 60}
  const {training, heldOut} = splitMaterial(material, cell.seed)
  const states = Array.from({length: 16}, (_, code) => [8, 4, 2, 1].map(bit => Math.sign(code & bit)))
  /** Mean log of a table over all assignments, the first concept the highest bit. */
  const scoreByTable = (table: ArrayLike<number>) =>
    mean(heldOut.documents.map(({labels}) => Math.log(table[Number.parseInt((labels ?? []).join(''), 2)])))

  test('measureLikelihood(...) scores the tree of every polytope, and the oracle by plain counting, table by table', async () => {
    const found = await measureLikelihood(material, cell)
    const scoreOf = (method: string) => Number(found.methods.find(each => each.method === method)?.logLikelihood)
    const learned = firstOf(training, cell.size)
    for (const polytope of polytopes) {
      const {network} = await fit(countCorpus(learned), {preset: 'paper', polytope, shrinkage: 0.001})
      const joint = networkTable(directedNetwork(network), [0, 1, 2, 3])
      expect(scoreOf(polytope)).toBeCloseTo(scoreByTable(joint), 5)
    }
    expect(new Set(polytopes.map(scoreOf)).size).toBe(polytopes.length)
    const single = states[0].map((_, i) => mean(learned.documents.map(({labels}) => labels?.[i] ?? 0)))
    const share = (i: number, value: number) => (value ? single[i] : 1 - single[i])
    const pair = (i: number, k: number) =>
      tagTable(learned, i, k).map((p, at) => (p + 0.001 * share(i, at >> 1) * share(k, at & 1)) / 1.001)
    // A tree's joint: pairs over the edges, by singles as often as their concept has further edges.
    const joint = states.map(y =>
      bestTree(4, pair).reduce(
        (p, [i, k]) => (p * pair(i, k)[2 * y[i] + y[k]]) / share(i, y[i]) / share(k, y[k]),
        y.reduce((p, value, i) => p * share(i, value), 1)
      )
    )
    expect(scoreOf('oracle-tree')).toBeCloseTo(scoreByTable(joint), 4)
  })

  test('measureLikelihood(...) refuses to be left without a document whose tags are all known', async () => {
    const documents = material.documents.map(each => ({...each, labels: each.labels?.map(() => -1)}))
    await expect(measureLikelihood({...material, documents}, cell)).rejects.toThrow(/no held-out document/)
  })
})

describe('last-tag', () => {
  const {material} = testMaterial(500)
  const {training, heldOut} = predictionSplit(material, 7)

  /** Every tag of documents with two or more is hidden in turn; it has to score higher than all that is not given. */
  async function naiveAccuracy(options: FitOptions): Promise<number> {
    const model = await fit(countCorpus(training), options)
    const directed = {...model, network: directedNetwork(model.network, 1)}
    const shares = heldOut.documents.flatMap(document => {
      const labels = [...(document.labels ?? [])]
      const tags = [...labels.keys()].filter(i => labels[i] === 1)
      const found = tags.filter(hidden => {
        const given = tags.filter(i => i !== hidden)
        const candidates = [...labels.keys()].filter(i => !given.includes(i))
        const stateOf = (candidate: number) => labels.map((_, i) => Number(i === candidate || given.includes(i)))
        const scores = candidates.map(candidate => plainLogJoint(directed, document, stateOf(candidate)))
        return candidates[scores.indexOf(Math.max(...scores))] === hidden
      })
      return tags.length < 2 ? [] : [found.length / tags.length]
    })
    return mean(shares)
  }

  test('measureFamily(...) measures every method once, and scores as a plain sum of logarithms does', async () => {
    const rows: Row[] = []
    for (const family of families) rows.push(...(await measureFamily(material, {split: 1, seed: 7, family})).methods)
    expect(rows.map(({method}) => method).toSorted()).toEqual(methods.map(({id}) => id).toSorted())
    const naive: Readonly<Record<string, FitOptions>> = {
      'paper-tree': {preset: 'paper'},
      'paper-independent': {preset: 'paper', network: 'independent'},
      'robust-noisy-or': {noise: 'given', words: 'noisy-or'}
    }
    for (const [id, options] of Object.entries(naive)) {
      const found = rows.find(({method}) => method === id)
      expect(found?.lastTag).toBeCloseTo(await naiveAccuracy(options), 6)
    }
  })
})

test('measureDrift(...) begins with the fitted model, and raises a bound that lies below the likelihood', async () => {
  const {material} = testMaterial(500)
  const {training, heldOut} = predictionSplit(material, 0)
  const start = await fit(countCorpus(training), {preset: 'paper'})
  const {steps} = await measureDrift(material, {split: 0, seed: 0, path: 'paper'})
  expect(steps.map(({step}) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(steps[0].lastTag).toBeCloseTo(evaluate(start, heldOut).lastTag.accuracy, 6)
  const directed = {...start, network: directedNetwork(start.network, 1)}
  const plain = mean(training.documents.map(document => plainPosterior(directed, document).logEvidence))
  const gap = plain - Number(steps[0].bound)
  expect(gap > 0 && gap < 0.3).toBe(true)
  expect(Number(steps[EM_STEPS].bound)).toBeGreaterThan(Number(steps[0].bound))
})

describe('timing', () => {
  const {material} = testMaterial(400, {concepts: 5})
  const cell = {polytope: 'local', concepts: 5, documents: trainingCount(material), seed: 2} as const
  const {training} = splitMaterial(material, 2)
  const counts = countCorpus(training)

  test.each([
    ['learning', {}],
    ['conditional-gradient', {solver: 'conditional-gradient'}]
  ] as const)("measureTime(...) of %s times moments as the paper's preset recovers them", async (task, solver) => {
    const [result] = (await measureTime(material, {...cell, task})).times
    const options = {polytope: 'local', shrinkage: 0.01, ...solver} as const
    const {status, steps} = (await recoverMoments(counts, estimateNoise(counts, 'given'), options)).certificate
    expect(result).toMatchObject({words: 20, patterns: counts.patternCount, status, steps})
    expect(Number(result.moments)).toBeGreaterThan(0)
  })

  test('timing.cells(...) are different, and leave out what the marginal polytope cannot do', () => {
    const cells = timing.cells(testMaterial(80, {concepts: 64}).material, experimentDefaults)
    expect(new Set(cells.map(each => JSON.stringify(each))).size).toBe(cells.length)
    const concepts = (polytope: string) =>
      cells.flatMap(each => (each.task === 'learning' && each.polytope === polytope ? each.concepts : []))
    expect([Math.max(...concepts('cycle')), Math.max(...concepts('marginal'))]).toEqual([64, 50])
  })
})
