import {describe, expect, test} from 'vitest'
import {largestDifference, objectiveOf, observe, productTable} from '../../../test/tables.ts'
import {exponentiatedGradient} from './exponentiated-gradient.ts'

const rates = [
  {truePositive: 0.7, falsePositive: 0.1},
  {truePositive: 0.6, falsePositive: 0.02}
]
const truth = [0.55, 0.1, 0.15, 0.2]
const a = observe(rates, truth)
const none = [0, 0, 0, 0]

describe('exponentiatedGradient', () => {
  test('exponentiatedGradient(...) says when it stopped at its step limit, with the gap it had reached', () => {
    const {mu, certificate} = exponentiatedGradient(rates, a, none, {tolerance: 1e-9, stepLimit: 3})
    expect(certificate).toMatchObject({status: 'step-limit', steps: 3})
    expect(certificate.gap).toBeGreaterThan(1e-9)
    expect(certificate.objective).toBeCloseTo(objectiveOf({rates, a, w: none, mass: 1}, mu, 'kl'), 12)
  })

  test('exponentiatedGradient(...) begins at the even table', () => {
    const {mu} = exponentiatedGradient(rates, a, none, {tolerance: 0, stepLimit: 0})
    expect([...mu]).toEqual([0.25, 0.25, 0.25, 0.25])
  })

  test('exponentiatedGradient(...) never climbs: more steps are never worse', () => {
    const w = productTable([0.3, 0.3]).map(share => 0.01 * share)
    const objectives = [0, 1, 2, 4, 8, 16, 32].map(
      stepLimit => exponentiatedGradient(rates, a, w, {tolerance: 0, stepLimit}).certificate.objective
    )
    for (let at = 1; at < objectives.length; at++)
      expect(objectives[at]).toBeLessThanOrEqual(objectives[at - 1] + 1e-15)
    expect(objectives[6]).toBeLessThan(objectives[0])
  })

  test('exponentiatedGradient(...) comes to the truth from exact observations', () => {
    const {mu, certificate} = exponentiatedGradient(rates, a, none, {tolerance: 1e-7, stepLimit: 100_000})
    expect(certificate.status).toBe('optimal')
    // sqrt(gap / curvature) = sqrt(1e-7 / (0.6 * 0.58)^2)
    expect(largestDifference(mu, truth)).toBeLessThan(1e-3)
  })
})
