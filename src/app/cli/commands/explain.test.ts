import {describe, expect, test} from 'vitest'
import {percent} from '../../../base/text/index.ts'
import {saveModel} from '../../../learn/model/index.ts'
import {Encoder, parseRow} from '../../../read/data/index.ts'
import {explain} from '../../../use/prediction/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const small = await generateSmall(folder, 800)
await adfaDone`fit ${small.docs} --anchors ${small.anchors} -o ${model}`
const loaded = folder.model('model.json')
const names = loaded.concepts.map(({name}) => name)
const rows: {id: string; features: string[]; tags: string[]}[] = folder.rows('docs.jsonl').slice(0, 40)
const docs = folder.write('rows.jsonl', rows)
const row = rows.find(({tags}) => tags.length >= 2) ?? rows[0]
const evidence = new Encoder(loaded.lexicon).encode(parseRow(row, {text: []}, 'row'))
const ask = ['explain', model, docs, '--id', row.id]

/** What the library says. */
function explained(concept: string, options = {}) {
  const {posterior, ...rest} = explain(loaded, evidence, concept, options)
  const byName = Object.fromEntries(names.map((name, i) => [name, posterior.probabilities[i]]))
  return {id: row.id, ...rest, certificate: posterior.certificate, posterior: byName}
}

/** The lines of a waterfall against its last one; each figure is rounded to 0.005. */
function expectFiguresToAddUp(text: string): void {
  const figures = [...text.matchAll(/^\S.*? ([-+]?\d+\.\d\d) {2}[- +|]{3}/gm)].map(([, figure]) => Number(figure))
  expect(figures.length).toBeGreaterThan(3)
  const sum = figures.slice(0, -1).reduce((a, b) => a + b, 0)
  expect(Math.abs(sum - Number(figures.at(-1)))).toBeLessThan(0.005 * figures.length)
}

describe('adfa explain', () => {
  test('--json prints what the library says, with every option', async () => {
    const [known, other] = row.tags
    const knownTo = (tags: readonly string[]) => names.map(name => (tags.includes(name) ? 1 : -1))
    const rest = row.tags.filter(tag => tag !== other)
    for (const [args, options] of [
      [[], {}],
      [['--hide-anchors'], {anchors: 'hidden'}],
      [['--known', known], {known: knownTo([known])}],
      [['--known', 'tags'], {known: knownTo(rest)}],
      [['--words', 'noisy-or'], {wordModel: 'noisy-or'}],
      [['--words', 'noisy-or', '--method', 'message-passing'], {wordModel: 'noisy-or', method: 'message-passing'}]
    ] as const)
      expect(await adfaJson`${ask} --concept ${other} ${args}`).toEqual(explained(other, options))
    expect(row.tags).not.toContain((await adfaJson`${ask} --known tags`).concept)
  })

  test('takes the most probable concept, and prints document, beliefs and reasons', async () => {
    const {posterior, concept, probability} = await adfaJson(...ask)
    const [top] = Object.entries<number>(posterior).toSorted(([, p], [, q]) => q - p)
    expect([concept, probability]).toEqual(top)
    const text = await adfaDone(...ask)
    expect(text).toMatch(new RegExp(`^${row.id}\\n ${row.features[0]}, `))
    expect(text).toContain(`\nMost probable concepts: ${top[0]} ${percent(top[1])}, `)
    expect(text).toMatch(new RegExp(`^Why ${top[0]}: [\\d.<>]+%, log-odds [-+]`, 'm'))
    expect(text).toMatch(/^found in [\d.]+% of all documents +-\d/m)
    expect(text).toMatch(/^"word-\d+" occurs .*% without it \([-+].* to [-+].*\)$/m)
    expect(text).toMatch(/^together +[-+]\d+\.\d\d /m)
    expectFiguresToAddUp(text)
  })

  test('finds rows without an id by their number, through all files', async () => {
    const plain = folder.write('plain.jsonl', [{features: []}, {id: 'x', features: []}, {features: row.features}])
    const {contributions} = await adfaJson`explain ${model} ${plain} ${docs} --id 3 --concept concept-01`
    expect(contributions).toEqual(explained('concept-01').contributions)
  })

  test('says so when the model was learned without such documents, and explains all the same', async () => {
    const lexicon = {...loaded.lexicon, filter: {tags: row.tags, minTags: 2}}
    const path = folder.write('filtered.json', saveModel({...loaded, lexicon}))
    const bare = folder.write('bare.jsonl', [{...row, tags: []}])
    const {stdout, stderr} = await adfa`explain ${path} ${bare} --id ${row.id}`
    expect(stderr).toMatch(/^the filter of the model rejects this document/)
    expect(stdout).toMatch(/^Why /m)
  })

  test.each([
    [['--id', `${row.id}x`], /none of the 40 documents of .* has the id ".*x"; did you mean "/],
    [['--id', 'qqq'], new RegExp(`ids there look like "${rows[0].id}", "${rows[1].id}"`)],
    [['--concept', 'concept-1'], /no concept "concept-1".*did you mean/],
    [['--concept', row.tags[0], '--known', row.tags[0]], /known to be present/],
    [['--known', 'fever'], /--known: the model has no concept "fever"/],
    [['--known', names.join()], /every concept of the model is known/],
    [['--method', 'exact'], /--method exact is for noisy-or words, .*leave it out, or set --words to 'noisy-or'/],
    [['--words', 'weights'], /Allowed choices are model, noisy-or/]
  ])('%j is refused', async (args, message) => {
    expect(await adfa`${ask} ${args}`).toEqual(refused(2, message))
  })

  test('an id that several documents have, and none, are refused', async () => {
    const twice = folder.write('twice.jsonl', [{id: 'a', features: []}, row, {id: 'a', features: []}])
    expect(await adfa`explain ${model} ${twice} --id a`).toEqual(
      refused(1, /"a" is the id of 2 documents \(number 1, 3\); .*give a file with only one of them/)
    )
    expect(await adfa`explain ${model} ${docs}`).toEqual(refused(2, /required option '--id <id>' not specified/))
  })
})
