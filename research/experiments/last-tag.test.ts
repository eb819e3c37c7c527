import {describe, expect, test} from 'vitest'
import {createLogPrior, directedNetwork} from '../../src/base/network/index.ts'
import {fit} from '../../src/learn/fit.ts'
import type {Model} from '../../src/learn/model/index.ts'
import type {PolytopeName} from '../../src/learn/moments/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Evidence} from '../../src/read/data/index.ts'
import {experimentDefaults, type Row} from './experiment.ts'
import {families, lastTag, measureFamily, methods} from './last-tag.ts'
import {predictionSplit} from './split.ts'
import {testMaterial} from './test-material.ts'

const {material} = testMaterial(500)
const results = await Promise.all(families.map(family => measureFamily(material, {split: 1, seed: 7, family})))
const rows = results.flatMap(result => result.methods)
const figuresOf = (some: readonly Row[], id: string) => some.find(({method}) => method === id)
const number = (id: string, figure: string, some: readonly Row[] = rows) => Number(figuresOf(some, id)?.[figure])
const {training, heldOut} = predictionSplit(material, 7)

/** Every tag of documents with two or more hidden in turn; it has to score higher than all that is not given. The slow, obvious way. */
function naiveAccuracy(score: (evidence: Evidence, y: readonly number[]) => number): number {
  let [sum, documents] = [0, 0]
  for (const document of heldOut.documents) {
    const tags = [...(document.labels ?? [])].flatMap((value, i) => (value === 1 ? [i] : []))
    if (tags.length < 2) continue
    const found = tags.filter(hidden => {
      const given = tags.filter(i => i !== hidden)
      const candidates = [...(document.labels ?? [])].map((_, c) => c).filter(c => !given.includes(c))
      const scores = candidates.map(c =>
        score(
          document,
          [...(document.labels ?? [])].map((_, i) => Number(i === c || given.includes(i)))
        )
      )
      return candidates[scores.indexOf(Math.max(...scores))] === hidden
    })
    sum += found.length / tags.length
    documents++
  }
  return sum / documents
}

/** log P(y) + log P(anchors | y) + log P(words | y), factor by factor; P(y) is that of a forest. */
function logJoint(
  {concepts, network: given, loadings}: Model,
  {anchors, words}: Evidence,
  y: readonly number[]
): number {
  const {wordCount: n, failure, leak} = loadings
  const network = directedNetwork(given, 1)
  let sum = 0
  for (const [i, {truePositive, falsePositive}] of concepts.entries()) {
    const p = network.cpt[i][network.parents[i].length === 0 ? 0 : y[network.parents[i][0]]]
    sum += Math.log(y[i] === 1 ? p : 1 - p)
    const fires = y[i] === 1 ? truePositive : falsePositive
    sum += Math.log(anchors.includes(i) ? fires : 1 - fires)
  }
  for (let j = 0; j < n; j++) {
    const absent = y.reduce((product, value, i) => product * (value === 1 ? failure[i * n + j] : 1), 1 - leak[j])
    sum += Math.log(words.includes(j) ? Math.max(1 - absent, 1e-300) : absent)
  }
  return sum
}

describe('lastTag.cells', () => {
  test('lastTag.cells(...) has every family for every split, each with its seed', () => {
    const cells = lastTag.cells(material, {...experimentDefaults, splits: 3, seed: 5})
    expect(cells).toHaveLength(9)
    for (const family of families)
      expect(cells.filter(cell => cell.family === family).map(({split, seed}) => [split, seed])).toEqual([
        [0, 5],
        [1, 6],
        [2, 7]
      ])
    for (const cell of cells) expect(lastTag.cost?.(cell)).toBeGreaterThan(0)
  })
})

describe('measureFamily', () => {
  test('measureFamily(...) measures every method in exactly one family', () => {
    expect(rows.map(({method}) => method).toSorted()).toEqual(methods.map(({id}) => id).toSorted())
    for (const row of rows) expect(row).toMatchObject({training: 375, heldOut: 125, concepts: 4})
    for (const result of results) expect(result['left-out']).toEqual([])
  })

  test('measureFamily(...) learns the tree of each polytope from its own moments', async () => {
    // Eight concepts and few documents, so that the moments on the simplex do not fit together.
    const {material: wide} = testMaterial(150, {concepts: 8})
    const split = predictionSplit(wide, 0)
    const meanLogPrior = async (polytope: PolytopeName) => {
      const {network} = await fit(countCorpus(split.training), {preset: 'paper', polytope})
      const prior = createLogPrior(network)
      const logs = split.heldOut.documents.map(({labels}) => prior.of(labels ?? []))
      return logs.reduce((sum, value) => sum + value, 0) / logs.length
    }
    const {methods: found} = await measureFamily(wide, {split: 0, seed: 0, family: 'models'})
    // Figures are rounded to six decimals.
    expect(number('paper-tree', 'logLikelihood', found)).toBeCloseTo(await meanLogPrior('simplex'), 5)
    expect(number('paper-marginal', 'logLikelihood', found)).toBeCloseTo(await meanLogPrior('marginal'), 5)
    expect(Math.abs((await meanLogPrior('marginal')) - (await meanLogPrior('simplex')))).toBeGreaterThan(1e-3)
  })

  test('measureFamily(...) gives the same again, as JSON would keep it', async () => {
    const again = await measureFamily(material, {split: 1, seed: 7, family: 'models'})
    expect(again).toEqual(results[0])
    expect(JSON.parse(JSON.stringify(again))).toEqual(again)
  })

  test('measureFamily(..., models) scores the models of the paper as a plain sum of logarithms does', async () => {
    const counts = countCorpus(training)
    const tree = await fit(counts, {preset: 'paper'})
    const independent = await fit(counts, {preset: 'paper', network: 'independent'})
    expect(number('paper-tree', 'lastTag')).toBeCloseTo(
      naiveAccuracy((...at) => logJoint(tree, ...at)),
      6
    )
    expect(number('paper-independent', 'lastTag')).toBeCloseTo(
      naiveAccuracy((...at) => logJoint(independent, ...at)),
      6
    )
  })

  test('measureFamily(..., models) scores the robust links as a plain sum of logarithms does', async () => {
    const links = await fit(countCorpus(training), {noise: 'given', words: 'noisy-or'})
    expect(number('robust-noisy-or', 'lastTag')).toBeCloseTo(
      naiveAccuracy((...at) => logJoint(links, ...at)),
      6
    )
    expect(number('robust', 'lastTag')).not.toBe(number('robust-noisy-or', 'lastTag'))
  })

  test('measureFamily(..., oracles) learns from tags: no tag read, no oracle as good', async () => {
    const hidden = material.documents.map(({labels, ...rest}) => ({...rest, labels: labels?.map(() => 0)}))
    const measuring = measureFamily({...material, documents: hidden}, {split: 0, seed: 7, family: 'oracles'})
    await expect(measuring).rejects.toThrow(/of 4 concepts, 0/)
    expect(number('oracle-mom-tree', 'logLikelihood')).toBeGreaterThan(number('prior', 'logLikelihood'))
  })

  test('measureFamily(...) goes on without a concept that no document has, and names it', async () => {
    const clear = (labels: Int8Array | undefined) => labels?.map((value, i) => (i === 2 ? 0 : value))
    const documents = material.documents.map(({labels, ...rest}) => ({...rest, labels: clear(labels)}))
    for (const family of families) {
      const measured = await measureFamily({...material, documents}, {split: 0, seed: 7, family})
      expect(measured.methods[0].concepts).toBe(3)
      expect(measured['left-out']).toEqual([{concept: material.lexicon.anchors[2].concept}])
    }
  })

  test('measureFamily(...) has distinct figures for what differs', () => {
    const pairs = [
      ['paper-tree', 'paper-independent'],
      ['paper-tree', 'paper-tree-floor'],
      ['paper-independent', 'paper-independent-floor'],
      ['oracle-mom-independent', 'oracle-mom-independent-floor'],
      ['noise-weighted', 'noise-weighted-rule'],
      ['oracle-mom-tree', 'oracle-mom-independent'],
      ['oracle-mom-tree', 'oracle-mom-floor'],
      ['oracle-ml-tree', 'oracle-ml-independent']
    ] as const
    for (const [one, other] of pairs)
      expect({...figuresOf(rows, one), method: ''}).not.toEqual({...figuresOf(rows, other), method: ''})
  })
})
