import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {captured, endOf, generateSmall, startProgram, testFolder} from '../../src/app/cli/test-run.ts'
import {runMain} from './main.ts'
import {contents} from './test-material.ts'

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

function startExperiments(args: readonly string[]) {
  return startProgram(args, {program: 'research/experiments/main.ts'})
}

describe('npm run experiments', () => {
  test('npm run experiments killed in the middle goes on, to the same bytes as a run that was never stopped', async () => {
    const options = ['last-tag', ...data, '--splits', '2', '--workers', '1']
    const stopped = folder.at('stopped')
    const child = startExperiments([...options, '-o', stopped])
    const ended = endOf(child)
    const cellFolder = join(stopped, 'last-tag', 'cells')
    const saved = () => (existsSync(cellFolder) ? readdirSync(cellFolder) : [])
    const measured = () => saved().filter(name => name.endsWith('.json')).length
    while (measured() < 2) await setTimeout(20)
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
    const before = measured()
    expect(readdirSync(stopped)).not.toContain('report.html')
    const {cells, kept} = (await experimentsJson(...options, '-o', stopped)) as {cells: number; kept: number}
    expect(kept).toBe(before)
    expect(cells).toBeGreaterThan(kept)
    await experimentsJson(...options.slice(0, -1), '2', '-o', folder.at('whole'))
    expect(contents(stopped)).toEqual(contents(folder.at('whole')))
  }, 180_000)

  test('npm run experiments all, interrupted, has the report of what was finished, and says how to go on', async () => {
    const path = folder.at('interrupted')
    const child = startExperiments(['all', ...data, '--splits', '2', '--workers', '1', '-o', path])
    const ended = endOf(child)
    while (!existsSync(join(path, 'report.html'))) await setTimeout(20)
    child.kill('SIGINT')
    const {code, stderr} = await ended
    expect(code).toBe(130)
    expect(stderr).toMatch(
      /^adfa: interrupted; finished experiments are in .*report\.html; the same command continues where this one stopped$/m
    )
    const page = readFileSync(join(path, 'report.html'), 'utf8')
    expect(page).toContain('<section id="trees"')
    expect(page).toMatch(/Not finished: .*timing; the same command continues them\./)
    const names = readdirSync(path, {recursive: true, encoding: 'utf8'})
    expect(names.filter(name => !/\.(json|svg|csv|html)$|^[a-z-]+(\/cells)?$/.test(name))).toEqual([])
  }, 180_000)

  test('npm run experiments says what it did for people and for programs', async () => {
    const {code, stdout, stderr} = await experiments('factors', ...data, '-o', folder.at('told'))
    expect({code, error: code === 0 ? '' : stderr}).toEqual({code: 0, error: ''})
    expect(stderr).toMatch(/400 documents, 5 concepts, 40 words/)
    expect(stdout).toMatch(/results measured; wrote\n {2}.*factors\/.*\n(.*\n)* {2}.*report\.html\n$/)
    const json = await experimentsJson('factors', ...data, '-o', folder.at('told'))
    const results = JSON.parse(readFileSync(folder.at('told/factors/results.json'), 'utf8'))
    expect(json).toMatchObject({experiments: 'factors', documents: 400, concepts: 5, kept: results.runs.length})
    expect(results).toMatchObject({experiment: 'factors', data: 'docs.jsonl', settings: {seed: 0}})
    expect(results.adfa).toMatch(/^\d+\.\d+\.\d+/)
    expect(results.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  test('npm run experiments takes documents with two of the commonest tags, as the paper does, unless told otherwise', async () => {
    const tagged = folder.rows('docs.jsonl').filter(row => Object(row).tags.length >= 2).length
    expect(tagged).toBeLessThan(400)
    const paper = data.slice(0, -2)
    const {documents} = Object(await experimentsJson('factors', ...paper, '-o', folder.at('two-tags')))
    expect(documents).toBe(tagged)
  })

  test('npm run experiments --gap is where the recovery of moments stops', async () => {
    const gapOf = async (...options: readonly string[]) => {
      await experimentsJson('trees', ...data, ...options, '-o', folder.at(`gap${options.length}`))
      const {runs} = JSON.parse(readFileSync(folder.at(`gap${options.length}/trees/results.json`), 'utf8'))
      return runs.find((run: {cell: {network: string}}) => run.cell.network === 'tree').tables.networks[0].momentGap
    }
    expect(await gapOf()).toBeLessThanOrEqual(1e-5)
    const loose = await gapOf('--gap', '0.05')
    expect([loose > 1e-4, loose <= 0.05]).toEqual([true, true])
  })

  test('npm run experiments refuses what it cannot do, by name', async () => {
    const refused = async (...args: readonly string[]) => {
      const {code, stderr} = await experiments(...args)
      return `${code} ${stderr}`
    }
    const output = ['-o', folder.at('refused')]
    expect(await refused('moon', ...data, ...output)).toMatch(/^2 .*Allowed choices are trees, factors/s)
    expect(await refused('trees', ...output)).toMatch(/^2 .*--data <files\.\.\.>.* not specified/s)
    expect(await refused('trees', '--data', folder.at('none.jsonl'), ...output)).toMatch(/^1 adfa: .*none\.jsonl/s)
    expect(await refused('trees', ...data, '--labels', 'x', ...output)).toMatch(/^2 adfa: --labels does not apply/)
    expect(await refused('trees', ...data, '--sizes', '5,x', ...output)).toMatch(/^2 .*whole number above 0/s)
    expect(await refused('trees', ...data, '--shrinkages', 'N/10', ...output)).toMatch(/^2 .*shrinkage/s)
    expect(await refused('factors', ...data, '--documents', '300', '-o', folder.at('told'))).toMatch(
      /^1 .*told: holds results of other documents, options or versions/s
    )
  })

  test('npm run experiments refuses data among its own results, which --fresh removes', async () => {
    mkdirSync(folder.at('results/trees'), {recursive: true})
    for (const name of ['results/experiment.json', 'results/report.html', 'results/trees/data.jsonl']) {
      const data = folder.write(name, 'data')
      const {code, stderr} = await experiments('all', '--data', data, '-o', folder.at('results'), '--fresh')
      expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining('would be lost')])
      expect(folder.text(name)).toBe('data')
      rmSync(data)
    }
  })
})
