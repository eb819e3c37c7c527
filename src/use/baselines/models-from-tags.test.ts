import fc from 'fast-check'
import {expect, test} from 'vitest'
import {logPrior, networkEdges, networkMarginals, networkTable, sampleNetwork} from '../../base/network/index.ts'
import {mutualInformation, rng} from '../../base/numeric/index.ts'
import {imputeTags, networkFromTags} from './models-from-tags.ts'
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

test('networkFromTags(...) comes near the tree that drew the tags', () => {
  const {network, concepts} = learnableModel()
  const m = concepts.length
  const rows = sampleNetwork(network, 20_000, rng(4))
  const tags = Array.from({length: 20_000}, (_, r) => concepts.flatMap((_, i) => (rows[r * m + i] ? [i] : [])))
  const learned = networkFromTags(tags, m, 'tree')
  let [truth, own] = [0, 0]
  for (let r = 0; r < 20_000; r++) {
    truth += logPrior(network, rows.subarray(r * m, (r + 1) * m)) / 20_000
    own += logPrior(learned, rows.subarray(r * m, (r + 1) * m)) / 20_000
  }
  // The maximum lies above the truth by half a nat for each of 11 parameters; the document added costs less than that.
  expect(own - truth).toBeGreaterThan(0)
  expect(own - truth).toBeLessThan(25 / 20_000)
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

test('imputeTags(...) depends on the seed and on nothing else', () => {
  const draw = (seed: number) => imputeTags({posterior: () => chances}, documents.slice(0, 50), rng(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})
