import {instance} from '@viz-js/viz'
import {beforeAll, describe, expect, test} from 'vitest'
import type {BayesNetwork} from '../../base/network/index.ts'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {rng} from '../../base/numeric/index.ts'
import {percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {drawnEdges} from '../../use/facts/index.ts'
import {emergencyModel, randomModel} from '../../use/synthetic/index.ts'
import type {Graphviz} from './graphviz.ts'
import {drawNetwork} from './network.ts'
import {type Box, readSvg, type SvgElement, svgTexts, textBoxes, touching} from './test-svg.ts'

let viz: Graphviz
beforeAll(async () => {
  viz = await instance()
})

const vStructure: BayesNetwork = {
  parents: [[], [], [0, 1], []],
  cpt: [[0.2], [0.05], [0.1, 0.05, 0.6, 0.5], [0.3]].map(p => Float64Array.from(p))
}
const names = ['flu', 'shot', 'fever', 'alone']

function titled(elements: readonly SvgElement[], kind: 'node' | 'edge'): Map<string, string> {
  return new Map(
    elements
      .filter(({attributes}) => attributes.class?.split(' ')[0] === kind)
      .map(({attributes, children}) => [attributes.id, children.find(({name}) => name === 'title')?.text ?? ''])
  )
}

test('drawNetwork(...) marks concepts by number with titles in words for them and their links', () => {
  const svg = readSvg(drawNetwork(vStructure, names, viz))
  const nodes = svg.filter(({attributes}) => attributes.class === 'node')
  expect(nodes.map(({attributes}) => attributes['data-concept']).sort()).toEqual(['0', '1', '2', '3'])
  expect(titled(svg, 'node').get('network-concept-0')).toBe('flu: in 20% of documents')
  const edges = svg.filter(({attributes}) => attributes.class?.startsWith('edge'))
  expect(edges.map(({attributes}) => [attributes['data-parent'], attributes['data-child']])).toEqual([
    ['0', '2'],
    ['1', '2']
  ])
  expect(titled(svg, 'edge').get('network-edge-0-2')).toMatch(
    /^flu and fever occur together much more often than by chance; fever is in 60% of documents with flu, in 9.8% without$/
  )
  expect(titled(svg, 'edge').get('network-edge-1-2')).toMatch(
    /^shot and fever occur together slightly less often than by chance; /
  )
})

test('drawNetwork(...) stands by itself: no comments, links, versions or outside resources', () => {
  const svg = drawNetwork(vStructure, names, viz)
  const [root, title, description] = readSvg(svg)
  expect(root.attributes).toMatchObject({role: 'img', 'aria-label': 'Network of the concepts'})
  expect(title.text).toBe('Network of the concepts')
  expect(description.text).toMatch(
    /^4 concepts, 2 edges\. flu and fever occur together much more often than by chance; .*\. shot and fever occur /
  )
  expect(svg.replace(/xmlns="[^"]*"/, '')).not.toMatch(/<!|<a |graphviz|http|xlink|&#45;|<\/a>/i)
})

test('drawNetwork(...) draws arrow heads at the child where the direction is known, and dashes where the link is negative', () => {
  const svg = readSvg(drawNetwork(vStructure, names, viz))
  const edges = svg.filter(({attributes}) => attributes.class?.startsWith('edge'))
  expect(edges.map(({children}) => children.map(({name}) => name))).toEqual([
    ['title', 'path', 'polygon'],
    ['title', 'path', 'polygon']
  ])
  expect(edges.map(({children}) => children[1].attributes['stroke-dasharray'] !== undefined)).toEqual([false, true])
  const centreOf = (i: number) => {
    const node = svg.find(({attributes}) => attributes.id === `network-concept-${i}`)
    if (node === undefined) throw new Error(`no concept ${i}`)
    const {left, right, top, bottom} = boxOf(node)
    return [(left + right) / 2, (top + bottom) / 2]
  }
  const tips = edges.map(({children}) => children[2].attributes.points.split(' ')[0].split(',').map(Number))
  const distance = ([x, y]: readonly number[], [u, v]: readonly number[]) => Math.hypot(x - u, y - v)
  for (const [parent, tip] of tips.entries())
    expect(distance(tip, centreOf(2))).toBeLessThan(distance(tip, centreOf(parent)))
})

test('drawNetwork(...) takes its options and refuses what it does not know', () => {
  const svg = readSvg(
    drawNetwork(vStructure, names, viz, {
      id: 'tree',
      title: 'A <tree>',
      prevalences: [0.5, 0, 1, 0.034],
      isInteractive: true
    })
  )
  expect(svg[0].attributes).toMatchObject({role: 'group', 'aria-label': 'A <tree>'})
  expect([...titled(svg, 'node')].sort()).toEqual([
    ['tree-concept-0', 'flu: in 50% of documents'],
    ['tree-concept-1', 'shot: in 0% of documents'],
    ['tree-concept-2', 'fever: in 100% of documents'],
    ['tree-concept-3', 'alone: in 3.4% of documents']
  ])
  expect(() => drawNetwork(vStructure, names, viz, {id: '"x'})).toThrow(/`id` must be a letter.*got "\\"x"/)
  expect(() => drawNetwork(vStructure, names, viz, JSON.parse('{"titles": "x"}'))).toThrow(/did you mean "title"/)
  expect(() => drawNetwork(vStructure, ['a'], viz)).toThrow(/1 names for 4 variables/)
})

test('drawNetwork(...) shows hostile names as they are, and cuts long ones', () => {
  const long = 'a very long name '.repeat(9)
  const hostile = ['<script>alert(1)</script>', `${long}1`, `${long}2`, 'R&amp;D "x" \\N 😀 \u0000']
  const svg = drawNetwork(vStructure, hostile, viz)
  const elements = readSvg(svg)
  expect(elements.every(({name}) => name !== 'script')).toBe(true)
  const texts = svgTexts(svg)
  expect(texts.join('')).toContain('<script>alert(1)</')
  expect(texts.filter(text => text.endsWith('…'))).toHaveLength(2)
  expect(titled(elements, 'node').get('network-concept-1')).toBe(`${long}1: in 5.0% of documents`)
  expect(titled(elements, 'node').get('network-concept-3')).toMatch(/^R&amp;D "x" \\N 😀/)
})

type Drawn = Pick<Model, 'concepts' | 'network'>

function pairsOf(m: number): Drawn {
  return {...randomModel({concepts: m, words: 20}, rng(1)), network: randomPairs(m, rng(1))}
}

const sizes: readonly (readonly [string, number, () => Drawn])[] = [
  ['5 concepts', 900, () => randomModel({concepts: 5}, rng(1))],
  ['the emergency department', 900, emergencyModel],
  ['30 concepts with two parents', 900, () => randomModel({concepts: 30, structure: 'indegree:2'}, rng(3))],
  ['67 concepts in a tree', 1200, () => randomModel({concepts: 67}, rng(3))],
  ['50 concepts in 500 pairs', 900, () => pairsOf(50)],
  // No layout of so many fits a page.
  ['200 concepts in a tree', 1700, () => randomModel({concepts: 200, edgeStrength: [-1.5, 2.5]}, rng(2))],
  ['200 concepts without edges', 900, () => randomModel({concepts: 200, structure: 'independent'}, rng(2))]
]

describe.each(sizes)('drawNetwork(%s)', (_, widest, model) => {
  test('drawNetwork(...) keeps boxes apart and the picture as wide as a page, the same bytes each time', () => {
    const {network, concepts} = model()
    const labels = concepts.map(({name}) => name)
    const svg = drawNetwork(network, labels, viz)
    expect(drawNetwork(network, labels, viz) === svg).toBe(true)
    const elements = readSvg(svg)
    const boxes = elements.filter(({attributes}) => attributes.class === 'node').map(boxOf)
    expect(boxes).toHaveLength(labels.length)
    expect(touching(boxes)).toEqual([])
    const [width, height] = [Number(elements[0].attributes.width), Number(elements[0].attributes.height)]
    expect(width).toBeLessThanOrEqual(widest)
    expect(height).toBeLessThan(3500)
    const [x, y] = elements[0].attributes.viewBox.split(' ').map(Number)
    for (const {left, right, top, bottom} of boxes)
      expect([left >= x, right <= x + width, top >= y, bottom <= y + height]).toEqual([true, true, true, true])
    const ends = elements
      .filter(({name, parent}) => name === 'path' && parent?.attributes.class?.startsWith('edge'))
      .flatMap(
        ({attributes}) =>
          attributes.d
            .match(/-?[\d.]+/g)
            ?.map(Number)
            .filter((_, at) => at % 2 === 0) ?? []
      )
    expect(ends.filter(end => end < x || end > x + width)).toEqual([])
    expect(svg.length).toBeLessThan(300_000)
  })
})

test('drawNetwork(...) breaks long names between words, keeps a distance to the border, and shows notes instead of prevalences', () => {
  const long = ['Pulmonary Disease, Chronic Obstructive', 'user_interface/component-library', 'WWW MMM', 'a']
  const svg = drawNetwork(vStructure, long, viz, {notes: ['copd, emphysema', 'x', 'y', 'z']})
  expect(svgTexts(svg)).toEqual(expect.arrayContaining(['copd, emphysema', 'WWW MMM']))
  expect(svgTexts(svg)).not.toContain('20%')
  const boxes = readSvg(svg)
    .filter(({attributes}) => attributes.class === 'node')
    .map(boxOf)
  const texts = textBoxes(svg).filter(({text}) => !/together|stronger|edges/.test(text))
  expect(texts.length).toBeGreaterThan(8)
  for (const {text, left, right, top, bottom} of texts)
    expect(
      boxes.filter(
        box => left >= box.left + 9 && right <= box.right - 9 && top >= box.top + 2 && bottom <= box.bottom - 2
      ),
      text
    ).toHaveLength(1)
})

/** The box of a concept, from the numbers of its outline. */
function boxOf({children}: SvgElement): Box {
  const numbers =
    children
      .find(({name}) => name === 'path')
      ?.attributes.d.match(/-?[\d.]+/g)
      ?.map(Number) ?? []
  const xs = numbers.filter((_, at) => at % 2 === 0)
  const ys = numbers.filter((_, at) => at % 2 === 1)
  return {left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys)}
}

test('drawNetwork(...) of pairs draws the strongest edges without arrow heads, and counts the others', () => {
  const pairs = randomPairs(20, rng(6))
  const labels = Array.from(pairs.prevalence, (_, i) => `c${i}`)
  const svg = drawNetwork(pairs, labels, viz)
  const elements = readSvg(svg)
  const edges = elements.filter(({attributes}) => attributes.class?.startsWith('edge'))
  const {drawn, left} = drawnEdges(pairs, labels)
  expect(edges).toHaveLength(drawn.length)
  expect(elements.filter(({name}) => name === 'polygon')).toEqual([])
  for (const title of titled(elements, 'edge').values()) expect(title).toMatch(/by chance; /)
  expect(svg).toContain(`wider line: stronger; ${left} weaker edges not drawn</text>`)
  expect(elements[2].text).toMatch(
    `20 concepts, ${drawn.length + left} edges. ${left} weaker edges not drawn. The strongest: `
  )
  expect(titled(elements, 'node').get('network-concept-0')).toBe(`c0: in ${percent(pairs.prevalence[0])} of documents`)
})
