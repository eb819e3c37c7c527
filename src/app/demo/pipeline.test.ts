import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import {corpusPath, type DemoPlan, runPipeline} from './pipeline.ts'

const root = mkdtempSync(join(tmpdir(), 'adfa-demo-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

const truth = randomModel({concepts: 4, words: 30}, rng(1))

/** A plan over documents of the known model, some of them without tags. */
function planIn(name: string, changes: Partial<DemoPlan> = {}): DemoPlan {
  const directory = join(root, name)
  mkdirSync(directory)
  const rows = [...generateDocuments(truth, 900, rng(2))]
  const save = (file: string, part: readonly object[]) =>
    writeFileSync(join(directory, file), part.map(row => `${JSON.stringify(row)}\n`).join(''))
  save('train.jsonl', rows.slice(0, 700))
  save('heldout.jsonl', [...rows.slice(700), {id: 'untagged', features: []}])
  return {
    title: 'Demo',
    directory,
    anchors: {kind: 'given', anchors: anchorsWithRates(truth)},
    counting: {},
    fitting: {},
    ...changes
  }
}

describe('runPipeline', () => {
  test('runPipeline(...) counts, fits, predicts, evaluates and reports, and gives the same bytes every time', async () => {
    const steps: string[] = []
    const demo = await runPipeline(planIn('once'), step => steps.push(step))
    expect(steps).toEqual([
      'counting the training documents',
      'learning the model',
      'learning an oracle from the true tags, for comparison',
      'predicting and evaluating the held-out documents',
      'writing the report'
    ])
    expect([demo.counts.documentCount, demo.evaluation.documents]).toEqual([700, 200])
    expect(Object.keys(demo.evaluation.baselines)).toEqual(['noisy-or', 'prior', 'anchors-only', 'oracle'])
    const again = await runPipeline(planIn('twice'), () => {})
    for (const path of demo.files)
      expect(readFileSync(join(root, 'twice', basename(path))).equals(readFileSync(path)), path).toBe(true)
    expect(again.evaluation).toEqual(demo.evaluation)
    expect(readdirSync(join(root, 'once')).toSorted()).toEqual(demo.files.map(path => basename(path)).toSorted())
  })

  test('runPipeline(...) takes the oracle that it is given', async () => {
    const {evaluation} = await runPipeline(planIn('oracle', {oracle: truth}), () => {})
    const other: Model = {...truth, concepts: truth.concepts.map(concept => ({...concept, prevalence: 0.5}))}
    const changed = await runPipeline(planIn('other', {oracle: {...other, network: independent(other)}}), () => {})
    expect(changed.evaluation.baselines.oracle).not.toEqual(evaluation.baselines.oracle)
    expect(changed.evaluation.tagging).toEqual(evaluation.tagging)
  })

  test('runPipeline(...) evaluates only documents that pass the filter of the model', async () => {
    const {evaluation} = await runPipeline(planIn('filtered', {counting: {minTags: 1}}), () => {})
    const tagged = [...generateDocuments(truth, 900, rng(2))].slice(700).filter(({tags}) => tags.length > 0)
    expect(tagged.length).toBeLessThan(200)
    expect(evaluation.documents).toBe(tagged.length)
  })

  test('runPipeline(...) leaves no temporary file when it fails', async () => {
    const plan = planIn('broken')
    writeFileSync(join(plan.directory, 'heldout.jsonl'), '{"features": []}\nbroken\n')
    await expect(runPipeline(plan, () => {})).rejects.toThrow(/heldout\.jsonl:2: not valid JSON/)
    expect(readdirSync(plan.directory).filter(name => /tmp$|predictions/.test(name))).toEqual([])
  })
})

describe('corpusPath', () => {
  test('corpusPath(...) finds the embedded corpus, and nothing else', () => {
    expect(existsSync(corpusPath('npm-packages.jsonl.gz'))).toBe(true)
    expect(() => corpusPath('moon.jsonl.gz')).toThrow(/the embedded corpus moon\.jsonl\.gz is missing/)
  })
})

function independent({concepts}: Model): Model['network'] {
  return {parents: concepts.map(() => []), cpt: concepts.map(({prevalence}) => Float64Array.of(prevalence))}
}
