import fc from 'fast-check'
import type {Rng} from '../src/base/numeric/index.ts'
import type {Divergence} from '../src/learn/moments/index.ts'
import type {Rates} from '../src/learn/noise/index.ts'

/** One problem for a solver: the table mu that minimises D(a, R mu) + lambda KL(independent, mu). */
export interface Problem {
  readonly rates: readonly Rates[]
  readonly a: readonly number[]
  readonly w: readonly number[]
}

/** Shrinkages: none, one far below the rounding of the tables, the published ones, and stronger ones. */
const shrinkages = [0, 1e-9, 1e-4, 0.01, 1]

/** Anchors from useless (t - e = 0.02) to good. */
export function anyRates(leastGain = 0.02): fc.Arbitrary<Rates> {
  return fc
    .record({
      e: fc.double({min: 1e-4, max: 0.3, noNaN: true}),
      gain: fc.double({min: leastGain, max: 0.65, noNaN: true})
    })
    .map(({e, gain}) => ({truePositive: e + gain, falsePositive: e}))
}

/** Problems over `variableCount` variables from document counts, many of them 0. */
export function problem(variableCount: number, leastGain = 0.02): fc.Arbitrary<Problem> {
  const size = 2 ** variableCount
  return fc
    .record({
      rates: fc.array(anyRates(leastGain), {minLength: variableCount, maxLength: variableCount}),
      counts: fc
        .array(fc.oneof(fc.constant(0), fc.integer({min: 1, max: 1000})), {minLength: size, maxLength: size})
        .filter(counts => counts.some(count => count > 0)),
      on: fc.array(fc.double({min: 1e-4, max: 0.99, noNaN: true}), {
        minLength: variableCount,
        maxLength: variableCount
      }),
      lambda: fc.constantFrom(...shrinkages)
    })
    .map(({rates, counts, on, lambda}) => {
      const documents = counts.reduce((sum, count) => sum + count, 0)
      return {rates, a: counts.map(count => count / documents), w: productTable(on).map(share => lambda * share)}
    })
}

/** The table of independent variables, cell by cell. */
export function productTable(on: readonly number[]): number[] {
  return Array.from({length: 2 ** on.length}, (_, cell) =>
    on.reduce((product, p, k) => product * (bit(cell, k, on.length) ? p : 1 - p), 1)
  )
}

/** R mu, by summing over all pairs of a concept and an observed cell: the obvious twin of butterflies and Kronecker products. */
export function observe(rates: readonly Rates[], mu: ArrayLike<number>): number[] {
  const K = rates.length
  return Array.from({length: 2 ** K}, (_, c) =>
    Array.from(mu).reduce((sum, share, s) => {
      const chance = rates.reduce((product, {truePositive: t, falsePositive: e}, k) => {
        const on = bit(s, k, K) ? t : e
        return product * (bit(c, k, K) ? on : 1 - on)
      }, 1)
      return sum + share * chance
    }, 0)
  )
}

/** The objective straight from its definition. */
export function objectiveOf({rates, a, w}: Problem, mu: ArrayLike<number>, divergence: Divergence): number {
  const r = observe(rates, mu)
  const lambda = w.reduce((sum, weight) => sum + weight, 0)
  const distance = a.map((share, c) =>
    divergence === 'l2' ? (share - r[c]) ** 2 : share === 0 ? 0 : share * Math.log(share / r[c])
  )
  const shrinkage = w.map((weight, s) => (weight === 0 ? 0 : weight * Math.log(weight / lambda / mu[s])))
  return [...distance, ...shrinkage].reduce((sum, term) => sum + term, 0)
}

/** (1 - h) mu + h e_s: a step from mu towards a vertex, or away from it when h < 0. */
export function towards(mu: ArrayLike<number>, s: number, h: number): number[] {
  return Array.from(mu, (share, at) => (1 - h) * share + (at === s ? h : 0))
}

/** Uniform on the simplex of this mass. */
export function randomTable(size: number, mass: number, random: Rng): number[] {
  const parts = Array.from({length: size}, () => -Math.log(1 - random.next()))
  const sum = parts.reduce((total, part) => total + part, 0)
  return parts.map(part => (mass * part) / sum)
}

export function largestDifference(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length !== y.length) return Number.POSITIVE_INFINITY
  return Array.from(x).reduce((most, value, at) => Math.max(most, Math.abs(value - y[at])), 0)
}

function bit(cell: number, k: number, variableCount: number): boolean {
  return ((cell >> (variableCount - 1 - k)) & 1) === 1
}
