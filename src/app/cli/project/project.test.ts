import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {loadModel} from '../../../learn/model/index.ts'
import {createProgram} from '../run.ts'
import {adfaDone, adfaIn, adfaJson, generateSmall, testFolder} from '../test-run.ts'
import {projectText} from './project-file.ts'
import {projectSchema} from './schema.ts'

const folder = testFolder()
const project = folder.at('adfa.json')
const content = {
  format: 'adfa-project',
  version: 1,
  documents: ['docs.jsonl'],
  read: {vocabulary: 30},
  anchors: 'anchors.json',
  labels: 'labels.jsonl',
  fit: {structure: 'independent', preset: 'robust'},
  model: 'model.json'
}

/** Write the project file, with changes. */
function write(changes: object = {}): string {
  return folder.write('adfa.json', JSON.stringify({...content, ...changes}))
}

/** Run in the folder of the project. */
const inFolder = (...args: readonly string[]) => adfaIn(folder.path, ...args)

const modelWords = () => loadModel(folder.text('model.json'), 'model.json').lexicon.words.length

beforeAll(async () => {
  await generateSmall(folder, 600)
  const more = {sex: 'f', age: 40, 'ward, bed': 'A3', 'note, long': 'seen'}
  folder.write(
    'docs.jsonl',
    folder.rows('docs.jsonl').map(row => ({...(row as object), ...more}))
  )
})

describe('a project file', () => {
  test('gives documents, anchors, options and the model to every command, which say so', async () => {
    write()
    const {code, stderr} = await inFolder('fit')
    expect([code, stderr]).toEqual([0, expect.stringContaining('settings from adfa.json, documents docs.jsonl\n')])
    expect(modelWords()).toBe(30)
    const {options} = loadModel(folder.text('model.json'), 'model.json')
    expect(options).toMatchObject({network: 'independent'})
    for (const command of 'doctor,suggest,noise,predict,predict --sql duckdb,evaluate,report,export --to bif'.split(
      ','
    ))
      expect([command, (await inFolder(...command.split(' '), '--quiet')).code]).toEqual([command, 0])
  })

  test('is overridden by flags, which replace lists, and ignored with --no-project', async () => {
    write({read: {vocabulary: 30, category: ['sex', 'ward, bed']}})
    expect((await inFolder('fit', '--vocabulary', '12', '--category', 'age')).code).toBe(0)
    expect(modelWords()).toBe(12)
    const {category: categories} = loadModel(folder.text('model.json'), 'model.json').lexicon.reading
    expect(categories).toEqual(['age'])
    await inFolder('fit')
    expect(loadModel(folder.text('model.json'), 'm').lexicon.reading.category).toEqual(['sex', 'ward, bed'])
    expect(await inFolder('fit', '--no-project')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('adfa fit needs documents')
    })
    const ignored = await inFolder('fit', 'docs.jsonl', '--anchors', 'anchors.json', '-o', 'm.json', '--no-project')
    expect([ignored.code, ignored.stderr]).toEqual([0, expect.not.stringContaining('settings')])
  })

  test('may be named from elsewhere; its paths are relative to it', async () => {
    write()
    rmSync(folder.at('model.json'), {force: true})
    await adfaDone('fit', '--project', project, '--quiet')
    expect(existsSync(folder.at('model.json'))).toBe(true)
    expect(await adfaDone('predict', '--project', project)).toBe(
      await adfaDone('predict', folder.at('model.json'), folder.at('docs.jsonl'))
    )
  })

  test('lets predict tell new documents from a model', async () => {
    write()
    folder.write('new.jsonl', [{features: ['word-0001']}])
    const {stdout} = await inFolder('predict', 'new.jsonl')
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect((await inFolder('predict', 'model.json', 'new.jsonl')).stdout).toBe(stdout)
    expect((await inFolder('predict', 'model.json')).stdout.trim().split('\n')).toHaveLength(600)
    expect(await inFolder('predict', 'missing.json', 'new.jsonl')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('missing.json: ')
    })
  })

  test('uses labels once the file exists, and never reads them where adfa label writes them', async () => {
    write({labels: 'some.jsonl'})
    expect((await inFolder('doctor', '--quiet')).stdout).toContain('No labels were read')
    const ids = folder.rows('docs.jsonl').map(row => (row as {id: number}).id)
    const labels = ids.slice(0, 50).map((id, at) => ({id, labels: {'concept-01': at % 2 === 0}, drawn: 'random'}))
    folder.write('some.jsonl', labels)
    expect((await inFolder('doctor', '--quiet')).stdout).not.toContain('No labels were read')
    expect((await inFolder('label')).stderr).toContain('adfa label needs a terminal')
  })

  test('protects what it names: outputs over inputs are refused', async () => {
    write()
    for (const [path, command] of [
      ['docs.jsonl', 'fit'],
      ['adfa.json', 'fit'],
      ['anchors.json', 'fit'],
      ['model.json', 'predict']
    ]) {
      const {code, stderr} = await inFolder(command, '-o', path)
      expect([path, code, stderr]).toEqual([path, 2, expect.stringMatching(/would be lost/)])
    }
    write({model: 'docs.jsonl'})
    expect(await inFolder('fit')).toMatchObject({code: 2, stderr: expect.stringMatching(/would be lost/)})
  })

  test.each([
    [{documnets: ['x']}, /a project has no "documnets"; did you mean "documents"\?/],
    [{read: {seperator: ';'}}, /"read" has no "seperator"; did you mean "separator"\?/],
    [{read: {'max-share': 0.5}}, /"read" has no "max-share"; did you mean "maxShare"\?/],
    [{fit: {polytop: 'local'}}, /"fit" has no "polytop"; did you mean "polytope"\?/],
    [{read: {number: ['age']}}, /read\.number\[0\] is "age", which is invalid\. It must be a field and its bins/],
    [{read: {format: 'word'}}, /read\.format is "word", which is invalid\. Allowed choices are jsonl/],
    [{read: {negation: 'yes'}}, /read\.negation must be true or false, not "yes"/],
    [{documents: [1]}, /documents\[0\] must be text, not 1/],
    [{format: 'adfa-model'}, /it is no project file/],
    [{version: 2}, /it has version 2; this program reads version 1/]
  ])('is refused with the way out: %j', async (changes, message) => {
    write(changes)
    const {code, stderr} = await inFolder('doctor')
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(stderr).toMatch(/^adfa: adfa\.json: /)
  })

  test('is refused if it is no JSON, and keys that begin with $ are ignored', async () => {
    folder.write('adfa.json', '{"format": "adfa-project", // mine\n}')
    expect((await inFolder('doctor')).stderr).toMatch(
      /adfa\.json: not valid JSON: line \d+, column \d+: expected .*"\$comment"/
    )
    write({$comment: 'mine', read: {$why: 'because'}})
    expect((await inFolder('doctor', '--quiet')).code).toBe(0)
  })

  test('gives way where the command line names anchors in another way', async () => {
    write()
    await inFolder('count', '-o', 'x.counts')
    expect((await inFolder('count', '--like', 'x.counts', '-o', 'y.counts')).code).toBe(0)
    expect(folder.bytes('y.counts')).toEqual(folder.bytes('x.counts'))
    expect((await inFolder('fit', 'x.counts', '-o', 'z.json')).code).toBe(0)
  })
})

describe('the schema of project files', () => {
  const file = new URL('../../../../schema/project.schema.json', import.meta.url)

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
    expect(known.vocabulary).toMatchObject({type: 'integer', default: 3000})
    expect(known.maxShare).toMatchObject({type: 'number'})
    expect(known.shrinkage).toMatchObject({type: ['string', 'number']})
    expect(known.negation).toMatchObject({type: 'boolean'})
  })

  test('a new project file names it, and is read as it was meant', async () => {
    mkdirSync(folder.at('new'), {recursive: true})
    const read = {vocabulary: 20, text: ['note, long'], negation: true}
    const text = projectText({
      documents: ['../docs.jsonl'],
      read,
      anchors: '../anchors.json',
      labels: 'l.jsonl',
      model: 'm.json'
    })
    expect(JSON.parse(text)).toMatchObject({$schema: expect.stringContaining('project.schema.json'), read})
    expect(text).toContain('  "documents": ["../docs.jsonl"],\n')
    folder.write('new/adfa.json', text)
    expect(await adfaJson('fit', '--project', folder.at('new/adfa.json'))).toMatchObject({words: 20})
  })
})
