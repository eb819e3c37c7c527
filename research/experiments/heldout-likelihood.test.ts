import {describe, expect, test} from 'vitest'
import {directedNetwork, isPairNetwork, networkTable} from '../../src/base/network/index.ts'
import {mutualInformation, rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Tables} from './experiment.ts'
import {
  drawDocuments,
  heldoutLikelihood,
  type LikelihoodCell,
  measureLikelihood,
  polytopes
} from './heldout-likelihood.ts'
import type {Material} from './material.ts'
import {firstOf, splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'

const {model, material} = testMaterial(800)
const m = model.concepts.length
const cell: LikelihoodCell = {data: 'real', shrinkage: '0.01', split: 0, seed: 3, size: 300}
const measured = await measureLikelihood(material, cell)
const row = ({methods}: Tables, method: string) => methods.find(each => each.method === method)
const scoreOf = (tables: Tables, method: string) => Number(row(tables, method)?.logLikelihood)
const {training, heldOut} = splitMaterial(material, cell.seed)
const numberOf = (labels: ArrayLike<number>) => Array.from(labels).reduce((code, value) => 2 * code + value, 0)
const tagsOf = ({labels}: {readonly labels: ArrayLike<number> | undefined}) => Array.from(labels ?? [])

/** Mean log of a table over all assignments, the first concept the highest bit. */
function scoreByTable(table: ArrayLike<number>): number {
  const logs = heldOut.documents.map(document => Math.log(table[numberOf(tagsOf(document))]))
  return logs.reduce((sum, value) => sum + value, 0) / logs.length
}

test('heldoutLikelihood.cells(...) has each shrinkage, kind of documents, split and size once, the largest being all', () => {
  const options = {
    splits: 2,
    sizes: [400, 100, 600, 700, 5000],
    shrinkages: [0.01, '10/N'],
    seed: 5,
    gap: 0.02
  } as const
  const cells = heldoutLikelihood.cells(material, options)
  expect(cells.every(({gap}) => gap === 0.02)).toBe(true)
  expect(cells).toHaveLength(2 * 2 * 2 * 3)
  expect(new Set(cells.map(each => JSON.stringify(each))).size).toBe(cells.length)
  expect([...new Set(cells.map(({size}) => size))]).toEqual([100, 400, 600])
  expect([...new Set(cells.map(({split, seed}) => `${split} ${seed}`))]).toEqual(['0 5', '1 6'])
})

// So few documents that no two polytopes give the same.
const few = await measureLikelihood(material, {...cell, shrinkage: '0.001', size: 60})

describe('measureLikelihood', () => {
  test.each(polytopes)(
    'measureLikelihood(...) scores the tree of a whole fit with the %s, table by table',
    async polytope => {
      const counts = countCorpus(firstOf(training, 60))
      const {network} = await fit(counts, {preset: 'paper', polytope, shrinkage: 0.001})
      expect(scoreOf(few, polytope)).toBeCloseTo(scoreByTable(networkTable(directedNetwork(network), [0, 1, 2, 3])), 5)
      expect(row(few, polytope)).toMatchObject({status: expect.stringMatching(/^(optimal|tolerance)$/)})
      for (const other of polytopes)
        if (other !== polytope) expect(Math.abs(scoreOf(few, polytope) - scoreOf(few, other))).toBeGreaterThan(1e-4)
    }
  )

  test('measureLikelihood(...) scores the network of pairs of a whole fit, state by state', async () => {
    // The experiment reads no words.
    const {lexicon, documents} = firstOf(training, cell.size)
    const wordless = {lexicon: {...lexicon, words: []}, documents: documents.map(each => ({...each, words: []}))}
    const {network} = await fit(countCorpus(wordless), {noise: 'given'})
    if (!isPairNetwork(network)) throw new Error('the default should be a network of pairs')
    const {biases, couplings} = network
    const weights = Array.from({length: 2 ** m}, (_, code) => {
      const present = Array.from({length: m}, (_, i) => i).filter(i => (code >> (m - 1 - i)) & 1)
      const pairs = present.flatMap(i => present.filter(k => k < i).map(k => couplings[i * m + k]))
      return Math.exp([...present.map(i => biases[i]), ...pairs].reduce((sum, value) => sum + value, 0))
    })
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    expect(scoreOf(measured, 'pairs')).toBeCloseTo(scoreByTable(weights.map(weight => weight / all)), 5)
    expect(row(measured, 'pairs')?.constantError).toBe(0)
  })

  test('measureLikelihood(...) gives oracles the tags: prevalences, and the best of all trees by plain counting', () => {
    const learned = training.documents.slice(0, cell.size).map(tagsOf)
    const share = (holds: (y: number[]) => boolean) => learned.filter(holds).length / learned.length
    const prevalence = Array.from({length: m}, (_, i) => share(y => y[i] === 1))
    const single = (i: number, value: number) => (value ? prevalence[i] : 1 - prevalence[i])
    const assignments = Array.from({length: 2 ** m}, (_, code) =>
      Array.from({length: m}, (_, i) => (code >> (m - 1 - i)) & 1)
    )
    const independent = assignments.map(y => y.reduce((p, value, i) => p * single(i, value), 1))
    expect(scoreOf(measured, 'oracle-independent')).toBeCloseTo(scoreByTable(independent), 5)

    const lambda = 0.01
    const pair = (i: number, k: number) =>
      Float64Array.from([0, 1, 2, 3], at => {
        const [a, b] = [at >> 1, at & 1]
        const seen = share(y => y[i] === a && y[k] === b)
        return (seen + lambda * single(i, a) * single(k, b)) / (1 + lambda)
      })
    const pairs = [0, 1, 2, 3].flatMap(i => [0, 1, 2, 3].filter(k => k > i).map(k => [i, k] as const))
    const trees = pairs
      .flatMap((a, x) => pairs.slice(x + 1).flatMap((b, y) => pairs.slice(x + y + 2).map(c => [a, b, c])))
      .filter(edges => spans(edges))
    expect(trees).toHaveLength(16)
    const worth = (edges: readonly (readonly [number, number])[]) =>
      edges.reduce((sum, [i, k]) => sum + mutualInformation(pair(i, k)), 0)
    const best = trees.reduce((found, tree) => (worth(tree) > worth(found) ? tree : found))
    // A tree's joint: pairs over the edges, by singles as often as their concept has further edges.
    const joint = assignments.map((y, at) =>
      best.reduce((p, [i, k]) => (p * pair(i, k)[2 * y[i] + y[k]]) / single(i, y[i]) / single(k, y[k]), independent[at])
    )
    expect(scoreOf(measured, 'oracle-tree')).toBeCloseTo(scoreByTable(joint), 4)
  })

  test('measureLikelihood(...) draws from the tree of all training documents, by a seed of the split', async () => {
    const {network} = await fit(countCorpus(training), {preset: 'paper', polytope: 'marginal'})
    const random = rng(cell.seed).stream('heldout-likelihood')
    const drawn = drawDocuments(directedNetwork(network), training.lexicon.anchors, material.documents.length, random)
    const [learned, judging] = [drawn.slice(0, cell.size), drawn.slice(trainingCount(material))]
    const share = (i: number) => learned.filter(({labels}) => labels[i] === 1).length / learned.length
    const prevalence = Array.from({length: m}, (_, i) => share(i))
    const logs = judging.map(({labels}) =>
      prevalence.reduce((sum, p, i) => sum + Math.log(labels[i] === 1 ? p : 1 - p), 0)
    )
    const generated = await measureLikelihood(material, {...cell, data: 'generated'})
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
    expect(scoreOf(generated, 'oracle-independent')).toBeCloseTo(mean, 5)
    // Anchors of two members, of which the second never fires.
    const anchors = material.lexicon.anchors.map(each => ({...each, any: [...each.any, `${each.concept} again`]}))
    const documents = material.documents.map(each => ({...each, members: each.anchors.map(i => 2 * i)}))
    const wide = {...material, lexicon: {...material.lexicon, anchors}, documents}
    expect(await measureLikelihood(wide, {...cell, data: 'generated'})).toEqual(generated)
  })

  test('measureLikelihood(...) of more documents than there are takes all, and 10/N is the shrinkage for that number', async () => {
    const all = await measureLikelihood(material, {...cell, size: 600})
    expect(await measureLikelihood(material, {...cell, size: 10_000})).toEqual(all)
    expect(await measureLikelihood(material, {...cell, shrinkage: '6/N', size: 600})).toEqual(all)
    expect([all.methods[0].training, measured.methods[0].training]).toEqual([600, 300])
  })

  test('measureLikelihood(...) leaves documents with unknown tags out of the score, and refuses to be left with none', async () => {
    const hidden = new Set(heldOut.documents.slice(0, 30).map(({key}) => key))
    const some = material.documents.map(each =>
      hidden.has(each.key) ? {...each, labels: cleared(each.labels, 1, -1)} : each
    )
    const result = await measureLikelihood({...material, documents: some}, cell)
    expect(result.methods[0].heldOut).toBe(heldOut.documents.length - 30)
    expect(scoreOf(result, 'simplex')).not.toBe(scoreOf(measured, 'simplex'))
    const none: Material = {
      ...material,
      documents: material.documents.map((each, at) => ({...each, labels: cleared(each.labels, at % m, -1)}))
    }
    await expect(measureLikelihood(none, cell)).rejects.toThrow(
      /no held-out document has a known value for every concept/
    )
  })
})

test('drawDocuments(...) draws tags by the network and anchors by their rates, within 5 standard errors', () => {
  const count = 20_000
  const network = directedNetwork(model.network)
  const drawn = drawDocuments(network, material.lexicon.anchors, count, rng(1))
  const near = (share: number, of: number, p: number) =>
    expect(Math.abs(share - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / of))
  networkTable(network, [0, 1, 2, 3]).forEach((p, code) => {
    near(drawn.filter(({labels}) => numberOf(labels) === code).length / count, count, p)
  })
  model.concepts.forEach(({truePositive, falsePositive}, i) => {
    for (const [value, rate] of [falsePositive, truePositive].entries()) {
      const own = drawn.filter(({labels}) => labels[i] === value)
      near(own.filter(({anchors}) => anchors.includes(i)).length / own.length, own.length, rate)
    }
  })
})

function cleared(labels: Int8Array | undefined, i: number, value: number): Int8Array | undefined {
  return labels?.map((each, at) => (at === i ? value : each))
}

/** Whether three edges join four concepts. */
function spans(edges: readonly (readonly [number, number])[]): boolean {
  const reached = new Set([0])
  for (let round = 0; round < 3; round++)
    for (const [i, k] of edges) {
      if (reached.has(i)) reached.add(k)
      if (reached.has(k)) reached.add(i)
    }
  return reached.size === 4
}
