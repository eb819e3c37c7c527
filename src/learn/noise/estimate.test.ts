import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {goldenNames, readGolden, sampleCounts} from '../../../test/golden.ts'
import {learnable} from '../../../test/learnable.ts'
import {AdfaError} from '../../base/checks/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {type CountOptions, type Counts, countCorpus, dropConcepts} from '../../read/counts/index.ts'
import {type AnchorRates, type Anchors, buildCorpus} from '../../read/data/index.ts'
import {generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import {anchorsWithRates} from '../model/index.ts'
import {estimateNoise, judgeNoise, noiseEstimators, noiseTable, usableNoise} from './estimate.ts'
import {rateFault} from './rates.ts'
import {scoreAnchors} from './scores.ts'
import {populationWorld, randomWorld, sampleWorld, unitedRates} from './test-members.ts'

describe('estimateNoise with given rates', () => {
  test('estimateNoise(..., "given") passes the rates on, and solves P(A) = e + (t - e) p for the prevalence', () => {
    const counts = countRows([...fires('a', 30), ...fires('b', 10), ...fires('', 60)], {
      a: {kind: 'rates', truePositive: 0.8, falsePositive: 0.05},
      b: {kind: 'rates', truePositive: 0.4, falsePositive: 0.01}
    })
    const {truePositive, falsePositive, prevalence, certificate} = estimateNoise(counts, 'given')
    expect([...truePositive]).toEqual([0.8, 0.4])
    expect([...falsePositive]).toEqual([0.05, 0.01])
    expect(prevalence[0]).toBeCloseTo((0.3 - 0.05) / 0.75, 14)
    expect(prevalence[1]).toBeCloseTo((0.1 - 0.01) / 0.39, 14)
    expect(certificate).toMatchObject({method: 'given', labelledCount: 0, clippedPrevalence: []})
  })

  test('estimateNoise(..., "given") clips impossible prevalences into [0.0001, 0.9999] and names their concepts', () => {
    const counts = countRows([...fires('rare', 1), ...fires('common', 90), ...fires('', 9)], {
      rare: {kind: 'rates', truePositive: 0.8, falsePositive: 0.05},
      common: {kind: 'rates', truePositive: 0.8, falsePositive: 0.05}
    })
    const {prevalence, certificate} = estimateNoise(counts, 'given')
    expect([...prevalence]).toEqual([1e-4, 1 - 1e-4])
    expect(certificate.clippedPrevalence).toEqual(['rare', 'common'])
  })

  test('estimateNoise(..., "given") turns prevalence and precision into rates by the rule of Bayes', () => {
    const counts = countRows([...fires('a', 20), ...fires('', 80)], {
      a: {kind: 'shares', prevalence: 0.25, precision: 0.9}
    })
    const {truePositive, falsePositive, prevalence} = estimateNoise(counts, 'given')
    // P(A|Y=1) = P(Y=1|A) P(A) / P(Y=1), and P(A|Y=0) alike.
    expect(truePositive[0]).toBeCloseTo((0.9 * 0.2) / 0.25, 14)
    expect(falsePositive[0]).toBeCloseTo((0.1 * 0.2) / 0.75, 14)
    expect(prevalence[0]).toBeCloseTo(0.25, 12)
  })

  test('estimateNoise(..., "given") names every concept without rates in one error', () => {
    const counts = countRows([...fires('a', 5), ...fires('b', 5), ...fires('c', 5), ...fires('', 5)], {
      a: undefined,
      b: {kind: 'rates', truePositive: 0.8, falsePositive: 0.05},
      c: {kind: 'shares', prevalence: 0.1, precision: 0.9}
    })
    const error = thrown(() => estimateNoise(counts, 'given'))
    expect(error.code).toBe('bad-rates')
    expect(error.message).toMatch(/could not estimate the rates of 2 of 3 anchors/)
    expect(error.message).toMatch(/concept "a": no rates given; add truePositive and falsePositive .* `noise`/)
    expect(error.message).toMatch(/concept "c": prevalence 0\.1 and precision 0\.9 do not fit/)
    expect(error.message).not.toMatch(/concept "b"/)
  })
})

describe('estimateNoise with labels', () => {
  const rows = [
    ...labelled('a', 8, {tags: ['a']}), // hits
    ...labelled('', 2, {tags: ['a']}), // misses
    ...labelled('a', 1, {tags: []}), // false alarms
    ...labelled('', 19, {tags: ['other']})
  ]

  test('estimateNoise(..., "labels") is the share of labelled documents, each count raised by a half', () => {
    const {truePositive, falsePositive, prevalence, certificate} = estimateNoise(
      countRows(rows, {a: undefined}, {labelShare: 1}),
      'labels'
    )
    expect(truePositive[0]).toBeCloseTo(8.5 / 11, 14)
    expect(falsePositive[0]).toBeCloseTo(1.5 / 21, 14)
    expect(prevalence[0]).toBeCloseTo((9 / 30 - 1.5 / 21) / (8.5 / 11 - 1.5 / 21), 12)
    expect(certificate).toMatchObject({method: 'labels', labelledCount: 30, clippedPrevalence: []})
  })

  test.each([
    {
      fault: /no labels were counted; count documents that have tags or labels with `labelShare` 1/,
      rows,
      labelShare: 0
    },
    {fault: /no labelled document has it; label more/, rows: labelled('a', 5, {tags: []}), labelShare: 1},
    {fault: /every labelled document has it/, rows: labelled('a', 5, {tags: ['a']}), labelShare: 1},
    {
      fault: /its anchor fires in 17% of the documents that have it and 70% of those that do not/,
      rows: [...labelled('', 2, {tags: ['a']}), ...labelled('a', 3, {tags: []}), ...labelled('', 1, {tags: []})],
      labelShare: 1
    }
  ])('estimateNoise(..., "labels") is refused where labels do not give rates: $fault', given => {
    const counts = countRows([...given.rows, ...fires('', 3)], {a: undefined}, {labelShare: given.labelShare})
    expect(() => estimateNoise(counts, 'labels')).toThrow(
      expect.objectContaining({code: 'bad-rates', message: expect.stringMatching(given.fault)})
    )
  })

  test('noiseTable(..., ["pooled"]) has no estimate where no labelled document has a concept', () => {
    const counts = countRows(
      [...labelled('a', 20, {tags: []}), ...labelled('', 20, {tags: []})],
      {a: undefined},
      {labelShare: 1}
    )
    expect(noiseTable(counts, {}, ['pooled'])[0].unavailable[0].reason).toMatch('no labelled document has any')
  })

  test.each(goldenNames)('estimateNoise(..., "labels") counts the golden truth of %s', name => {
    const golden = readGolden(name)
    const {truePositive, falsePositive} = estimateNoise(sampleCounts(golden), 'labels')
    const {Y, A} = golden.sample
    for (let i = 0; i < golden.m; i++) {
      const share = (y: string) => {
        const fired = A.filter((_, d) => Y[d][i] === y)
        return (fired.filter(bits => bits[i] === '1').length + 0.5) / (fired.length + 1)
      }
      expect(truePositive[i]).toBeCloseTo(share('1'), 14)
      expect(falsePositive[i]).toBeCloseTo(share('0'), 14)
    }
  })
})

describe('estimateNoise without labels', () => {
  const world = randomWorld(rng(4), 3, 12)

  test('estimateNoise(..., "pair") has the united rates of the members, and refuses concepts with one', () => {
    // So many documents that whole numbers of them hardly differ from exact moments.
    const counts = populationWorld(world, 1e8)
    const [e, t] = unitedRates(world)
    const alone = dropConcepts(
      counts,
      [1, 2].map(i => ({concept: counts.lexicon.anchors[i].concept, reason: ''}))
    )
    const {truePositive, falsePositive, prevalence, certificate} = estimateNoise(alone, 'pair')
    expect(truePositive[0]).toBeCloseTo(t, 6)
    expect(falsePositive[0]).toBeCloseTo(e, 6)
    expect(prevalence[0]).toBeCloseTo(world.prevalence, 6)
    expect(certificate.concepts[0]).toMatchObject({sources: ['pair'], basis: 'constant'})
    expect(judgeNoise(counts, 'pair').refused).toEqual(
      ['other-0', 'other-1'].map(concept => ({
        concept,
        reason: expect.stringMatching(/one member; .* choose another `noise`/)
      }))
    )
  })

  test('estimateNoise(..., "positive-only") divides P(A) by the mean score where the anchor fires', () => {
    const counts = countRows([...fires('a', 20), ...fires('', 80)], {a: undefined})
    // Two kinds of documents, with anchors in half and in none; calibrated, the scores are 1/2 and 0.
    const fired = Uint8Array.from({length: 40}, (_, d) => (d < 10 ? 1 : 0))
    const logOdds = Float32Array.from({length: 40}, (_, d) => (d < 20 ? 1 : -1))
    const scores = new Map([['a', {logOdds, fired}]])
    const {truePositive, falsePositive, prevalence} = estimateNoise(counts, 'positive-only', {scores})
    expect(truePositive[0]).toBeCloseTo(0.5, 12)
    expect(falsePositive[0]).toBe(1e-4)
    expect(prevalence[0]).toBeCloseTo((0.2 - 1e-4) / (0.5 - 1e-4), 12)
  })

  test('estimateNoise(..., "auto") keeps given rates to the last digit, and finds the others', () => {
    const counts = countRows(
      [...fires('a', 300), ...fires('b', 200), ...labelled('b', 40, {tags: ['b']}), ...fires('', 600)],
      {
        a: {kind: 'rates', truePositive: 0.7, falsePositive: 0.0123},
        b: undefined
      }
    )
    const {truePositive, falsePositive, certificate} = estimateNoise(
      {...counts, labelled: Float64Array.of(0, 0, 0, 0, 60, 2, 20, 38)},
      'auto'
    )
    expect([truePositive[0], falsePositive[0]]).toEqual([0.7, 0.0123])
    expect(certificate.concepts.map(({sources}) => sources)).toEqual([['given'], ['pooled']])
    expect(certificate.labelledCount).toBe(120)
    expect(truePositive[1]).toBeGreaterThan(0.3)
    expect(truePositive[1]).toBeLessThan(0.9)
  })
})

interface Document {
  readonly id?: number
  readonly features: readonly string[]
  readonly tags?: readonly string[]
  readonly labels?: Readonly<Record<string, boolean>>
}

/** Concepts whose anchor is the feature of their name. */
function countRows(
  rows: readonly Document[],
  rates: Readonly<Record<string, AnchorRates | undefined>>,
  options?: Partial<CountOptions>
): Counts {
  const anchors = Object.entries(rates).map(([concept, given]) => ({concept, any: [concept], not: [], rates: given}))
  return countCorpus(buildCorpus(rows, anchors), options)
}

/** Documents in which this anchor, or none, fires. */
function fires(anchor: string, count: number): Document[] {
  return labelled(anchor, count, {})
}

function labelled(anchor: string, count: number, truth: Pick<Document, 'tags' | 'labels'>): Document[] {
  return Array.from({length: count}, () => ({features: anchor === '' ? ['word'] : [anchor], ...truth}))
}

function thrown(act: () => unknown): AdfaError {
  try {
    act()
  } catch (error) {
    if (error instanceof AdfaError) return error
  }
  throw new Error('expected an AdfaError')
}

const truth = randomModel({...learnable, words: 40, wordsPerConcept: 12}, rng(2))
const rare = {concept: 'rare', any: ['rare-word'], not: [], rates: undefined}
const unrated = anchorsWithRates(truth).map(anchor => ({...anchor, rates: undefined}))
const documents = Array.from(generateDocuments(truth, 4000, rng(5)), (row, at) =>
  at < 8 ? {...row, features: [...row.features, 'rare-word']} : row
)

function corpusOf(anchors: Anchors) {
  return buildCorpus(documents, anchors, {text: []})
}

test('usableNoise(..., "auto") goes on without what labels refuse, and estimates the rest as if it had never been', () => {
  const counts = countCorpus(corpusOf([...unrated, rare]), {labelShare: 1})
  // The rare word stands for a concept that most documents have.
  const labelled = counts.labelled.map((cell, at) => [...counts.labelled.subarray(0, -4), 500, 4, 2492, 4][at] ?? cell)
  const judged = {...counts, labelled}
  expect(() => estimateNoise(judged, 'auto')).toThrow(
    /1 of 7 anchors:\n {2}concept "rare": its anchor fires in 0\.1\d*% of the documents that have it, and 5\.0% is needed/
  )
  const {counts: kept, noise} = usableNoise(judged, 'auto')
  expect(kept.lexicon.skipped.map(({concept}) => concept)).toEqual(['rare'])
  expect(noise).toEqual(estimateNoise(dropConcepts(judged, kept.lexicon.skipped), 'auto'))
})

test('estimateNoise(..., "auto") refuses no anchor without labels, however rare or common', () => {
  const share = fc.double({min: 0.002, max: 0.998, noNaN: true})
  fc.assert(
    fc.property(share, share, fc.boolean(), (first, second, withWord) => {
      const at = (a: number, count: number) => Math.max(1, Math.min(count - 1, Math.round(a * count)))
      const rows = Array.from({length: 500}, (_, d) => ({
        features: [
          ...(d < at(first, 500) ? ['a'] : []),
          ...(d % 500 >= 500 - at(second, 500) ? ['b'] : []),
          ...(withWord && d % 3 === 0 ? ['word'] : [])
        ]
      }))
      const {truePositive, falsePositive, certificate} = estimateNoise(
        countRows(rows, {a: undefined, b: undefined}),
        'auto'
      )
      certificate.concepts.forEach(({basis}, i) => {
        expect(basis).toBe('constant')
        expect(rateFault({truePositive: truePositive[i], falsePositive: falsePositive[i]})).toBe(undefined)
      })
    })
  )
})

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
        pooled: 'no document is labelled for it',
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

  test('noiseTable(...) and estimateNoise(...) read no rates of a concept from fewer than 30 documents labelled for it', () => {
    const counts = countCorpus(corpusOf(unrated))
    const withLabels = (count: number) => ({
      ...counts,
      labelled: counts.labelled.map((_, at) => (at < 4 ? [count - 3, 1, 1, 1] : [80, 2, 2, 16])[at % 4])
    })
    const methodsOf = (count: number) => estimatesOf(withLabels(count))
    expect(methodsOf(30)).toEqual(counts.lexicon.anchors.map(() => ['pooled', 'guess']))
    for (const count of [3, 29]) expect(methodsOf(count)[0]).toEqual(['guess'])
    expect(methodsOf(29)[1]).toEqual(['pooled', 'guess'])
    const {concepts} = estimateNoise(withLabels(29), 'auto').certificate
    expect(concepts.map(({basis}) => basis)).toEqual(concepts.map((_, i) => (i === 0 ? 'constant' : 'labels')))
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
