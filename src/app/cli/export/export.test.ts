import {beforeAll, describe, expect, test} from 'vitest'
import {directedNetwork, networkEdges, networkToBif} from '../../../base/network/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const path = folder.at('model.json')
const treePath = folder.at('tree.json')
let model: Model
/** The same documents, with a directed network. */
let tree: Model

beforeAll(async () => {
  const {docs, anchors} = await generateSmall(folder, 1000)
  await adfaDone('fit', docs, '--anchors', anchors, '-o', path, '--quiet')
  await adfaDone('fit', docs, '--anchors', anchors, '--structure', 'tree', '-o', treePath, '--quiet')
  model = loadModel(folder.text('model.json'), 'model.json')
  tree = loadModel(folder.text('tree.json'), 'tree.json')
})

async function exported(format: string, from = path): Promise<string> {
  await adfaDone('export', from, '--to', format, '-o', folder.at(`network.${format}`), '--quiet')
  return folder.text(`network.${format}`)
}

describe('adfa export', () => {
  const bifOf = ({network, concepts}: Model) =>
    networkToBif(
      network,
      concepts.map(({name}) => name)
    )

  test('adfa export --to bif writes the network of the model', async () => {
    expect(await exported('bif', treePath)).toBe(bifOf(tree))
  })

  test('adfa export --to bif of a network of pairs writes a directed network near it, and reports that', async () => {
    expect(await exported('bif')).toBe(bifOf({...model, network: directedNetwork(model.network)}))
    expect((await adfa('export', path, '--to', 'bif')).stderr).toMatch(/^.*directed network near it.*\n$/)
    expect((await adfa('export', treePath, '--to', 'bif')).stderr).toBe('')
  })

  test('adfa export --to csv has a header and a row for every edge', async () => {
    const [header, ...rows] = (await exported('csv')).trimEnd().split('\n')
    expect(header).toMatch(/^parent,child,sign,.*,childWithout,childWith$/)
    const edges = networkEdges(model.network).map(edge => edge.map(i => model.concepts[i].name).join())
    expect(rows.map(row => row.split(',').slice(0, 2).join()).sort()).toEqual(edges.sort())
  })

  test('adfa export --to uai names the network, its variables and a table for each', async () => {
    const begin = async (from: string) => (await exported('uai', from)).split('\n').slice(0, 4)
    expect(await begin(treePath)).toEqual(['BAYES', '5', '2 2 2 2 2', '5'])
    expect((await begin(path)).slice(0, 3)).toEqual(['MARKOV', '5', '2 2 2 2 2'])
  })

  test('adfa export --to dot and --to svg show every concept', async () => {
    const dot = await exported('dot')
    const svg = await exported('svg')
    expect(dot).toMatch(/^digraph/)
    expect(svg).toMatch(/<svg[\s\S]*<\/svg>\s*$/)
    for (const {name} of model.concepts) for (const text of [dot, svg]) expect(text).toContain(name)
    // Two for each concept at most.
    const drawn = svg.match(/<g id="network-edge-\d+-\d+" class="edge"/g)?.length
    expect(drawn).toBeGreaterThan(3)
    expect(drawn).toBeLessThanOrEqual(networkEdges(model.network).length)
  })

  test('adfa export shows no share that nobody measured, and marks the networks that need one', async () => {
    const guessed = JSON.parse(folder.text('tree.json'))
    for (const own of guessed.certificate.noise.concepts) own.basis = 'constant'
    delete guessed.checksum
    folder.write('guessed.json', JSON.stringify(guessed))
    const from = folder.at('guessed.json')
    for (const format of ['dot', 'svg']) {
      expect(await exported(format, treePath)).toMatch(/\d%/)
      expect(await exported(format, from)).not.toMatch(/\d%/)
    }
    const [header, ...rows] = (await exported('csv', from))
      .trimEnd()
      .split('\n')
      .map(row => row.split(','))
    const shares = [header.indexOf('childWithout'), header.indexOf('childWith')]
    expect(rows.flatMap(row => shares.map(at => row[at]))).toEqual(rows.flatMap(() => ['', '']))
    expect(await exported('bif', from)).toMatch(/^\/\/ .*guesses/m)
    expect(await exported('bif', treePath)).not.toMatch(/guesses/)
    for (const format of ['bif', 'uai'])
      expect((await adfa('export', from, '--to', format)).stderr).toMatch(/^.*5 of 5 concepts are guesses.*\n$/)
  })

  test('adfa export writes to standard output unless told otherwise, and nothing else there', async () => {
    const {code, stdout, stderr} = await adfa('export', path, '--to', 'csv')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(await exported('csv'))
  })

  test('adfa export --json says what was written', async () => {
    const file = folder.at('again.bif')
    expect(await adfaJson('export', path, '--to', 'bif', '-o', file)).toEqual({file, format: 'bif', concepts: 5})
  })

  test.each([
    [['--to', 'pdf'], 2, /--to.*bif, dot, uai, csv, svg/],
    [[], 2, /--to/]
  ])('adfa export refuses %j', async (args, status, message) => {
    const {code, stderr} = await adfa('export', path, ...args)
    expect(code).toBe(status)
    expect(stderr).toMatch(message)
  })

  test('adfa export refuses what is not a model, by its name', async () => {
    folder.write('other.json', '{"format": "other"}')
    const {code, stderr} = await adfa('export', folder.at('other.json'), '--to', 'bif')
    expect(code).toBe(1)
    expect(stderr).toMatch(/other\.json/)
  })
})
