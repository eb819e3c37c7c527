import {expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import type {PooledRates} from '../../../learn/noise/index.ts'
import {countCorpus} from '../../../read/counts/index.ts'
import {buildCorpus} from '../../../read/data/index.ts'
import {learnRanking} from '../../../use/labelling/index.ts'
import {generateDocuments, randomModel} from '../../../use/synthetic/index.ts'
import {openRankingThread} from './dialogue.ts'

test('openRankingThread(counts) learns the same model, and goes on after a failure', async () => {
  const truth = randomModel({concepts: 4, words: 60}, rng(3))
  const anchors = truth.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
  const unrated = countCorpus(buildCorpus([...generateDocuments(truth, 1000, rng(4))], anchors))
  const thread = openRankingThread(unrated)
  try {
    const rates = [{truePositive: 2}] as unknown as PooledRates[]
    await expect(thread.learn(rates)).rejects.toThrow()
    expect(await thread.learn(undefined)).toEqual(await learnRanking(unrated, undefined))
  } finally {
    await thread.close()
  }
})
