import {beforeAll, describe, expect, test} from 'vitest'
import {goldenNames} from '../../../test/golden.ts'
import {goldenProblem} from '../../../test/golden-problems.ts'
import {hardData, hardProblem} from '../../../test/hard-problems.ts'
import {distanceToMarginal, expectSound, minimizeByExchange, stopAt} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {observe} from '../../../test/tables.ts'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import type {MomentSolution, StopRule} from './certificate.ts'
import type {Divergence} from './objective.ts'
import type {PolytopeName} from './oracles.ts'
import {type MomentProblem, momentLayout} from './problem.ts'

export interface MomentSolverCase {
  readonly name: string
  readonly load: () => Promise<
    (problem: MomentProblem, polytope: PolytopeName, rule: StopRule) => Promise<MomentSolution>
  >
  /** The duality gap to reach, and by how much the objective may exceed the golden one. */
  readonly gap: number
  readonly goldenGap: number
}

export const polytopes: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']
const shrinkages: readonly (readonly [Divergence, number])[] = [
  ['kl', 0],
  ['kl', 0.01],
  ['kl', 10 / 300],
  ['l2', 0],
  ['l2', 0.01],
  ['l2', 10 / 300]
]

/** Defines the tests that every solver of Eq. 4 must pass over every polytope. */
export function describeMomentSolver({name, load, gap, goldenGap}: MomentSolverCase): void {
  describe(name, () => {
    let solve: (problem: MomentProblem, polytope: PolytopeName, gap: number) => Promise<MomentSolution>
    let linear: LinearSolver
    // Several tests ask for the same solution, which takes far longer than to check it.
    const solved = new WeakMap<MomentProblem, Map<string, Promise<MomentSolution>>>()
    beforeAll(async () => {
      const solveUntil = await load()
      linear = await loadLinearSolver()
      solve = (problem, polytope, gap) => {
        const known = solved.get(problem) ?? new Map<string, Promise<MomentSolution>>()
        solved.set(problem, known)
        const key = `${polytope} ${gap}`
        const solution = known.get(key) ?? solveUntil(problem, polytope, stopAt({gap}))
        known.set(key, solution)
        return solution
      }
    })

    function expectBestMixture(problem: MomentProblem, {mu, certificate}: MomentSolution): void {
      // This is ten times the tolerance of a row in the linear solver.
      expect(distanceToMarginal(linear, problem.layout, mu)).toBeLessThan(1e-6)
      const twin = minimizeByExchange(problem, gap)
      expect(twin.gap).toBeLessThanOrEqual(gap)
      expect(certificate.lowerBound).toBeLessThanOrEqual(twin.objective)
      expect(certificate.objective).toBeGreaterThanOrEqual(twin.objective - twin.gap)
    }

    describe.each(shrinkages)('with %s and lambda %f', (divergence, lambda) => {
      const problems = variedProblems(divergence, lambda)

      test.each(polytopes)('solve(..., "%s") gives moments in the polytope with a true certificate', async polytope => {
        for (const problem of problems) {
          const solution = await solve(problem, polytope, gap)
          expectSound(problem, polytope, solution, gap)
          expect(['optimal', 'tolerance']).toContain(solution.certificate.status)
        }
      })

      test('solve(...) never falls from the widest polytope to the narrowest', async () => {
        for (const problem of problems) {
          const certificates = await Promise.all(
            polytopes.map(async polytope => (await solve(problem, polytope, gap)).certificate)
          )
          for (let at = 1; at < polytopes.length; at++)
            expect(certificates[at].objective).toBeGreaterThanOrEqual(certificates[at - 1].lowerBound)
        }
      })

      test('solve(..., "marginal") gives the moments of a mixture of 0/1 assignments, the best there is', async () => {
        for (const problem of problems.filter(({layout}) => layout.conceptCount <= 5))
          expectBestMixture(problem, await solve(problem, 'marginal', gap))
      })

      test('solve(...) is the same over cycle and marginal for three concepts', async () => {
        const problem = halvesProblem(3, 0.1, {lambda, divergence})
        const [cycle, marginal] = await Promise.all(
          (['cycle', 'marginal'] as const).map(polytope => solve(problem, polytope, gap))
        )
        expectOverlap(cycle, marginal)
        expect(cycle.certificate.lowerBound).toBeGreaterThan((await solve(problem, 'local', gap)).certificate.objective)
      })
    })

    test('solve(...) over cycle comes out below marginal where a pentagon is violated and no triangle is', async () => {
      // If every two of five concepts occur together in 17%, every triangle inequality has slack. But with s concepts present, the
      // mean of (s - 2)(s - 3) would be 5.9 - 5 * 2.5 + 6 = -0.6, and no whole number s makes it negative.
      const problem = halvesProblem(5, 0.17)
      const [cycle, marginal] = await Promise.all(
        (['cycle', 'marginal'] as const).map(polytope => solve(problem, polytope, gap))
      )
      expect(cycle.certificate.objective).toBeLessThan(gap)
      // The difference is at least 50 gaps.
      expect(marginal.certificate.lowerBound).toBeGreaterThan(0.005)
    })

    describe.each(hardData)('on $name', data => {
      test.each(polytopes)('solve(..., "%s") breaks nothing and proves what it says', async polytope => {
        for (const divergence of ['kl', 'l2'] as const)
          for (const lambda of [0, 0.01]) {
            const problem = hardProblem(data, {lambda, divergence})
            const solution = await solve(problem, polytope, gap)
            expectSound(problem, polytope, solution, gap)
            expect(['optimal', 'tolerance']).toContain(solution.certificate.status)
          }
      })
    })

    describe.each(goldenNames)('on %s', golden => {
      // The golden objectives are accurate to 1e-7.
      test.each([0, 0.01] as const)('solve(...) with lambda %f comes to the golden objectives', async lambda => {
        const {problem, optimum} = goldenProblem(golden, lambda)
        for (const polytope of polytopes) {
          const {certificate} = await solve(problem, polytope, goldenGap)
          expect(certificate.lowerBound).toBeLessThan(optimum(polytope) + 1e-7)
          expect(certificate.objective).toBeGreaterThan(optimum(polytope) - 1e-7)
          expect(certificate.objective).toBeLessThan(optimum(polytope) + goldenGap)
          expect(certificate.gap).toBeLessThanOrEqual(goldenGap)
        }
      })
    })
  })
}

/** Expects that the lower bound of neither solution exceeds the objective of the other. */
export function expectOverlap(one: MomentSolution, other: MomentSolution): void {
  const [a, b] = [one.certificate, other.certificate]
  expect(a.lowerBound).toBeLessThanOrEqual(b.objective)
  expect(b.lowerBound).toBeLessThanOrEqual(a.objective)
}

/** Draws problems of one to eight concepts, with few documents or wrong rates, so that the polytopes differ. */
function variedProblems(divergence: Divergence, lambda: number): MomentProblem[] {
  const kind = {lambda, divergence, sampleCount: 300} as const
  return [
    randomProblem({...kind, conceptCount: 1, seed: 1}),
    randomProblem({...kind, conceptCount: 2, seed: 2, sampleCount: 20, gain: 0.1}),
    randomProblem({...kind, conceptCount: 4, seed: 4, sampleCount: 60, gain: 0.15}),
    randomProblem({...kind, conceptCount: 5, seed: 5, rateError: 0.5}),
    halvesProblem(5, 0.12, {lambda, divergence}),
    randomProblem({...kind, conceptCount: 8, seed: 8, sampleCount: 60, gain: 0.2})
  ]
}

/**
 * Returns a problem with good anchors, in which every concept seems to occur in half of the documents and every two of them together
 * in a share q. For q below 1/6 this violates a triangle inequality.
 */
export function halvesProblem(
  conceptCount: number,
  q: number,
  {lambda = 0, divergence = 'kl'}: {readonly lambda?: number; readonly divergence?: Divergence} = {}
): MomentProblem {
  const layout = momentLayout(conceptCount)
  const rates = Array.from({length: conceptCount}, () => ({truePositive: 0.95, falsePositive: 0.05}))
  const observed = new Float64Array(layout.size)
  const shrinkageWeights = new Float64Array(layout.size)
  layout.tables.forEach(({concepts, start}) => {
    const table = concepts.length === 1 ? [0.5, 0.5] : [q, 0.5 - q, 0.5 - q, q]
    const seen = observe(
      concepts.map(i => rates[i]),
      table
    )
    observed.set(seen, start)
    shrinkageWeights.fill(lambda / seen.length, start, start + seen.length)
  })
  return {layout, rates, observed, shrinkageWeights, lambda, divergence}
}
