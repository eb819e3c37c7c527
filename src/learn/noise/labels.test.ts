import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {betaQuantile, logGamma} from '../../base/numeric/index.ts'
import {type LabelledSample, pooledRates} from './labels.ts'

describe('pooledRates', () => {
  test('pooledRates(...) of documents that are all labelled is what was counted', () => {
    const concepts = pooledRates({
      documentCount: 1000,
      anchoredCounts: [60, 100],
      labelled: [850, 20, 90, 40, 895, 5, 5, 95]
    })
    expect(concepts[0]).toEqual({
      prevalence: {value: near(0.13), low: near(0.13), high: near(0.13)},
      precision: {value: near(40 / 60), low: near(40 / 60), high: near(40 / 60)},
      truePositive: near(40 / 130),
      falsePositive: near(20 / 870)
    })
    expect(concepts[1]).toMatchObject({
      prevalence: {value: near(0.1)},
      truePositive: near(0.95),
      falsePositive: near(5 / 900)
    })
  })

  test('pooledRates(...) keeps to P(A) = t p + e (1 - p), its estimates inside their intervals, unless clipped', () => {
    const concept = fc.tuple(fc.nat(100), ...Array.from({length: 4}, () => fc.nat(40)))
    fc.assert(
      fc.property(fc.array(concept, {minLength: 1, maxLength: 6}), rows => {
        const anchoredCounts = rows.map(([, , falsely, , hit], i) => Math.min(1000, falsely + hit + 9 * rows[i][0]))
        const sample = {documentCount: 1100, anchoredCounts, labelled: rows.flatMap(([, ...cells]) => cells)}
        fc.pre(rows.some(([, , , missed, hit]) => missed + hit > 0))
        pooledRates(sample).forEach((rate, i) => {
          const {prevalence, precision, truePositive: t, falsePositive: e} = rate
          const p = prevalence.value
          expect(t).toBeLessThanOrEqual(0.98)
          for (const {low, value, high} of [prevalence, precision]) {
            expect(low).toBeLessThanOrEqual(value)
            expect(value).toBeLessThanOrEqual(high)
            expect(Number.isFinite(high)).toBe(true)
          }
          if (t < 0.98 && p > 1e-4 && p < 1 - 1e-4)
            // The floor of 0.0001 under false hits is all that may be added.
            expect(Math.abs(t * p + e * (1 - p) - anchoredCounts[i] / 1100)).toBeLessThan(1.01e-4)
        })
      }),
      {numRuns: 40}
    )
  })

  test('pooledRates(...) has the precisions of its twin, which sums over a fine grid of levels and precisions', () => {
    const cells = [
      [1, 9],
      [4, 3],
      [0, 0]
    ]
    const labelled = cells.flatMap(([falsely, hit]) => [90, falsely, 5, hit])
    const concepts = pooledRates({documentCount: 1e9, anchoredCounts: cells.map(() => 2e7), labelled})
    const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)
    // Points and intervals are by different spreads.
    for (const [spread, compared] of [
      [1.4, ['value']],
      [1.8, ['low', 'high']]
    ] as const) {
      const levels = Array.from({length: 101}, (_, at) => {
        const level = 1.4 + (6 * at) / 100 - 3
        const mean = 1 / (1 + Math.exp(-level))
        const [a, b] = [1 / (spread ** 2 * (1 - mean)), 1 / (spread ** 2 * mean)]
        const likelihood = cells.reduce((sum, [no, yes]) => sum + logBeta(yes + a, no + b) - logBeta(a, b), 0)
        return {a, b, weight: Math.exp(likelihood - (level - 1.4) ** 2 / 2)}
      })
      cells.forEach(([no, yes], i) => {
        // The posterior density of the precision at the middle of each of 1,000 cells.
        const density = Array.from({length: 1000}, (_, at) => {
          const r = (at + 0.5) / 1000
          return levels.reduce(
            (sum, {a, b, weight}) =>
              sum +
              weight *
                Math.exp((yes + a - 1) * Math.log(r) + (no + b - 1) * Math.log(1 - r) - logBeta(yes + a, no + b)),
            0
          )
        })
        const total = density.reduce((sum, x) => sum + x, 0)
        const meanOf = (value: (r: number) => number) =>
          density.reduce((sum, x, at) => sum + x * value((at + 0.5) / 1000), 0) / total
        const mean = meanOf(r => r)
        const weight = (mean * (1 - mean)) / meanOf(r => (r - mean) ** 2) - 1
        const [low, value, high] = [0.05, 0.5, 0.95].map(share =>
          betaQuantile(mean * weight, (1 - mean) * weight, share)
        )
        const expected = {low, value, high}
        for (const key of compared) expect(Math.abs(concepts[i].precision[key] - expected[key])).toBeLessThan(0.003)
      })
    }
  })
})

describe('pooledRates: what it refuses', () => {
  test('pooledRates(...) refuses a concept whose anchor is weak by the labels', () => {
    const rules = (change: Partial<LabelledSample>) =>
      pooledRates({...plain(), ...change}).map(({refusal}) => refusal?.rule)
    expect(rules({})).toEqual([undefined, undefined])
    expect(rules({labelled: [80, 1, 10, 9, 20, 0, 75, 5], anchoredCounts: [1000, 300]})[1]).toBe('low-true-positive')
    expect(rules({labelled: [80, 1, 10, 9, 20, 19, 70, 11], anchoredCounts: [1000, 3000]})[1]).toBe('low-ratio')
    // Imprecise, rare or uncertain anchors are doubtful, no more.
    expect(rules({labelled: [80, 1, 10, 9, 88, 19, 2, 6]})[1]).toBe(undefined)
    expect(rules({anchoredCounts: [30, 29], documentCount: 300})).toEqual([undefined, undefined])
    expect(rules({labelled: [80, 1, 10, 9, 0, 0, 0, 1]})[1]).toBe(undefined)
  })

  test('pooledRates(...) gives an anchor that never fires finite numbers, and refuses it', () => {
    const concepts = pooledRates({
      documentCount: 1000,
      anchoredCounts: [0, 100],
      labelled: [90, 0, 10, 0, 80, 1, 10, 9]
    })
    expect(Object.values(concepts[0].prevalence).every(Number.isFinite)).toBe(true)
    expect(concepts[0].refusal?.rule).toBe('low-true-positive')
  })

  test('pooledRates(...) holds a prevalence and a rate at their limits', () => {
    const [none, all] = pooledRates({
      documentCount: 1000,
      anchoredCounts: [100, 100],
      labelled: [900, 100, 0, 0, 0, 0, 900, 100]
    })
    expect(none.prevalence).toMatchObject({value: 1e-4, high: 1e-4})
    expect(all.prevalence).toMatchObject({value: 1 - 1e-4, low: 1 - 1e-4, high: 1})
    const [certain] = pooledRates({documentCount: 1000, anchoredCounts: [100], labelled: [900, 0, 0, 100]})
    expect(certain).toMatchObject({prevalence: {value: near(0.1)}, truePositive: 0.98})
  })
})

function near(x: number): number {
  return expect.closeTo(x, 10)
}

function plain(): LabelledSample {
  return {documentCount: 10_000, anchoredCounts: [1000, 1000], labelled: [80, 1, 10, 9, 80, 1, 10, 9]}
}
