import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyRates, observe} from '../../../test/tables.ts'
import {markovEquivalent} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {recoverObservedTable} from '../moments/index.ts'
import {bicScore, bicScores} from './family-scores.ts'
import {noiseParameters, plainParameters, tableParameters, varianceInflation} from './parameter-counts.ts'
import {searchExact} from './search-graph.ts'
import {allGraphs, anyJoint, jointMoments} from './test-joint.ts'

const perfect = Array.from({length: 4}, () => ({truePositive: 1, falsePositive: 0}))
const sets = [[], [2], [0, 3], [0, 1, 2], [0, 1, 2, 3]]

describe('noiseParameters(...) and tableParameters(...)', () => {
  test('are the plain count, 2^k - 1, for concepts that are seen themselves', () => {
    fc.assert(
      fc.property(anyJoint(4), joint => {
        const {table, single} = jointMoments(joint, 300)
        const noise = noiseParameters(perfect, [0, 1, 2, 3].map(single))
        const variance = tableParameters(table, perfect, 1e9)
        for (const set of sets) {
          expect(noise(set)).toBeCloseTo(plainParameters(set), 9)
          // Cells are far above their standard error of 1/sqrt(1e9), so no floor plays a part.
          expect(variance(set)).toBeCloseTo(plainParameters(set), 9)
        }
      }),
      {numRuns: 20}
    )
  })

  test('are the same for independent concepts, whatever the noise', () => {
    const rates = fc.array(anyRates(0.2), {minLength: 4, maxLength: 4})
    const shares = fc.array(fc.double({min: 0.05, max: 0.95, noNaN: true}), {minLength: 4, maxLength: 4})
    fc.assert(
      fc.property(rates, shares, (rates, on) => {
        const joint = Array.from({length: 16}, (_, state) =>
          on.reduce((product, p, i) => product * ((state >> (3 - i)) & 1 ? p : 1 - p), 1)
        )
        const {table} = jointMoments(joint, 1e15)
        const noise = noiseParameters(rates, on)
        const variance = tableParameters(table, rates, 1e15)
        for (const set of sets) expect(variance(set) / noise(set) || 1).toBeCloseTo(1, 6)
      })
    )
  })

  test('bicScore(...) is the same for equivalent graphs, whatever counts the parameters', () => {
    const graphs = allGraphs(4, 3)
    const rates = fc.array(anyRates(0.2), {minLength: 4, maxLength: 4})
    fc.assert(
      fc.property(anyJoint(4), rates, fc.nat(graphs.length - 1), (joint, rates, at) => {
        const {table, single} = jointMoments(joint, 300)
        for (const parameters of [
          noiseParameters(rates, [0, 1, 2, 3].map(single)),
          tableParameters(table, rates, 300)
        ]) {
          const score = (graph: number[][]) => bicScore(table, graph, 300, {penalty: 0.5, parameters})
          for (const other of graphs)
            if (markovEquivalent(graphs[at], other)) expect(score(other) / score(graphs[at])).toBeCloseTo(1, 9)
        }
      }),
      {numRuns: 10}
    )
  })

  test('tableParameters(...) is N times the covariance of the recovered cells over their shares', () => {
    // The covariance entry by entry: R^-1 (diag(a) - a a') R^-T, R^-1 by applying rates that undo the others.
    const rates = [
      {truePositive: 0.7, falsePositive: 0.1},
      {truePositive: 0.9, falsePositive: 0.05}
    ]
    const mu = [0.5, 0.2, 0.1, 0.2]
    const a = observe(rates, mu)
    const inverse = [0, 1, 2, 3].map(cell =>
      [0, 1, 2, 3].map(seen =>
        rates.reduce((product, {truePositive: t, falsePositive: e}, k) => {
          const [c, s] = [(cell >> (1 - k)) & 1, (seen >> (1 - k)) & 1]
          return (
            (product *
              [
                [t, t - 1],
                [-e, 1 - e]
              ][c][s]) /
            (t - e)
          )
        }, 1)
      )
    )
    const expected = mu.reduce((sum, share, cell) => {
      const second = a.reduce((total, p, seen) => total + p * inverse[cell][seen] ** 2, 0)
      return sum + (second - share ** 2) / share
    }, 0)
    expect(tableParameters(() => mu, rates, 1e12)([0, 1])).toBeCloseTo(expected, 9)
    // An empty cell counts as one standard error: sqrt(N) times its deviation.
    const empty = [0.6, 0.2, 0.2, 0]
    const count = (N: number) => tableParameters(() => empty, rates, N)([0, 1])
    expect(count(1e12) / count(1e10)).toBeCloseTo(10, 2)
  })

  test('let the search find no edge between concepts that have none, where the plain score finds many', () => {
    // Independent concepts with anchors that fire for 40% of them and for 1% of the others, 5,000 documents.
    const m = 8
    const rates = Array.from({length: m}, () => ({truePositive: 0.4, falsePositive: 0.01}))
    const prevalence = new Float64Array(m).fill(0.1)
    const noise = {
      truePositive: Float64Array.from(rates, c => c.truePositive),
      falsePositive: Float64Array.from(rates, c => c.falsePositive),
      prevalence,
      certificate: {method: 'given', labelledCount: 0, clippedPrevalence: []} as const
    }
    let plainEdges = 0
    let noiseEdges = 0
    for (let seed = 0; seed < 20; seed++) {
      const random = rng(seed)
      const rows = Array.from({length: 5000}, () => rates.map(() => Number(random.next() < 0.01 + 0.39 * 0.1)))
      const table = (concepts: readonly number[]) => {
        const cells = new Array<number>(2 ** concepts.length).fill(0)
        for (const row of rows) cells[concepts.reduce((cell, i) => 2 * cell + row[i], 0)]++
        return recoverObservedTable(cells, noise, concepts, {shrinkage: '10/N'}).mu
      }
      const edges = (parameters: typeof plainParameters) =>
        searchExact(bicScores(table, m, 5000, {maxParents: 1, parameters})).parents.flat().length
      plainEdges += edges(plainParameters)
      noiseEdges += edges(noiseParameters(rates, prevalence))
    }
    // A pair that has no edge seems to gain V^2 chi-square(1) / 2, more than the penalty V^2 ln(5000) / 2 in 0.35% of 28 pairs.
    expect(noiseEdges / 20).toBeLessThan(0.5)
    expect(plainEdges / 20).toBeGreaterThan(3)
  })
})

test('varianceInflation(...) is 1 for a concept that is its own anchor, and more for any noise', () => {
  expect(varianceInflation({truePositive: 1, falsePositive: 0}, 0.3)).toBe(1)
  expect(varianceInflation({truePositive: 0.5, falsePositive: 0.1}, 0)).toBeLessThan(1e5)
  const share = fc.double({min: 0.01, max: 0.99, noNaN: true})
  fc.assert(
    fc.property(share, share, share, (p, low, gain) => {
      const e = low * 0.5
      const inflation = varianceInflation({truePositive: e + gain * (1 - e), falsePositive: e}, p)
      expect(inflation).toBeGreaterThanOrEqual(1 - 1e-12)
    })
  )
})

test('varianceInflation(...) multiplied over two concepts is what recovery adds to the variance of their covariance', () => {
  const concepts = [
    {t: 0.6, e: 0.05, p: 0.2},
    {t: 0.8, e: 0.02, p: 0.3}
  ]
  const random = rng(7)
  const samples = 200
  const recovered: number[] = []
  const seen: number[] = []
  for (let repeat = 0; repeat < 2000; repeat++) {
    const sums = {y: [0, 0, 0], a: [0, 0, 0]}
    for (let n = 0; n < samples; n++) {
      const y = concepts.map(({p}) => Number(random.next() < p))
      const a = concepts.map(({t, e}, i) => Number(random.next() < (y[i] ? t : e)))
      for (const [list, sum] of [
        [y, sums.y],
        [a, sums.a]
      ]) {
        sum[0] += list[0] / samples
        sum[1] += list[1] / samples
        sum[2] += (list[0] * list[1]) / samples
      }
    }
    seen.push(sums.y[2] - sums.y[0] * sums.y[1])
    recovered.push((sums.a[2] - sums.a[0] * sums.a[1]) / (0.55 * 0.78))
  }
  const [first, second] = concepts.map(({t, e, p}) => varianceInflation({truePositive: t, falsePositive: e}, p))
  // A variance of 2,000 draws has a relative standard error of about 3.2%, a ratio of two 4.5%: five of them.
  expect(variance(recovered) / variance(seen) / (first * second)).toBeGreaterThan(0.77)
  expect(variance(recovered) / variance(seen) / (first * second)).toBeLessThan(1.23)
})

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
}
