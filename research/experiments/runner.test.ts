import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {testFolder} from '../../src/app/cli/test-run.ts'
import {type ExperimentName, experimentDefaults} from './experiment.ts'
import {type ExperimentPlan, identityOf, runExperiments} from './runner.ts'
import {contents, testMaterial} from './test-material.ts'

const root = testFolder()
const {material} = testMaterial(300)
const names: readonly ExperimentName[] = ['trees', 'factors']
const plan = (folder: string, changes: Partial<ExperimentPlan> = {}): ExperimentPlan => ({
  ...{names, material, folder: root.at(folder), workers: 2, adfa: '1.2.3'},
  ...{options: {...experimentDefaults, splits: 2, sizes: [100], shrinkages: [0.01]}, ...changes}
})

describe('runExperiments', () => {
  test('runExperiments(...) writes results, tables, figures and one report, the same for any number of workers', async () => {
    const progress: string[] = []
    const {files, cells, kept} = await runExperiments(plan('two'), (name, done, all) =>
      progress.push(`${name} ${done}/${all}`)
    )
    const written = contents(root.at('two'))
    const names = Object.keys(written).filter(name => name !== 'experiment.json')
    expect(files.map(file => file.slice(root.at('two').length + 1)).toSorted()).toEqual(names.toSorted())
    for (const end of ['trees/tree.svg', 'trees/edges.csv', 'factors/summary.json']) expect(names).toContain(end)
    const sections = [...written['report.html'].matchAll(/<section id="([a-z-]*)"/g)].map(([, id]) => id)
    expect(sections).toEqual(['trees', 'factors', 'data'])
    expect([cells, kept]).toEqual([9, 0])
    expect([progress[0], progress.at(-1)]).toEqual(['trees 0/6', 'factors 3/3'])
    await runExperiments(plan('one', {workers: 1}))
    expect(contents(root.at('one'))).toEqual(written)
  })

  test('runExperiments(...) that fails in one experiment measures and reports the others', async () => {
    // The last tag takes documents with two.
    const first = (labels: Int8Array | undefined) => labels?.map((value, i) => (i === labels.indexOf(1) ? value : 0))
    const documents = material.documents.map(each => ({...each, labels: first(each.labels)}))
    const some = plan('failing', {names: ['factors', 'last-tag'], material: {...material, documents}})
    await expect(runExperiments(some)).rejects.toThrow(/^last-tag \{"split":0,"seed":0,"family":"/)
    const page = readFileSync(root.at('failing/report.html'), 'utf8')
    expect(page).toContain('<section id="factors"')
    expect(page).toContain('Not finished: last-tag; the same command continues them.')
  })

  test('runExperiments(...) goes on from what was measured before it was stopped, to the same bytes', async () => {
    const some = plan('stopped', {names: ['factors']})
    await runExperiments(some)
    const whole = contents(root.at('stopped'))
    const results = JSON.parse(whole['factors/results.json'])
    const first = {...results, runs: results.runs.slice(0, 1)}
    writeFileSync(root.at('stopped/factors/results.json'), JSON.stringify(first))
    expect(await runExperiments(some)).toMatchObject({cells: 3, kept: 1})
    expect(contents(root.at('stopped'))).toEqual(whole)
  })

  test('runExperiments(...) refuses a folder with results of something else or damaged ones', async () => {
    const folder = 'other'
    const few = {names: ['factors']} as const
    await runExperiments(plan(folder, few))
    const other = {...few, adfa: '2.0.0'}
    await expect(runExperiments(plan(folder, other))).rejects.toThrow(
      /holds results of other documents, options or versions \(adfa 1\.2\.3, now 2\.0\.0\).*choose another folder/
    )
    expect((await runExperiments(plan(folder, few))).kept).toBe(3)
    writeFileSync(root.at('other/factors/results.json'), '{"runs": [')
    await expect(runExperiments(plan(folder, few))).rejects.toThrow(/results\.json: not valid JSON.*remove the file/)
  })
})

test('identityOf(...) changes with the documents, their words, their tags and the lexicon', () => {
  const {documents, lexicon} = material
  const [first, ...rest] = documents
  const others = [
    {...material, documents: rest},
    {...material, documents: [{...first, key: 'other'}, ...rest]},
    {...material, documents: [{...first, labels: first.labels?.map(value => 1 - value)}, ...rest]},
    {...material, documents: [{...first, words: [0, 1, 2, 3]}, ...rest]},
    {...material, lexicon: {...lexicon, phrases: ['chest pain']}}
  ]
  const hashes = [material, ...others].map(each => identityOf(each, '1.2.3').sha256)
  expect(new Set(hashes).size).toBe(hashes.length)
})
