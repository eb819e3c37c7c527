import {describe, expect, test} from 'vitest'
import {recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {experimentDefaults, type Row} from './experiment.ts'
import {firstOf, splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'
import {measureTime, slowStepLimit, type TimingCell, timing} from './timing.ts'

const {material} = testMaterial(400, {concepts: 5})
const documents = trainingCount(material)
const cell: TimingCell = {task: 'learning', polytope: 'local', concepts: 5, documents, seed: 2}
const timeOf = async (of: typeof material, some: TimingCell) => (await measureTime(of, some)).times[0]
const withoutTimes = ({whole: _, moments: __, ...rest}: Row) => rest

describe('timing.cells', () => {
  const cellsOf = (concepts: number) =>
    timing.cells(testMaterial(80, {concepts}).material, {...experimentDefaults, seed: 4})
  const some = (cells: readonly TimingCell[], part: Partial<TimingCell>) =>
    cells.filter(each => Object.entries(part).every(([name, value]) => each[name as keyof TimingCell] === value))

  test('timing.cells(...) has 10, 20, ... concepts and all, every polytope, and counts the documents once', () => {
    const cells = cellsOf(25)
    expect(timing.isTimed).toBe(true)
    const learned = some(cells, {task: 'learning', documents: 60})
    expect([...new Set(learned.map(({concepts}) => concepts))]).toEqual([10, 20, 25])
    expect(some(learned, {concepts: 20}).map(({polytope}) => polytope)).toEqual([
      'simplex',
      'local',
      'cycle',
      'marginal'
    ])
    expect(some(cells, {task: 'counting'})).toEqual([
      {task: 'counting', polytope: 'none', concepts: 25, documents: 60, seed: 4}
    ])
    expect(new Set(cells.map(each => JSON.stringify(each))).size).toBe(cells.length)
  })

  test("timing.cells(...) asks no more of the marginal polytope and of the paper's method than they can do", () => {
    const cells = cellsOf(64)
    const concepts = (part: Partial<TimingCell>) => some(cells, {...part, documents: 60}).map(each => each.concepts)
    expect(concepts({task: 'learning', polytope: 'cycle'})).toEqual([10, 20, 30, 40, 50, 64])
    expect(concepts({task: 'learning', polytope: 'marginal'})).toEqual([10, 20, 30, 40, 50])
    expect(concepts({task: 'conditional-gradient', polytope: 'local'})).toEqual([10, 20, 30, 40, 50])
    expect(concepts({task: 'conditional-gradient', polytope: 'marginal'})).toEqual([10, 20, 30, 40, 50])
    expect(concepts({task: 'conditional-gradient', polytope: 'simplex'})).toEqual([])
  })
})

describe('measureTime', () => {
  test('measureTime(...) times the moments and the whole fit of what the paper preset learns', async () => {
    const result = await timeOf(material, cell)
    const counts = countCorpus(splitMaterial(material, 2).training)
    const {certificate} = await recoverMoments(counts, estimateNoise(counts, 'given'), {
      polytope: 'local',
      shrinkage: 0.01
    })
    expect(result).toMatchObject({
      node: process.version,
      words: 20,
      patterns: counts.patternCount,
      status: certificate.status,
      steps: certificate.steps
    })
    expect(result.gap).toBeCloseTo(certificate.gap, 9)
    expect(result.whole).toBeGreaterThan(0)
    expect(result.moments).toBeGreaterThan(0)
    expect(result.moments).toBeLessThan(10)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  test('measureTime(...) is the same again but for the times', async () => {
    const [one, other] = [await timeOf(material, cell), await timeOf(material, cell)]
    expect(withoutTimes(other)).toEqual(withoutTimes(one))
  })

  test('measureTime(...) takes the first concepts and documents alone', async () => {
    const {patterns} = await timeOf(material, {...cell, concepts: 3, documents: 40})
    const {documents: few} = firstOf(splitMaterial(material, 2).training, 40)
    const sets = new Set(few.map(({anchors}) => anchors.filter(i => i < 3).join()))
    expect(patterns).toBe(sets.size)
  })

  test.each(['local', 'marginal'] as const)(
    "measureTime(...) lets the paper's method reach the paper's tolerance, %s polytope",
    async polytope => {
      const result = await timeOf(material, {...cell, task: 'conditional-gradient', polytope})
      expect(result.whole).toBeNull()
      expect(result.gap).toBeLessThanOrEqual(0.005)
      const counts = countCorpus(splitMaterial(material, 2).training)
      const options = {polytope, shrinkage: 0.01, solver: 'conditional-gradient'} as const
      const {steps} = (await recoverMoments(counts, estimateNoise(counts, 'given'), options)).certificate
      expect(result.steps).toBe(steps)
      expect(steps).toBeLessThan(slowStepLimit(5))
      expect(result.moments).toBeGreaterThan(0)
    }
  )

  test('measureTime(...) can do with documents in which a concept never occurs', async () => {
    const {material: few} = testMaterial(30, {concepts: 12})
    const result = await timeOf(few, {...cell, concepts: 12, documents: 5})
    expect(result.whole).toBeGreaterThan(0)
    expect(result.status).toBe('optimal')
  })
})

test("slowStepLimit(...) gives the paper's method fewer steps where each takes longer", () => {
  expect([10, 30, 50, 60].map(slowStepLimit)).toEqual([400, 400, 240, 200])
})
