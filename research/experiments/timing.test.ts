import {describe, expect, test} from 'vitest'
import {recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {experimentDefaults} from './experiment.ts'
import {splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'
import {measureTime, type TimingCell, timing} from './timing.ts'

const {material} = testMaterial(400, {concepts: 5})
const documents = trainingCount(material)
const cell: TimingCell = {task: 'learning', polytope: 'local', concepts: 5, documents, seed: 2}
const timeOf = async (some: TimingCell, of = material) => (await measureTime(of, some)).times[0]

test("timing.cells(...) has 10, 20, ... concepts and all, but for what the marginal polytope and the paper's method can do", () => {
  const cells = timing.cells(testMaterial(80, {concepts: 64}).material, {...experimentDefaults, seed: 4})
  const concepts = (task: string, polytope: string) =>
    cells.flatMap(each =>
      each.task === task && each.polytope === polytope && each.documents === 60 ? each.concepts : []
    )
  const upTo50 = [10, 20, 30, 40, 50]
  expect(concepts('learning', 'cycle')).toEqual([...upTo50, 64])
  expect(concepts('learning', 'marginal')).toEqual(upTo50)
  for (const polytope of ['local', 'marginal']) expect(concepts('conditional-gradient', polytope)).toEqual(upTo50)
  expect(concepts('conditional-gradient', 'simplex')).toEqual([])
  expect(concepts('counting', 'none')).toEqual([64])
  expect(new Set(cells.map(each => JSON.stringify(each))).size).toBe(cells.length)
})

describe('measureTime', () => {
  test('measureTime(...) times the moments and the whole fit of what the paper preset learns', async () => {
    const result = await timeOf(cell)
    const counts = countCorpus(splitMaterial(material, 2).training)
    const options = {polytope: 'local', shrinkage: 0.01} as const
    const {gap, status, steps} = (await recoverMoments(counts, estimateNoise(counts, 'given'), options)).certificate
    const basis = {node: process.version, words: 20, patterns: counts.patternCount}
    expect(result).toMatchObject({...basis, status, steps, gap: expect.closeTo(gap, 9)})
    expect(result.whole).toBeGreaterThan(0)
    expect(result.moments).toBeGreaterThan(0)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  test('measureTime(...) takes the first concepts and documents alone', async () => {
    const {patterns} = await timeOf({...cell, concepts: 3, documents: 40})
    const few = splitMaterial(material, 2).training.documents.slice(0, 40)
    expect(patterns).toBe(new Set(few.map(({anchors}) => anchors.filter(i => i < 3).join())).size)
  })

  test.each(['local', 'marginal'] as const)(
    "measureTime(...) lets the paper's method reach the paper's tolerance, %s polytope",
    async polytope => {
      const result = await timeOf({...cell, task: 'conditional-gradient', polytope})
      expect(result.whole).toBeNull()
      expect(result.gap).toBeLessThanOrEqual(0.005)
      const counts = countCorpus(splitMaterial(material, 2).training)
      const options = {polytope, shrinkage: 0.01, solver: 'conditional-gradient'} as const
      const {steps} = (await recoverMoments(counts, estimateNoise(counts, 'given'), options)).certificate
      expect(result.steps).toBe(steps)
      expect(result.moments).toBeGreaterThan(0)
    }
  )

  test('measureTime(...) can do with documents in which a concept never occurs', async () => {
    const result = await timeOf({...cell, concepts: 12, documents: 5}, testMaterial(30, {concepts: 12}).material)
    expect(result.whole).toBeGreaterThan(0)
    expect(result.status).toBe('optimal')
  })
})
