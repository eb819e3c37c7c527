import {describe, expect, test} from 'vitest'
import {createLogPrior, directedNetwork} from '../../src/base/network/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {plainLogJoint} from '../../src/learn/inference/test-models.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {mean} from '../spread.ts'
import type {Row} from './experiment.ts'
import {families, measureFamily, methods} from './last-tag.ts'
import {predictionSplit} from './split.ts'
import {testMaterial} from './test-material.ts'

const {material} = testMaterial(500)
const results = await Promise.all(families.map(family => measureFamily(material, {split: 1, seed: 7, family})))
const rows = results.flatMap(result => result.methods)
const number = (id: string, figure: string, some: readonly Row[] = rows) =>
  Number(some.find(({method}) => method === id)?.[figure])
const {training, heldOut} = predictionSplit(material, 7)

/** Every tag of documents with two or more hidden in turn; it has to score higher than all that is not given. The slow, obvious way. */
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

describe('measureFamily', () => {
  test('measureFamily(...) measures every method in exactly one family, the same again as JSON would keep it', async () => {
    expect(rows.map(({method}) => method).toSorted()).toEqual(methods.map(({id}) => id).toSorted())
    for (const row of rows) expect(row).toMatchObject({training: 375, heldOut: 125, concepts: 4})
    for (const result of results) expect(result['left-out']).toEqual([])
    const again = await measureFamily(material, {split: 1, seed: 7, family: 'models'})
    expect(JSON.parse(JSON.stringify(again))).toEqual(results[0])
  })

  test('measureFamily(...) learns the tree of each polytope from its own moments', async () => {
    // Eight concepts and few documents, so that the moments on the simplex do not fit together.
    const {material: wide} = testMaterial(150, {concepts: 8})
    const split = predictionSplit(wide, 0)
    const {methods: found} = await measureFamily(wide, {split: 0, seed: 0, family: 'models'})
    const [simplex, marginal] = await Promise.all(
      (['simplex', 'marginal'] as const).map(async polytope => {
        const {network} = await fit(countCorpus(split.training), {preset: 'paper', polytope})
        const prior = createLogPrior(network)
        return mean(split.heldOut.documents.map(({labels}) => prior.of(labels ?? [])))
      })
    )
    expect(number('paper-tree', 'logLikelihood', found)).toBeCloseTo(simplex, 5)
    expect(number('paper-marginal', 'logLikelihood', found)).toBeCloseTo(marginal, 5)
    expect(Math.abs(marginal - simplex)).toBeGreaterThan(1e-3)
  })

  test.each([
    ['paper-tree', {preset: 'paper'}],
    ['paper-independent', {preset: 'paper', network: 'independent'}],
    ['robust-noisy-or', {noise: 'given', words: 'noisy-or'}]
  ] as const)('measureFamily(..., models) scores %s as a plain sum of logarithms does', async (id, options) => {
    expect(number(id, 'lastTag')).toBeCloseTo(await naiveAccuracy(options), 6)
  })

  test('measureFamily(..., oracles) learns from tags: no tag read, no oracle', async () => {
    const documents = material.documents.map(each => ({...each, labels: each.labels?.map(() => 0)}))
    const measuring = measureFamily({...material, documents}, {split: 0, seed: 7, family: 'oracles'})
    await expect(measuring).rejects.toThrow(/of 4 concepts, 0/)
    expect(number('oracle-mom-tree', 'logLikelihood')).toBeGreaterThan(number('prior', 'logLikelihood'))
  })

  test('measureFamily(...) goes on without a concept that no document has, and names it', async () => {
    const clear = (labels: Int8Array | undefined) => labels?.map((value, i) => (i === 2 ? 0 : value))
    const documents = material.documents.map(each => ({...each, labels: clear(each.labels)}))
    for (const family of families) {
      const measured = await measureFamily({...material, documents}, {split: 0, seed: 7, family})
      expect(measured.methods[0].concepts).toBe(3)
      expect(measured['left-out']).toEqual([{concept: material.lexicon.anchors[2].concept}])
    }
  })

  test('measureFamily(...) has distinct figures for what differs', () => {
    const pairs = [
      ['robust', 'robust-noisy-or'],
      ['paper-tree', 'paper-independent'],
      ['paper-tree', 'paper-tree-floor'],
      ['paper-independent', 'paper-independent-floor'],
      ['oracle-mom-independent', 'oracle-mom-independent-floor'],
      ['noise-weighted', 'noise-weighted-rule'],
      ['oracle-mom-tree', 'oracle-mom-independent'],
      ['oracle-mom-tree', 'oracle-mom-floor'],
      ['oracle-ml-tree', 'oracle-ml-independent']
    ] as const
    const figuresOf = (id: string) => ['lastTag', 'averagePrecision', 'logLikelihood'].map(figure => number(id, figure))
    for (const [one, other] of pairs) expect(figuresOf(one)).not.toEqual(figuresOf(other))
  })
})
