import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {AdfaError} from '../../src/base/checks/index.ts'
import {type ExperimentName, experimentDefaults} from './experiment.ts'
import {nodePictures, type Pictures} from './present.ts'
import {type ExperimentPlan, openWorkerPool, runExperiments} from './run-experiment.ts'
import {contents, testMaterial} from './test-material.ts'

const root = mkdtempSync(join(tmpdir(), 'adfa-experiments-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

const {material} = testMaterial(300)
const options = {...experimentDefaults, splits: 2, sizes: [100], shrinkages: [0.01]}
let pictures: Pictures
beforeAll(async () => {
  pictures = await nodePictures()
})

function plan(folder: string, changes: Partial<ExperimentPlan> = {}): ExperimentPlan {
  const names: readonly ExperimentName[] = ['trees', 'factors']
  return {names, material, options, folder: join(root, folder), fresh: false, workers: 2, adfa: '1.2.3', ...changes}
}

describe('runExperiments', () => {
  test('runExperiments(...) writes results, tables, figures and one report, the same for any number of workers', async () => {
    const progress: string[] = []
    const {files, cells, kept} = await runExperiments(plan('two'), {
      pictures,
      onProgress: (name, done, all) => progress.push(`${name} ${done}/${all}`)
    })
    const written = contents(join(root, 'two'))
    expect(files.map(file => file.slice(join(root, 'two').length + 1)).toSorted()).toEqual(
      Object.keys(written)
        .filter(name => name !== 'experiment.json')
        .toSorted()
    )
    expect(Object.keys(written).filter(name => name.endsWith('.svg')).length).toBeGreaterThan(1)
    expect(written['report.html'].match(/<section id="[a-z-]*"/g)).toEqual(
      ['trees', 'factors', 'data'].map(id => `<section id="${id}"`)
    )
    expect([cells > 3, kept]).toEqual([true, 0])
    const [first, ...others] = progress
    expect(first).toMatch(/^trees 0\//)
    expect(others.at(-1)).toMatch(/^factors (\d+)\/\1$/)
    await runExperiments(plan('one', {workers: 1}), {pictures})
    expect(contents(join(root, 'one'))).toEqual(written)
  })

  test('runExperiments(...) that fails in one experiment measures the others, reports them, and names the one that failed', async () => {
    // The report of the second cannot be drawn.
    const failing: Pictures = (shown, ...rest) => {
      if ('chart' in shown) throw new AdfaError('bad-option', 'no ink')
      return pictures(shown, ...rest)
    }
    const names: readonly ExperimentName[] = ['trees', 'factors']
    const failed = runExperiments(plan('failing', {names, workers: 1}), {pictures: failing})
    await expect(failed).rejects.toThrow(/^1 of 2 experiments failed: no ink; the others are in .*report\.html$/)
    const {'report.html': page, ...others} = contents(join(root, 'failing'))
    expect(page.match(/<section id="[a-z-]*"/g)).toEqual(['<section id="trees"', '<section id="data"'])
    expect(page).toContain('Not finished: factors; the same command continues them.')
    expect(Object.keys(others).filter(name => name.endsWith('section.html'))).toEqual([join('trees', 'section.html')])
    // Continued, it ends like a run that never failed.
    await runExperiments(plan('failing', {names, workers: 1}), {pictures})
    expect(contents(join(root, 'failing'))).toEqual(contents(join(root, 'two')))
  })
})

describe('openWorkerPool', () => {
  test('openWorkerPool(...) hands on what a cell refuses, with its name', async () => {
    // No concept has a tag, so none can be learned from tags.
    const documents = material.documents.map(each => ({...each, labels: each.labels?.map(() => 0)}))
    const pool = openWorkerPool({...material, documents}, 1)
    try {
      const tasks = [{experiment: 'last-tag', cell: {split: 0, seed: 0, family: 'oracles'}}] as const
      await expect(pool.run(tasks, {most: 1, onResult: async () => {}})).rejects.toThrow(
        /^last-tag \{"split":0,"seed":0,"family":"oracles"\}: /
      )
    } finally {
      await pool.close()
    }
  })
})
