import {gunzipSync, gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {
  createEncoder,
  createInference,
  type InferenceOptions,
  type KnownTags,
  loadModel,
  type Model,
  parseRow
} from '../index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, jsonLines, parseLines, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
let small: Awaited<ReturnType<typeof generateSmall>>
let loaded: Model
let rows: {id: string; features: string[]; tags: string[]}[]

beforeAll(async () => {
  small = await generateSmall(folder, 800)
  await adfaDone('fit', small.docs, '--anchors', small.anchors, '-o', model)
  loaded = loadModel(folder.text('model.json'), 'model.json')
  rows = JSON.parse(`[${folder.text('docs.jsonl').trimEnd().split('\n').slice(0, 60).join()}]`)
  folder.write('rows.jsonl', rows)
})

/** What the library says of the rows. */
function expected(
  options: Partial<InferenceOptions> = {},
  known: (tags: readonly string[]) => KnownTags | undefined = () => undefined
) {
  const encoder = createEncoder(loaded.lexicon)
  const inference = createInference(loaded, options)
  return rows.map(row => {
    const {probabilities} = inference.posterior(encoder.encode(parseRow(row, [], 'row')), known(row.tags))
    return {id: row.id, posterior: Object.fromEntries(loaded.latents.map(({name}, i) => [name, probabilities[i]]))}
  })
}

async function predicted(...args: readonly string[]): Promise<unknown[]> {
  return parseLines(await adfaDone('predict', model, folder.at('rows.jsonl'), ...args))
}

describe('adfa predict', () => {
  test('adfa predict prints one line a document, in the order of the input, with the posterior of every concept', async () => {
    expect(await predicted()).toEqual(expected())
  })

  test('adfa predict -o writes the same lines to a file and says so', async () => {
    const {code, stdout, stderr} = await adfa(
      'predict',
      model,
      folder.at('rows.jsonl'),
      '-o',
      folder.at('p.jsonl'),
      '--quiet'
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^60 documents in [\d.]+ s\nwrote .*p\.jsonl\n$/)
    expect(folder.text('p.jsonl')).toBe(await adfaDone('predict', model, folder.at('rows.jsonl')))
    await adfaDone('predict', model, folder.at('rows.jsonl'), '-o', folder.at('p.jsonl.gz'))
    expect(gunzipSync(folder.bytes('p.jsonl.gz'))).toEqual(folder.bytes('p.jsonl'))
  })

  test('adfa predict --json tells how it went beside the file, and needs one', async () => {
    const file = folder.at('p.jsonl')
    const result = await adfaJson('predict', model, folder.at('rows.jsonl'), '-o', file)
    expect(result).toEqual({file, documents: 60, latents: 5, unconverged: 0, seconds: expect.any(Number)})
    const {code, stdout, stderr} = await adfa('predict', model, folder.at('rows.jsonl'), '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/with --json standard output is taken; name a file for the rest with -o/)
  })

  test('adfa predict gives the same bytes every time', async () => {
    for (const method of ['auto', 'message-passing', 'gibbs']) {
      const args = ['predict', model, folder.write('few.jsonl', rows.slice(0, 8)), '--method', method, '--seed', '4']
      expect(await adfaDone(...args)).toBe(await adfaDone(...args))
    }
  })

  test('adfa predict numbers rows without an id through all files, and keeps the ids of the others', async () => {
    const a = folder.write('a.jsonl', [{features: []}, {id: 'x', features: []}, {id: '', features: []}])
    const b = folder.write('b.jsonl', [{features: []}, {id: 0, features: []}, {id: 'x', features: []}])
    const lines = parseLines(await adfaDone('predict', model, a, b))
    expect(lines).toMatchObject([1, 'x', '', 4, 0, 'x'].map(id => ({id})))
  })

  test('adfa predict does not mind tags, unknown features, or rows with nothing in them', async () => {
    const plain = folder.write('plain.jsonl', [{features: ['word-0001', 'anchor-02']}])
    const odd = folder.write('odd.jsonl', [
      {features: ['word-0001', 'never seen', 'anchor-02'], tags: ['concept-01'], labels: {'concept-03': true}}
    ])
    expect(await adfaDone('predict', model, odd)).toBe(await adfaDone('predict', model, plain))
    const empty = parseLines(await adfaDone('predict', model, folder.write('empty.jsonl', [{features: []}])))
    expect(empty).toMatchObject([{posterior: {'concept-01': expect.any(Number)}}])
  })

  test('adfa predict reads every format alike', async () => {
    const table = ['id,features', ...rows.map(({id, features}) => `${id},${features.join('|')}`)].join('\n')
    const paths = [
      folder.write('rows.jsonl.gz', gzipSync(jsonLines(rows))),
      folder.write('rows.csv', table),
      folder.write('rows.tsv', table.replaceAll(',', '\t'))
    ]
    const plain = await adfaDone('predict', model, folder.at('rows.jsonl'))
    for (const path of paths) expect(await adfaDone('predict', model, path)).toBe(plain)
  })
})

describe('adfa predict, options', () => {
  test('adfa predict --top prints the most probable concepts alone, highest first', async () => {
    const all = expected()
    const top = await adfaDone('predict', model, folder.at('rows.jsonl'), '--top', '2')
    const lines = top.trimEnd().split('\n')
    all.forEach(({id, posterior}, at) => {
      const best = Object.entries(posterior).toSorted(([, p], [, q]) => q - p)
      expect(lines[at]).toBe(JSON.stringify({id, posterior: Object.fromEntries(best.slice(0, 2))}))
    })
    expect(await predicted('--top', '99')).toEqual(all)
  })

  test('adfa predict --hide-anchors does not look at the anchors', async () => {
    const hidden = await predicted('--hide-anchors')
    expect(hidden).toEqual(expected({anchors: 'hidden'}))
    expect(hidden).not.toEqual(await predicted())
    const bare = rows.map(row => ({...row, features: row.features.filter(name => !name.startsWith('anchor-'))}))
    const without = await adfaDone('predict', model, folder.write('bare.jsonl', bare), '--hide-anchors')
    expect(parseLines(without)).toEqual(hidden)
  })

  test('adfa predict --known takes concepts as present in every document', async () => {
    const known = await predicted('--known', 'concept-02, concept-04')
    expect(known).toEqual(expected({}, () => [-1, 1, -1, 1, -1]))
    expect(known[0]).toMatchObject({posterior: {'concept-02': 1, 'concept-04': 1}})
  })

  test("adfa predict --known tags takes each row's own tags as present, and other concepts as open", async () => {
    const names = loaded.latents.map(({name}) => name)
    const known = await predicted('--known', 'tags')
    expect(known).toEqual(expected({}, tags => names.map(name => (tags.includes(name) ? 1 : -1))))
    const other = folder.write('other-tags.jsonl', [{features: [], tags: ['no concept']}, {features: []}])
    const [withTag, without] = parseLines(await adfaDone('predict', model, other, '--known', 'tags'))
    expect(withTag).toEqual({...Object(without), id: 1})
  })

  test('adfa predict --known refuses a concept that the model does not have', async () => {
    const {code, stdout, stderr} = await adfa('predict', model, folder.at('rows.jsonl'), '--known', 'concept-01,fever')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--known: the model has no concept "fever"; it has concept-01, concept-02/)
  })

  test('adfa predict --method exact, message-passing and gibbs agree, each within its own precision', async () => {
    expect(await predicted('--method', 'exact')).toEqual(await predicted())
    expect(await predicted('--method', 'message-passing')).toEqual(expected({method: 'message-passing'}))
    const few = folder.write('few.jsonl', rows.slice(0, 8))
    const gibbs = parseLines(await adfaDone('predict', model, few, '--method', 'gibbs', '--seed', '1'))
    const exact = expected().slice(0, 8)
    exact.forEach(({id, posterior}, at) => {
      expect(gibbs[at]).toEqual({
        id,
        // 4,000 sweeps: 5 standard errors of a share of independent draws are below 0.04; sweeps are not quite independent.
        posterior: Object.fromEntries(Object.entries(posterior).map(([name, p]) => [name, closeTo(p, 0.06)]))
      })
    })
    expect(parseLines(await adfaDone('predict', model, few, '--method', 'gibbs', '--seed', '2'))).not.toEqual(gibbs)
  })
})

function closeTo(value: number, tolerance: number): unknown {
  // expect.closeTo counts digits: |difference| < 10^-digits / 2.
  return expect.closeTo(value, -Math.log10(2 * tolerance))
}
