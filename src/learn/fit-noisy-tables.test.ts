import {expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {buildCorpus} from '../read/data/index.ts'
import {limitCorpus, privacyNoise, releaseCounts, releaseToCounts} from '../read/pooling/index.ts'
import {emergencyModel, generateDocuments} from '../use/synthetic/index.ts'
import {fit} from './fit.ts'
import {anchorsWithRates} from './model/index.ts'

const truth = emergencyModel()
const corpus = buildCorpus(generateDocuments(truth, 3000, rng(2)), anchorsWithRates(truth))
const rules = {mechanism: 'gaussian', epsilon: 8, delta: 1e-6, mostAnchors: 4, mostWords: 20} as const

test('fit(...) of noisy tables predicts by noisy-or unless asked otherwise, and of others as ever', async () => {
  const limited = countCorpus(limitCorpus(corpus, rules))
  const random = rng(3)
  const noise = privacyNoise(limited, 2, rules, {words: () => Math.floor(random.next() * 2 ** 32), isRehearsal: true})
  const noisy = releaseToCounts(releaseCounts(limited, {minCell: 0, noise}))
  const model = await fit(noisy)
  expect(model.wordModel.kind).toBe('noisy-or')
  expect(model.certificate.tables?.sites[0].noise).toMatchObject({...rules, isRehearsal: true})
  expect((await fit(noisy, {words: 'weights'})).wordModel.kind).toBe('weights')
  expect((await fit(releaseToCounts(releaseCounts(limited, {minCell: 0})))).wordModel.kind).toBe('weights')
})
