import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {type AnchorPair, fitLifts, liftLikelihood, liftPosterior, liftShares} from './lift-distribution.ts'

const LOG_LIFTS = Array.from({length: 33}, (_, g) => (g - 16) / 4)
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
const normalised = (values: readonly number[]) => values.map(value => value / sum(values))
/** A standard normal distribution of the log lift, worth ten pairs. */
const prior = normalised(LOG_LIFTS.map(value => Math.exp((-value * value) / 2)))

/** A Poisson draw by inversion. */
function poisson(mean: number, random: Rng): number {
  let share = Math.exp(-mean)
  let rest = random.next() - share
  for (let count = 0; ; count++) {
    if (rest < 0) return count
    share *= mean / (count + 1)
    rest -= share
    if (count > 100 * (mean + 10)) return count
  }
}

/** Pairs whose log lifts follow the prior, spread evenly over the step around each point of the grid. */
function drawPairs(pairs: number, seed: number, trueShare = 0.8) {
  const random = rng(seed)
  const step = LOG_LIFTS[1] - LOG_LIFTS[0]
  return Array.from({length: pairs}, () => {
    let point = random.next()
    let g = 0
    while (g < 32 && point >= prior[g]) point -= prior[g++]
    const lift = Math.exp(LOG_LIFTS[g] + step * (random.next() - 0.5))
    const expected = 2 + 40 * random.next()
    const seen = poisson(expected * (1 + trueShare * (lift - 1)), random)
    return liftLikelihood({seen, expected, trueShare})
  })
}

function objectiveOf(likelihoods: readonly Float64Array[], shares: ArrayLike<number>): number {
  const pairs = likelihoods.map(likelihood => Math.log(sum(likelihood.map((value, g) => value * shares[g]))))
  return sum(pairs) + sum(prior.map((share, g) => 10 * share * Math.log(shares[g])))
}

test('liftLikelihood(...) is the Poisson likelihood of each lift up to a factor', () => {
  const found = liftLikelihood({seen: 7, expected: 3, trueShare: 0.6}, 0.3)
  const direct = LOG_LIFTS.map(value => {
    const mean = 3 * (1 + 0.6 * (Math.exp(value + 0.3) - 1))
    return mean ** 7 * Math.exp(-mean)
  })
  for (const [g, value] of direct.entries()) expect(found[g]).toBeCloseTo(value / Math.max(...direct), 12)
})

test('liftShares(...) states a lower bound that no distribution passes', () => {
  const likelihoods = drawPairs(40, 5)
  const {shares, certificate} = liftShares(likelihoods)
  expect(certificate.objective).toBeCloseTo(-objectiveOf(likelihoods, shares), 9)
  expect(certificate.objective - certificate.lowerBound).toBeCloseTo(certificate.gap, 12)
  expect(certificate.gap).toBeLessThanOrEqual(1e-3 * 50)
  expect(sum(shares)).toBeCloseTo(1, 12)
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0.01, 0.3, 1), (seed, mix) => {
      const random = rng(seed)
      const other = normalised(LOG_LIFTS.map(() => 1e-9 + random.next() ** 4))
      const between = other.map((share, g) => mix * share + (1 - mix) * shares[g])
      expect(-objectiveOf(likelihoods, between)).toBeGreaterThanOrEqual(certificate.lowerBound - 1e-9)
    })
  )
})

test('liftPosterior(...) is exp E[log lift] around the location, inside its interval', () => {
  const location = fc.double({min: -3, max: 3, noNaN: true})
  fc.assert(
    fc.property(fc.nat(30), fc.double({min: 0.5, max: 20, noNaN: true}), location, (seen, expected, location) => {
      const likelihood = liftLikelihood({seen, expected, trueShare: 0.9}, location)
      const chances = normalised(prior.map((share, g) => share * likelihood[g]))
      const {lift, low, high} = liftPosterior(likelihood, Float64Array.from(prior), location)
      expect(Math.log(lift)).toBeCloseTo(location + sum(chances.map((chance, g) => chance * LOG_LIFTS[g])), 10)
      expect(low).toBeLessThan(lift)
      expect(high).toBeGreaterThan(lift)
    })
  )
})

/** Pairs whose log lift is 5 times their likeness, plus a normal deviation of 0.3. */
function drawLike(pairs: number, seed: number): {readonly pair: AnchorPair; readonly lift: number}[] {
  const random = rng(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Array.from({length: pairs}, (_, k) => {
    const likeness = 0.15 * normal()
    const lift = Math.exp(5 * likeness + 0.3 * normal())
    const expected = 1 + 9 * random.next()
    const seen = poisson(expected * lift, random)
    return {lift, pair: {i: 0, k, seen, expected, trueShare: 1, likeness, isRequired: false}}
  })
}

test('fitLifts(...) has lifts nearer to the true ones where likeness tells them, and required pairs by the prior alone', () => {
  const drawn = drawLike(500, 2)
  const pairs = drawn.map(({pair}) => pair)
  const {posteriors, certificate} = fitLifts(pairs)
  expect(certificate.status).toBe('optimal')
  const errorOf = (lifts: readonly {readonly lift: number}[]) =>
    sum(lifts.map(({lift}, p) => (Math.log(lift) - Math.log(drawn[p].lift)) ** 2))
  const blind = fitLifts(pairs.map(pair => ({...pair, likeness: 0})))
  expect(errorOf(posteriors)).toBeLessThan(0.7 * errorOf(blind.posteriors))
  const required = {...pairs[0], likeness: 0, isRequired: true}
  const alone = liftPosterior(liftLikelihood(required), Float64Array.from(prior))
  expect(fitLifts([required, ...pairs]).posteriors).toEqual([alone, ...posteriors])
})
