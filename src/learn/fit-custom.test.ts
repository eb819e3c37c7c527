import {describe, expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {buildCorpus} from '../read/data/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {fit} from './fit.ts'
import {anchorsWithRates, loadModel, saveModel} from './model/index.ts'
import {type CustomPolytope, type MomentLayout, type Polytope, recoverMoments} from './moments/index.ts'
import {estimateNoise} from './noise/index.ts'
import type {CustomStructure, StructureCertificate} from './structure/index.ts'

const truth = randomModel({concepts: 6, words: 20, prevalence: [0.2, 0.4]}, rng(1))
const counts = countCorpus(buildCorpus(generateDocuments(truth, 500, rng(2)), anchorsWithRates(truth)))
const rates = estimateNoise(counts, 'given')

const chain: CustomStructure = {
  name: 'chain',
  find: moments => Array.from({length: moments.conceptCount}, (_, i) => (i === 0 ? [] : [i - 1]))
}

/** Every table is a distribution of its own: the oracle takes its best cell. */
function bestCells(layout: MomentLayout): Polytope {
  return {
    minimize(gradient, vertex) {
      let value = 0
      vertex.fill(0)
      layout.tables.forEach(({concepts, start}) => {
        const cells = gradient.subarray(start, start + 2 ** concepts.length)
        const best = cells.indexOf(Math.min(...cells))
        vertex[start + best] = 1
        value += cells[best]
      })
      return {value, bound: value, exact: true}
    },
    dispose() {}
  }
}

describe('a polytope of your own', () => {
  test('recoverMoments(..., {polytope: {open}}) equals the built-in one of the same oracle', async () => {
    const own: CustomPolytope = {name: 'own', open: bestCells}
    const gap = 1e-3
    const found = (await recoverMoments(counts, rates, {polytope: own, gap})).certificate
    const options = {polytope: 'simplex', solver: 'conditional-gradient', gap} as const
    const built = (await recoverMoments(counts, rates, options)).certificate
    expect(found.gap).toBeLessThanOrEqual(gap)
    expect(found.lowerBound).toBeLessThanOrEqual(built.objective)
    expect(built.lowerBound).toBeLessThanOrEqual(found.objective)
  })

  test('fit(..., {polytope}) opens and disposes it, and saves its name', async () => {
    let [opened, disposed] = [0, 0]
    const own: CustomPolytope = {
      name: 'counted',
      open(layout) {
        opened++
        return {...bestCells(layout), dispose: () => disposed++}
      }
    }
    const model = await fit(counts, {network: 'tree', polytope: own, words: 'noisy-or'})
    expect([opened, disposed]).toEqual([1, 1])
    expect(loadModel(saveModel(model), 'm').options.polytope).toBe('counted')
  })
})

describe('a structure search of your own', () => {
  test('fit(..., {network: {find}}) takes its parents, scores them, and saves its name', async () => {
    const model = await fit(counts, {network: chain, words: 'noisy-or'})
    const parents = [[], [0], [1], [2], [3], [4]]
    expect(model.network).toMatchObject({parents})
    expect(model.certificate.structure).toMatchObject({method: 'custom', status: 'custom'})
    expect(loadModel(saveModel(model), 'm').options.network).toBe('chain')
    const known = {name: 'known', find: () => parents}
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
