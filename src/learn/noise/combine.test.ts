import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {combineEstimates} from './estimate.ts'
import type {AnchorEstimate, NoiseEstimator} from './estimators.ts'
import {weakAnchor} from './rates.ts'

/** An estimate with the interval that a standard error in the log has. */
function estimate(method: NoiseEstimator, prevalence: number, error: number, precision?: number): AnchorEstimate {
  const margin = Math.exp(1.6448536269514722 * error)
  return {
    method,
    prevalence: {value: prevalence, low: prevalence / margin, high: Math.min(prevalence * margin, 1)},
    precision: precision === undefined ? undefined : {value: precision, low: precision / 1.1, high: 1}
  }
}

function combine(...estimates: AnchorEstimate[]) {
  const found = combineEstimates({concept: 'c', anchoredCount: 400, firing: 0.04, estimates, unavailable: []})
  if (found === undefined) throw new Error('nothing combined')
  return found
}

describe('combineEstimates', () => {
  test('combineEstimates(...) weighs by one over the squared error, that of the assumption added', () => {
    const found = combine(estimate('pooled', 0.08, 0.3, 0.9), estimate('pair', 0.05, 0.1))
    const weights = [1 / 0.09, 1 / (0.01 + 0.5 ** 2)]
    const mean = (weights[0] * Math.log(0.08) + weights[1] * Math.log(0.05)) / (weights[0] + weights[1])
    expect(found.sources).toEqual(['pooled', 'pair'])
    expect(Math.log(found.prevalence.value)).toBeCloseTo(mean, 9)
  })

  test('combineEstimates(...) takes the words and a guess only without labels', () => {
    const guess = estimate('guess', 0.3, 0.55)
    const words = estimate('irreducible', 0.2, 0.1)
    expect(combine(estimate('pooled', 0.08, 0.2, 0.9), words, guess).sources).toEqual(['pooled'])
    expect(combine(words, guess).sources).toEqual(['guess', 'irreducible'])
  })

  test('combineEstimates(...) says how far the sources lie apart, and widens the interval by as much', () => {
    const agreed = combine(estimate('pooled', 0.08, 0.3, 0.9), estimate('pair', 0.08, 0.3))
    const apart = combine(estimate('pooled', 0.06, 0.3, 0.9), estimate('pair', 0.5, 0.3))
    expect(agreed.disagreement).toBeCloseTo(0, 12)
    // Two estimates: the difference over the root of the summed squared errors.
    expect(apart.disagreement).toBeCloseTo(Math.log(0.5 / 0.06) / Math.sqrt(0.09 + 0.09 + 0.25), 9)
    const width = ({prevalence}: typeof apart) => Math.log(prevalence.high / prevalence.low)
    expect(width(apart)).toBeCloseTo(width(agreed) * apart.disagreement, 9)
  })

  test('combineEstimates(...) refuses where labels break the rule, and nothing without labels', () => {
    const rules = (...estimates: AnchorEstimate[]) => combine(...estimates).refusals.map(({rule}) => rule)
    expect(rules(estimate('pooled', 0.08, 0.7, 0.9))).toEqual([])
    expect(rules(estimate('pooled', 0.08, 0.1, 0.3))).toEqual([])
    expect(rules(estimate('pooled', 0.95, 0.05, 0.9))).toEqual(['low-true-positive'])
    expect(rules(estimate('guess', 0.9, 0.3))).toEqual([])
    expect(rules(estimate('irreducible', 0.5, 0.1, 0.1))).toEqual([])
  })

  test('combineEstimates(...) without labels shows the same constant, whatever the estimates, and warns of a low precision', () => {
    const [high, low] = [0.9, 0.3].map(precision => combine(estimate('pair', 0.06, 0.1, precision)))
    expect(low.prevalence).toEqual(high.prevalence)
    expect(low.precision).toEqual(high.precision)
    expect(low.truePositive).toBe(high.truePositive)
    expect(high.lowPrecision).toBe(undefined)
    expect(low.lowPrecision).toEqual({method: 'pair', value: 0.3})
    expect(low.refusals).toEqual([])
  })

  test('combineEstimates(...) is undefined for an anchor that never fires, and usual where nothing is known', () => {
    const of = (firing: number) =>
      combineEstimates({concept: 'c', anchoredCount: 0, firing, estimates: [], unavailable: []})
    expect(of(0)).toBe(undefined)
    expect(of(1)).toBe(undefined)
    // 0.2 sqrt(0.04), within a factor of 3.5.
    const usual = of(0.04)?.prevalence
    expect([usual?.low, usual?.value, usual?.high].map(share => share?.toFixed(12))).toEqual(
      [0.04 / 3.5, 0.04, 0.14].map(share => share.toFixed(12))
    )
    // An anchor in 81% of the documents: the concept is at least as common as its true firings, 0.7 0.81 / 0.95.
    expect(of(0.81)?.prevalence.value).toBeCloseTo((0.7 * 0.81) / 0.95, 12)
    expect(of(0.81)?.prevalence.high).toBe(1)
  })

  test('combineEstimates(...) has rates that give back P(A), whatever is combined', () => {
    const one = fc.record({
      method: fc.constantFrom<NoiseEstimator>('pooled', 'pair', 'irreducible', 'guess'),
      prevalence: fc.double({min: 0.041, max: 0.9, noNaN: true}),
      error: fc.double({min: 0.05, max: 2, noNaN: true}),
      precision: fc.double({min: 0.5, max: 1, noNaN: true})
    })
    fc.assert(
      fc.property(fc.uniqueArray(one, {minLength: 1, selector: ({method}) => method}), list => {
        const found = combine(
          ...list.map(({method, prevalence, error, precision}) => estimate(method, prevalence, error, precision))
        )
        const {value, low, high} = found.prevalence
        expect(low <= value && value <= high).toBe(true)
        const {truePositive: t, falsePositive: e, basis} = found
        if (basis === 'constant') {
          expect(weakAnchor({truePositive: t, falsePositive: e})).toEqual([])
          expect(e <= 0.04 && 0.04 <= t).toBe(true)
          return
        }
        // The floor of 0.0001 under false hits is all that may be added.
        expect(Math.abs(t * value + e * (1 - value) - 0.04)).toBeLessThan(1.01e-4)
      })
    )
  })
})
