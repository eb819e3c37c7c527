import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from './counter.ts'
import type {Counts} from './counts.ts'
import {countsFromBytes, countsToBytes} from './counts-file.ts'
import {resampleCounts} from './resample-counts.ts'
import {anyCorpus, documentWith, lexiconWith} from './test-corpora.ts'

const options = {labelShare: 1, seed: 0}

/** Two concepts: 40 documents with neither, 30 and 20 with one, 10 with both. The first is known of every second one. */
const lexicon = lexiconWith([1, 1], 1)
const counts = countCorpus(
  {
    lexicon,
    documents: Array.from({length: 100}, (_, at) => {
      const members = at < 40 ? [] : at < 70 ? [0] : at < 90 ? [1] : [0, 1]
      const labels = at % 2 === 0 ? [at % 10 === 0 || members[0] === 0 ? 1 : 0, -1] : undefined
      return documentWith(lexicon, `key-${at}`, members, [0], labels)
    })
  },
  options
)

/** Documents with members in the given order of patterns, those never drawn as 0. */
function documentsWith(sample: Counts, members: string): number {
  for (let p = 0; p < sample.patternCount; p++)
    if (sample.members.subarray(sample.memberStarts[p], sample.memberStarts[p + 1]).join() === members)
      return sample.patternDocuments[p]
  return 0
}

describe('resampleCounts', () => {
  test('resampleCounts(...) are counts again: as many documents, whole, in order, of patterns there were, without words', () => {
    fc.assert(
      fc.property(anyCorpus, fc.integer(), (corpus, seed) => {
        const from = countCorpus(corpus, options)
        const sample = resampleCounts(from, rng(seed))
        expect(sample.lexicon).toBe(from.lexicon)
        expect(sample.wordIds).toHaveLength(0)
        expect(sample.patternDocuments.reduce((sum, n) => sum + n, 0)).toBe(from.documentCount)
        expect(sample.patternDocuments.every(n => Number.isInteger(n) && n > 0)).toBe(true)
        // The reader checks labels against documents, and derives concepts from members.
        expect(countsFromBytes(countsToBytes(sample), 'sample')).toEqual(sample)
      }),
      {seed: 1, numRuns: 200}
    )
  })

  test('resampleCounts(...) gives the same sample for the same source, another for the next, and leaves the counts alone', () => {
    const bytes = countsToBytes(counts)
    const random = rng(7)
    const [first, second] = [resampleCounts(counts, random), resampleCounts(counts, random)]
    expect(resampleCounts(counts, rng(7))).toEqual(first)
    expect(second).not.toEqual(first)
    expect(countsToBytes(counts)).toEqual(bytes)
  })

  test('resampleCounts(...) of a single document, of equal documents or of none are the counts themselves', () => {
    const document = documentWith(lexicon, 'k', [1], [], [1, 0])
    for (const length of [0, 1, 50]) {
      const all = countCorpus({lexicon, documents: Array.from({length}, () => document)}, options)
      expect(resampleCounts(all, rng(1))).toEqual(all)
    }
  })
})

describe('the distribution of resampleCounts', () => {
  // Each way to draw a binomial: walking up, the mirror image, rejection near small numbers and among large ones.
  test.each([
    [2, 1],
    [3, 27],
    [999_993, 7],
    [10, 10],
    [25, 15],
    [900, 100],
    [200_000, 300_000]
  ])('resampleCounts(...) of %i and %i documents are binomial to the last cell', (without, having) => {
    // The labels of documents that all have the same anchors are as many binomials at once.
    const N = without + having
    const concepts = 1000
    const documents = [documentWith(lexiconWith([1], 0), '', [], [])]
    const all = countCorpus({lexicon: lexiconWith(new Array<number>(concepts).fill(1), 0), documents}, options)
    const labelled = all.labelled.map((_, cell) => (cell % 4 === 2 ? having : 0))
    const from = {...all, documentCount: N, patternDocuments: Float64Array.of(N), labelled}
    const random = rng(without)
    const seen = new Map<number, number>()
    const draws = 400_000
    for (let round = 0; round < draws / concepts; round++) {
      const sample = resampleCounts(from, random)
      for (let i = 0; i < concepts; i++) {
        const k = sample.labelled[4 * i + 2]
        seen.set(k, (seen.get(k) ?? 0) + 1)
      }
    }
    const p = having / N
    let logChance = N * Math.log1p(-p)
    let [statistic, cells, expected, found] = [0, 0, 0, 0]
    for (let k = 0; k <= N; k++) {
      expected += draws * Math.exp(logChance)
      found += seen.get(k) ?? 0
      logChance += Math.log(((N - k) / (k + 1)) * (p / (1 - p)))
      // Neighbours together until 20 are expected; what is left at the end is less than one draw in a thousand.
      if (expected < 20) continue
      statistic += (found - expected) ** 2 / expected
      cells++
      expected = 0
      found = 0
    }
    expect(found).toBeLessThan(50)
    // Mean and five standard deviations of a chi-square.
    expect(statistic).toBeLessThan(cells - 1 + 5 * Math.sqrt(2 * (cells - 1)))
  })

  const R = 20_000
  const N = counts.documentCount
  const random = rng(3)
  const samples = Array.from({length: R}, () => resampleCounts(counts, random))

  /** What sampled documents would have: how many of the counted ones have it, and how to see it in a sample. */
  const facts: Record<string, {readonly count: number; readonly of: (sample: Counts) => number}> = {
    'no anchor': {count: 40, of: sample => documentsWith(sample, '')},
    'the first anchor alone': {count: 30, of: sample => documentsWith(sample, '0')},
    'the second anchor alone': {count: 20, of: sample => documentsWith(sample, '1')},
    'both anchors': {count: 10, of: sample => documentsWith(sample, '0,1')},
    'a true label and no anchor': {count: counts.labelled[2], of: ({labelled}) => labelled[2]},
    'a true label and the anchor': {count: counts.labelled[3], of: ({labelled}) => labelled[3]},
    'a false label and no anchor': {count: counts.labelled[0], of: ({labelled}) => labelled[0]}
  }
  /** Documents that have both, where counts tell. */
  const both: readonly (readonly [string, string, number])[] = [
    ['no anchor', 'the first anchor alone', 0],
    ['the first anchor alone', 'both anchors', 0],
    ['no anchor', 'both anchors', 0],
    ['a true label and no anchor', 'a true label and the anchor', 0],
    ['a true label and no anchor', 'a false label and no anchor', 0]
  ]
  const drawn = Object.fromEntries(Object.entries(facts).map(([name, {of}]) => [name, samples.map(of)]))

  // Five standard errors each: of a mean sd/sqrt(R), of a variance about var sqrt(2/R), of a covariance as below.
  test.each(Object.keys(facts))('resampleCounts(...) have %s as often, and as unsteadily, as drawn documents', name => {
    const share = facts[name].count / N
    const variance = N * share * (1 - share)
    expect(share).toBeGreaterThan(0)
    expect(Math.abs(mean(drawn[name]) - N * share)).toBeLessThan(5 * Math.sqrt(variance / R))
    expect(Math.abs(covariance(drawn[name], drawn[name]) - variance)).toBeLessThan(5 * variance * Math.sqrt(2.2 / R))
  })

  test.each(both)('resampleCounts(...) have %s with %s as drawn documents have', (a, b, together) => {
    const [x, y] = [facts[a].count / N, facts[b].count / N]
    const expected = together - N * x * y
    const error = Math.sqrt((N * x * (1 - x) * N * y * (1 - y) + expected ** 2) / R)
    expect(Math.abs(covariance(drawn[a], drawn[b]) - expected)).toBeLessThan(5 * error)
  })

  test('resampleCounts(...) have labels that follow their anchor', () => {
    // Documents with a hit all have the anchor, 40 of 100 do: N (h - 0.4 h) for a share h of hits.
    const fired = samples.map(sample => documentsWith(sample, '0') + documentsWith(sample, '0,1'))
    const h = counts.labelled[3] / N
    const expected = N * h * 0.6
    const error = Math.sqrt((N * h * (1 - h) * N * 0.24 + expected ** 2) / R)
    expect(Math.abs(covariance(drawn['a true label and the anchor'], fired) - expected)).toBeLessThan(5 * error)
  })
})

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function covariance(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  return mean(a.map((value, at) => (value - meanA) * (b[at] - meanB)))
}
