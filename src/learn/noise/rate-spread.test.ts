import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {drawRates, rateSpread} from './draw-noise.ts'
import type {EstimatedRates} from './rates.ts'

const known: EstimatedRates = {
  concept: 'fever',
  prevalence: {value: 0.11, low: 0.06, high: 0.19},
  precision: {value: 0.8, low: 0.6, high: 0.9},
  truePositive: 0.6,
  falsePositive: 0.02
}
const draws = 20_000

function drawn(rates: EstimatedRates) {
  const random = rng(1)
  return Array.from({length: draws}, () => drawRates(rates, random))
}

describe('drawRates', () => {
  test('drawRates(...) lie below, within and above the interval in 5%, 90% and 5% of all draws, with the middle between', () => {
    const all = drawn(known)
    const shareBelow = (name: 'prevalence' | 'precision', end: number) =>
      all.filter(draw => draw[name] < end).length / draws
    const odds = (0.6 / 0.4) * (0.9 / 0.1)
    const middle = {prevalence: Math.sqrt(0.06 * 0.19), precision: Math.sqrt(odds) / (1 + Math.sqrt(odds))}
    for (const name of ['prevalence', 'precision'] as const) {
      // Five standard errors of a share.
      const close = (share: number, end: number) =>
        expect(Math.abs(shareBelow(name, end) - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / draws))
      close(0.05, known[name].low)
      close(0.5, middle[name])
      close(0.95, known[name].high)
    }
  })

  test('drawRates(...) has prevalence and precision independent of each other', () => {
    const all = drawn(known)
    const mean = (of: (draw: (typeof all)[number]) => number) => all.reduce((sum, draw) => sum + of(draw), 0) / draws
    const [p, r] = [mean(draw => draw.prevalence), mean(draw => draw.precision)]
    const [vp, vr] = [mean(draw => (draw.prevalence - p) ** 2), mean(draw => (draw.precision - r) ** 2)]
    const correlation = mean(draw => (draw.prevalence - p) * (draw.precision - r)) / Math.sqrt(vp * vr)
    expect(Math.abs(correlation)).toBeLessThan(5 / Math.sqrt(draws))
  })

  test('drawRates(...) leaves a precision that is known as it is, and takes as much from the source', () => {
    const exact = {...known, precision: {value: 1, low: 1, high: 1}}
    const [one, other] = [rng(3), rng(3)]
    for (let draw = 0; draw < 20; draw++) {
      const found = drawRates(exact, one)
      expect(found.precision).toBe(1)
      expect(found.prevalence).toBe(drawRates(known, other).prevalence)
    }
  })

  test('drawRates(...) stay probabilities where the interval reaches 0 or 1', () => {
    const wide = {...known, prevalence: {value: 0.5, low: 0, high: 1}, precision: {value: 0.99, low: 0.5, high: 1}}
    const all = drawn(wide)
    expect(all.every(({prevalence: p}) => p >= 1e-4 && p <= 1 - 1e-4)).toBe(true)
    expect(all.every(({precision: r}) => r > 0 && r <= 1)).toBe(true)
  })
})

test('rateSpread(...) is the standard deviation of the draws where intervals are narrow', () => {
  const narrow = {
    ...known,
    prevalence: {value: 0.11, low: 0.11 / 1.05, high: 0.11 * 1.05},
    precision: {value: 0.8, low: 0.79, high: 0.8099}
  }
  const all = drawn(narrow)
  for (const name of ['prevalence', 'precision'] as const) {
    const mean = all.reduce((sum, draw) => sum + draw[name], 0) / draws
    const deviation = Math.sqrt(all.reduce((sum, draw) => sum + (draw[name] - mean) ** 2, 0) / draws)
    // A deviation of 20,000 draws has a relative standard error of 0.5%.
    expect(Math.abs(rateSpread(narrow)[name] / deviation - 1)).toBeLessThan(5 * 0.005)
  }
})
