import {describe, expect, test} from 'vitest'
import {directedNetwork, networkEdges, networkToBif} from '../../../base/network/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const [path, treePath] = [folder.at('model.json'), folder.at('tree.json')]
const {docs, anchors} = await generateSmall(folder, 1000)
await adfaDone`fit ${docs} --anchors ${anchors} -o ${path}`
await adfaDone`fit ${docs} --anchors ${anchors} --structure tree -o ${treePath}`
const [model, tree] = [folder.model('model.json'), folder.model('tree.json')]
const names = model.concepts.map(({name}) => name)
const exported = async (format: string, from = path) => (await adfa`export ${from} --to ${format}`).stdout

describe('adfa export', () => {
  test('--to bif writes the network of the model, of pairs a directed network near it, and reports that', async () => {
    const bifOf = (network: Model['network']) => networkToBif(network, names)
    expect(await adfa`export ${treePath} --to bif`).toEqual({code: 0, stdout: bifOf(tree.network), stderr: ''})
    const stderr = expect.stringMatching(/^.*directed network near it.*\n$/)
    const stdout = bifOf(directedNetwork(model.network))
    expect(await adfa`export ${path} --to bif`).toEqual({code: 0, stdout, stderr})
  })

  test('--to csv has a header and a row for every edge', async () => {
    const [header, ...rows] = (await exported('csv')).trimEnd().split('\n')
    expect(header).toMatch(/^parent,child,sign,.*,childWithout,childWith$/)
    const edges = networkEdges(model.network).map(edge => edge.map(i => names[i]).join())
    expect(rows.map(row => row.split(',').slice(0, 2).join()).sort()).toEqual(edges.sort())
  })

  test('--to uai, dot and svg write the network in these formats', async () => {
    expect(await exported('uai', treePath)).toMatch(/^BAYES\n5\n2 2 2 2 2\n5\n/)
    expect(await exported('uai')).toMatch(/^MARKOV\n5\n2 2 2 2 2\n/)
    const [dot, svg] = [await exported('dot'), await exported('svg')]
    expect(dot).toMatch(/^digraph/)
    expect(svg).toMatch(/<svg.*<\/svg>\s*$/s)
    for (const name of names) for (const text of [dot, svg]) expect(text).toContain(name)
  })

  test('shows no share that nobody measured, and marks the networks that need one', async () => {
    const {checksum: _, ...guessed} = folder.json('tree.json')
    for (const own of guessed.certificate.noise.concepts) own.basis = 'constant'
    const from = folder.write('guessed.json', JSON.stringify(guessed))
    for (const format of ['dot', 'svg']) {
      expect(await exported(format, treePath)).toMatch(/\d%/)
      expect(await exported(format, from)).not.toMatch(/\d%/)
    }
    expect(await exported('csv', from)).toMatch(/,,\n$/)
    expect(await exported('bif', from)).toMatch(/^\/\/ .*guesses/m)
    expect((await adfa`export ${from} --to uai`).stderr).toMatch(/^.*5 of 5 concepts are guesses.*\n$/)
  })

  test('writes to a file, and --json says what was written', async () => {
    const file = folder.at('again.bif')
    expect(await adfaJson`export ${path} --to bif -o ${file}`).toEqual({file, format: 'bif', concepts: 5})
    expect(folder.text('again.bif')).toBe(await exported('bif'))
    for (const args of [['--to', 'pdf'], []]) expect(await adfa`export ${path} ${args}`).toEqual(refused(2, /--to/))
  })
})
