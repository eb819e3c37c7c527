import {describe, expect, test} from 'vitest'
import {directedNetwork} from '../../base/network/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const MODULE = `
const open = layout => ({
  name: 'first', layout, dispose() {},
  minimize(gradient, vertex) {
    vertex.fill(0)
    let value = 0
    let cell = 0
    for (let s = 1; s <= layout.order; s++)
      for (let table = 0; table < layout.tableCount(s); table++) {
        let best = cell
        for (const end = cell + 2 ** s; cell < end; cell++) if (gradient[cell] < gradient[best]) best = cell
        vertex[best] = 1
        value += gradient[best]
      }
    return {value, bound: value, exact: true}
  }
})
export const polytopes = {tables: {name: 'tables', open}}
export const structures = {star: {name: 'star', find: moments => Array.from({length: moments.conceptCount}, (_, i) => i === 0 ? [] : [0])}}
export const baselines = {never: (corpus, concepts) => ({posterior: () => concepts.map(() => 0.01), lastTag: () => concepts.map((_, i) => -i), logTags: () => -1})}
`

describe('--plugin FILE.mjs', () => {
  test('adfa fit takes a polytope and a structure of the module, adfa evaluate a baseline', async () => {
    const {docs, anchors} = await generateSmall(folder, 300)
    const plugin = folder.write('mine.mjs', MODULE)
    const model = folder.at('m.json')
    const own = ['--plugin', plugin, '--polytope', 'tables', '--structure', 'star']
    await adfaDone('fit', docs, '--anchors', anchors, ...own, '-o', model)
    const {options, network} = loadModel(folder.text('m.json'), 'm.json')
    expect([options.polytope, options.network]).toEqual(['tables', 'star'])
    expect(
      directedNetwork(network)
        .parents.slice(1)
        .every(([parent]) => parent === 0)
    ).toBe(true)
    const found = await adfaJson('evaluate', model, docs, '--train', docs, '--baselines', '--plugin', plugin)
    expect(found).toMatchObject({baselines: {never: {lastTag: {accuracy: expect.any(Number)}}}})
  })

  test.each([
    ['export const polytopes = {x: 3}', /polytopes\.x does not have the expected form/],
    ['export const other = 1', /exports nothing that adfa can use/],
    ['export const = 1', /cannot be loaded/]
  ])('a module %j is refused', async (code, message) => {
    const {docs, anchors} = await generateSmall(folder, 300)
    const plugin = folder.write(`bad-${code.length}.mjs`, code)
    const ended = await adfa('fit', docs, '--anchors', anchors, '--plugin', plugin, '-o', folder.at('x.json'))
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(message)])
  })

  test('adfa fit --polytope refuses a name that nothing has', async () => {
    const {docs, anchors} = await generateSmall(folder, 300)
    const ended = await adfa('fit', docs, '--anchors', anchors, '--polytope', 'cube', '-o', folder.at('x.json'))
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/--polytope is simplex, local, .* got cube/)])
  })
})
