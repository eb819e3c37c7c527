import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anyRates} from '../../../test/tables.ts'
import {log, log1p} from '../../base/numeric/index.ts'
import {type NoisyTarget, noisyTarget, positiveUnlabelledLabels} from './noisy-labels.ts'

const anyZ = fc.double({min: -8, max: 8, noNaN: true})
const anyChance = fc.double({min: 0.001, max: 0.999, noNaN: true})
const logistic = (z: number, y: number) => log1p(Math.exp(-Math.abs(z))) + Math.max(z, 0) - y * z
const logit = (p: number) => log(p / (1 - p))

/** The loss of a target's row d at log-odds z. */
const lossOf = ({labels, rowWeights}: NoisyTarget, d: number, z: number) =>
  (rowWeights?.[d] ?? 1) * logistic(z, labels[d])

describe('noisyTarget("unbiased", ...)', () => {
  test('noisyTarget("unbiased", ...) summed over the flips of the anchor is the loss of the true label', () => {
    fc.assert(
      fc.property(anyRates(), anyZ, fc.constantFrom(0, 1), (rates, z, y) => {
        const target = noisyTarget('unbiased', [0, 1], rates)
        const on = y === 1 ? rates.truePositive : rates.falsePositive
        expect((1 - on) * lossOf(target, 0, z) + on * lossOf(target, 1, z)).toBeCloseTo(logistic(z, y), 9)
      })
    )
  })

  test('noisyTarget("unbiased", ...) is the loss of Lemma 1 as printed', () => {
    fc.assert(
      fc.property(anyRates(), anyZ, (rates, z) => {
        const {truePositive: t, falsePositive: e} = rates
        const target = noisyTarget('unbiased', [0, 1], rates)
        const [no, yes] = [logistic(z, 0), logistic(z, 1)]
        expect(lossOf(target, 1, z)).toBeCloseTo(((1 - e) * yes - (1 - t) * no) / (t - e), 8)
        expect(lossOf(target, 0, z)).toBeCloseTo((t * no - e * yes) / (t - e), 8)
      })
    )
  })
})

describe('noisyTarget("weighted", ...)', () => {
  test('noisyTarget("weighted", ...) is least, in the mean, on the side of 0 where the true label is', () => {
    fc.assert(
      fc.property(anyRates(), anyChance, (rates, p) => {
        fc.pre(Math.abs(p - 0.5) > 1e-3)
        const target = noisyTarget('weighted', [0, 1], rates)
        const fires = rates.falsePositive + (rates.truePositive - rates.falsePositive) * p
        const mean = (z: number) => (1 - fires) * lossOf(target, 0, z) + fires * lossOf(target, 1, z)
        const best = minimum(mean)
        expect(Math.sign(best)).toBe(Math.sign(p - 0.5))
        expect(target.anchorChance(best)).toBeCloseTo(fires, 5)
      })
    )
  })
})

test('noisyTarget(...).anchorChance(z) is the chance of the anchor where z is the log-odds that the loss leads to', () => {
  const rates = {truePositive: 0.5, falsePositive: 0.1}
  expect(noisyTarget('anchor', [0, 1], rates).anchorChance(logit(0.3))).toBeCloseTo(0.3, 12)
  expect(noisyTarget('unbiased', [0, 1], rates).anchorChance(logit(0.25))).toBeCloseTo(0.2, 12)
  expect(noisyTarget('weighted', [0, 1], rates).anchorChance(0)).toBeCloseTo(0.3, 12)
})

/** By thirds, on [-20, 20]. */
function minimum(f: (z: number) => number): number {
  let [low, high] = [-20, 20]
  for (let step = 0; step < 120; step++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3]
    if (f(a) < f(b)) high = b
    else low = a
  }
  return (low + high) / 2
}

const share = fc.double({min: 0.01, max: 0.99, noNaN: true})

test('positiveUnlabelledLabels(...) is P(Y = 1 | x, A) where no anchor is false', () => {
  fc.assert(
    fc.property(share, share, (p, c) => {
      // Four cells: with the concept and the anchor p c, with the concept alone p (1 - c), without 1 - p.
      const [fired, not] = positiveUnlabelledLabels([1, 0], [p * c, p * c], c)
      expect(fired).toBe(1)
      expect(not).toBeCloseTo((p * (1 - c)) / (p * (1 - c) + 1 - p), 10)
      expect(p * c * fired + (1 - p * c) * not).toBeCloseTo(p, 10)
    })
  )
})

test('positiveUnlabelledLabels(...) stays at 1 for chances above the labelled share, and at 0 for none', () => {
  expect([...positiveUnlabelledLabels([0, 0, 0, 0], [0.5, 0.7, 1, 0], 0.5)]).toEqual([1, 1, 1, 0])
  expect([...positiveUnlabelledLabels([0], [0.4], 1)]).toEqual([0])
})

test('positiveUnlabelledLabels(...) refuses a share that is none', () => {
  for (const odd of [0, -1, 1.1, Number.NaN])
    expect(() => positiveUnlabelledLabels([1], [0.5], odd)).toThrow('must lie in (0, 1]')
})
