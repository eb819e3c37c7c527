import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {largestDifference, objectiveOf, observe, problem, randomTable, towards} from '../../../test/tables.ts'
import {rng} from '../../base/numeric/index.ts'
import type {Rates} from '../noise/index.ts'
import type {Divergence, SimplexSolver} from './table-solver.ts'

export interface SolverCase {
  readonly name: string
  readonly make: (rates: readonly Rates[]) => SimplexSolver
  readonly divergence: Divergence
  readonly variableCounts: readonly number[]
  /** The gap that a solved problem may have, as a share of the mass. */
  readonly gapLimit: number
  /** Whether every problem is solved; a slow method may also stop at its step limit, if it says so. */
  readonly alwaysOptimal: boolean
  /** How close to the truth the table of exact observations comes, as a share of the mass. */
  readonly tableTolerance: number
  readonly leastGain: number
  readonly runs: number
}

/** What every minimiser of D(a, R mu) + lambda KL(independent, mu) over the simplex promises. */
export function describeSimplexSolver(solver: SolverCase): void {
  const {name, make, divergence, gapLimit, alwaysOptimal, tableTolerance, leastGain, runs} = solver
  describe.each(solver.variableCounts)(`${name}, %i variables`, variableCount => {
    const problems = problem(variableCount, leastGain)
    const numRuns = Math.max(10, Math.ceil(runs / 2 ** variableCount))

    test('solve(...) gives a table without negative cells, of the mass that was asked for', () => {
      fc.assert(
        fc.property(problems, ({rates, a, w, mass}) => {
          const made = make(rates)
          made.solve(a, w, mass)
          expect(made.mu).toHaveLength(2 ** variableCount)
          expect(made.size).toBe(2 ** variableCount)
          expect(Math.min(...made.mu)).toBeGreaterThanOrEqual(0)
          expect(Math.abs(made.mu.reduce((sum, share) => sum + share, 0) - mass)).toBeLessThan(1e-11 * mass)
        }),
        {numRuns}
      )
    })

    test('solve(...) reports the objective of its table, and is optimal when the gap is within its limit', () => {
      fc.assert(
        fc.property(problems, given => {
          const made = make(given.rates)
          const {objective, gap, status, steps} = made.solve(given.a, given.w, given.mass)
          const twin = objectiveOf(given, made.mu, divergence)
          expect(Math.abs(objective - twin)).toBeLessThan(1e-12 * (1 + Math.abs(twin)))
          expect(status).toBe(alwaysOptimal || gap <= gapLimit * given.mass ? 'optimal' : 'step-limit')
          if (status === 'optimal') expect(gap).toBeLessThanOrEqual(gapLimit * given.mass)
          // A gap below 0 can only be rounding.
          expect(gap).toBeGreaterThan(-1e-13)
          expect(Number.isInteger(steps)).toBe(true)
        }),
        {numRuns}
      )
    })

    test('solve(...) is right that no table is better by more than the gap', () => {
      const random = rng(variableCount)
      fc.assert(
        fc.property(problems, given => {
          const made = make(given.rates)
          const {objective, gap} = made.solve(given.a, given.w, given.mass)
          const others = Array.from({length: 30}, () => randomTable(made.size, given.mass, random))
          for (let s = 0; s < made.size; s++)
            for (const h of [1e-6, 1e-4, 0.01, 0.3, 1]) others.push(towards(made.mu, s, h, given.mass))
          for (const table of others)
            expect(objectiveOf(given, table, divergence)).toBeGreaterThanOrEqual(
              objective - gap - 1e-13 * (1 + Math.abs(objective))
            )
        }),
        {numRuns}
      )
    })

    test('solve(...) stops where the objective, differentiated numerically, is flat in every cell above 0', () => {
      fc.assert(
        fc.property(problems, given => {
          const {mass} = given
          const made = make(given.rates)
          const {gap} = made.solve(given.a, given.w, mass)
          const h = 1e-5
          for (let s = 0; s < made.size; s++) {
            if (made.mu[s] < 0.01 * mass) continue
            const [up, down] = [h, -h].map(step => objectiveOf(given, towards(made.mu, s, step, mass), divergence))
            // gap * mass / mu bounds the slope; the rest is the error of the central difference.
            expect(Math.abs(up - down) / (2 * h)).toBeLessThan((gap * mass) / made.mu[s] + 1e-6 * mass)
          }
        }),
        {numRuns}
      )
    })

    test('solve(...) gives the true table when the observations are exact and there is no shrinkage', () => {
      const random = rng(variableCount + 10)
      fc.assert(
        fc.property(problem(variableCount, 0.2), ({rates, mass}) => {
          const truth = randomTable(2 ** variableCount, mass, random)
          const made = make(rates)
          const none = truth.map(() => 0)
          const {objective} = made.solve(observe(rates, truth), none, mass)
          expect(Math.abs(objective)).toBeLessThanOrEqual(gapLimit * mass)
          expect(largestDifference(made.mu, truth)).toBeLessThan(tableTolerance * mass)
        }),
        {numRuns}
      )
    })

    test('solve(...) keeps nothing from one problem to the next, and leaves its inputs alone', () => {
      fc.assert(
        fc.property(problems, problems, (given, other) => {
          const made = make(given.rates)
          const a = Float64Array.from(given.a)
          const w = Float64Array.from(given.w)
          const first = made.solve(a, w, given.mass)
          const mu = made.mu.slice()
          made.solve(other.a, other.w, other.mass)
          expect(made.solve(a, w, given.mass)).toEqual(first)
          expect(made.mu).toEqual(mu)
          expect([...a]).toEqual(given.a)
          expect([...w]).toEqual(given.w)
        }),
        {numRuns: Math.ceil(numRuns / 2)}
      )
    })
  })
}
