import {readFileSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {captured, generateSmall, testFolder} from '../../src/app/cli/test-run.ts'
import {runMain} from './main.ts'

const folder = testFolder()
let data: readonly string[]

beforeAll(async () => {
  const {docs, anchors} = await generateSmall(folder, 400)
  data = ['--data', docs, '--anchors', anchors, '--min-tags', '0']
})

const experiments = (...args: readonly string[]) => captured(() => runMain(args))

async function experimentsJson(...args: readonly string[]): Promise<unknown> {
  const {code, stdout, stderr} = await experiments(...args, '--json', '--quiet')
  expect({code, stderr}).toEqual({code: 0, stderr: ''})
  return JSON.parse(stdout)
}

describe('npm run experiments', () => {
  test('npm run experiments says what it did for people and for programs', async () => {
    const {code, stdout, stderr} = await experiments('factors', ...data, '-o', folder.at('told'))
    expect({code, error: code === 0 ? '' : stderr}).toEqual({code: 0, error: ''})
    expect(stderr).toMatch(/400 documents, 5 concepts, 40 words/)
    expect(stdout).toMatch(/results measured; wrote\n {2}.*factors\/.*\n(.*\n)* {2}.*report\.html\n$/)
    const json = await experimentsJson('factors', ...data, '-o', folder.at('told'))
    expect(json).toMatchObject({experiments: 'factors', documents: 400, concepts: 5, kept: 3})
    const results = JSON.parse(readFileSync(folder.at('told/factors/results.json'), 'utf8'))
    expect(results).toMatchObject({experiment: 'factors', data: 'docs.jsonl', settings: {seed: 0}})
    // Without --min-tags, documents with two of the commonest tags, as in the paper.
    const tagged = folder.rows('docs.jsonl').filter(row => Object(row).tags.length >= 2).length
    const paper = await experimentsJson('factors', ...data.slice(0, -2), '-o', folder.at('two-tags'))
    expect(paper).toMatchObject({documents: tagged})
  })

  test.each<[string, RegExp, readonly string[], (readonly string[])?]>([
    ['another experiment', /^2 .*Allowed choices are trees, factors/s, ['moon']],
    ['no data', /^2 .*--data <files\.\.\.>.* not specified/s, ['trees'], []],
    ['a missing file', /^1 adfa: .*none\.jsonl/s, ['trees'], ['--data', folder.at('none.jsonl')]],
    ['labels', /^2 adfa: --labels does not apply/, ['trees', '--labels', 'x']],
    ['sizes that are no numbers', /^2 .*whole number above 0/s, ['trees', '--sizes', '5,x']],
    ['another shrinkage', /^2 .*shrinkage/s, ['trees', '--shrinkages', 'N/10']]
  ])('npm run experiments refuses %s', async (_, refusal, args, own = data) => {
    const {code, stderr} = await experiments(...args, ...own, '-o', folder.at('refused'))
    expect(`${code} ${stderr}`).toMatch(refusal)
  })
})
