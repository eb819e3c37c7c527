import {beforeAll, describe, expect, test, vi} from 'vitest'
import {percent} from '../../base/text/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {emergencyModel} from '../../use/synthetic/index.ts'
import {adfa, adfaDone, adfaJson, type Ended, testFolder} from './test-run.ts'

// The demo is run once; what is tested here is what the command makes of it.
vi.mock('../demo/index.ts', async original => {
  const real = await original<typeof import('../demo/index.ts')>()
  const runs = new Map<string, ReturnType<typeof real.runEmergencyDemo>>()
  const runEmergencyDemo: typeof real.runEmergencyDemo = (directory, seed, onStep) => {
    const run = runs.get(directory) ?? real.runEmergencyDemo(directory, seed, onStep)
    runs.set(directory, run)
    return run
  }
  return {...real, runEmergencyDemo, runNpmDemo: (directory: string) => runEmergencyDemo(directory, 0, () => {})}
})

const folder = testFolder()
const path = folder.at('demo')
const file = (name: string) => `demo/${name}`
let shown: Ended

beforeAll(async () => {
  shown = await adfa('demo', 'emergency', '-o', path)
}, 60_000)

describe('adfa demo emergency', () => {
  test('adfa demo emergency --quiet writes nothing to standard error', async () => {
    expect(shown.code).toBe(0)
    const quiet = await adfa('demo', 'emergency', '-o', path, '--quiet')
    expect([quiet.code, quiet.stderr]).toEqual([0, ''])
  })

  test.each(['npm', 'emergency'])(
    'adfa demo %s fits a screen of 24 lines and 80 columns, with its command and the next prompt',
    async corpus => {
      // The folder of a test has a longer name than that of a user.
      const {stdout} = await adfa('demo', corpus, '-o', path)
      const lines = stdout.trimEnd().replaceAll(path, 'adfa-demo').split('\n')
      expect(lines.length).toBeLessThanOrEqual(22)
      expect(lines.filter(line => line.length > 80)).toEqual([])
    }
  )

  test('adfa demo emergency shows the commonest concepts with their words, beside the truth, the figures and an example', () => {
    const {stdout} = shown
    expect(stdout).toMatch(/^Learned 23 concepts from 20,000 visits in [\d.]+ s\.$/m)
    const {concepts} = emergencyModel()
    const alcohol = concepts.find(({name}) => name === 'alcohol')
    expect(stdout).toMatch(
      new RegExp(`^alcohol +[\\d.]+% \\(true: ${percent(alcohol?.prevalence ?? 0)}\\) +sober, `, 'm')
    )
    expect(stdout.match(/\(true: /g)).toHaveLength(3)
    expect(stdout).toMatch(/^Together: [a-z ]+ and [a-z ]+, odds x [\d.]+/m)
    expect(stdout).toMatch(/^\d+ edges found, among them \d+ of the 30 of the true network\.$/m)
    expect(stdout).toMatch(/^5,000 documents held out +last tag found +average precision$/m)
    for (const name of ['this model', 'anchors only', 'the true model'])
      expect(stdout).toMatch(new RegExp(`^${name} +[\\d.]+% +0\\.\\d{3}$`, 'm'))
    expect(stdout).toMatch(/^ {2}predicted: (.+ [<>]?[\d.]+%, ){2}.+ [<>]?[\d.]+%\n {2}its tags: {2}\S/m)
  })

  test('adfa demo emergency writes its files, and says where to look', () => {
    const names = [
      'anchors.json',
      'heldout.jsonl',
      'model.json',
      'predictions.jsonl',
      'report.html',
      'train.counts',
      'train.jsonl'
    ]
    for (const name of names) expect(folder.bytes(file(name)).length).toBeGreaterThan(1000)
    expect(shown.stdout).toContain(`Open ${path}/report.html in a browser`)
    expect(folder.text(file('report.html'))).toContain('<h1>')
  })

  test('adfa demo emergency leaves the files that the commands of the same names would write', async () => {
    const reading = [folder.at(file('train.jsonl')), '--anchors', folder.at(file('anchors.json'))]
    await adfaDone('count', ...reading, '-o', folder.at('train.counts'))
    expect(folder.bytes('train.counts').equals(folder.bytes(file('train.counts')))).toBe(true)
    await adfaDone('fit', ...reading, '-o', folder.at('model.json'))
    expect(folder.text('model.json')).toBe(folder.text(file('model.json')))
    const heldout = folder.at(file('heldout.jsonl'))
    await adfaDone('predict', folder.at('model.json'), heldout, '-o', folder.at('predictions.jsonl'))
    expect(folder.text('predictions.jsonl')).toBe(folder.text(file('predictions.jsonl')))
  })

  test('adfa demo emergency --json prints one JSON document with figures, examples and files', async () => {
    expect(await adfaJson('demo', 'emergency', '-o', path)).toMatchObject({
      corpus: 'emergency',
      seconds: expect.any(Number),
      concepts: 23,
      certificate: {moments: {status: 'optimal'}, structure: {status: 'optimal'}},
      evaluation: {documents: 5000, baselines: {prior: {}, 'anchors-only': {}, oracle: {}}},
      examples: Array.from({length: 5}, () => ({
        id: expect.stringMatching(/^emergency-02\d{4}$/),
        predicted: expect.any(Array)
      })),
      files: expect.arrayContaining([folder.at(file('model.json'))])
    })
    expect(loadModel(folder.text(file('model.json')), 'model.json').concepts).toHaveLength(23)
  })
})

describe('adfa demo, next', () => {
  test('adfa demo emergency ends with commands that work', async () => {
    const commands = [...shown.stdout.matchAll(/npx adfa (.*)$/gm)].map(([, command]) => command.split(' '))
    expect(commands.map(([command]) => command)).toEqual(['predict', 'help'])
    // That they work on many documents costs time and shows no more.
    folder.write(file('heldout.jsonl'), folder.text(file('heldout.jsonl')).split('\n').slice(0, 1000).join('\n'))
    for (const args of commands) expect(await adfa(...args)).toMatchObject({code: 0})
  })

  test('adfa demo npm says what its anchors and its bound are', async () => {
    const {code, stdout} = await adfa('demo', '-o', path)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Anchors: the keyword .*; rates from training tags\.$/m)
    expect(stdout).toMatch(/^the same learner shown every tag +/m)
  })
})
