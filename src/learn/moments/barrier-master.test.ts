import {describe, expect, test} from 'vitest'
import {assignment} from '../../../test/golden.ts'
import {expectInside, minimizeByExchange, objectiveByTables} from '../../../test/moment-checks.ts'
import {randomProblem} from '../../../test/problems.ts'
import {rng} from '../../base/numeric/index.ts'
import {AtomSet, momentsAt} from '../polytopes/index.ts'
import {BarrierMaster} from './barrier-master.ts'
import {PairCurvature} from './curvature.ts'
import {insidePoint, MomentObjective, type MomentProblem} from './moment-problem.ts'

const m = 5
const few = {conceptCount: m, order: 2, sampleCount: 60, gain: 0.25} as const

describe.each([
  {...few, seed: 1, lambda: 0, divergence: 'kl'},
  {...few, seed: 2, lambda: 0.01, divergence: 'kl'},
  {...few, seed: 3, lambda: 0.01, divergence: 'l2'}
] as const)('BarrierMaster with $divergence and lambda $lambda', spec => {
  const problem = randomProblem(spec)

  test('BarrierMaster.step(...) lowers the barrier function down to its minimum', () => {
    for (const tau of [1e-2, 1e-3]) {
      const master = masterOf(problem, everyAssignment())
      let before = barrierOf(problem, master, tau)
      for (let n = 0; n < 8; n++) {
        master.step(tau, 200)
        const now = barrierOf(problem, master, tau)
        expect(now).toBeLessThan(before + 1e-12)
        before = now
      }
      // At the minimum every atom's price is tau / weight above a common number, so the gap is tau times the atoms.
      const {objective, gap} = minimizeByExchange(problem, 1e-6)
      expect(master.objective).toBeGreaterThanOrEqual(objective - gap)
      expect(master.objective).toBeLessThan(objective + 1.01 * tau * master.atoms.size)
    }
  })

  test('BarrierMaster.step(...) stays at the minimum once it is there', () => {
    const tau = 1e-2
    const master = masterOf(problem, everyAssignment())
    for (let n = 0; n < 10; n++) master.step(tau, 200)
    const least = barrierOf(problem, master, tau)
    for (let n = 0; n < 30; n++) {
      master.step(tau, 200)
      expect(Math.abs(barrierOf(problem, master, tau) - least)).toBeLessThan(1e-7)
    }
  })

  test('BarrierMaster.step(...) lowers the barrier function even with the crudest direction', () => {
    const tau = 1e-3
    const master = masterOf(problem, everyAssignment())
    for (let n = 0; n < 8; n++) {
      const before = barrierOf(problem, master, tau)
      master.step(tau, 1)
      expect(barrierOf(problem, master, tau)).toBeLessThan(before)
    }
  })

  test('BarrierMaster.step(...) keeps weights above 0 that add up to 1, and everything else in step with them', () => {
    const master = masterOf(problem, everyAssignment())
    for (let n = 0; n < 10; n++) {
      const taken = master.step(1e-4, 200)
      expect(taken).toBeGreaterThan(0)
      expect(taken).toBeLessThanOrEqual(1)
      expect(Math.min(...master.weights)).toBeGreaterThan(0)
      expect(Math.abs(sumOf(master.weights) - 1)).toBeLessThan(1e-12)
      expectInside(problem.layout, 'marginal', master.mu)
      expect(Math.abs(master.objective - objectiveByTables(problem, master.mu))).toBeLessThan(1e-11)
    }
  })

  test('BarrierMaster.gradient is that of the objective in coordinates', () => {
    const master = masterOf(problem, everyAssignment())
    master.step(1e-3, 200)
    const objective = new MomentObjective(problem)
    const value = (x: Float64Array) => {
      const mu = new Float64Array(problem.layout.size)
      momentsAt(problem.layout, x, mu)
      return objective.value(mu)
    }
    const h = 1e-6
    master.gradient.forEach((slope, e) => {
      const [more, less] = [h, -h].map(step => value(master.x.map((at, o) => (o === e ? at + step : at))))
      // The third derivatives times h^2, and rounding over h.
      expect(Math.abs((more - less) / (2 * h) - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
    })
  })

  test('BarrierMaster.admit() gives new atoms a share of the weight of the old, the better ones more', () => {
    const master = masterOf(problem, everyAssignment().slice(0, 6))
    for (let n = 0; n < 5; n++) master.step(1e-4, 200)
    expect(master.admit()).toBe(0)
    const [before, objective] = [master.weights.slice(), master.objective]
    const added = everyAssignment().slice(6)
    for (const y of added) master.atoms.add(y)
    const share = master.admit()
    expect(share).toBeGreaterThanOrEqual(1e-4)
    expect(share).toBeLessThanOrEqual(0.1)
    expect(master.weights).toHaveLength(before.length + added.length)
    before.forEach((weight, a) => {
      expect(master.weights[a]).toBeCloseTo((1 - share) * weight, 12)
    })
    expect(Math.abs(sumOf(master.weights) - 1)).toBeLessThan(1e-12)
    expect(Math.min(...master.weights)).toBeGreaterThan(0)
    expect(master.objective).toBeLessThan(objective)
  })
})

function everyAssignment(): Uint8Array[] {
  return Array.from({length: 2 ** m}, (_, code) => Uint8Array.from(assignment(code, m)))
}

/** A mixture of the inside point and these assignments, with random weights. */
function masterOf(problem: MomentProblem, rows: readonly Uint8Array[]): BarrierMaster {
  const atoms = new AtomSet(problem.layout, [insidePoint(problem)])
  for (const y of rows) atoms.add(y)
  const random = rng(5)
  const raw = Float64Array.from({length: atoms.size}, (_, a) => (a === 0 ? 20 : 0.1 + random.next()))
  const total = sumOf(raw)
  return new BarrierMaster(
    problem,
    new PairCurvature(problem),
    atoms,
    raw.map(weight => weight / total)
  )
}

function barrierOf(problem: MomentProblem, {mu, weights}: BarrierMaster, tau: number): number {
  return objectiveByTables(problem, mu) - tau * weights.reduce((sum, weight) => sum + Math.log(weight), 0)
}

function sumOf(x: Float64Array): number {
  return x.reduce((sum, value) => sum + value, 0)
}
