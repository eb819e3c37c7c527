import {describe, expect, test} from 'vitest'
import {goldenProblem} from '../../../test/golden-problems.ts'
import {stopAt} from '../../../test/moment-checks.ts'
import {loadLinearSolver} from '../../base/linear/index.ts'
import type {MomentCertificate, MomentSolution, SolveControl, SolveProgress, StopLimits} from './certificate.ts'
import {type CorrectiveStep, conditionalGradient, correctFully, type OracleAnswer} from './conditional-gradient.ts'
import {MomentObjective} from './objective.ts'
import {openPolytope, type PolytopeName} from './oracles.ts'
import type {MomentProblem} from './problem.ts'

const solver = await loadLinearSolver()
/** What the golden optima are right to. */
const GOLDEN = 1e-7

interface Settings {
  readonly limits?: Partial<StopLimits>
  readonly control?: SolveControl
  readonly correct?: CorrectiveStep
  readonly answer?: (answer: OracleAnswer) => OracleAnswer
}

async function solve(
  problem: MomentProblem,
  start: Float64Array,
  name: PolytopeName,
  {limits, control, correct = correctFully, answer = same => same}: Settings = {}
): Promise<MomentSolution> {
  const polytope = await openPolytope(name, problem.layout, async () => solver)
  const oracle = (gradient: Float64Array) => {
    const vertex = new Float64Array(start.length)
    return {...answer(polytope.minimize(gradient, vertex)), vertices: [vertex]}
  }
  const solution = conditionalGradient(
    new MomentObjective(problem),
    {oracle, correct, patience: {share: 0, steps: 10}, stepRange: {least: 0, most: 1}},
    [{point: start, weight: 1}],
    stopAt({stepLimit: 1000, ...limits}, control)
  )
  polytope.dispose()
  return solution
}

describe('conditionalGradient', () => {
  const {problem, start, optimum} = goldenProblem('m4', 0.01)

  test('conditionalGradient(...) without a corrective step gets there too, in more steps', async () => {
    const limits = {gap: 1e-3, stepLimit: 20_000}
    const plain = (await solve(problem, start, 'marginal', {limits, correct: () => {}})).certificate
    const corrected = (await solve(problem, start, 'marginal', {limits})).certificate
    for (const {status} of [plain, corrected]) expect(['optimal', 'tolerance']).toContain(status)
    expectCertified(plain, optimum('marginal'))
    expect(plain.steps).toBeGreaterThan(corrected.steps)
  })

  test('conditionalGradient(...) shows a gap that falls, and an objective that does too', async () => {
    const golden = goldenProblem('m8', 0.01)
    const seen: SolveProgress[] = []
    const control = {onProgress: (now: SolveProgress) => seen.push(now)}
    const {certificate} = await solve(golden.problem, golden.start, 'local', {limits: {gap: 1e-8}, control})
    expect(certificate.steps).toBeGreaterThan(5)
    expect(seen.map(({steps}) => steps)).toEqual(Array.from({length: certificate.steps + 1}, (_, t) => t))
    for (let t = 1; t < seen.length; t++) {
      expect(seen[t].gap).toBeLessThanOrEqual(seen[t - 1].gap + 1e-15)
      expect(seen[t].objective).toBeLessThanOrEqual(seen[t - 1].objective + 1e-15)
    }
  })

  test('conditionalGradient(...) gives a certified gap from the bound, and the hope of an inexact oracle apart', async () => {
    const doubting = {
      limits: {stepLimit: 50},
      answer: ({value, bound}: OracleAnswer) => ({value, bound: bound - 0.5, exact: false})
    }
    const {certificate} = await solve(problem, start, 'marginal', doubting)
    expect(certificate.status).not.toBe('optimal')
    expect(certificate.gap).toBeGreaterThan(0.499)
    expect(certificate.heuristicGap).toBeLessThan(1e-3)
    expectCertified(certificate, optimum('marginal'))
    const sure = await solve(problem, start, 'marginal', {limits: {stepLimit: 50}})
    expect(sure.certificate.heuristicGap).toBeUndefined()
  })

  test('conditionalGradient(...) stops with step-limit after so many steps, with the gap it has', async () => {
    const none = await solve(problem, start, 'local', {limits: {stepLimit: 0}})
    expect(none).toMatchObject({mu: start, certificate: {status: 'step-limit', steps: 0}})
    expectCertified(none.certificate, optimum('local'))
    const some = await solve(problem, start, 'local', {limits: {stepLimit: 3}})
    expect(some.certificate).toMatchObject({status: 'step-limit', steps: 3})
    expect(some.certificate.gap).toBeLessThan(none.certificate.gap)
  })

  test('conditionalGradient(...) stops with gap when rounding leaves no way down', async () => {
    const {certificate} = await solve(problem, start, 'marginal', {limits: {gap: -1, stepLimit: 100_000}})
    expect(certificate.status).toBe('gap')
    expect(certificate.gap).toBeGreaterThanOrEqual(0)
    expect(certificate.gap).toBeLessThan(1e-9)
  })
})

function expectCertified({objective, lowerBound, gap}: MomentCertificate, optimum: number): void {
  expect(gap).toBe(objective - lowerBound)
  expect(optimum).toBeLessThanOrEqual(objective + GOLDEN)
  expect(optimum).toBeGreaterThanOrEqual(lowerBound - GOLDEN)
}
