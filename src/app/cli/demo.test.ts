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
  test('adfa demo emergency tells its steps on standard error, and nothing with --quiet', async () => {
    expect(shown.code).toBe(0)
    for (const step of [
      'drawing 25,000 visits',
      'counting',
      'learning the model',
      'predicting and evaluating',
      'writing the report'
    ])
      expect(shown.stderr).toMatch(new RegExp(`^- ${step}.* \\([\\d.]+ s\\)$`, 'm'))
    const quiet = await adfa('demo', 'emergency', '-o', path, '--quiet')
    expect([quiet.code, quiet.stderr]).toEqual([0, ''])
  })

  test('adfa demo emergency shows the concepts, the words, the truth beside the estimates, the figures and examples', () => {
    const {stdout} = shown
    expect(stdout).toMatch(
      /^20,000 documents, 23 concepts, \d+ words, [\d,]+ anchor patterns; rates of the anchors given$/m
    )
    for (const {name, prevalence} of emergencyModel().concepts) {
      const plain = name.replace(/[()+]/g, '\\$&')
      const share = percent(prevalence)
      expect(stdout).toMatch(new RegExp(`^ *([+-] )?${plain} {2}\\([\\d.]+%`, 'm'))
      expect(stdout).toMatch(new RegExp(`^${plain} +[\\d.]+% +${share} +\\S.* [\\d.]+ / [\\d.]+, `, 'm'))
    }
    expect(stdout).toMatch(/^alcohol +.*sober/m)
    expect(stdout).toMatch(
      /^\d+ of the \d+ edges found are among the \d+ edges of the true network, where a concept has up to two parents\.$/m
    )
    for (const name of ['this model', 'prior', 'anchors-only', 'oracle'])
      expect(stdout).toMatch(new RegExp(`^${name}( +-?[\\d.]+){10}$`, 'm'))
    expect(stdout).toMatch(/^5,000 held-out documents \(oracle: the true model itself\):$/m)
    expect(stdout.match(/^ {4}predicted: (.+ [<>]?[\d.]+%, ){4}.+ [<>]?[\d.]+%\n {4}true: {6}\S/gm)).toHaveLength(5)
  })

  test('adfa demo emergency names the files that it wrote, and they are there', () => {
    const written = /Written: (.*)$/m.exec(shown.stdout)?.[1].split(', ') ?? []
    const names = [
      'anchors.json',
      'heldout.jsonl',
      'model.json',
      'predictions.jsonl',
      'report.html',
      'train.counts',
      'train.jsonl'
    ]
    expect(written.toSorted()).toEqual(names.map(name => folder.at(file(name))))
    for (const name of names) expect(folder.bytes(file(name)).length).toBeGreaterThan(1000)
    expect(shown.stdout).toContain(`Open ${path}/report.html in a browser`)
    expect(folder.text(file('report.html'))).toContain('<h1>')
  })

  test('adfa demo emergency leaves the files that the commands of the same names would write', async () => {
    const reading = [folder.at(file('train.jsonl')), '--anchors', folder.at(file('anchors.json'))]
    await adfaDone('count', ...reading, '-o', folder.at('train.counts'))
    expect(folder.bytes('train.counts').equals(folder.bytes(file('train.counts')))).toBe(true)
    await adfaDone(
      'fit',
      folder.at('train.counts'),
      '--word-shrinkage',
      '10/N',
      '--words',
      'noisy-or',
      '-o',
      folder.at('model.json')
    )
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
  /** The commands that the demo ends with, without `npx adfa` and without pipes. */
  function nextCommands(stdout: string): string[][] {
    const [, next] = stdout.split('\nNext:\n')
    return next
      .trimEnd()
      .split('\n')
      .map(line =>
        line
          .trim()
          .replace(/^npx adfa /, '')
          .replace(/ \|.*/, '')
          .split(' ')
      )
  }

  test('adfa demo emergency ends with commands that work', async () => {
    const commands = nextCommands(shown.stdout)
    expect(commands.map(([command]) => command)).toEqual(['predict', 'evaluate', 'fit', '--help'])
    // That they work on many documents costs time and shows no more.
    for (const name of ['train.jsonl', 'heldout.jsonl'])
      folder.write(file(name), folder.text(file(name)).split('\n').slice(0, 1000).join('\n'))
    for (const args of commands) expect(await adfa(...args)).toMatchObject({code: 0})
  })

  test('adfa demo npm says where its rates, its oracle and its next commands come from', async () => {
    const {code, stdout} = await adfa('demo', '-o', path)
    expect(code).toBe(0)
    expect(stdout).toMatch(/\(oracle: the same learner shown every true tag\)/)
    expect(stdout).not.toMatch(/Truth beside the estimates/)
    const fit = nextCommands(stdout).find(([command]) => command === 'fit')
    expect(fit?.join(' ')).toMatch(/--anchors-from-tags title,text --noise labels --skip-bad-anchors --preset paper/)
  })
})
