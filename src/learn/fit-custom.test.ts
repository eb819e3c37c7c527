import {describe, expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {buildCorpus} from '../read/data/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {fit} from './fit.ts'
import {anchorsWithRates, loadModel, saveModel} from './model/index.ts'
import {type CustomPolytope, recoverMoments} from './moments/index.ts'
import {estimateNoise} from './noise/index.ts'
import {polytopeMarginal, polytopeSimplex} from './polytopes/index.ts'
import type {CustomStructure, StructureCertificate} from './structure/index.ts'

const truth = randomModel({concepts: 6, words: 20, prevalence: [0.2, 0.4]}, rng(1))
const counts = countCorpus(buildCorpus(generateDocuments(truth, 500, rng(2)), anchorsWithRates(truth)))
const rates = estimateNoise(counts, 'given')

const chain: CustomStructure = {
  name: 'chain',
  tableSize: 2,
  find: moments => Array.from({length: moments.conceptCount}, (_, i) => (i === 0 ? [] : [i - 1]))
}

describe('a polytope of your own', () => {
  test.each([
    ['simplex', polytopeSimplex],
    ['marginal', polytopeMarginal]
  ] as const)(
    'recoverMoments(..., {polytope: {open}}) over %s equals the built-in one within both gaps',
    async (name, open) => {
      const own: CustomPolytope = {name: 'own', open: layout => open(layout)}
      const gap = 1e-3
      const found = (await recoverMoments(counts, rates, {polytope: own, gap})).certificate
      const options = {polytope: name, solver: 'conditional-gradient', gap} as const
      const built = (await recoverMoments(counts, rates, options)).certificate
      expect(found.status).toBe('optimal')
      // The same method and oracle: the same steps, to the last bit.
      expect({...found, seconds: 0}).toEqual({...built, seconds: 0})
    }
  )

  test('fit(..., {polytope}) opens and disposes it, and saves its name', async () => {
    let [opened, disposed] = [0, 0]
    const own: CustomPolytope = {
      name: 'counted',
      open(layout) {
        opened++
        return {...polytopeSimplex(layout), dispose: () => disposed++}
      }
    }
    const model = await fit(counts, {network: 'tree', polytope: own, words: 'noisy-or'})
    expect([opened, disposed]).toEqual([1, 1])
    expect(loadModel(saveModel(model), 'm').options.polytope).toBe('counted')
  })

  test('fit(..., {polytope}) refuses what is neither a name nor a polytope', async () => {
    for (const polytope of ['square', {name: 'x'}, null])
      await expect(() => fit(counts, {polytope} as object)).rejects.toThrow(
        /^fit: `polytope` must be .* or a polytope of your own; got/
      )
  })
})

describe('a structure search of your own', () => {
  test('fit(..., {network: {find}}) takes its parents, scores them, and saves its name', async () => {
    const model = await fit(counts, {network: chain, words: 'noisy-or'})
    const parents = [[], [0], [1], [2], [3], [4]]
    expect(model.network).toMatchObject({parents})
    expect(model.certificate.structure).toMatchObject({method: 'custom', status: 'custom'})
    expect(loadModel(saveModel(model), 'm').options.network).toBe('chain')
    const known = {name: 'known', tableSize: 2, find: () => parents}
    const {bic} = (await fit(counts, {network: known, words: 'noisy-or'})).certificate.structure as StructureCertificate
    expect(model.certificate.structure).toMatchObject({bic})
  })

  test('fit(..., {network: {find}}) refuses a cycle and edges that are forbidden', async () => {
    const cycle = {...chain, find: () => [[1], [0], [], [], [], []]}
    await expect(() => fit(counts, {network: cycle})).rejects.toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/has a cycle: "/)})
    )
    const [first, second] = truth.concepts.map(({name}) => name)
    await expect(() => fit(counts, {network: chain, edges: {forbid: [[first, second]]}})).rejects.toThrow(second)
  })
})
