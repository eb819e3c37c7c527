import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {captured, generateSmall, testFolder} from '../../src/app/cli/test-run.ts'
import {type ExperimentName, experimentDefaults, experimentNames} from './experiment.ts'
import {experiments} from './experiments.ts'
import {runMain} from './main.ts'
import type {Summary} from './present.tsx'
import {type ExperimentPlan, identityOf, runExperiments} from './runner.ts'
import {contents, testMaterial} from './test-material.ts'

const root = testFolder()
const {material} = testMaterial(300)
const plan = (folder: string, names: readonly ExperimentName[], changes: Partial<ExperimentPlan> = {}) => ({
  ...{names, material, folder: root.at(folder), workers: 2, adfa: '1.2.3'},
  ...{options: {...experimentDefaults, splits: 1, sizes: [100], shrinkages: [0.01] as const}, ...changes}
})

describe('runExperiments', () => {
  test('runExperiments(...) writes results, tables, figures and summary of every experiment, and one report', async () => {
    const progress: string[] = []
    const {files, cells, kept} = await runExperiments(plan('all', experimentNames), (name, done, all) =>
      progress.push(`${name} ${done}/${all}`)
    )
    const written = contents(root.at('all'))
    const names = Object.keys(written).filter(name => name !== 'experiment.json')
    expect(files.map(file => file.slice(root.at('all').length + 1)).toSorted()).toEqual(names.toSorted())
    const sections = [...written['report.html'].matchAll(/<section id="([a-z-]*)"/g)].map(([, id]) => id)
    expect(sections).toEqual([...experimentNames, 'data'])
    expect(progress[0]).toMatch(/^trees 0\//)
    expect([cells, kept]).toEqual([progress.length - experimentNames.length, 0])
    for (const name of experimentNames) {
      const {claims, tables} = JSON.parse(written[`${name}/summary.json`]) as Summary
      expect(claims).toHaveLength(experiments[name].claims.length)
      expect(tables.flatMap(({rows}) => rows).length).toBeGreaterThan(0)
      for (const end of ['.svg', '.csv'])
        expect(names.some(file => file.startsWith(name) && file.endsWith(end))).toBe(true)
      expect(written[`${name}/section.html`].includes('NaN')).toBe(false)
    }
    const [head] = written['last-tag/methods.csv'].split('\n')
    expect(head).toMatch(/^split,seed,family,method,/)
    // Times differ from run to run; nothing else may.
    const few = ['trees', 'factors'] as const
    await runExperiments(plan('one', few, {workers: 1}))
    for (const [name, content] of Object.entries(contents(root.at('one'))))
      if (name !== 'report.html') expect(content).toBe(written[name])
  })

  test('runExperiments(...) that fails in one experiment measures and reports the others', async () => {
    // The last tag takes documents with two.
    const first = (labels: Int8Array | undefined) => labels?.map((value, i) => (i === labels.indexOf(1) ? value : 0))
    const documents = material.documents.map(each => ({...each, labels: first(each.labels)}))
    const some = plan('failing', ['factors', 'last-tag'], {material: {...material, documents}})
    await expect(runExperiments(some)).rejects.toThrow(/^last-tag \{"split":0,"seed":0,"family":"/)
    const page = readFileSync(root.at('failing/report.html'), 'utf8')
    expect(page).toContain('<section id="factors"')
    expect(page).toContain('Not finished: last-tag; the same command continues them.')
  })

  test('runExperiments(...) goes on from what was measured, and refuses a folder of something else or damaged', async () => {
    const some = plan('stopped', ['factors'])
    await runExperiments(some)
    const whole = contents(root.at('stopped'))
    const results = JSON.parse(whole['factors/results.json'])
    const file = root.at('stopped/factors/results.json')
    writeFileSync(file, JSON.stringify({...results, runs: results.runs.slice(0, 1)}))
    expect(await runExperiments(some)).toMatchObject({cells: 3, kept: 1})
    expect(contents(root.at('stopped'))).toEqual(whole)
    await expect(runExperiments({...some, adfa: '2.0.0'})).rejects.toThrow(
      /holds results of other documents, options or versions \(adfa 1\.2\.3, now 2\.0\.0\).*choose another folder/
    )
    writeFileSync(file, '{"runs": [')
    await expect(runExperiments(some)).rejects.toThrow(/results\.json: not valid JSON.*remove the file/)
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

describe('npm run experiments', () => {
  const experimentsOf = (...args: readonly string[]) => captured(() => runMain(args))

  test('npm run experiments says what it did for people and for programs', async () => {
    const {docs, anchors} = await generateSmall(root, 400)
    const args = ['factors', '--data', docs, '--anchors', anchors, '--min-tags', '0', '-o', root.at('told')]
    const {code, stdout, stderr} = await experimentsOf(...args)
    expect({code, error: code === 0 ? '' : stderr}).toEqual({code: 0, error: ''})
    expect(stderr).toMatch(/400 documents, 5 concepts, 40 words/)
    expect(stdout).toMatch(/results measured; wrote\n {2}.*factors\/.*\n(.*\n)* {2}.*report\.html\n$/)
    const again = await experimentsOf(...args, '--json', '--quiet')
    expect(JSON.parse(again.stdout)).toMatchObject({experiments: 'factors', documents: 400, concepts: 5, kept: 3})
  })

  test.each<[string, RegExp, readonly string[]]>([
    ['another experiment', /^2 .*Allowed choices are trees, factors/s, ['moon', '--data', 'x']],
    ['no data', /^2 .*--data <files\.\.\.>.* not specified/s, ['trees']],
    ['a missing file', /^1 adfa: .*none\.jsonl/s, ['trees', '--data', root.at('none.jsonl')]],
    ['labels', /^2 adfa: --labels does not apply/, ['trees', '--data', 'x', '--labels', 'x']],
    ['sizes that are no numbers', /^2 .*whole number above 0/s, ['trees', '--data', 'x', '--sizes', '5,x']],
    ['another shrinkage', /^2 .*shrinkage/s, ['trees', '--data', 'x', '--shrinkages', 'N/10']]
  ])('npm run experiments refuses %s', async (_, refusal, args) => {
    const {code, stderr} = await experimentsOf(...args, '-o', root.at('refused'))
    expect(`${code} ${stderr}`).toMatch(refusal)
  })
})
