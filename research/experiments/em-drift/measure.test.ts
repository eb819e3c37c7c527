import {describe, expect, test} from 'vitest'
import {directedNetwork} from '../../../src/base/network/index.ts'
import {runEm} from '../../../src/learn/em.ts'
import {fit} from '../../../src/learn/fit.ts'
import {type Model, topWords} from '../../../src/learn/model/index.ts'
import {countCorpus} from '../../../src/read/counts/index.ts'
import type {Evidence} from '../../../src/read/data/index.ts'
import {evaluate} from '../../../src/use/evaluation/index.ts'
import {experimentDefaults} from '../experiment.ts'
import {predictionSplit} from '../split.ts'
import {testMaterial} from '../test-material.ts'
import {type DriftResult, driftPaths, EM_STEPS, measureDrift, mostChanged} from './measure.ts'
import {emDrift} from './present.ts'

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

function expectWords({words}: DriftResult, start: Model, end: Model): void {
  for (const {concept, before, after} of words) {
    const i = start.concepts.findIndex(({name}) => name === concept)
    expect(before).toEqual(topWords(start, i, 10).map(({word}) => word))
    expect(after).toEqual(topWords(end, i, 10).map(({word}) => word))
  }
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
      const gap = naive.reduce((sum, value) => sum + value, 0) / naive.length - (steps[0].bound ?? 0)
      expect(gap > 0 && gap < 0.3).toBe(true)
    }
  })

  test('measureDrift(...) takes nine steps, which raise the bound', () => {
    for (const {steps} of [paper, robust]) {
      expect(steps.map(({step}) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(steps[EM_STEPS].bound ?? 0).toBeGreaterThan(steps[0].bound ?? 0)
    }
  })

  test('measureDrift(...) has the words of the start and of the last step', async () => {
    const start = await fit(counts, {preset: 'paper'})
    expectWords(paper, start, runEm(start, training, {steps: EM_STEPS}).model)
    const prevalences = paper.words.map(({concept}) => start.concepts.find(({name}) => name === concept)?.prevalence)
    expect(prevalences).toEqual(prevalences.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
  })

  test('measureDrift(...) counts the words that stay, over all concepts', () => {
    for (const {words, kept, concepts} of [paper, robust]) {
      expect(words).toHaveLength(concepts)
      for (const {before, after, kept: own} of words)
        expect(own).toBe(new Set(before.filter(word => after.includes(word))).size)
      expect(kept).toBeCloseTo(words.reduce((sum, each) => sum + each.kept, 0) / concepts, 6)
    }
  })

  test('measureDrift(...) gives the same again, as JSON would keep it', async () => {
    const again = await measureDrift(material, {split: 0, seed: 0, path: 'robust'})
    expect(again).toEqual(robust)
    expect(JSON.parse(JSON.stringify(again))).toEqual(again)
  })
})

test('mostChanged(...) is the concept that loses most words, the commoner of equals', () => {
  const words = (concept: string, size: number, kept: number) => ({
    concept,
    kept,
    before: Array.from({length: size}, (_, at) => `w${at}`),
    after: []
  })
  const some = [words('a', 10, 5), words('b', 10, 2), words('c', 10, 2), words('few', 3, 0)]
  expect(mostChanged(some).concept).toBe('b')
  expect(mostChanged(some.toReversed()).concept).toBe('c')
})
