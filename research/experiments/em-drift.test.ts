import {describe, expect, test} from 'vitest'
import {directedNetwork} from '../../src/base/network/index.ts'
import {runEm} from '../../src/learn/em.ts'
import {fit} from '../../src/learn/fit.ts'
import {type Model, topWords} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import type {Evidence} from '../../src/read/data/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {driftPaths, EM_STEPS, emDrift, measureDrift} from './em-drift.ts'
import {experimentDefaults, Results, type Tables} from './experiment.ts'
import {predictionSplit} from './split.ts'
import {testMaterial} from './test-material.ts'

const {material} = testMaterial(500)
const [paper, robust] = await Promise.all(driftPaths.map(path => measureDrift(material, {split: 0, seed: 0, path})))
const {training, heldOut} = predictionSplit(material, 0)
const counts = countCorpus(training)

/** log P(document) by summing over all states of the concepts, which noisy-or links take from a forest. */
function logLikelihood({concepts, network: given, loadings}: Model, {anchors, words}: Evidence): number {
  const {wordCount: n, failure, leak} = loadings
  const network = directedNetwork(given, 1)
  let total = 0
  for (let state = 0; state < 2 ** concepts.length; state++) {
    const y = concepts.map((_, i) => (state >> i) & 1)
    let p = 1
    for (const [i, {truePositive, falsePositive}] of concepts.entries()) {
      const present = network.cpt[i][network.parents[i].length === 0 ? 0 : y[network.parents[i][0]]]
      const fires = y[i] === 1 ? truePositive : falsePositive
      p *= (y[i] === 1 ? present : 1 - present) * (anchors.includes(i) ? fires : 1 - fires)
    }
    for (let j = 0; j < n; j++) {
      const absent = y.reduce((product, value, i) => product * (value === 1 ? failure[i * n + j] : 1), 1 - leak[j])
      p *= words.includes(j) ? 1 - absent : absent
    }
    total += p
  }
  return Math.log(total)
}

/** The first words of each concept, before and after. */
function wordsOf({words}: Tables): Map<string, [before: string[], after: string[]]> {
  const lists = new Map<string, [string[], string[]]>()
  for (const {concept, before, after} of words) {
    const list = lists.get(`${concept}`) ?? [[], []]
    lists.set(`${concept}`, list)
    if (before !== null) list[0].push(`${before}`)
    if (after !== null) list[1].push(`${after}`)
  }
  return lists
}

describe('emDrift.cells', () => {
  test('emDrift.cells(...) has every path for at most three splits', () => {
    const cells = emDrift.cells(material, {...experimentDefaults, splits: 8, seed: 1})
    expect(cells.map(({split, seed, path}) => `${split} ${seed} ${path}`)).toEqual(
      [0, 1, 2].flatMap(split => driftPaths.map(path => `${split} ${split + 1} ${path}`))
    )
    expect(emDrift.cells(material, {...experimentDefaults, splits: 1})).toHaveLength(2)
    for (const cell of cells) expect(emDrift.cost?.(cell)).toBeGreaterThan(0)
  })
})

describe('measureDrift', () => {
  test('measureDrift(...) begins with the fitted model, whose bound lies below the likelihood', async () => {
    const starts = [
      [paper, await fit(counts, {preset: 'paper'})],
      [robust, await fit(counts, {noise: 'given', words: 'noisy-or'})]
    ] as const
    for (const [{steps}, start] of starts) {
      const {lastTag, tagging} = evaluate(start, heldOut)
      expect(steps[0].lastTag).toBeCloseTo(lastTag.accuracy, 6)
      expect(steps[0].averagePrecision).toBeCloseTo(tagging.averagePrecision, 6)
      const naive = training.documents.map(document => logLikelihood(start, document))
      const gap = naive.reduce((sum, value) => sum + value, 0) / naive.length - Number(steps[0].bound)
      expect(gap > 0 && gap < 0.3).toBe(true)
    }
  })

  test('measureDrift(...) takes nine steps, which raise the bound', () => {
    for (const {steps} of [paper, robust]) {
      expect(steps.map(({step}) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(Number(steps[EM_STEPS].bound)).toBeGreaterThan(Number(steps[0].bound))
    }
  })

  test('measureDrift(...) has the words of the start and of the last step', async () => {
    const start = await fit(counts, {preset: 'paper'})
    const {model: end} = runEm(start, training, {steps: EM_STEPS})
    const lists = wordsOf(paper)
    for (const [concept, words] of lists) {
      const i = start.concepts.findIndex(({name}) => name === concept)
      expect(words).toEqual([start, end].map(model => topWords(model, i, 10).map(({word}) => word)))
    }
    const prevalences = [...lists.keys()].map(name => start.concepts.find(concept => concept.name === name)?.prevalence)
    expect(prevalences).toEqual(prevalences.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
  })

  test('measureDrift(...) counts the words that stay, over all concepts', () => {
    for (const tables of [paper, robust]) {
      const [{kept, concepts}] = tables.split
      const stay = [...wordsOf(tables).values()].map(([before, after]) => before.filter(word => after.includes(word)))
      expect(stay).toHaveLength(Number(concepts))
      expect(kept).toBeCloseTo(stay.flat().length / stay.length, 6)
    }
  })

  test('measureDrift(...) gives the same again, as JSON would keep it', async () => {
    const again = await measureDrift(material, {split: 0, seed: 0, path: 'robust'})
    expect(again).toEqual(robust)
    expect(JSON.parse(JSON.stringify(again))).toEqual(again)
  })
})

test('emDrift.tables(...) shows the concept that loses most words, the commoner of equals', () => {
  const words = (concept: string, size: number, kept: number) =>
    Array.from({length: size}, (_, at) => ({
      concept,
      rank: at + 1,
      before: `w${at}`,
      after: at < kept ? `w${at}` : 'new'
    }))
  const some = [words('a', 10, 5), words('b', 10, 2), words('c', 10, 2), words('few', 3, 0)].flat()
  const runs = driftPaths.map(path => ({cell: {split: 0, seed: 0, path}, tables: {...paper, words: some}}))
  const table = emDrift.tables(new Results(runs), material).find(({name}) => name === 'changed-words')
  expect(table?.head.filter(name => name.endsWith('before'))).toEqual(['b, before', 'b, before'])
  expect(table?.rows[9]).toEqual([10, 'w9', 'new', 'w9', 'new'])
})
