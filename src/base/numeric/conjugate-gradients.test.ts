import {describe, expect, test} from 'vitest'
import {solveDense} from '../../../test/dense.ts'
import {product} from '../../../test/moment-checks.ts'
import {largestDifference} from '../../../test/tables.ts'
import {conjugateGradients} from './conjugate-gradients.ts'
import {rng} from './rng.ts'

describe('conjugateGradients', () => {
  const n = 20
  const random = rng(2)
  const factor = Array.from({length: n}, () => Array.from({length: n}, () => random.next() - 0.5))
  // F F' + a diagonal that makes the scales of the unknowns differ by a factor of a thousand.
  const matrix = factor.map((row, a) => factor.map((other, b) => product(row, other) + (a === b ? 1 + a ** 3 / 8 : 0)))
  const b = Float64Array.from({length: n}, () => random.next() - 0.5)
  const multiply = (v: Float64Array, out: Float64Array) => out.set(matrix.map(row => product(row, v)))
  const plain = (r: Float64Array, out: Float64Array) => out.set(r)
  const byDiagonal = (r: Float64Array, out: Float64Array) => out.set(r.map((value, at) => value / matrix[at][at]))

  test('conjugateGradients(...) solves as elimination does, with either preconditioner', () => {
    const exact = solveDense(matrix, b)
    for (const precondition of [plain, byDiagonal]) {
      const x = new Float64Array(n).fill(9)
      conjugateGradients(b, x, {multiply, precondition, residual: 1e-12, stepLimit: 1000})
      expect(largestDifference(x, exact)).toBeLessThan(1e-10)
    }
  })

  test('conjugateGradients(...) is done after one step when the preconditioner is the inverse', () => {
    const x = new Float64Array(n)
    const precondition = (r: Float64Array, out: Float64Array) => out.set(solveDense(matrix, r))
    expect(conjugateGradients(b, x, {multiply, precondition, residual: 1e-6, stepLimit: 1000})).toBe(1)
    expect(largestDifference(x, solveDense(matrix, b))).toBeLessThan(1e-12)
  })

  test('conjugateGradients(...) needs fewer steps with a better preconditioner and a larger residual', () => {
    const steps = (precondition: typeof plain, residual: number) =>
      conjugateGradients(b, new Float64Array(n), {multiply, precondition, residual, stepLimit: 1000})
    expect(steps(byDiagonal, 1e-6)).toBeLessThan(steps(plain, 1e-6))
    expect(steps(byDiagonal, 1e-2)).toBeLessThan(steps(byDiagonal, 1e-6))
  })

  test('conjugateGradients(...) stops at the step limit', () => {
    const options = {multiply, precondition: plain, residual: 1e-12, stepLimit: 3}
    expect(conjugateGradients(b, new Float64Array(n), options)).toBe(3)
  })

  test('conjugateGradients(...) leaves b alone, and gives 0 for 0 without a step', () => {
    const copy = b.slice()
    const options = {multiply, precondition: byDiagonal, residual: 1e-6, stepLimit: 100}
    conjugateGradients(b, new Float64Array(n), options)
    expect(b).toEqual(copy)
    const x = new Float64Array(n).fill(1)
    expect(conjugateGradients(new Float64Array(n), x, options)).toBe(0)
    expect([...x]).toEqual(Array.from(x, () => 0))
  })
})
