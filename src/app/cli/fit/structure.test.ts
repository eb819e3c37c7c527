import {beforeAll, describe, expect, test} from 'vitest'
import {directedNetwork, isPairNetwork, networkEdges} from '../../../base/network/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const counts = folder.at('docs.counts')
let small: Awaited<ReturnType<typeof generateSmall>>

beforeAll(async () => {
  small = await generateSmall(folder, 3000)
  await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', counts)
})

async function fitted(...args: readonly string[]): Promise<Model> {
  await adfaDone('fit', counts, ...args, '-o', model, '--quiet')
  return loadModel(folder.text('model.json'), 'model.json')
}

function edgesOf({network, concepts}: Model): string[] {
  return networkEdges(network).map(edge => edge.map(i => concepts[i].name).join(' -> '))
}

function edgesFile(edges: object): string {
  return folder.write('edges.json', JSON.stringify(edges))
}

describe('adfa fit --structure', () => {
  test.each([
    ['independent', 'known', 'known', 0],
    ['tree', 'chow-liu', 'optimal', 1],
    ['indegree:2', 'dynamic-programming', 'optimal', 2],
    ['degree:2', 'independence-tests', 'tested', 2]
  ])(
    'adfa fit --structure %s states the method of the graph (%s, %s), and keeps its bound',
    async (kind, method, status, most) => {
      const result = await adfaJson('fit', counts, '--structure', kind, '-o', model)
      expect(result).toMatchObject({structure: {method, status, score: expect.any(Number), bic: expect.any(Number)}})
      const {network, options} = loadModel(folder.text('model.json'), 'model.json')
      expect(Math.max(...directedNetwork(network).parents.map(list => list.length))).toBeLessThanOrEqual(most)
      expect(options).toMatchObject({network: kind})
    }
  )

  test('adfa fit --structure pairs is the default, and refuses options of directed graphs', async () => {
    const plain = await fitted()
    expect(await fitted('--structure', 'pairs')).toEqual(plain)
    expect(plain.options).not.toHaveProperty('shrinkage')
    const {code, stderr} = await adfa('fit', counts, '--structure', 'pairs', '--shrinkage', '2', '-o', model)
    expect(code).toBe(2)
    expect(stderr).toMatch(/--shrinkage is for directed graphs, and --structure is 'pairs'/)
  })

  test('adfa fit --edges FILE requires and forbids', async () => {
    const free = await fitted('--structure', 'indegree:2')
    const [first] = edgesOf(free)
    const [parent, child] = first.split(' -> ')
    const forbidden = await fitted(
      '--structure',
      'indegree:2',
      '--edges',
      edgesFile({
        forbid: [
          [parent, child],
          [child, parent]
        ]
      })
    )
    expect(edgesOf(forbidden)).not.toContain(first)
    expect(edgesOf(forbidden)).not.toContain(`${child} -> ${parent}`)
    const turned = await fitted('--structure', 'indegree:2', '--edges', edgesFile({require: [[child, parent]]}))
    expect(edgesOf(turned)).toContain(`${child} -> ${parent}`)
  })

  test('adfa fit --edges FILE requires and forbids pairs', async () => {
    const free = await fitted()
    const names = free.concepts.map(({name}) => name)
    const joined = ({network}: Model) => networkEdges(network).map(edge => edge.toSorted().join())
    const couplingOf = ({network}: Model, i: number, k: number) =>
      isPairNetwork(network) ? network.couplings[i * names.length + k] : Number.NaN
    const every = names.flatMap((_, i) => names.slice(i + 1).map((_, k) => `${i},${i + 1 + k}`))
    const [there] = joined(free).map(pair => pair.split(',').map(Number))
    const [absent] = every.filter(pair => !joined(free).includes(pair)).map(pair => pair.split(',').map(Number))
    const pairOf = ([i, k]: readonly number[]) => [names[k], names[i]]
    const ruled = await fitted('--edges', edgesFile({require: [pairOf(absent)], forbid: [pairOf(there)]}))
    expect(ruled.options).toMatchObject({network: 'pairs', edges: {forbid: [pairOf(there)]}})
    expect(joined(ruled)).toContain(absent.join())
    expect(joined(ruled)).not.toContain(there.join())
    expect([couplingOf(ruled, there[0], there[1]), couplingOf(free, there[0], there[1]) === 0]).toEqual([0, false])
    expect(ruled.certificate).toMatchObject({structure: {couplings: every.length - 1, requiredEdges: 1}})
    const text = await adfaDone('fit', counts, '--edges', folder.at('edges.json'), '-o', folder.at('ruled.json'))
    expect(text).toMatch(/couplings of 9 pairs, \d+ edges, 1 of them required, 1 pair forbidden;/)
  })

  test('adfa fit --search greedy says in words that nothing is proven', async () => {
    const args = ['--structure', 'indegree:2', '--search', 'greedy']
    const {code, stderr} = await adfa('fit', counts, ...args, '-o', model)
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /structure: greedy search proves nothing; the best graph scores at most [\d.e+-]+ more than this one \(-[\d.]+\)$/m
    )
  })

  test('adfa fit --structure indegree:2 learns words by the paper where they are shrunk, otherwise through a gate', async () => {
    const estimator = async (...args: string[]) =>
      ((await fitted('--structure', 'indegree:2', ...args)).certificate.loadings as {estimator: string}).estimator
    expect(await estimator('--word-shrinkage', '0.1')).toMatch(/tree|blanket|network/)
    expect(await estimator()).toBe('gated')
  })

  test('adfa fit gives the same bytes for the same seed, whatever the structure', async () => {
    for (const kind of ['indegree:2', 'degree:2']) {
      await fitted('--structure', kind)
      const first = folder.text('model.json')
      await fitted('--structure', kind)
      expect(folder.text('model.json')).toBe(first)
    }
  })
})

describe('adfa fit: bad structures', () => {
  test.each([
    [
      'an unknown kind',
      ['--structure', 'forest'],
      2,
      /structure is pairs, independent, tree, indegree:K or degree:K .* got "forest"/
    ],
    ['no parents', ['--structure', 'indegree:0'], 2, /K from 1 to 6/],
    ['edges that are no JSON', ['--edges', 'TEXT'], 1, /text\.json: it is not JSON/],
    [
      'edges of an unknown entry',
      ['--edges', 'ENTRY'],
      1,
      /entry\.json: unknown entry "needed"; an edges file looks like/
    ],
    [
      'an edge of an unknown concept',
      ['--edges', 'NAME'],
      2,
      /edges: "concept-1" is not a concept of the model; did you mean "concept-01"\?/
    ],
    [
      'required edges in a circle',
      ['--edges', 'CYCLE', '--structure', 'indegree:2'],
      2,
      /the required edges form a cycle: "concept-0\d" -> /
    ],
    [
      'two required parents in a tree',
      ['--edges', 'PARENTS', '--structure', 'indegree:1'],
      2,
      /concept "concept-03": the required edges leave it no family of at most 1 parent/
    ],
    [
      'more required edges than the degree',
      ['--edges', 'PARENTS', '--structure', 'degree:1'],
      2,
      /2 edges of concept "concept-03" are required, but a concept may have at most 1/
    ],
    ['an edge both required and forbidden', ['--edges', 'BOTH'], 2, /is both required and forbidden/]
  ] as const)('%s is refused, and nothing is written', async (_, args, code, message) => {
    folder.write('text.json', 'require a -> b')
    folder.write('entry.json', '{"needed": []}')
    folder.write('name.json', '{"require": [["concept-1", "concept-02"]]}')
    folder.write('cycle.json', '{"require": [["concept-01", "concept-02"], ["concept-02", "concept-01"]]}')
    folder.write('parents.json', '{"require": [["concept-01", "concept-03"], ["concept-02", "concept-03"]]}')
    folder.write('both.json', '{"require": [["concept-01", "concept-03"]], "forbid": [["concept-01", "concept-03"]]}')
    const paths = args.map(argument =>
      /^[A-Z]+$/.test(argument) ? folder.at(`${argument.toLowerCase()}.json`) : argument
    )
    const before = folder.names()
    const ended = await adfa('fit', counts, ...paths, '-o', folder.at('never.json'))
    expect(ended).toEqual({code, stdout: '', stderr: expect.stringMatching(message)})
    expect(ended.stderr).not.toMatch(/internal error|undefined|\[object|NaN/)
    expect(folder.names()).toEqual(before)
  })
})
