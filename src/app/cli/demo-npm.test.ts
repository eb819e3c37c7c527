import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {loadModel, topWords} from '../../learn/model/index.ts'
import {corpusPath} from '../demo/index.ts'
import {createOutput} from './output.ts'
import {type Demo, runDemo} from './run-demo.ts'

const directory = mkdtempSync(join(tmpdir(), 'adfa-demo-'))
let demo: Demo

beforeAll(async () => {
  demo = await runDemo('npm', directory, 0, createOutput({json: false, quiet: true}))
}, 180_000)
afterAll(() => rmSync(directory, {recursive: true, force: true}))

interface Package {
  readonly id: string
  readonly tags: readonly string[]
}

const packages = (text: string): Package[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
const written = (name: string) => packages(readFileSync(join(directory, name), 'utf8'))

describe('the npm demo', () => {
  test('the npm demo leaves its files', () => {
    const names = ['train.jsonl', 'heldout.jsonl', 'train.counts', 'model.json', 'predictions.jsonl', 'report.html']
    expect(demo.files).toEqual(names.map(name => join(directory, name)))
    for (const path of demo.files) expect(existsSync(path)).toBe(true)
  })

  test('the npm demo splits the packages in two, by their names, and predicts those held out', () => {
    const all = packages(gunzipSync(readFileSync(corpusPath('npm-packages.jsonl.gz'))).toString())
    const train = written('train.jsonl')
    const heldout = written('heldout.jsonl')
    expect(train.length + heldout.length).toBe(all.length)
    expect(new Set([...train, ...heldout].map(({id}) => id))).toEqual(new Set(all.map(({id}) => id)))
    // 5 standard deviations of a binomial share.
    expect(Math.abs(heldout.length / all.length - 0.2)).toBeLessThan(5 * Math.sqrt(0.16 / all.length))
    expect(demo.counts.documentCount).toBe(train.length)
    expect(demo.evaluation.documents).toBe(heldout.length)
    expect(written('predictions.jsonl').map(({id}) => id)).toEqual(heldout.map(({id}) => id))
  })

  test('the npm demo takes the 50 commonest keywords of the training packages, or says which it left out', () => {
    const count = new Map<string, number>()
    for (const {tags} of written('train.jsonl'))
      for (const tag of new Set(tags)) count.set(tag, (count.get(tag) ?? 0) + 1)
    const commonest = [...count].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 50)
    const names = demo.model.concepts.map(({name}) => name)
    const skipped = demo.model.lexicon.skipped.map(({concept}) => concept)
    expect(new Set([...names, ...skipped])).toEqual(new Set(commonest.map(([tag]) => tag)))
    expect(names.length).toBeGreaterThan(45)
    for (const {any} of demo.model.lexicon.anchors) for (const name of any) expect(name).toMatch(/^(title|text):/)
  })

  test("the npm demo takes the anchors' rates from the training tags, and saves the model that it shows", () => {
    expect(demo.model.certificate.noise.method).toBe('labels')
    expect(demo.model.certificate.noise.labelledCount).toBe(demo.counts.documentCount)
    expect(loadModel(readFileSync(join(directory, 'model.json'), 'utf8'), 'model.json')).toEqual(demo.model)
  })

  test('the npm demo evaluates above the prior; the oracle, which sees the tags, above all', () => {
    const {tagging, lastTag, baselines} = demo.evaluation
    const {prior, oracle, 'anchors-only': anchorsOnly} = baselines
    expect(tagging.averagePrecision).toBeGreaterThan(5 * prior.tagging.averagePrecision)
    expect(tagging.averagePrecision).toBeGreaterThan(anchorsOnly.tagging.averagePrecision)
    expect(tagging.macroAuc).toBeGreaterThan(prior.tagging.macroAuc + 0.2)
    expect(tagging.macroAuc).toBeGreaterThan(anchorsOnly.tagging.macroAuc)
    expect(tagging.brier).toBeLessThan(prior.tagging.brier)
    expect(tagging.microF1).toBeGreaterThan(prior.tagging.microF1)
    expect(lastTag.accuracy).toBeGreaterThan(prior.lastTag.accuracy + 0.2)
    expect(oracle.tagging.averagePrecision).toBeGreaterThan(tagging.averagePrecision)
    expect(oracle.lastTag.accuracy).toBeGreaterThan(lastTag.accuracy)
  })

  test('the npm demo finds words that go with their keywords, and shows five packages', () => {
    const words = (name: string) =>
      topWords(
        demo.model,
        demo.model.concepts.findIndex(concept => concept.name === name),
        8
      ).map(({word}) => word)
    const sensible: [string, RegExp][] = [
      ['react-native', /text:(android|ios|expo)/],
      ['eslint', /text:(rules|linting|config|rule)/],
      ['http', /text:(request|client|server)/],
      ['json', /text:(schema|csv|yaml)/],
      ['webpack', /text:(loader|bundle)/]
    ]
    for (const [name, pattern] of sensible) expect(words(name).join(' '), name).toMatch(pattern)
    expect(demo.examples).toHaveLength(5)
    for (const {text, tags, predicted} of demo.examples) {
      expect(text).toMatch(/\S/)
      expect([tags.length >= 2, predicted.length]).toEqual([true, 5])
    }
  })
})
