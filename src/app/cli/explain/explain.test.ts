import {beforeAll, describe, expect, test} from 'vitest'
import {percent} from '../../../base/text/index.ts'
import {loadModel, type Model, saveModel} from '../../../learn/model/index.ts'
import type {WordWeights} from '../../../learn/robust/index.ts'
import {createEncoder, parseRow} from '../../../read/data/index.ts'
import {explain} from '../../../use/prediction/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
let docs: string
let loaded: Model
let rows: {id: string; features: string[]; tags: string[]}[]
let row: (typeof rows)[number]

beforeAll(async () => {
  const small = await generateSmall(folder, 800)
  await adfaDone('fit', small.docs, '--anchors', small.anchors, '-o', model)
  loaded = loadModel(folder.text('model.json'), 'model.json')
  rows = JSON.parse(`[${folder.text('docs.jsonl').trimEnd().split('\n').slice(0, 40).join()}]`)
  docs = folder.write('rows.jsonl', rows)
  const found = rows.find(({tags}) => tags.length >= 2)
  if (found === undefined) throw new Error('no document with two tags')
  row = found
})

const explained = (concept: string, options = {}) => {
  const {posterior, ...rest} = explain(
    loaded,
    createEncoder(loaded.lexicon).encode(parseRow(row, {text: []}, 'row')),
    concept,
    options
  )
  const byName = Object.fromEntries(loaded.concepts.map(({name}, i) => [name, posterior.probabilities[i]]))
  return {id: row.id, ...rest, certificate: posterior.certificate, posterior: byName}
}
/** The lines of a waterfall against its last one; each figure is rounded to 0.005. */
const expectFiguresToAddUp = (text: string) => {
  const figures = [...text.matchAll(/^ {2}\S.*? ([-+]?\d+\.\d\d) /gm)].map(([, figure]) => Number(figure))
  expect(figures.length).toBeGreaterThan(3)
  const sum = figures.slice(0, -1).reduce((a, b) => a + b, 0)
  expect(Math.abs(sum - Number(figures.at(-1)))).toBeLessThan(0.005 * figures.length)
}
const knownTo = (names: readonly string[]) => loaded.concepts.map(({name}) => (names.includes(name) ? 1 : -1))

describe('adfa explain', () => {
  test('adfa explain --json prints what the library says', async () => {
    for (const concept of ['concept-01', 'concept-04'])
      expect(await adfaJson('explain', model, docs, '--id', row.id, '--concept', concept)).toEqual(explained(concept))
  })

  test('adfa explain has the intervals of word weights, in text and in JSON', async () => {
    const weighted = folder.at('weighted.json')
    const {words} = loaded.lexicon
    const wordModel: WordWeights = {
      kind: 'weights',
      weights: loaded.concepts.map(() => words.map(() => 0.5)),
      errors: loaded.concepts.map(() => words.map(() => 0.1)),
      // Without idf, documents of any length count alike.
      scale: {idf: words.map(() => 0), typical: 1, usualIdf: 1},
      ...{
        silent: loaded.concepts.map(() => 0),
        fired: loaded.concepts.map(() => 0),
        hidden: loaded.concepts.map(() => 0)
      },
      ...{firedShare: 1, threshold: 0.5},
      certificate: {source: 'documents', documents: 800, rounds: 1, residual: 0}
    }
    folder.write('weighted.json', saveModel({...loaded, wordModel}))
    const {contributions} = Object(await adfaJson('explain', weighted, docs, '--id', row.id))
    const word = contributions.find(({kind}: {kind: string}) => kind === 'word')
    expect([word.low, word.high]).toEqual([expect.closeTo(0.3355, 4), expect.closeTo(0.6645, 4)])
    const text = await adfaDone('explain', weighted, docs, '--id', row.id)
    expect(text).toMatch(/" occurs +\+0\.50 .*% without it \(\+0\.34 to \+0\.66\)$/m)
    expect(text).toContain('In brackets, the 90% interval of the step of a word.')
    expect(await adfaDone('explain', model, docs, '--id', row.id, '--words', 'noisy-or')).not.toContain('In brackets')
  })

  test('adfa explain takes the most probable concept, and prints document, beliefs and reasons', async () => {
    const result = Object(await adfaJson('explain', model, docs, '--id', row.id))
    const top = Object.entries<number>(result.posterior).toSorted(([, p], [, q]) => q - p)[0]
    expect([result.concept, result.probability]).toEqual(top)
    const text = await adfaDone('explain', model, docs, '--id', row.id)
    expect(text).toMatch(new RegExp(`^${row.id}\\n ${row.features[0]}, `))
    expect(text).toContain(`\nMost probable concepts: ${top[0]} ${percent(top[1])}, `)
    expect(text).toMatch(new RegExp(`^Why ${top[0]}: [\\d.<>]+%, log-odds [-+]`, 'm'))
    expect(text).toMatch(/^ {2}found in [\d.]+% of all documents +-\d/m)
    expect(text).toMatch(/^ {2}its anchor (fires|does not fire) .* [\d.<>]+% if it did/m)
    expect(text).toMatch(/^ {2}"word-\d+" occurs .*% without it( \(.* to .*\))?$/m)
    expect(text).toMatch(/^ {2}together +[-+]\d+\.\d\d /m)
    expect(text).toMatch(/^ {2}baseline of a typical document +[-+]?\d/m)
    expect(text).toMatch(/^Words, its anchor and other concepts add up; absent words do not count\. The baseline /m)
    expectFiguresToAddUp(text)
  })

  test('adfa explain names other concepts where its own anchor does not fire, and why not where it does', async () => {
    const by = (concept: string) => adfaDone('explain', model, docs, '--id', row.id, '--concept', concept)
    const {anchors} = createEncoder(loaded.lexicon).encode(parseRow(row, {text: []}, 'row'))
    const names = loaded.concepts.map(({name}) => name)
    const [fired, silent] = [names[anchors[0]], names.find((_, k) => !anchors.includes(k)) ?? '']
    const withFired = await by(fired)
    expect(withFired).toMatch(/^ {2}its anchor fires .*% if it did not$/m)
    expect(withFired).toMatch(/^Its anchor fires: words count only 30% of their weight, other concepts not at all\.$/m)
    expect(withFired).not.toMatch(/were it (present|absent)/)
    const withSilent = await by(silent)
    expect(withSilent).toMatch(/^ {2}concept-\d+ \([\d.<>]+%\).*% were it (present|absent)$/m)
    expect(withSilent).toMatch(/^ {2}\d+ other concepts? /m)
    expectFiguresToAddUp(withFired)
    expectFiguresToAddUp(withSilent)
  })

  test('adfa explain --words noisy-or explains by the links, and says how that was computed', async () => {
    const ask = ['explain', model, docs, '--id', row.id, '--concept', 'concept-01', '--words', 'noisy-or'] as const
    expect(await adfaJson(...ask)).toEqual(explained('concept-01', {wordModel: 'noisy-or'}))
    const text = await adfaDone(...ask)
    expect(text).toMatch(/^Computed exactly\.$/m)
    expect(text).not.toMatch(/offset|add up;/)
    expectFiguresToAddUp(text)
    const method = 'message-passing'
    expect(await adfaJson(...ask, '--method', method)).toEqual(explained('concept-01', {wordModel: 'noisy-or', method}))
  })

  test('adfa explain --hide-anchors and --known ask the library for that', async () => {
    const [known, other] = row.tags
    const ask = (...args: readonly string[]) =>
      adfaJson('explain', model, docs, '--id', row.id, '--concept', other, ...args)
    expect(await ask('--hide-anchors')).toEqual(explained(other, {anchors: 'hidden'}))
    expect(await ask('--known', known)).toEqual(explained(other, {known: knownTo([known])}))
    expect(await ask('--known', 'tags')).toEqual(
      explained(other, {known: knownTo(row.tags.filter(tag => tag !== other))})
    )
    const free = Object(await adfaJson('explain', model, docs, '--id', row.id, '--known', 'tags'))
    expect(row.tags).not.toContain(free.concept)
  })

  test('adfa explain --svg writes the picture, - to standard output', async () => {
    const file = folder.at('why.svg')
    const text = await adfaDone('explain', model, docs, '--id', row.id, '--svg', file)
    expect(text).toMatch(/\nwrote .*why\.svg\n$/)
    const svg = folder.text('why.svg')
    expect(svg).toMatch(/^<svg xmlns=.*<\/svg>\n$/s)
    const piped = await adfa('explain', model, docs, '--id', row.id, '--svg', '-')
    expect(piped).toMatchObject({code: 0, stdout: svg, stderr: expect.stringMatching(/^Most probable concepts: /m)})
    expect(await adfaJson('explain', model, docs, '--id', row.id, '--svg', file)).toMatchObject({svg: file})
  })

  test('adfa explain finds rows without an id by their number, through all files', async () => {
    const plain = folder.write('plain.jsonl', [{features: []}, {id: 'x', features: []}, {features: row.features}])
    const both = Object(await adfaJson('explain', model, plain, docs, '--id', '3', '--concept', 'concept-01'))
    expect(both.contributions).toEqual(explained('concept-01').contributions)
  })
})

describe('adfa explain, bad input', () => {
  const refused = async (...args: readonly string[]) => {
    const {code, stdout, stderr} = await adfa('explain', model, ...args)
    expect(stdout).toBe('')
    return `${code} ${stderr}`
  }

  test('adfa explain names the nearest id when there is none such, or what ids look like', async () => {
    expect(await refused(docs, '--id', `${row.id}x`)).toMatch(
      `2 adfa: --id: none of the 40 documents of ${docs} has the id "${row.id}x"; did you mean "${row.id}"?`
    )
    expect(await refused(docs, '--id', 'qqq')).toMatch(`ids there look like "${rows[0].id}", "${rows[1].id}"`)
  })

  test('adfa explain refuses an id that several documents have', async () => {
    const twice = folder.write('twice.jsonl', [{id: 'a', features: []}, row, {id: 'a', features: []}])
    expect(await refused(twice, '--id', 'a')).toMatch(
      /^1 adfa: .*"a" is the id of 2 documents \(number 1, 3\); .*give a file with only one of them/
    )
  })

  test('adfa explain refuses concepts that are not there, or known already', async () => {
    expect(await refused(docs, '--id', row.id, '--concept', 'concept-1')).toMatch(
      /no concept "concept-1".*did you mean/
    )
    const tag = row.tags[0]
    expect(await refused(docs, '--id', row.id, '--concept', tag, '--known', tag)).toMatch(/known to be present/)
    expect(await refused(docs, '--id', row.id, '--known', 'fever')).toMatch(/--known: the model has no concept "fever"/)
    const all = loaded.concepts.map(({name}) => name).join()
    expect(await refused(docs, '--id', row.id, '--known', all)).toMatch(/every concept of the model is known/)
  })

  test('adfa explain refuses a method of the links of a model with word weights, and a wordModel that is none', async () => {
    expect(await refused(docs, '--id', row.id, '--method', 'exact')).toMatch(
      /^2 adfa: .*--method exact is for noisy-or words, .*leave it out, or set --words to 'noisy-or'/
    )
    expect(await refused(docs, '--id', row.id, '--words', 'weights')).toMatch(/Allowed choices are model, noisy-or/)
  })

  test('adfa explain needs an id', async () => {
    expect(await refused(docs)).toMatch(/required option '--id <id>' not specified/)
  })

  test('adfa explain says so when the model was learned without such documents, and explains all the same', async () => {
    const lexicon = {...loaded.lexicon, filter: {tags: row.tags, minTags: 2}}
    const path = folder.write('filtered.json', saveModel({...loaded, lexicon}))
    const bare = folder.write('bare.jsonl', [{...row, tags: []}])
    const {code, stdout, stderr} = await adfa('explain', path, bare, '--id', row.id)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^the filter of the model rejects this document/)])
    expect(stdout).toMatch(/^Why /m)
    expect((await adfa('explain', path, docs, '--id', row.id)).stderr).toBe('')
  })
})
