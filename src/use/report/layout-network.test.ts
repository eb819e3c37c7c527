import {instance} from '@viz-js/viz'
import fc from 'fast-check'
import {beforeAll, expect, test} from 'vitest'
import {type Graphviz, type LayoutEdge, layoutConnected, pack, type Size} from './layout-network.ts'

let viz: Graphviz
beforeAll(async () => {
  viz = await instance()
})

const edgesOf = (pairs: readonly (readonly [number, number])[], isDirected = false): LayoutEdge[] =>
  pairs.map(([from, to], index) => ({index, from, to, isDirected}))
const boxes = (count: number, width: number, height = 40): ReadonlyMap<number, Size> =>
  new Map(Array.from({length: count}, (_, i) => [i, {width, height}]))
const chain = (length: number) => Array.from({length}, (_, i): [number, number] => [i, i + 1])

test('layoutConnected(...) lays a long chain downwards, so that it fits the page', () => {
  const {width, height, centres} = layoutConnected([boxes(12, 100)], edgesOf(chain(11)), viz, 700)
  expect(width).toBeLessThanOrEqual(700)
  expect(height).toBeGreaterThan(width)
  expect(centres.size).toBe(12)
})

test('layoutConnected(...) begins in the middle where edges have no direction, and at the source where they have', () => {
  const depth = (edges: LayoutEdge[]) => {
    const {centres} = layoutConnected([boxes(9, 60)], edges, viz, 300)
    return new Set([...centres.values()].map(([, y]) => Math.round(y))).size
  }
  expect(depth(edgesOf(chain(8)))).toBe(5)
  expect(depth(edgesOf(chain(8), true))).toBe(9)
})

test('layoutConnected(...) takes narrower boxes only where the wide ones leave the page', () => {
  const star = edgesOf(Array.from({length: 4}, (_, i): [number, number] => [0, i + 1]))
  const shapes = [boxes(5, 180), boxes(5, 90, 56)]
  expect(layoutConnected(shapes, star, viz, 900).shape).toBe(0)
  expect(layoutConnected(shapes, star, viz, 250).shape).toBe(1)
  // None fits: the narrowest.
  expect(layoutConnected(shapes, star, viz, 50).width).toBeLessThan(250)
})

test('layoutConnected(...) draws arrow heads at the child', () => {
  const {curves, centres} = layoutConnected([boxes(2, 60)], edgesOf([[1, 0]], true), viz, 900)
  const [{tip}] = curves
  const distance = (i: number) =>
    Math.hypot((tip?.[0] ?? 0) - (centres.get(i)?.[0] ?? 0), (tip?.[1] ?? 0) - (centres.get(i)?.[1] ?? 0))
  expect(distance(0)).toBeLessThan(distance(1))
})

test('pack(...) keeps boxes apart, inside the width, and none lower than needed to stack them', () => {
  const size = fc.record({width: fc.integer({min: 1, max: 100}), height: fc.integer({min: 1, max: 50})})
  fc.assert(
    fc.property(fc.array(size, {maxLength: 20}), fc.integer({min: 0, max: 9}), (sizes, gap) => {
      const places = pack(sizes, 100, gap)
      places.forEach(([x, y], i) => {
        expect([x >= 0, x + sizes[i].width <= 100, y >= 0]).toEqual([true, true, true])
        const stacked = sizes.slice(0, i).reduce((sum, {height}) => sum + height + gap, 0)
        expect(y).toBeLessThanOrEqual(stacked)
        places.slice(0, i).forEach(([left, top], k) => {
          const isApart =
            x >= left + sizes[k].width + gap ||
            left >= x + sizes[i].width + gap ||
            y >= top + sizes[k].height + gap ||
            top >= y + sizes[i].height + gap
          expect(isApart).toBe(true)
        })
      })
    })
  )
})
