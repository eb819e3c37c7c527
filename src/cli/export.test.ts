import {beforeAll, describe, expect, test} from 'vitest'
import {loadModel, type Model, networkEdges, networkFromBif} from '../index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const path = folder.at('model.json')
let model: Model

beforeAll(async () => {
  const {docs, anchors} = await generateSmall(folder, 1000)
  await adfaDone('fit', docs, '--anchors', anchors, '-o', path, '--quiet')
  model = loadModel(folder.text('model.json'), 'model.json')
})

async function exported(format: string): Promise<string> {
  await adfaDone('export', path, '--to', format, '-o', folder.at(`network.${format}`), '--quiet')
  return folder.text(`network.${format}`)
}

describe('adfa export', () => {
  test('adfa export --to bif writes a network that reads back as it was', async () => {
    const {names, network} = networkFromBif(await exported('bif'), 'network.bif')
    expect(names).toEqual(model.latents.map(({name}) => name))
    expect(network).toEqual(model.network)
  })

  test('adfa export --to csv has a header and a row for every edge', async () => {
    const [header, ...rows] = (await exported('csv')).trimEnd().split('\n')
    expect(header).toMatch(/^parent,child,sign,/)
    const edges = networkEdges(model.network).map(edge => edge.map(i => model.latents[i].name).join())
    expect(rows.map(row => row.split(',').slice(0, 2).join()).sort()).toEqual(edges.sort())
  })

  test('adfa export --to uai names the network, its variables and a table for each', async () => {
    const [kind, count, sizes, tables] = (await exported('uai')).split('\n')
    expect([kind, count, sizes, tables]).toEqual(['BAYES', '5', '2 2 2 2 2', '5'])
  })

  test('adfa export --to dot and --to svg show every concept', async () => {
    const dot = await exported('dot')
    // Graphviz writes hyphens as entities.
    const svg = (await exported('svg')).replaceAll('&#45;', '-')
    expect(dot).toMatch(/^digraph/)
    expect(svg).toMatch(/<svg[\s\S]*<\/svg>\s*$/)
    for (const {name} of model.latents) for (const text of [dot, svg]) expect(text).toContain(name)
    expect(svg.match(/<g id="edge\d+" class="edge">/g)).toHaveLength(4)
  })

  test('adfa export writes to standard output unless told otherwise, and nothing else there', async () => {
    const {code, stdout, stderr} = await adfa('export', path, '--to', 'csv')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(await exported('csv'))
  })

  test('adfa export --json says what was written', async () => {
    const file = folder.at('again.bif')
    expect(await adfaJson('export', path, '--to', 'bif', '-o', file)).toEqual({file, format: 'bif', latents: 5})
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
