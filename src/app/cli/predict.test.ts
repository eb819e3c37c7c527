import {existsSync} from 'node:fs'
import {gunzipSync, gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {type ConceptLabels, createInference, type InferenceOptions} from '../../learn/inference/index.ts'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {createEncoder, parseRow} from '../../read/data/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, jsonLines, parseLines, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const LINKS = ['--words', 'noisy-or']
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
  known: (tags: readonly string[]) => ConceptLabels | undefined = () => undefined
) {
  const encoder = createEncoder(loaded.lexicon)
  const inference = createInference(loaded, options)
  return rows.map(row => {
    const {probabilities} = inference.posterior(encoder.encode(parseRow(row, {text: []}, 'row')), known(row.tags))
    return {id: row.id, posterior: Object.fromEntries(loaded.concepts.map(({name}, i) => [name, probabilities[i]]))}
  })
}

async function predicted(...args: readonly string[]): Promise<unknown[]> {
  return parseLines(await adfaDone('predict', model, folder.at('rows.jsonl'), ...args))
}

describe('adfa predict', () => {
  test('adfa predict prints one line per document, in the order of the input, with the posterior of every concept', async () => {
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
    const summary = {
      file,
      documents: 60,
      concepts: 5,
      wordModel: 'weights',
      scores: [],
      unconverged: 0,
      seconds: expect.any(Number)
    }
    expect(result).toEqual(summary)
    const more = ['--words', 'noisy-or', '--threshold', '0.25']
    const other = await adfaJson('predict', model, folder.at('rows.jsonl'), '-o', file, ...more)
    expect(other).toEqual({...summary, wordModel: 'noisy-or', threshold: 0.25})
    const {code, stdout, stderr} = await adfa('predict', model, folder.at('rows.jsonl'), '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--json needs standard output for the result; name a file with -o/)
  })

  test('adfa predict gives the same bytes every time', async () => {
    const few = folder.write('few.jsonl', rows.slice(0, 8))
    const links = (method: string) => ['--words', 'noisy-or', '--method', method, '--seed', '4']
    for (const how of [[], links('auto'), links('message-passing')]) {
      const args = ['predict', model, few, ...how]
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
    const names = loaded.concepts.map(({name}) => name)
    const known = await predicted('--known', 'tags')
    expect(known).toEqual(expected({}, tags => names.map(name => (tags.includes(name) ? 1 : -1))))
    const rows = [{features: [], tags: ['no concept']}, {features: []}, {features: [], tags: [names[0]]}]
    const other = folder.write('other-tags.jsonl', rows)
    const [withTag, without] = parseLines(await adfaDone('predict', model, other, '--known', 'tags'))
    expect(withTag).toEqual({...Object(without), id: 1})
  })

  test('adfa predict --known tags refuses tags of which none is a concept, and writes nothing', async () => {
    const foreign = folder.write('foreign-tags.jsonl', [{features: [], tags: ['no concept']}, {features: []}])
    const out = folder.at('foreign.csv')
    const {code, stderr} = await adfa('predict', model, foreign, '--known', 'tags', '-o', out)
    expect([code, existsSync(out)]).toEqual([1, false])
    expect(stderr).toMatch(/the tags are 'no concept'/)
  })

  test('adfa predict --known refuses a concept that the model does not have', async () => {
    const {code, stdout, stderr} = await adfa('predict', model, folder.at('rows.jsonl'), '--known', 'concept-01,fever')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--known: the model has no concept "fever"; it has concept-01, concept-02/)
  })

  test('adfa predict --method exact and message-passing are what the library computes', async () => {
    expect(await predicted(...LINKS, '--method', 'exact')).toEqual(await predicted(...LINKS))
    const passed = expected({wordModel: 'noisy-or', method: 'message-passing'})
    expect(await predicted(...LINKS, '--method', 'message-passing')).toEqual(passed)
  })

  test('adfa predict --method is refused where words speak in log-odds', async () => {
    const {code, stdout, stderr} = await adfa('predict', model, folder.at('rows.jsonl'), '--method', 'exact')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/--method exact is for noisy-or words, .*leave it out, or set --words to 'noisy-or'/)
  })

  test('adfa predict --words noisy-or reads the links of the model, with hidden anchors and known tags, too', async () => {
    const wordModel = 'noisy-or'
    const links = await predicted(...LINKS)
    expect(links).toEqual(expected({wordModel}))
    expect(links).not.toEqual(await predicted())
    expect(await predicted(...LINKS, '--hide-anchors')).toEqual(expected({wordModel, anchors: 'hidden'}))
    const known = () => [-1, 1, -1, 1, -1]
    expect(await predicted(...LINKS, '--known', 'concept-02,concept-04')).toEqual(expected({wordModel}, known))
    const both = await predicted(...LINKS, '--hide-anchors', '--known', 'concept-02,concept-04')
    expect(both).toEqual(expected({wordModel, anchors: 'hidden'}, known))
  })
})

describe('adfa predict --threshold', () => {
  /** The concepts with at least this probability, most probable first. */
  function tagged(lines: ReturnType<typeof expected>, threshold: number) {
    return lines.map(({id, posterior}) => {
      const chosen = Object.entries(posterior).filter(([, p]) => p >= threshold)
      return {id, tags: chosen.toSorted(([, p], [, q]) => q - p).map(([name]) => name), posterior}
    })
  }

  test('adfa predict --threshold adds the concepts from a probability on, whatever --top leaves of the others', async () => {
    const tags = tagged(expected(), 0.2)
    expect(tags.some(line => line.tags.length > 1)).toBe(true)
    expect(await predicted('--threshold', '0.2')).toEqual(tags)
    const top = await predicted('--threshold', '0.2', '--top', '1')
    expect(top).toEqual(tags.map(({id, tags: of}) => ({id, tags: of, posterior: expect.any(Object)})))
    expect(await predicted(...LINKS, '--threshold', '0.2')).toEqual(tagged(expected({wordModel: 'noisy-or'}), 0.2))
  })

  test("adfa predict --threshold best takes the model's own threshold, and says which", async () => {
    const {wordModel} = loaded
    if (wordModel.kind !== 'weights') throw new Error('the model should speak in log-odds')
    expect(await predicted('--threshold', 'best')).toEqual(tagged(expected(), wordModel.threshold))
    const args = ['predict', model, folder.at('rows.jsonl'), '--threshold', 'best', '-o', folder.at('p.jsonl')]
    expect(await adfaJson(...args)).toMatchObject({wordModel: 'weights', threshold: wordModel.threshold})
    expect(await adfaDone(...args)).toMatch(/^60 documents in [\d.]+ s; tags at a probability of \d+% or more\nwrote /)
    expect((await adfa(...args, '--hide-anchors')).stderr).toMatch(/was chosen for predictions that use anchors/)
    expect((await adfa(...args)).stderr).toBe('')
  })

  test('adfa predict --threshold counts known concepts as they are, for both channels', async () => {
    for (const wordModel of ['model', 'noisy-or'] as const) {
      const lines = expected({wordModel, anchors: 'hidden'}, () => [-1, 1, -1, 1, -1])
      const args = [
        '--words',
        wordModel,
        '--hide-anchors',
        '--known',
        'concept-04,concept-02',
        '--threshold',
        '0.9999999'
      ]
      const known = await predicted(...args)
      expect(known).toEqual(tagged(lines, 0.9999999))
      expect(known[0]).toMatchObject({tags: ['concept-02', 'concept-04']})
    }
  })

  test('adfa predict --threshold best is refused, with the way out, where the model has none', async () => {
    const links = folder.at('links.json')
    await adfaDone('fit', small.docs, '--anchors', small.anchors, '--words', 'noisy-or', '-o', links)
    const none = await adfa('predict', links, folder.at('rows.jsonl'), '--threshold', 'best')
    expect([none.code, none.stdout]).toEqual([2, ''])
    expect(none.stderr).toMatch(/has no threshold; .* give a probability, such as --threshold 0\.5/)
    const other = await adfa('predict', model, folder.at('rows.jsonl'), ...LINKS, '--threshold', 'best')
    expect([other.code, other.stdout]).toEqual([2, ''])
    expect(other.stderr).toMatch(/not for its noisy-or links; leave --words out, or give a probability/)
    for (const text of ['5', 'worst', '-0.1', ''])
      expect((await adfa('predict', model, folder.at('rows.jsonl'), `--threshold=${text}`)).stderr).toMatch(
        /It must be "best" or a probability from 0 to 1/
      )
  })
})
