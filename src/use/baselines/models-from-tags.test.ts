import fc from 'fast-check'
import {expect, test} from 'vitest'
import {networkEdges, networkMarginals, networkTable} from '../../base/network/index.ts'
import {mutualInformation, rng} from '../../base/numeric/index.ts'
import {sampleModel} from '../synthetic/index.ts'
import {fitNoisyOr, imputeTags, networkFromTags} from './models-from-tags.ts'
import {learnableModel} from './test-corpora.ts'

const anyTags = fc.array(fc.subarray([0, 1, 2, 3]), {minLength: 1, maxLength: 60})
const pairs = [0, 1, 2, 3].flatMap(i => [0, 1, 2, 3].filter(k => k > i).map(k => [i, k] as const))

function shares(tags: readonly (readonly number[])[], i: number, k: number): number[] {
  const cells = [0, 0, 0, 0]
  for (const list of tags) cells[2 * Number(list.includes(i)) + Number(list.includes(k))] += 1 / tags.length
  return cells
}

test('networkFromTags(..., "tree") has the most information of all sixteen trees of four concepts', () => {
  fc.assert(
    fc.property(anyTags, few => {
      // The one document that is added must not decide.
      const tags = Array.from({length: 200}, () => few).flat()
      const worth = pairs.map(([i, k]) => mutualInformation(shares(tags, i, k)))
      let best = 0
      for (let state = 0; state < 64; state++) {
        const chosen = pairs.filter((_, at) => (state >> at) & 1)
        if (chosen.length === 3 && isTree(chosen))
          best = Math.max(best, sum(worth.filter((_, at) => (state >> at) & 1)))
      }
      const edges = networkEdges(networkFromTags(tags, 4, 'tree'))
      expect(isTree(edges)).toBe(true)
      const found = edges.map(([i, k]) => mutualInformation(shares(tags, Math.min(i, k), Math.max(i, k))))
      expect(sum(found)).toBeGreaterThan(best - 0.01)
    }),
    {numRuns: 40}
  )
})

test('networkFromTags(...) has the shares of the tags, but for the one document added', () => {
  fc.assert(
    fc.property(anyTags, tags => {
      for (const kind of ['tree', 'independent'] as const) {
        const network = networkFromTags(tags, 4, kind)
        const near = 1 / (tags.length + 1)
        networkMarginals(network).forEach((p, i) => {
          const share = tags.filter(list => list.includes(i)).length / tags.length
          expect(Math.abs(p - share)).toBeLessThanOrEqual(near)
          expect(p > 0 && p < 1).toBe(true)
        })
        for (const [i, k] of networkEdges(network))
          networkTable(network, [i, k]).forEach((p, cell) => {
            expect(Math.abs(p - shares(tags, i, k)[cell])).toBeLessThanOrEqual(near)
            expect(p).toBeGreaterThan(0)
          })
        if (kind === 'independent') expect(networkEdges(network)).toEqual([])
      }
    })
  )
})

function isTree(edges: readonly (readonly [number, number])[]): boolean {
  const group = [0, 1, 2, 3]
  for (const [i, k] of edges) {
    const [from, to] = [group[i], group[k]]
    if (from === to) return false
    group.forEach((own, at) => {
      if (own === from) group[at] = to
    })
  }
  return edges.length === 3
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

const documents = Array.from({length: 4000}, () => ({words: [], anchors: [], members: []}))
const chances = [0, 0.1, 0.5, 1]

test('imputeTags(...) draws each concept with its chance, independently, in ascending order', () => {
  const tags = imputeTags({posterior: () => chances}, documents, rng(1))
  const share = (hits: (list: readonly number[]) => boolean) => tags.filter(hits).length / tags.length
  chances.forEach((chance, i) => {
    // Five standard errors of a share of 4,000 draws.
    const error = 5 * Math.sqrt((chance * (1 - chance)) / 4000)
    expect(Math.abs(share(list => list.includes(i)) - chance)).toBeLessThanOrEqual(error)
  })
  expect(Math.abs(share(list => list.includes(1) && list.includes(2)) - 0.05)).toBeLessThan(5 * Math.sqrt(0.05 / 4000))
  expect(tags.every(list => list.every((i, at) => at === 0 || i > list[at - 1]))).toBe(true)
})

const model = learnableModel()
const {conceptCount: m, wordCount: n} = model.loadings
const draw = (count: number) => {
  const samples = [...sampleModel(model, count, rng(3))]
  return {
    words: samples.map(({evidence}) => evidence.words),
    tags: samples.map(({y}) => [...y.keys()].filter(i => y[i] === 1))
  }
}
const size = {conceptCount: m, wordCount: n}

/** The objective word by word, as it is written. */
function plainObjective(
  {words, tags}: ReturnType<typeof draw>,
  weight: ArrayLike<number>,
  leak: ArrayLike<number>
): number {
  let sum = 0
  for (let j = 0; j < n; j++) {
    const share = (words.filter(list => list.includes(j)).length + 0.5) / (words.length + 1)
    sum += share * Math.log(leak[j]) + (1 - share) * Math.log(1 - leak[j])
    for (let i = 0; i < m; i++) sum += Math.log(1 - weight[i * n + j])
    words.forEach((list, d) => {
      const off = tags[d].reduce((product, i) => product * (1 - weight[i * n + j]), 1 - leak[j])
      sum += Math.log(list.includes(j) ? 1 - off : off)
    })
  }
  return sum
}

test('fitNoisyOr(...) reports the objective as it is written, and rises with every step', () => {
  const data = draw(120)
  let before = Number.NEGATIVE_INFINITY
  for (const stepLimit of [0, 1, 2, 5, 20]) {
    const {loadings, certificate} = fitNoisyOr(data.words, data.tags, size, {tolerance: 1e-9, stepLimit})
    expect(certificate).toMatchObject({status: 'step-limit', steps: stepLimit})
    const weight = loadings.failure.map(f => 1 - f)
    expect(certificate.objective).toBeCloseTo(plainObjective(data, weight, loadings.leak), 6)
    expect(certificate.objective).toBeGreaterThan(before)
    before = certificate.objective
  }
})

test('fitNoisyOr(...) ends where no parameter can be moved to a better place', () => {
  const data = draw(150)
  const {loadings, certificate} = fitNoisyOr(data.words, data.tags, size, {tolerance: 1e-10, stepLimit: 20_000})
  expect(certificate.status).toBe('optimal')
  const weight = loadings.failure.map(f => 1 - f)
  const best = plainObjective(data, weight, loadings.leak)
  for (let at = 0; at < 40; at++) {
    const cell = (at * 7) % weight.length
    for (const move of [-0.02, 0.02]) {
      const moved = weight.slice()
      moved[cell] = Math.min(Math.max(moved[cell] + move, 0), 0.999)
      expect(plainObjective(data, moved, loadings.leak)).toBeLessThan(best + 1e-4)
      const leak = loadings.leak.slice()
      leak[at] = Math.min(Math.max(leak[at] + move, 1e-4), 0.999)
      expect(plainObjective(data, weight, leak)).toBeLessThan(best + 1e-4)
    }
  }
})

test('fitNoisyOr(...) makes nothing impossible: failures stay above 0, leaks above 0 and below 1', () => {
  const {loadings} = fitNoisyOr([[0], [0], [0, 1]], [[0], [0], [1]], {conceptCount: 3, wordCount: 3})
  expect(loadings.failure.every(f => f > 0 && f <= 1)).toBe(true)
  expect(loadings.leak.every(l => l > 0 && l < 1)).toBe(true)
  // Concept 2 is nowhere, concept 0 never meets word 1.
  expect([...loadings.failure.subarray(6)]).toEqual([1, 1, 1])
  expect(loadings.failure[1]).toBe(1)
})
