import {instance} from '@viz-js/viz'
import {beforeAll, expect, test} from 'vitest'
import {type BayesNetwork, isPairNetwork, type PairNetwork} from '../../base/network/index.ts'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {rng} from '../../base/numeric/index.ts'
import type {LinkRules} from '../../use/facts/index.ts'
import type {Graphviz} from './graphviz.ts'
import {drawNetwork, placedNetwork} from './network.ts'
import {readSvg, type SvgElement} from './test-svg.ts'

let viz: Graphviz
beforeAll(async () => {
  viz = await instance()
})

const count = 12
const names = Array.from({length: count}, (_, i) => `concept ${i}`)
const network = randomPairs(count, rng(3))
const groups = (svg: string, kind: string) =>
  readSvg(svg).filter(({attributes}) => attributes.class?.split(' ')[0] === kind)
const outlines = (svg: string) =>
  new Map(groups(svg, 'node').map(node => [node.attributes.id, part(node, 'path').attributes.d]))
const part = ({children}: SvgElement, name: string) => {
  const found = children.find(child => child.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

/** Without the link of two concepts. */
function without(all: PairNetwork, a: number, b: number): PairNetwork {
  const couplings = Float64Array.from(all.couplings)
  couplings[a * count + b] = 0
  couplings[b * count + a] = 0
  return {...all, couplings}
}

/** Two parts, the later one larger, and a concept without edges. */
const parts: BayesNetwork = {
  parents: [[], [0], [], [2], [2], [3, 4], []],
  cpt: [[0.2], [0.1, 0.6], [0.3], [0.1, 0.7], [0.2, 0.5], [0.1, 0.2, 0.3, 0.9], [0.4]].map(p => Float64Array.from(p))
}

test.each([
  ['pairs', network],
  ['two parts', parts]
])('placedNetwork(%s) in the places of a picture is the same picture again, to the byte', (_, of) => {
  const own = isPairNetwork(of) ? names : names.slice(0, of.parents.length)
  const first = placedNetwork(of, own, viz)
  expect(first.svg).toBe(drawNetwork(of, own, viz))
  const second = placedNetwork(of, own, viz, {}, first.places)
  expect(second.svg).toBe(first.svg)
  expect(placedNetwork(of, own, viz, {}, second.places).svg).toBe(first.svg)
})

test('placedNetwork(...) keeps every concept in its place when a link goes, and the whole picture when it comes back', () => {
  const first = placedNetwork(network, names, viz)
  const [edge] = groups(first.svg, 'edge')
  const [a, b] = [Number(edge.attributes['data-parent']), Number(edge.attributes['data-child'])]
  const changed = without(network, a, b)
  const second = placedNetwork(changed, names, viz, {}, first.places)
  expect(outlines(second.svg)).toEqual(outlines(first.svg))
  expect(groups(second.svg, 'edge').map(({attributes}) => attributes.id)).not.toContain(edge.attributes.id)
  // A layout of its own would move them.
  expect(outlines(drawNetwork(changed, names, viz))).not.toEqual(outlines(first.svg))
  expect(placedNetwork(network, names, viz, {}, second.places).svg).toBe(first.svg)
})

test('drawNetwork(...) marks required links by a diamond, forbidden ones by bars, and names both in the legend', () => {
  const plain = drawNetwork(network, names, viz)
  const [edge] = groups(plain, 'edge')
  const [a, b] = [Number(edge.attributes['data-parent']), Number(edge.attributes['data-child'])]
  const rules: LinkRules = {require: [[names[b], names[a]]], forbid: [[names[2], names[0]]]}
  const svg = drawNetwork(without(network, 0, 2), names, viz, {rules})
  const shapes = ({children}: SvgElement) => children.map(({name}) => name).join(' ')
  const required = groups(svg, 'edge').filter(one => shapes(one) === 'title path polygon polygon')
  expect(required.map(one => part(one, 'title').text)).toEqual([expect.stringMatching(/; this link is required$/)])
  expect(required[0].attributes.id).toBe(edge.attributes.id)
  const forbidden = groups(svg, 'edge').filter(one => one.attributes.class === 'edge forbidden')
  expect(forbidden.map(one => part(one, 'title').text)).toEqual(['concept 2 and concept 0: this link is forbidden'])
  expect(shapes(forbidden[0])).toBe('title path polygon polyline polygon polyline')
  for (const word of [' required', ' forbidden'])
    expect([svg, plain].map(one => one.includes(`${word}\u2003`))).toEqual([true, false])
})

test('drawNetwork(...) draws a required link that is too weak for the picture otherwise', () => {
  const drawn = (rules?: LinkRules) => groups(drawNetwork(network, names, viz, {rules}), 'edge')
  const ids = new Set(drawn().map(({attributes}) => attributes.id))
  const pairs = names.flatMap((_, b) => names.slice(0, b).map((_, a) => [a, b] as const))
  const weak = pairs.find(
    ([a, b]) => !ids.has(`network-edge-${a}-${b}`) && isPairNetwork(network) && network.couplings[a * count + b] !== 0
  )
  if (weak === undefined) throw new Error('all links are drawn')
  const [a, b] = weak
  const required = drawn({require: [[names[a], names[b]]], forbid: []})
  expect(required.map(({attributes}) => attributes.id)).toContain(`network-edge-${a}-${b}`)
})
