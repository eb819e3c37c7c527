import {describe, expect, test} from 'vitest'
import {edgeConfidence, networkEdges, networkTable} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Link} from '../../use/facts/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import {clustersOf, graphView} from './graph-view.ts'

const RATE = {value: 0.1, low: 0.05, high: 0.2}
const RATES = {prevalence: RATE, precision: RATE, sources: []}

describe('graphView', () => {
  const model = randomModel({concepts: 12, words: 40, structure: 'indegree:1'}, rng(7))
  const view = graphView(model, 1)

  test('graphView(...) has every edge once, with the shares that the table of both concepts gives', () => {
    expect(view.links).toHaveLength(networkEdges(model.network).length)
    for (const {a, b, shares, strength} of view.links) {
      const [none, onlyB, onlyA, both] = networkTable(model.network, [a, b])
      expect(a).toBeLessThan(b)
      expect(shares?.withA).toBeCloseTo(both / (both + onlyA), 9)
      expect(shares?.withoutA).toBeCloseTo(onlyB / (onlyB + none), 9)
      expect(shares?.withB).toBeCloseTo(both / (both + onlyB), 9)
      expect(shares?.withoutB).toBeCloseTo(onlyA / (onlyA + none), 9)
      expect(strength).toBeCloseTo(Math.log((both * none) / (onlyA * onlyB)), 6)
    }
  })

  test('graphView(...) has no share of a concept, or beside it, whose rates nobody measured', () => {
    const [{name}] = model.concepts
    const basis = (concept: string) => ({concept, basis: concept === name ? 'constant' : 'labels'})
    const noise = {
      method: 'auto',
      labelledCount: 0,
      clippedPrevalence: [],
      concepts: model.concepts.map(concept => ({...basis(concept.name), ...RATES}))
    }
    const guessed = graphView({...model, certificate: {...model.certificate, noise}}, 1)
    for (const {a, b, shares} of guessed.links) expect(shares === undefined).toBe(a === 0 || b === 0)
    expect(guessed.concepts.map(({prevalence}) => prevalence === undefined)).toEqual(
      model.concepts.map((_, i) => i === 0)
    )
  })

  test('clustersOf(...) puts a concept with the one that its strongest link joins it to, the largest cluster first', () => {
    const link = (a: number, b: number, strength: number) => ({a, b, strength}) as Link
    // 1, 2 and 3 hold together, 4 to 7 too; a thin line joins them, 4 avoids 0, and 0 has no link of its own.
    const inner = [link(5, 6, 3), link(1, 2, 2.5), link(6, 7, 2.4), link(2, 3, 2), link(4, 5, 1)]
    const found = clustersOf(8, [...inner, link(3, 5, 0.5), link(0, 4, -0.4)])
    expect(found).toEqual([2, 1, 1, 1, 0, 0, 0, 0])
    expect(clustersOf(3, [])).toEqual([0, 1, 2])
  })

  test('graphView(...) has the strongest link first', () => {
    const sizes = view.links.map(({strength}) => Math.abs(strength))
    expect(sizes).toEqual(sizes.toSorted((x, y) => y - x))
  })

  test('graphView(...) counts in how many resamples a link is found again', () => {
    const names = model.concepts.map(({name}) => name)
    const other = randomModel({concepts: 12, words: 40, structure: 'independent'}, rng(7))
    const sure = graphView(model, 1, edgeConfidence(names, model.network, [model.network, other.network])).links
    expect(sure.map(link => link.confidence)).toEqual(sure.map(() => 0.5))
    expect(view.links.some(link => link.confidence !== undefined)).toBe(false)
  })
})
