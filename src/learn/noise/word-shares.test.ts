import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {bestWordShares} from './word-shares.ts'

const rows = (count: number, ...features: string[]) => Array.from({length: count}, () => ({features}))

test('bestWordShares(...) is P(A|word) of the words with the greatest lower limits', () => {
  const corpus = buildCorpus(
    [
      ...rows(40, 'a', 'sure'),
      ...rows(10, 'sure'),
      ...rows(50, 'a', 'half'),
      ...rows(50, 'half'),
      // Seen once, and with the anchor: a share of 1 that means nothing.
      ...rows(1, 'a', 'once'),
      ...rows(30, 'other')
    ],
    [{concept: 'a', any: ['a'], not: [], rates: undefined}],
    {fields: [], maxShare: 1}
  )
  // (40 - 1.645 sqrt 40) / 50 = .59, (50 - 1.645 sqrt 50) / 100 = .38, and below 0 for the word seen once.
  expect(bestWordShares(countCorpus(corpus))).toEqual([[0.8, 0.5, 1]])
})
