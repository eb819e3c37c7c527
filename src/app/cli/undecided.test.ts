import {describe, expect, test} from 'vitest'
import {adfa, adfaDone, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const said = ['No effusion.', 'No effusion.', 'Effusion, cough.', 'Cough and rash.', 'Rash.', 'Without effusion.']
const notes = (name: string, tags: readonly string[]) =>
  folder.write(
    name,
    Array.from({length: 300}, (_, id) => ({
      id,
      sex: 'fm'[id % 2],
      note: said[id % 6],
      tags: id % 6 === 2 ? tags : ['none']
    }))
  )
const docs = notes('notes.jsonl', ['effusion'])
const foreign = notes('foreign.jsonl', ['Fluid'])
const anchors = folder.write('anchors.json', '{"effusion": "effusion", "rash": "rash"}')
const reading = ['--anchors', anchors, '--text', 'note', '--category', 'sex', '--max-share', '1']
const model = folder.at('model.json')
await adfaDone`fit ${docs} ${reading} --negation -o ${model}`
const made = () => folder.names().filter(name => name.startsWith('made'))
const fit = (path: string, ...args: readonly string[]) =>
  adfa`fit ${path} ${reading} ${args} -o ${folder.at('made.json')}`

describe('a person decides', () => {
  test('adfa fit and adfa run stop where most hits of an anchor are negated, until a flag or the project decides', async () => {
    const files = ['model', 'report', 'tagged'].flatMap(name => [`--${name}`, folder.at(`made-${name}.jsonl`)])
    const run = (...args: readonly string[]) => adfa`run ${docs} ${reading} ${files} ${args}`
    const undecided = refused(1, /effusion: 75% of 200 hits[\s\S]*--negation.*--no-negation/)
    expect([await fit(docs), await run('--quiet')]).toEqual([undecided, undecided])
    expect(made()).toEqual([])
    expect((await fit(docs, '--no-negation')).code).toBe(0)
    expect(folder.model('made.json').lexicon.reading.negation).toBe(false)
    const settings = {format: 'adfa-project', version: 1, read: {negation: false}}
    expect((await run('--project', folder.write('project.json', JSON.stringify(settings)))).code).toBe(0)
  })

  test('adfa predict and adfa evaluate stop where no document has a text field of the model', async () => {
    const renamed = folder.write('renamed.csv', 'id,sex,Remarks,tags\n1,f,Effusion,effusion\n2,m,Rash,rash\n')
    const predict = ['predict', model, renamed, '-o', folder.at('made-tags.csv')]
    const missing = refused(1, /"note".*id, sex, Remarks, tags.*--allow-missing/)
    expect(await adfa`${predict} --quiet`).toEqual(missing)
    expect(await adfa`evaluate ${model} ${renamed}`).toEqual(missing)
    expect(folder.names()).not.toContain('made-tags.csv')
    expect((await adfa`${predict} --allow-missing`).code).toBe(0)
  })

  test('adfa fit, predict and evaluate stop where no tag is a concept', async () => {
    const names = (flag: string) => refused(1, new RegExp(`'Fluid', 'none'; .*'effusion', 'rash'.*${flag}`))
    expect(await fit(foreign, '--negation')).toEqual(names('--label-share 0'))
    expect(await fit(foreign, '--negation', '--noise', 'labels')).toEqual(names('--noise auto'))
    expect((await fit(docs, '--negation')).stderr).toContain('--label-share 1 learns the rates from them')
    expect(await adfa`evaluate ${model} ${foreign}`).toEqual(names('--labels'))
    expect(await adfa`predict ${model} ${foreign} --known tags`).toEqual(names(''))
    expect((await fit(foreign, '--negation', '--label-share', '0')).code).toBe(0)
  })
})
