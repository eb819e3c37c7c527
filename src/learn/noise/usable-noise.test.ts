import {expect, test} from 'vitest'
import {learnable} from '../../../test/learnable.ts'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus, dropConcepts} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import {anchorsWithRates} from '../model/index.ts'
import {estimateNoise} from './estimate-noise.ts'
import {usableNoise} from './usable-noise.ts'

const truth = randomModel({...learnable, words: 20}, rng(2))
const rare = {concept: 'rare', any: ['rare-word'], not: [], rates: undefined}
const anchors = [...anchorsWithRates(truth).map(anchor => ({...anchor, rates: undefined})), rare]
const documents = Array.from(generateDocuments(truth, 3000, rng(5)), (row, at) =>
  at < 8 ? {...row, features: [...row.features, 'rare-word']} : row
)

test('usableNoise(..., "auto") goes on without what it refuses, and estimates the rest as if it had never been', () => {
  const counts = countCorpus(buildCorpus(documents, anchors, {fields: []}), {labelShare: 0.1})
  expect(() => estimateNoise(counts, 'auto')).toThrow(
    /1 of 7 anchors cannot be had:\n {2}concept "rare": its anchor fires in 8 documents/
  )
  const {counts: kept, noise} = usableNoise(counts, 'auto')
  expect(kept.lexicon.skipped).toEqual([
    {concept: 'rare', reason: expect.stringMatching(/8 documents, and 30 are needed/)}
  ])
  expect(noise).toEqual(estimateNoise(dropConcepts(counts, kept.lexicon.skipped), 'auto'))
})

test('usableNoise(...) leaves counts as they are when every rate can be had', () => {
  const counts = countCorpus(buildCorpus(documents, anchorsWithRates(truth), {fields: []}))
  const found = usableNoise(counts, 'given')
  expect(found.counts).toBe(counts)
  expect(found.noise).toEqual(estimateNoise(counts, 'given'))
})
