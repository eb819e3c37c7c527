import {describe, expect, test} from 'vitest'
import {learnable} from '../../../test/learnable.ts'
import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {type Anchors, buildCorpus} from '../../read/data/index.ts'
import {generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import {anchorsWithRates} from '../model/index.ts'
import {noiseEstimators, noiseTable} from './estimate.ts'
import {scoreAnchors} from './scores.ts'
import {randomWorld, sampleWorld} from './test-members.ts'

const truth = randomModel({...learnable, words: 40, wordsPerConcept: 12}, rng(2))
const documents = [...generateDocuments(truth, 4000, rng(5))]
const unrated = anchorsWithRates(truth).map(anchor => ({...anchor, rates: undefined}))

function corpusOf(anchors: Anchors) {
  return buildCorpus(documents, anchors, {fields: []})
}

function estimatesOf(counts: Counts, evidence?: Parameters<typeof noiseTable>[1]) {
  return noiseTable(counts, evidence).map(({estimates}) => estimates.map(({method}) => method))
}

describe('noiseTable', () => {
  test('noiseTable(...) of bare counts has a guess for each anchor, and says what the other estimators lack', () => {
    const table = noiseTable(countCorpus(corpusOf(unrated)))
    for (const {estimates, unavailable} of table) {
      expect(estimates.map(({method}) => method)).toEqual(['guess'])
      expect(Object.fromEntries(unavailable.map(({method, reason}) => [method, reason]))).toEqual({
        given: expect.stringMatching(/^no rates given/),
        pooled: 'no document is labelled',
        labels: expect.stringMatching(/^no labels were counted/),
        pair: 'its anchor has one member; two or more are needed',
        irreducible: 'it needs documents, not just counts',
        'positive-only': 'it needs documents, not just counts'
      })
    }
  })

  test('noiseTable(...) has every estimator that labels, scores and given rates allow, the most trusted first', () => {
    const corpus = corpusOf(anchorsWithRates(truth))
    const counts = countCorpus(corpus, {labelShare: 1})
    const all = noiseEstimators.filter(method => method !== 'pair')
    expect(estimatesOf(counts, {scores: scoreAnchors(corpus)})).toEqual(truth.concepts.map(() => all))
    expect(estimatesOf(counts)).toEqual(truth.concepts.map(() => ['given', 'pooled', 'labels', 'guess']))
  })

  test('noiseTable(...) reads no rates from fewer than 30 labelled documents', () => {
    const counts = countCorpus(corpusOf(unrated))
    const withLabels = (count: number) => {
      const labelled = counts.labelled.map((_, at) => [count - 3, 1, 1, 1][at % 4])
      return noiseTable({...counts, labelled})[0]
    }
    const reasonOf = ({unavailable}: ReturnType<typeof withLabels>) =>
      unavailable.find(({method}) => method === 'pooled')?.reason
    expect(reasonOf(withLabels(29))).toBe('only 29 documents are labelled; label at least 30')
    expect(withLabels(30).estimates.map(({method}) => method)).toEqual(['pooled', 'guess'])
  })

  test('noiseTable(...) has no estimate of a pair when members go together otherwise than through the concept', () => {
    const world = randomWorld(rng(18), 3, 15)
    const random = rng(9)
    const coupled = sampleWorld(world, 20000, rng(10), members => {
      if (random.next() < 0.5) members[1] = members[0]
    })
    expect(noiseTable(coupled, {}, ['pair'])[0].unavailable).toEqual([
      {method: 'pair', reason: 'two of its members depend on each other otherwise than through the concept'}
    ])
    expect(noiseTable(sampleWorld(world, 20000, rng(10)), {}, ['pair'])[0].estimates).toHaveLength(1)
  })
})
