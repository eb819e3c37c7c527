import {describe, expect, test} from 'vitest'
import {directedNetwork} from '../../src/base/network/index.ts'
import {runEm} from '../../src/learn/em.ts'
import {fit} from '../../src/learn/fit.ts'
import {plainPosterior} from '../../src/learn/inference/test-models.ts'
import {topWords} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {mean} from '../spread.ts'
import {driftPaths, EM_STEPS, emDrift, measureDrift} from './em-drift.ts'
import {Results} from './experiment.ts'
import {predictionSplit} from './split.ts'
import {testMaterial} from './test-material.ts'

const {material} = testMaterial(500)
const measured = await Promise.all(driftPaths.map(path => measureDrift(material, {split: 0, seed: 0, path})))
const {training, heldOut} = predictionSplit(material, 0)
const start = await fit(countCorpus(training), {preset: 'paper'})

describe('measureDrift', () => {
  test('measureDrift(...) begins with the fitted model, whose bound lies below the likelihood', () => {
    const [{steps}] = measured
    const {lastTag, tagging} = evaluate(start, heldOut)
    expect(steps[0].lastTag).toBeCloseTo(lastTag.accuracy, 6)
    expect(steps[0].averagePrecision).toBeCloseTo(tagging.averagePrecision, 6)
    const directed = {...start, network: directedNetwork(start.network, 1)}
    const plain = mean(training.documents.map(document => plainPosterior(directed, document).logEvidence))
    const gap = plain - Number(steps[0].bound)
    expect(gap > 0 && gap < 0.3).toBe(true)
  })

  test('measureDrift(...) takes nine steps, which raise the bound, the same again as JSON would keep it', async () => {
    for (const {steps} of measured) {
      expect(steps.map(({step}) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(Number(steps[EM_STEPS].bound)).toBeGreaterThan(Number(steps[0].bound))
    }
    const again = await measureDrift(material, {split: 0, seed: 0, path: 'paper'})
    expect(JSON.parse(JSON.stringify(again))).toEqual(measured[0])
  })

  test('measureDrift(...) has the words of the start and of the last step, and counts those that stay', () => {
    const [{words, split}] = measured
    const {model: end} = runEm(start, training, {steps: EM_STEPS})
    const kept = start.concepts.map(({name}, i) => {
      const [before, after] = [start, end].map(model => topWords(model, i, 10).map(({word}) => word))
      const rows = words.filter(({concept}) => concept === name)
      expect(rows.map(row => [row.before, row.after])).toEqual(before.map((word, at) => [word, after[at]]))
      return before.filter(word => after.includes(word)).length
    })
    expect(split[0].kept).toBeCloseTo(mean(kept), 6)
  })
})

test('emDrift.tables(...) shows the concept that loses most words, the commoner of equals', () => {
  const words = (concept: string, size: number, kept: number) =>
    Array.from({length: size}, (_, at) => ({
      ...{concept, rank: at + 1, before: `w${at}`},
      after: at < kept ? `w${at}` : 'new'
    }))
  const some = [words('a', 10, 5), words('b', 10, 2), words('c', 10, 2), words('few', 3, 0)].flat()
  const runs = driftPaths.map(path => ({cell: {split: 0, seed: 0, path}, tables: {...measured[0], words: some}}))
  const table = emDrift.tables(new Results(runs), material).find(({name}) => name === 'changed-words')
  expect(table?.head.filter(name => name.endsWith('before'))).toEqual(['b, before', 'b, before'])
  expect(table?.rows[9]).toEqual([10, 'w9', 'new', 'w9', 'new'])
})
