import {expect, test} from 'vitest'
import {oneSidedRates} from './one-sided-rates.ts'

test('oneSidedRates(...) is P(A) / P(Y) beside a false-positive rate of 0.0001', () => {
  const {truePositive, falsePositive, clipped} = oneSidedRates([0.02, 0.1], [0.04, 0.125])
  expect([...truePositive]).toEqual([0.5, 0.8])
  expect([...falsePositive]).toEqual([1e-4, 1e-4])
  expect(clipped).toEqual([])
})

test('oneSidedRates(...) holds rates at 0.98 and says which', () => {
  const {truePositive, clipped} = oneSidedRates([0.02, 0.1, 0.098], [0.04, 0.05, 0.1])
  expect([...truePositive]).toEqual([0.5, 0.98, 0.98])
  expect(clipped).toEqual([1])
})

test('oneSidedRates(...) refuses what are no probabilities, and an anchor that says nothing', () => {
  expect(() => oneSidedRates([0.1], [])).toThrow('P(A) of 1 concepts and P(Y) of 0')
  for (const [a, p] of [
    [0.1, 0],
    [0.1, 1],
    [0.1, Number.NaN],
    [1.1, 0.5],
    [0, 0.5],
    [4e-5, 0.5]
  ])
    expect(() => oneSidedRates([0.1, a], [0.2, p])).toThrow(`concept number 1: P(A) = ${a} and P(Y) = ${p}`)
})
