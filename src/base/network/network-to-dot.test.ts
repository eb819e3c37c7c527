import {instance} from '@viz-js/viz'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {BayesNetwork} from './bayes-network.ts'
import {networkToDot} from './network-to-dot.ts'
import {anyNames, anyNetwork} from './test-bif.ts'
import {pairsOf} from './test-pairs.ts'

const vStructure: BayesNetwork = {
  parents: [[], [], [0, 1]],
  cpt: [[0.2], [0.00001], [0.1, 0.05, 0.6, 0.5]].map(p => Float64Array.from(p))
}

test('networkToDot(...) draws green solid and red dashed edges, wider where stronger, and the prevalence of each concept', () => {
  const dot = networkToDot(vStructure, ['flu', 'rare', 'fever'])
  expect(dot).toMatch(/0 \[label="flu\\n20%"\]/)
  expect(dot).toMatch(/1 \[label="rare\\n<0\.01%"\]/)
  const [, green] =
    dot.match(/0 -> 2 \[color="#1a7f37", penwidth=([\d.]+), tooltip="flu to fever: 10% without, 60% with"\]/) ?? []
  const [, red] = dot.match(/1 -> 2 \[color="#b42318", style=dashed, penwidth=([\d.]+)/) ?? []
  expect(Number(green)).toBeCloseTo(0.8 + 0.5 * Math.log(0.6 / 0.4 / (0.1 / 0.9)), 1)
  expect(Number(red)).toBeLessThan(Number(green))
})

test('networkToDot(...) shows arrow heads only where every equivalent network has them', () => {
  const chances = (parents: number[][]) =>
    parents.map(list => Float64Array.from({length: 2 ** list.length}, (_, s) => 0.1 + 0.2 * s))
  const headless = (parents: number[][]) => {
    const dot = networkToDot({parents, cpt: chances(parents)}, ['a', 'b', 'c', 'd'])
    return [...dot.matchAll(/(\d -> \d) .*dir=none/g)].map(([, edge]) => edge)
  }
  expect(headless([[], [0], [0], [2]])).toEqual(['0 -> 1', '0 -> 2', '2 -> 3'])
  expect(headless([[], [], [0, 1], [2]])).toEqual([])
  expect(headless([[], [0], [], [1, 2]])).toEqual(['0 -> 1'])
})

test('networkToDot(...) draws pairs without arrow heads, with their own prevalences', () => {
  const dot = networkToDot(pairsOf([0.1, 0.3, 0.2], [[0, 1, 1.2]]), ['a', 'b', 'c'])
  expect(dot).toContain('0 [label="a\\n10%"]')
  expect(dot.match(/ -> .*/g)).toHaveLength(1)
  expect(dot).toMatch(/1 -> 0 \[color="#1a7f37".*dir=none\]/)
})

test('networkToDot(...) says below the picture what the lines mean, if there are any', async () => {
  const lone = {parents: [[]], cpt: [Float64Array.of(0.5)]}
  const viz = await instance()
  const shown = (network: BayesNetwork, names: string[]) =>
    viz.renderString(networkToDot(network, names), {format: 'svg'})
  expect(shown(vStructure, ['a', 'b', 'c'])).toContain('wider: stronger')
  expect(shown(lone, ['a'])).not.toContain('stronger')
})

test('networkToDot(...) packs lone concepts rather than piling them up', async () => {
  const names = Array.from({length: 24}, (_, i) => `concept ${i}`)
  const lone = {parents: names.map(() => []), cpt: names.map(() => Float64Array.of(0.5))}
  const svg = (await instance()).renderString(networkToDot(lone, names), {format: 'svg'})
  const [, width, height] = svg.match(/viewBox="0\.00 0\.00 ([\d.]+) ([\d.]+)"/) ?? []
  expect(Number(height)).toBeLessThan(2 * Number(width))
})

test('networkToDot(...) is understood by Graphviz with any names, and shows them as they are', async () => {
  const viz = await instance()
  const named = anyNetwork.chain(network => fc.tuple(fc.constant(network), anyNames(network.parents.length)))
  fc.assert(
    fc.property(named, ([network, names]) => {
      const drawn = JSON.parse(viz.renderString(networkToDot(network, names), {format: 'json0'}))
      expect(drawn.objects).toHaveLength(names.length)
      expect(drawn.edges ?? []).toHaveLength(network.parents.flat().length)
    }),
    {numRuns: 40}
  )
  const names = ['R&amp;D <b>', 'a "quote" \\N \\', 'new\nline']
  const svg = viz.renderString(networkToDot(vStructure, names), {format: 'svg'})
  const shown = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => plainText(text))
  expect(shown).toEqual(expect.arrayContaining(['R&amp;D <b>', 'a "quote" \\N \\', 'new line']))
})

function plainText(xml: string): string {
  return xml
    .replaceAll('&#160;', ' ')
    .replaceAll('&#45;', '-')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
