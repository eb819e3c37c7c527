import {beforeAll, describe, expect, test, vi} from 'vitest'
import {adfa, adfaDone, adfaJson, type Ended, testFolder} from '../test-run.ts'

// The demo is run once; what is tested here is what the command makes of it.
vi.mock('../run-demo.ts', async original => {
  const real = await original<typeof import('../run-demo.ts')>()
  const runs = new Map<string, ReturnType<typeof real.runDemo>>()
  const runDemo: typeof real.runDemo = (_, directory, seed, output) => {
    const run = runs.get(directory) ?? real.runDemo('emergency', directory, seed, output)
    runs.set(directory, run)
    return run
  }
  return {...real, runDemo}
})

const folder = testFolder()
const path = folder.at('demo')
const file = (name: string) => folder.at(`demo/${name}`)
let shown: Ended

beforeAll(async () => {
  shown = await adfa`demo emergency -o ${path} --quiet`
})

describe('adfa demo', () => {
  test('shows concepts with their words, beside the truth, the figures and an example', () => {
    expect([shown.code, shown.stderr]).toEqual([0, ''])
    expect(shown.stdout).toMatch(/^Learned 23 concepts from 20,000 visits in [\d.]+ s\.$/m)
    expect(shown.stdout.match(/\(true: /g)).toHaveLength(3)
    expect(shown.stdout).toMatch(/^Together: [a-z ]+ and [a-z ]+, odds x [\d.]+/m)
    expect(shown.stdout).toMatch(/^\d+ edges found, among them \d+ of the 30 of the true network\.$/m)
    for (const name of ['this model', 'anchors only', 'the true model'])
      expect(shown.stdout).toMatch(new RegExp(`^${name} +[\\d.]+% +0\\.\\d{3}$`, 'm'))
    expect(shown.stdout).toMatch(/^ {2}predicted: (.+ [<>]?[\d.]+%, ){2}.+ [<>]?[\d.]+%\n {2}its tags: {2}\S/m)
  })

  test.each(['npm', 'emergency'])('adfa demo %s fits a screen of 24 lines and 80 columns', async corpus => {
    const {code, stdout} = await adfa`demo ${corpus} -o ${path}`
    expect(code).toBe(0)
    // The folder of a test has a longer name than that of a user.
    const lines = stdout.trimEnd().replaceAll(path, 'adfa-demo').split('\n')
    expect(lines.length).toBeLessThanOrEqual(22)
    expect(lines.filter(line => line.length > 80)).toEqual([])
    if (corpus === 'npm') expect(stdout).toMatch(/^Anchors: the keyword .*; rates from training tags\.$/m)
  })

  test('leaves the files that the commands of the same names would write, and says where to look', async () => {
    const reading = [file('train.jsonl'), '--anchors', file('anchors.json')]
    const [counts, model, predictions] = ['train.counts', 'model.json', 'predictions.jsonl'].map(folder.at)
    await adfaDone`count ${reading} -o ${counts}`
    await adfaDone`fit ${reading} -o ${model}`
    await adfaDone`predict ${model} ${file('heldout.jsonl')} -o ${predictions}`
    for (const name of ['train.counts', 'model.json', 'predictions.jsonl'])
      expect(folder.bytes(name).equals(folder.bytes(`demo/${name}`))).toBe(true)
    expect(folder.text('demo/report.html')).toContain('<h1>')
    expect(shown.stdout).toContain(`Open ${path}/report.html in a browser`)
  })

  test('--json prints one JSON document with figures, examples and files', async () => {
    expect(await adfaJson`demo emergency -o ${path}`).toMatchObject({
      ...{corpus: 'emergency', seconds: expect.any(Number), concepts: 23},
      certificate: {moments: {status: 'optimal'}, structure: {status: 'optimal'}},
      evaluation: {documents: 5000, baselines: {prior: {}, 'anchors-only': {}, oracle: {}}},
      examples: Array.from({length: 5}, () => ({id: expect.stringMatching(/^emergency-02\d{4}$/)})),
      files: expect.arrayContaining([file('model.json')])
    })
  })

  test('ends with commands that work', async () => {
    const commands = [...shown.stdout.matchAll(/npx adfa (.*)$/gm)].map(([, command]) => command.split(' '))
    expect(commands.map(([command]) => command)).toEqual(['predict', 'help'])
    // That they work on many documents costs time and shows no more.
    folder.write('demo/heldout.jsonl', folder.text('demo/heldout.jsonl').split('\n').slice(0, 100).join('\n'))
    for (const args of commands) expect(await adfa(...args)).toMatchObject({code: 0})
  })
})
