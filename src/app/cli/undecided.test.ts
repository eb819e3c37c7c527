import {beforeAll, describe, expect, test} from 'vitest'
import {loadModel} from '../../learn/model/index.ts'
import {adfa, adfaDone, testFolder} from './test-run.ts'

const folder = testFolder()
const said = ['No effusion.', 'No effusion.', 'Effusion, cough.', 'Cough and rash.', 'Rash.', 'Without effusion.']
const notes = (tags: readonly string[]) =>
  Array.from({length: 300}, (_, id) => ({
    id,
    sex: 'fm'[id % 2],
    note: said[id % 6],
    tags: id % 6 === 2 ? tags : ['none']
  }))
const reading = () => [
  '--anchors',
  folder.at('anchors.json'),
  '--text',
  'note',
  '--category',
  'sex',
  '--max-share',
  '1'
]
const made = () => folder.names().filter(name => name.startsWith('made'))
const fit = (docs: string, ...args: readonly string[]) =>
  adfa('fit', folder.at(docs), ...reading(), ...args, '-o', folder.at('made.json'))

beforeAll(async () => {
  folder.write('notes.jsonl', notes(['effusion']))
  folder.write('foreign.jsonl', notes(['Fluid']))
  folder.write('anchors.json', '{"effusion": "effusion", "rash": "rash"}')
  await adfaDone('fit', folder.at('notes.jsonl'), ...reading(), '--negation', '-o', folder.at('model.json'))
})

describe('a person decides', () => {
  test('adfa fit and adfa run stop where most hits of an anchor are negated, until a flag or the project decides', async () => {
    const files = ['model', 'report', 'tagged'].flatMap(name => [`--${name}`, folder.at(`made-${name}.jsonl`)])
    const run = (...args: readonly string[]) => adfa('run', folder.at('notes.jsonl'), ...reading(), ...files, ...args)
    for (const {code, stderr} of [await fit('notes.jsonl'), await run('--quiet')])
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/effusion: 75% of 200 hits[\s\S]*--negation.*--no-negation/)
      ])
    expect(made()).toEqual([])
    expect((await fit('notes.jsonl', '--no-negation')).code).toBe(0)
    expect(loadModel(folder.text('made.json'), 'made.json').lexicon.reading.negation).toBe(false)
    const settings = {format: 'adfa-project', version: 1, read: {negation: false}}
    expect((await run('--project', folder.write('project.json', JSON.stringify(settings)))).code).toBe(0)
  })

  test('adfa predict and adfa evaluate stop where no document has a text field of the model, and write nothing', async () => {
    const renamed = folder.write('renamed.csv', 'id,sex,Remarks,tags\n1,f,Effusion,effusion\n2,m,Rash,rash\n')
    const tag = (...args: readonly string[]) =>
      adfa('predict', folder.at('model.json'), renamed, '-o', folder.at('made-tags.csv'), ...args)
    const before = made()
    for (const {code, stderr} of [await tag('--quiet'), await adfa('evaluate', folder.at('model.json'), renamed)])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/"note".*id, sex, Remarks, tags.*--allow-missing/)])
    expect(made()).toEqual(before)
    expect((await tag('--allow-missing')).code).toBe(0)
    expect(folder.names()).toContain('made-tags.csv')
  })

  test('adfa fit and adfa evaluate stop where no tag is a concept', async () => {
    const refused = [
      [await fit('foreign.jsonl', '--negation'), '--label-share 0'],
      [await fit('foreign.jsonl', '--negation', '--label-share', '1'), '--label-share 0'],
      [await fit('foreign.jsonl', '--negation', '--noise', 'labels'), '--noise auto'],
      [await adfa('evaluate', folder.at('model.json'), folder.at('foreign.jsonl')), '--labels']
    ] as const
    for (const [{code, stderr}, flag] of refused)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`'Fluid', 'none'; .*'effusion', 'rash'.*${flag}`))
      ])
    expect((await fit('foreign.jsonl', '--negation', '--label-share', '0')).code).toBe(0)
    expect((await adfa('evaluate', folder.at('model.json'), folder.at('notes.jsonl'))).code).toBe(0)
  })

  test('adfa fit names the flag that uses the tags of documents, unless it uses them or has rates', async () => {
    const isNoted = async (docs: string, ...args: readonly string[]) =>
      (await fit(docs, '--negation', ...args)).stderr.includes('--label-share 1')
    expect(await isNoted('notes.jsonl')).toBe(true)
    expect(await isNoted('notes.jsonl', '--label-share', '1')).toBe(false)
    expect(await isNoted('foreign.jsonl', '--label-share', '0')).toBe(false)
  })
})
