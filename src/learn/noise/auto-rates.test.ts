import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type AnchorEstimate, autoRates, type NoiseEstimator} from './estimate.ts'
import {rateFault} from './rates.ts'

/** An estimate with the interval that a standard error in the log has. */
function estimate(method: NoiseEstimator, prevalence: number, error: number, precision?: number): AnchorEstimate {
  const margin = Math.exp(1.6448536269514722 * error)
  return {
    method,
    prevalence: {value: prevalence, low: prevalence / margin, high: Math.min(prevalence * margin, 1)},
    precision: precision === undefined ? undefined : {value: precision, low: precision / 1.1, high: 1}
  }
}

function ratesOf(...estimates: AnchorEstimate[]) {
  const found = autoRates({concept: 'c', anchoredCount: 400, firing: 0.04, estimates, unavailable: []})
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('autoRates', () => {
  test('autoRates(...) takes estimates without labels only where there are no labels', () => {
    const [guess, words] = [estimate('guess', 0.3, 0.55), estimate('irreducible', 0.2, 0.1)]
    expect(ratesOf(estimate('pooled', 0.08, 0.2, 0.9), words, guess)).toMatchObject({
      sources: ['pooled'],
      prevalence: {value: 0.08},
      basis: 'labels'
    })
    expect(ratesOf(words, guess)).toMatchObject({sources: ['guess'], basis: 'constant'})
  })

  test('autoRates(...) without labels predicts with the guess', () => {
    const {truePositive: t, falsePositive: e} = ratesOf(
      estimate('irreducible', 0.08, 0.1),
      estimate('guess', 0.16, 0.5, 0.9)
    )
    expect((0.04 - e) / (t - e)).toBeCloseTo(0.16, 9)
  })

  test('autoRates(...) refuses an anchor that never or always fires', () => {
    const of = (firing: number) => {
      const estimates = firing > 0 ? [estimate('guess', firing, 0.5, 0.9)] : []
      return autoRates({concept: 'c', anchoredCount: 0, firing, estimates, unavailable: []})
    }
    expect(of(0)).toMatch(/^its anchor fires in no document/)
    expect(of(1)).toMatch(/^its anchor fires in every document/)
    expect(of(0.81)).toMatchObject({basis: 'constant'})
  })

  test('autoRates(...) has rates that give back P(A), whatever is combined', () => {
    const one = fc.record({
      method: fc.constantFrom<NoiseEstimator>('pooled', 'irreducible', 'guess'),
      prevalence: fc.double({min: 0.041, max: 0.9, noNaN: true}),
      error: fc.double({min: 0.05, max: 2, noNaN: true}),
      precision: fc.double({min: 0.5, max: 1, noNaN: true})
    })
    fc.assert(
      fc.property(
        fc
          .uniqueArray(one, {minLength: 1, selector: ({method}) => method})
          .filter(list => list.some(({method}) => method !== 'irreducible')),
        list => {
          const found = ratesOf(
            ...list.map(({method, prevalence, error, precision}) => estimate(method, prevalence, error, precision))
          )
          const {value, low, high} = found.prevalence
          expect(low <= value && value <= high).toBe(true)
          const {truePositive: t, falsePositive: e, basis} = found
          if (basis === 'constant') {
            expect(rateFault({truePositive: t, falsePositive: e})).toBe(undefined)
            expect(e <= 0.04 && 0.04 <= t).toBe(true)
            return
          }
          // The floor of 0.0001 under false hits is all that may be added.
          expect(Math.abs(t * value + e * (1 - value) - 0.04)).toBeLessThan(1.01e-4)
        }
      )
    )
  })
})
