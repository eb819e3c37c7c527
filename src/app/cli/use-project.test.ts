import {mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {newProjectText, projectSchema} from '../project/index.ts'
import {createProgram} from './run.ts'
import {adfaDone, adfaIn, adfaJson, type CommandLine, generateSmall, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const content = {
  ...{format: 'adfa-project', version: 1, documents: ['docs.jsonl'], model: 'model.json'},
  read: {vocabulary: 30},
  anchors: 'anchors.json',
  labels: 'labels.jsonl',
  fit: {structure: 'independent', preset: 'robust'}
}
await generateSmall(folder, 300)
const more = {sex: 'f', age: 40, 'ward, bed': 'A3', 'note, long': 'seen'}
const rows = folder.rows('docs.jsonl').map(row => ({...row, ...more}))
folder.write('docs.jsonl', rows)

/** Write the project file, with changes. */
const write = (changes: object = {}) => folder.write('adfa.json', JSON.stringify({...content, ...changes}))
const inFolder = (...line: CommandLine) => adfaIn(folder.path, ...line)
const lexicon = () => folder.model('model.json').lexicon

describe('a project file', () => {
  test('gives documents, anchors, options and the model to every command, which say so', async () => {
    write()
    const said = expect.stringContaining('settings from adfa.json, documents docs.jsonl\n')
    expect(await inFolder`fit`).toMatchObject({code: 0, stderr: said})
    expect(lexicon().words).toHaveLength(30)
    expect(folder.model('model.json').options).toMatchObject({network: 'independent'})
    for (const line of 'doctor,suggest,predict,predict --sql duckdb,evaluate,report,export --to bif'.split(','))
      expect([line, (await inFolder`${line.split(' ')} --quiet`).code]).toEqual([line, 0])
  })

  test('is overridden by flags, which replace lists, and ignored with --no-project', async () => {
    write({read: {vocabulary: 30, category: ['sex', 'ward, bed']}})
    await inFolder`fit --vocabulary 12 --category age`
    expect([lexicon().words.length, lexicon().reading.category]).toEqual([12, ['age']])
    await inFolder`fit`
    expect(lexicon().reading.category).toEqual(['sex', 'ward, bed'])
    expect(await inFolder`fit --no-project`).toEqual(refused(2, /adfa fit needs documents/))
    const ignored = await inFolder`fit docs.jsonl --anchors anchors.json -o m.json --no-project`
    expect(ignored).toMatchObject({code: 0, stderr: expect.not.stringContaining('settings')})
  })

  test('keeps its files: no command replaces one that it does not write itself', async () => {
    write()
    await inFolder`fit`
    const kept = folder.bytes('anchors.json')
    for (const line of [
      'predict -o anchors.json',
      'report -o labels.jsonl',
      'export --to csv -o anchors.json',
      'count -o model.json'
    ])
      expect(await inFolder`${line.split(' ')} --quiet`).toEqual(refused(2, /is a file of the project|is also read/))
    expect(folder.bytes('anchors.json')).toEqual(kept)
    expect((await inFolder`fit -o model.json --quiet`).code).toBe(0)
  })

  test('may be named from elsewhere, and lets predict tell new documents from a model', async () => {
    const project = ['--project', write()]
    rmSync(folder.at('model.json'), {force: true})
    await adfaDone`fit ${project} --quiet`
    const {stdout: all} = await inFolder`predict model.json`
    expect(all.trim().split('\n')).toHaveLength(300)
    expect(await adfaDone`predict ${project}`).toBe(all)
    folder.write('new.jsonl', [{features: ['word-0001']}])
    const {stdout} = await inFolder`predict new.jsonl`
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect((await inFolder`predict model.json new.jsonl`).stdout).toBe(stdout)
    expect(await inFolder`predict missing.json new.jsonl`).toEqual(refused(1, /missing\.json: /))
  })

  test('uses labels once the file exists, and never reads them where adfa label writes them', async () => {
    write({labels: 'some.jsonl'})
    expect((await inFolder`doctor --quiet`).stdout).toContain('No labels were read')
    const labels = rows.slice(0, 50).map(({id}, at) => ({id, labels: {'concept-01': at % 2 === 0}, drawn: 'random'}))
    folder.write('some.jsonl', labels)
    expect((await inFolder`doctor --quiet`).stdout).not.toContain('No labels were read')
    expect((await inFolder`label`).stderr).toContain('adfa label needs a terminal')
  })

  test('protects what it names: outputs over inputs are refused', async () => {
    write()
    const lost = refused(2, /would be lost/)
    for (const path of ['docs.jsonl', 'adfa.json', 'anchors.json']) expect(await inFolder`fit -o ${path}`).toEqual(lost)
    expect(await inFolder`predict -o model.json`).toEqual(lost)
  })

  test('of somebody else overwrites no file that adfa did not write, and none outside its folder', async () => {
    const precious = folder.write('precious.txt', 'mine')
    mkdirSync(folder.at('new'), {recursive: true})
    symlinkSync(precious, folder.at('new/link.json'))
    const inNew = (changes: object) =>
      folder.write('new/adfa.json', JSON.stringify({...content, documents: ['../docs.jsonl'], ...changes}))
    const refusal = (words: string) =>
      refused(2, new RegExp(`${words}.*name another file in .*adfa\\.json, or this one`))
    for (const command of ['fit', 'run']) {
      write({model: 'precious.txt'})
      expect(await inFolder`${command}`).toEqual(refusal('names precious.txt as its model, which holds something else'))
      for (const model of ['../outside.json', folder.at('other.json'), '../../x/y.json', 'link.json']) {
        inNew({anchors: '../anchors.json', model})
        expect(await inFolder`${command} --project new/adfa.json`).toEqual(refusal('which is outside its folder'))
      }
    }
    inNew({labels: '../labels.jsonl'})
    expect(await inFolder`label --project new/adfa.json`).toEqual(refusal('which is outside its folder'))
    expect(folder.text('precious.txt')).toBe('mine')
    // What a person names is written.
    write({model: '../outside.json'})
    expect((await inFolder`fit -o here.json --quiet`).code).toBe(0)
  })

  test('gives way where the command line names anchors in another way', async () => {
    write()
    await inFolder`count -o x.counts`
    expect((await inFolder`count --like x.counts -o y.counts`).code).toBe(0)
    expect(folder.bytes('y.counts')).toEqual(folder.bytes('x.counts'))
    expect((await inFolder`fit x.counts -o z.json`).code).toBe(0)
  })
})

describe('the schema of project files', () => {
  const file = new URL('../../../schema/project.schema.json', import.meta.url)

  test('is that of the options: npx tsx research/project-schema.ts writes it', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(projectSchema())))
  })

  test('has every reading and learning option of adfa fit, with a description', async () => {
    const {properties} = projectSchema() as {properties: Record<string, {properties: Record<string, object>}>}
    const known = {...properties.read.properties, ...properties.fit.properties}
    const own = ['output', 'project', 'anchors', 'labels', 'like', 'json', 'quiet']
    const options = (await createProgram()).commands.find(command => command.name() === 'fit')?.options ?? []
    const names = options.map(option => option.attributeName()).filter(name => !own.includes(name))
    expect(Object.keys(known).toSorted()).toEqual([...new Set(names)].toSorted())
    for (const property of Object.values(known))
      expect(property).toMatchObject({description: expect.stringMatching(/--/)})
    expect(known).toMatchObject({
      ...{vocabulary: {type: 'integer', default: 3000}, maxShare: {type: 'number'}, negation: {type: 'boolean'}},
      shrinkage: {type: ['string', 'number']}
    })
  })

  test('a new project file names it, and is read as it was meant', async () => {
    mkdirSync(folder.at('new'), {recursive: true})
    const read = {vocabulary: 20, text: ['note, long'], negation: true}
    const files = {anchors: '../anchors.json', labels: 'l.jsonl', model: 'm.json'}
    const text = newProjectText({documents: ['../docs.jsonl'], read, ...files})
    expect(JSON.parse(text)).toMatchObject({$schema: expect.stringContaining('project.schema.json'), read})
    expect(await adfaJson`fit --project ${folder.write('new/adfa.json', text)}`).toMatchObject({words: 20})
  })
})
