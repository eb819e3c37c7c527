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
    return liftLikelihood({seen, expected, trueShare}).likelihood
  })
}

/** The slow twin: expectation and maximisation, written out, for many rounds. */
function sharesByEm(likelihoods: readonly Float64Array[], rounds: number): number[] {
  const shares = Float64Array.from(prior)
  const totals = new Float64Array(shares.length)
  for (let round = 0; round < rounds; round++) {
    for (let g = 0; g < shares.length; g++) totals[g] = 10 * prior[g]
    for (const likelihood of likelihoods) {
      let all = 0
      for (let g = 0; g < shares.length; g++) all += shares[g] * likelihood[g]
      for (let g = 0; g < shares.length; g++) totals[g] += (shares[g] * likelihood[g]) / all
    }
    for (let g = 0; g < shares.length; g++) shares[g] = totals[g] / (likelihoods.length + 10)
  }
  return [...shares]
}

function objectiveOf(likelihoods: readonly Float64Array[], shares: ArrayLike<number>): number {
  const pairs = likelihoods.map(likelihood => Math.log(sum(likelihood.map((value, g) => value * shares[g]))))
  return sum(pairs) + sum(prior.map((share, g) => 10 * share * Math.log(shares[g])))
}

test('liftLikelihood(...) is the Poisson likelihood of each lift up to a factor', () => {
  const {likelihood: found, logFactor} = liftLikelihood({seen: 7, expected: 3, trueShare: 0.6}, 0.3)
  const direct = LOG_LIFTS.map(value => {
    const mean = 3 * (1 + 0.6 * (Math.exp(value + 0.3) - 1))
    return mean ** 7 * Math.exp(-mean)
  })
  for (const [g, value] of direct.entries()) expect(found[g]).toBeCloseTo(value / Math.max(...direct), 12)
  // The factor leaves out 3^7, which no lift changes.
  expect(logFactor).toBeCloseTo(Math.log(Math.max(...direct) / 3 ** 7), 12)
})

test('liftShares(...) is near what many more rounds reach, written out, and its gap bounds the difference', () => {
  for (const [pairs, seed] of [
    [3, 1],
    [200, 3]
  ]) {
    const likelihoods = drawPairs(pairs, seed)
    const {shares, certificate} = liftShares(likelihoods)
    const slow = sharesByEm(likelihoods, 2000)
    const [best, reached] = [objectiveOf(likelihoods, shares), objectiveOf(likelihoods, slow)]
    expect(certificate.status).toBe('optimal')
    expect(certificate.objective).toBeCloseTo(-best, 9)
    expect(best).toBeGreaterThan(reached - 1e-3 * (pairs + 10))
    expect(sum(shares)).toBeCloseTo(1, 12)
    expect(best - reached).toBeLessThan(1e-3)
    // The objective is flat near its maximum.
    for (const [g, share] of slow.entries()) expect(Math.abs(shares[g] - share)).toBeLessThan(0.03)
  }
})

test('liftShares(...) states a lower bound that no distribution passes', () => {
  const likelihoods = drawPairs(40, 5)
  const {shares, certificate} = liftShares(likelihoods)
  expect(certificate.objective - certificate.lowerBound).toBeCloseTo(certificate.gap, 12)
  expect(certificate.gap).toBeLessThanOrEqual(1e-3 * 50)
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0.01, 0.3, 1), (seed, mix) => {
      const random = rng(seed)
      const other = normalised(LOG_LIFTS.map(() => 1e-9 + random.next() ** 4))
      const between = other.map((share, g) => mix * share + (1 - mix) * shares[g])
      expect(-objectiveOf(likelihoods, between)).toBeGreaterThanOrEqual(certificate.lowerBound - 1e-9)
    })
  )
})

test('liftShares(...) of no pairs is the prior', () => {
  const {shares, certificate} = liftShares([])
  for (const [g, share] of prior.entries()) expect(shares[g]).toBeCloseTo(share, 9)
  expect(certificate.status).toBe('optimal')
})

test('liftPosterior(...) is exp E[log lift] around the location, inside its interval', () => {
  const location = fc.double({min: -3, max: 3, noNaN: true})
  fc.assert(
    fc.property(fc.nat(30), fc.double({min: 0.5, max: 20, noNaN: true}), location, (seen, expected, location) => {
      const {likelihood} = liftLikelihood({seen, expected, trueShare: 0.9}, location)
      const chances = normalised(prior.map((share, g) => share * likelihood[g]))
      const {lift, low, high} = liftPosterior(likelihood, Float64Array.from(prior), location)
      expect(Math.log(lift)).toBeCloseTo(location + sum(chances.map((chance, g) => chance * LOG_LIFTS[g])), 10)
      expect(low).toBeLessThan(lift)
      expect(high).toBeGreaterThan(lift)
    })
  )
})

/** Pairs whose log lift is `slope` times their similarity, plus a normal deviation of 0.3. */
function drawLike(pairs: number, slope: number, seed: number): {readonly pair: AnchorPair; readonly lift: number}[] {
  const random = rng(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Array.from({length: pairs}, (_, k) => {
    const similarity = 0.5 * normal()
    const lift = Math.exp(slope * similarity + 0.3 * normal())
    const expected = 1 + 9 * random.next()
    return {
      lift,
      pair: {i: 0, k, seen: poisson(expected * lift, random), expected, trueShare: 1, similarity, isRequired: false}
    }
  })
}

test('fitLifts(...) finds the slope of similarity, and lifts nearer to the true ones than without it', () => {
  for (const [slope, seed] of [
    [0, 1],
    [0.8, 2],
    [1.5, 3]
  ]) {
    const drawn = drawLike(1500, slope, seed)
    const pairs = drawn.map(({pair}) => pair)
    const {slope: found, posteriors, certificate} = fitLifts(pairs)
    // A log lift is known to about .6; over 1,500 pairs with a similarity of .5 the slope to .03. The search leaves .04, and
    // the prior shrinks by less than .02.
    expect(Math.abs(found - slope)).toBeLessThan(0.12)
    expect(['optimal', 'tolerance']).toContain(certificate.status)
    const errorOf = (lifts: readonly {readonly lift: number}[]) =>
      sum(lifts.map(({lift}, p) => (Math.log(lift) - Math.log(drawn[p].lift)) ** 2))
    const blind = fitLifts(pairs.map(pair => ({...pair, similarity: 0})))
    expect(blind.slope).toBe(0)
    if (slope > 0) expect(errorOf(posteriors)).toBeLessThan(0.7 * errorOf(blind.posteriors))
    else expect(errorOf(posteriors)).toBeLessThan(1.05 * errorOf(blind.posteriors))
  }
})
