import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {log, type Rng, rng} from '../numeric/index.ts'
import {type LabelledSample, pooledRates} from './pooled-rates.ts'

describe('pooledRates', () => {
  test('pooledRates(...) is its closed form on counts that can be followed by hand', () => {
    const {concepts, pooledEffective, pooledPrecision} = pooledRates({
      documentCount: 1000,
      anchoredCounts: [40, 20],
      labelledCount: 100,
      positiveCounts: [9, 3],
      labelledAnchoredCounts: [5, 1],
      labelledTrueCounts: [4, 1]
    })
    // tbar = 100 (0.04 + 0.02) / 12; rbar = (5 + 4 * 0.8) / (6 + 4).
    expect(pooledEffective).toBeCloseTo(0.5, 14)
    expect(pooledPrecision).toBeCloseTo(0.82, 14)
    const [{prevalence, precision, effectiveTruePositive, truePositive, falsePositive, clipped, refusals}] = concepts
    const p = 12 / (100 + 1.5 / 0.04)
    const r = (4 + 4 * 0.82) / 9
    expect(prevalence.value).toBeCloseTo(p, 14)
    expect(precision.value).toBeCloseTo(r, 14)
    // gamma.ppf([0.05, 0.95], 12) and beta.ppf([0.05, 0.95], 7.28, 1.72) of scipy.stats, SciPy 1.17.1.
    expect([prevalence.low, prevalence.high].map(x => x * 137.5)).toEqual(
      [6.924212513585112, 18.207514250903657].map(x => expect.closeTo(x, 10))
    )
    expect([precision.low, precision.high]).toEqual(
      [0.5697622299960432, 0.9678465042337061].map(x => expect.closeTo(x, 10))
    )
    expect(effectiveTruePositive).toEqual({
      value: expect.closeTo(0.04 / p, 14),
      low: 0.04 / prevalence.high,
      high: 0.04 / prevalence.low
    })
    expect(truePositive).toBeCloseTo((r * 0.04) / p, 14)
    expect(falsePositive).toBeCloseTo(((1 - r) * 0.04) / (1 - p), 14)
    expect(clipped).toBe(false)
    expect(refusals).toEqual([])
  })

  test('pooledRates(...) keeps to P(A) = t p + e (1 - p), its estimates inside their intervals, unless clipped', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(...Array.from({length: 4}, () => fc.nat(100))), {minLength: 1}), rows => {
        const sample = {
          documentCount: 1000,
          anchoredCounts: rows.map(([a]) => 10 * a),
          labelledCount: 100,
          positiveCounts: rows.map(([, k]) => k),
          labelledAnchoredCounts: rows.map(([, , n]) => n),
          labelledTrueCounts: rows.map(([, , n, j]) => Math.min(n, j))
        }
        fc.pre(sample.positiveCounts.some(k => k > 0))
        pooledRates(sample).concepts.forEach(
          ({prevalence, precision, truePositive: t, falsePositive: e, clipped}, i) => {
            expect(t).toBeLessThanOrEqual(0.98)
            const a = Math.max(rows[i][0] / 100, 0.0005)
            const p = prevalence.value
            if (clipped) return
            expect(t * p + e * (1 - p)).toBeCloseTo(a, 12)
            expect(prevalence.low).toBeLessThan(p)
            expect(p).toBeLessThan(prevalence.high)
            expect(precision.low).toBeLessThan(precision.high)
          }
        )
      })
    )
  })

  test('pooledRates(...) comes to the true prevalence and precision as documents are labelled', () => {
    const D = 200_000
    const truth = drawConcepts(20, rng(3))
    const {concepts} = pooledRates(drawSample(truth, D, rng(4)))
    concepts.forEach(({prevalence, precision}, i) => {
      const {p, a, r} = truth[i]
      // 5 standard errors, and the pull of 3 positives and 4 anchored documents.
      expect(Math.abs(prevalence.value / p - 1)).toBeLessThan(5 / Math.sqrt(D * p) + 6 / (D * p))
      expect(Math.abs(precision.value - r)).toBeLessThan(5 * Math.sqrt((r * (1 - r)) / (D * a)) + 4 / (D * a))
    })
  })

  test.each([100, 200])('pooledRates(...) of %d documents covers the truth in 90% of its intervals', D => {
    let prevalenceHits = 0
    let precisionHits = 0
    let count = 0
    for (let replicate = 0; replicate < 200; replicate++) {
      const random = rng(D).stream(`replicate ${replicate}`)
      const truth = drawConcepts(20, random)
      pooledRates(drawSample(truth, D, random)).concepts.forEach(({prevalence, precision}, i) => {
        count++
        if (prevalence.low <= truth[i].p && truth[i].p <= prevalence.high) prevalenceHits++
        if (precision.low <= truth[i].r && truth[i].r <= precision.high) precisionHits++
      })
    }
    // 4,000 intervals: their standard error is half a point, so chance does not decide.
    for (const hits of [prevalenceHits, precisionHits]) {
      expect(hits / count).toBeGreaterThan(0.85)
      expect(hits / count).toBeLessThan(0.98)
    }
  })

  test('pooledRates(...) is nearer to the truth than counts of each concept alone', () => {
    let pooled = 0
    let alone = 0
    for (let replicate = 0; replicate < 50; replicate++) {
      const random = rng(9).stream(`replicate ${replicate}`)
      const truth = drawConcepts(20, random)
      const sample = drawSample(truth, 100, random)
      pooledRates(sample).concepts.forEach(({prevalence}, i) => {
        pooled += log(prevalence.value / truth[i].p) ** 2
        alone += log((sample.positiveCounts[i] + 0.5) / 101 / truth[i].p) ** 2
      })
    }
    expect(pooled).toBeLessThan(0.6 * alone)
  })

  test('pooledRates(...) makes wider intervals at a higher level', () => {
    const [{prevalence: narrow}, {prevalence: wide}] = [0.5, 0.95].map(level => pooledRates(plain(), level).concepts[0])
    expect(wide.low).toBeLessThan(narrow.low)
    expect(wide.high).toBeGreaterThan(narrow.high)
  })
})

describe('pooledRates: what it refuses', () => {
  test('pooledRates(...) refuses a concept by each rule, and no other', () => {
    const rules = (change: Partial<LabelledSample>) =>
      pooledRates({...plain(), ...change}).concepts.map(({refusals}) => refusals.map(({rule}) => rule))
    expect(rules({})).toEqual([[], []])
    expect(rules({anchoredCounts: [30, 29], documentCount: 300})).toEqual([[], ['few-anchored']])
    expect(rules({anchoredCounts: [30, 30], documentCount: 300})).toEqual([[], []])
    expect(rules({positiveCounts: [20, 100]})[1]).toEqual(['low-true-positive'])
    expect(rules({labelledAnchoredCounts: [10, 10], labelledTrueCounts: [9, 1]})[1]).toEqual(['low-precision'])
    // A gamma of shape 3 spans a factor of 7.7, one of shape 4 a factor of 5.7.
    expect(rules({positiveCounts: [20, 0]})[1]).toEqual(['wide-interval'])
    expect(rules({positiveCounts: [20, 1]})[1]).toEqual([])
  })

  test('pooledRates(...) says what was found, what is needed and what to do', () => {
    const {concepts} = pooledRates({...plain(), anchoredCounts: [100, 0], positiveCounts: [20, 0]})
    expect(concepts[1].refusals.map(({reason}) => reason)).toEqual([
      'its anchor fires in 0 documents, and 30 are needed; add words to the anchor',
      'its prevalence is known to a factor of 7.7, and 6 is needed; label more documents'
    ])
  })

  test('pooledRates(...) holds rates at their limits and says so', () => {
    const {concepts} = pooledRates({...plain(), anchoredCounts: [900, 900], positiveCounts: [50, 100]})
    expect(concepts[0]).toMatchObject({truePositive: 0.98, clipped: true})
    const all = pooledRates({...plain(), anchoredCounts: [1000, 10], positiveCounts: [100, 100]}).concepts[0]
    expect(all.prevalence).toMatchObject({value: 1 - 1e-4, high: 1})
    expect(all.clipped).toBe(true)
    expect(all.falsePositive).toBeGreaterThan(0)
  })

  test('pooledRates(...) throws where the counts cannot be, or no label is positive', () => {
    const fails = (change: Partial<LabelledSample>) => () => pooledRates({...plain(), ...change})
    expect(fails({positiveCounts: [1]})).toThrow('counts of 1 concepts beside those of 2')
    expect(fails({anchoredCounts: [1001, 1]})).toThrow('concept number 0: 1001 of 1000 documents anchored')
    expect(fails({positiveCounts: [1, 101]})).toThrow('concept number 1: 100 of 1000 documents anchored, 101 of 100')
    expect(fails({labelledTrueCounts: [9, 11]})).toThrow('11 of 10 anchored true')
    expect(fails({labelledAnchoredCounts: [10, 10.5]})).toThrow('each must be a whole number')
    expect(fails({positiveCounts: [0, 0]})).toThrow('none of 100 labelled documents has any of 2 concepts; label more')
    expect(() => pooledRates(plain(), 1)).toThrow('level 1;')
  })
})

function plain(): LabelledSample {
  return {
    documentCount: 1000,
    anchoredCounts: [100, 100],
    labelledCount: 100,
    positiveCounts: [20, 20],
    labelledAnchoredCounts: [10, 10],
    labelledTrueCounts: [9, 9]
  }
}

interface Concept {
  readonly a: number
  readonly p: number
  readonly r: number
}

/** Anchors of all frequencies; P(A) / p about 0.5, p as variable as the prior has it; precisions about 0.8. */
function drawConcepts(m: number, random: Rng): Concept[] {
  return Array.from({length: m}, () => {
    const a = 0.01 + 0.03 * random.next()
    const gamma = -log((1 - random.next()) * (1 - random.next()) * (1 - random.next()))
    const r = 0.6 + 0.39 * random.next()
    return {a, p: Math.max((a / 0.5) * (gamma / 3), r * a), r}
  })
}

/** Documents of concepts that do not know of each other, drawn one by one. */
function drawSample(truth: readonly Concept[], D: number, random: Rng): LabelledSample {
  const draws = truth.map(({a, p, r}) => {
    let [k, n, j] = [0, 0, 0]
    for (let d = 0; d < D; d++) {
      const fires = random.next() < a
      const has = random.next() < (fires ? r : (p - r * a) / (1 - a))
      if (fires) n++
      if (has) k++
      if (fires && has) j++
    }
    return {k, n, j}
  })
  return {
    documentCount: 1e6,
    anchoredCounts: truth.map(({a}) => Math.round(a * 1e6)),
    labelledCount: D,
    positiveCounts: draws.map(({k}) => k),
    labelledAnchoredCounts: draws.map(({n}) => n),
    labelledTrueCounts: draws.map(({j}) => j)
  }
}
