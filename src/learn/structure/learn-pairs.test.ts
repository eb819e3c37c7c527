import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type BayesNetwork, forwardSampler, networkTable} from '../../base/network/index.ts'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {textDefaults} from '../../read/data/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {learnPairs, liftLikelihood, liftPosterior, liftShares} from './learn-pairs.ts'

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
    return {lift, likelihood: liftLikelihood(seen, expected, trueShare)}
  })
}

/** The slow twin: expectation and maximisation, which approaches the same optimum in small steps. */
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
  const found = liftLikelihood(7, 3, 0.6)
  const direct = LOG_LIFTS.map(value => {
    const mean = 3 * (1 + 0.6 * (Math.exp(value) - 1))
    return mean ** 7 * Math.exp(-mean)
  })
  for (const [g, value] of direct.entries()) expect(found[g]).toBeCloseTo(value / Math.max(...direct), 12)
})

test('liftShares(...) is what EM approaches in many rounds, never below it, and its gap bounds the difference', () => {
  for (const [pairs, seed] of [
    [3, 1],
    [45, 2],
    [200, 3]
  ]) {
    const likelihoods = drawPairs(pairs, seed).map(({likelihood}) => likelihood)
    const {shares, certificate} = liftShares(likelihoods)
    const slow = sharesByEm(likelihoods, 2000)
    const [best, reached] = [objectiveOf(likelihoods, shares), objectiveOf(likelihoods, slow)]
    expect(certificate.status).toBe('optimal')
    expect(certificate.objective).toBeCloseTo(-best, 9)
    expect(best).toBeGreaterThan(reached - 1e-6)
    expect(sum(shares)).toBeCloseTo(1, 12)
    // EM is within 1e-3 nats after 2,000 rounds; the objective is flat there, and shares agree to 1e-3.
    expect(best - reached).toBeLessThan(1e-3)
    for (const [g, share] of slow.entries()) expect(Math.abs(shares[g] - share)).toBeLessThan(1e-3)
  }
})

test('liftShares(...) states a lower bound that no distribution passes', () => {
  const likelihoods = drawPairs(40, 5).map(({likelihood}) => likelihood)
  const {shares, certificate} = liftShares(likelihoods)
  expect(certificate.objective - certificate.lowerBound).toBeCloseTo(certificate.gap, 12)
  expect(certificate.gap).toBeLessThanOrEqual(1e-7 * 50)
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

test('liftPosterior(...) has an interval that covers 90% of lifts when they follow the prior', () => {
  const drawn = drawPairs(3000, 7)
  const {shares} = liftShares(drawn.map(({likelihood}) => likelihood))
  const inside = drawn.filter(({lift, likelihood}) => {
    const {low, high} = liftPosterior(likelihood, shares)
    return lift >= low && lift <= high
  })
  // 4 standard errors of a share of 3,000 are .022.
  expect(Math.abs(inside.length / 3000 - 0.9)).toBeLessThan(0.022)
})

test('liftPosterior(...) couples by the value between E[log lift] and log E[lift] that is nearest to 0', () => {
  fc.assert(
    fc.property(fc.integer({min: 0, max: 30}), fc.double({min: 0.5, max: 20, noNaN: true}), (seen, expected) => {
      const likelihood = liftLikelihood(seen, expected, 0.9)
      const chances = normalised(prior.map((share, g) => share * likelihood[g]))
      const meanLog = sum(chances.map((chance, g) => chance * LOG_LIFTS[g]))
      const logMean = Math.log(sum(chances.map((chance, g) => chance * Math.exp(LOG_LIFTS[g]))))
      const {coupling, low, high} = liftPosterior(likelihood, Float64Array.from(prior))
      expect(coupling).toBeCloseTo(meanLog > 0 ? meanLog : logMean < 0 ? logMean : 0, 10)
      expect(low).toBeLessThan(high)
      expect(Math.log(low)).toBeLessThan(meanLog)
      expect(Math.log(high)).toBeGreaterThan(meanLog)
    })
  )
})

const lexicon = (m: number) => ({
  anchors: Array.from({length: m}, (_, i) => ({concept: `c${i}`, any: [`a${i}`], not: [], rates: undefined})),
  words: [],
  phrases: [],
  text: textDefaults,
  filter: {minTags: 0, tags: []},
  skipped: []
})

/** Documents of a network, of which only the anchors are counted. */
function countsOf(network: BayesNetwork, rates: NoiseRates, documents: number, seed: number): Counts {
  const random = rng(seed)
  const m = network.parents.length
  const draw = forwardSampler(network, random)
  const y = new Uint8Array(m)
  return countCorpus({
    lexicon: lexicon(m),
    documents: Array.from({length: documents}, (_, d) => {
      draw(y)
      const anchors = Array.from(y, (on, i) => ({i, rate: (on ? rates.truePositive : rates.falsePositive)[i]}))
        .filter(({rate}) => random.next() < rate)
        .map(({i}) => i)
      return {key: `${d}`, words: [], anchors, members: anchors, labels: undefined}
    })
  })
}

function ratesOf(network: BayesNetwork, truePositive: number, falsePositive: number): NoiseRates {
  return {
    truePositive: Float64Array.from(network.parents, () => truePositive),
    falsePositive: Float64Array.from(network.parents, () => falsePositive),
    prevalence: Float64Array.from(network.parents, (_, i) => networkTable(network, [i])[1])
  }
}

const alone = (m: number, p: number): BayesNetwork => ({
  parents: Array.from({length: m}, () => []),
  cpt: Array.from({length: m}, () => Float64Array.of(p))
})

test('learnPairs(...) couples independent anchors hardly at all, and draws no edge', () => {
  const network = alone(10, 0.15)
  const rates = ratesOf(network, 0.7, 0.01)
  const {network: pairs, certificate, moments} = learnPairs(countsOf(network, rates, 20000, 1), rates)
  // Some 250 documents have both anchors: without other pairs a log lift has a standard error of .075. Lifts learned from
  // all 45 pairs, of which independence is one, shrink it; measured .004 at most.
  for (const coupling of pairs.couplings) expect(Math.abs(coupling)).toBeLessThan(0.02)
  expect(certificate).toEqual({method: 'pairs', status: 'optimal', couplings: 45, edges: 0})
  expect(moments.status).toBe('optimal')
  expect([...pairs.prevalence]).toEqual([...rates.prevalence])
})

/** Pairs of concepts, two and two, of which the second is drawn by the first. */
function coupled(chances: readonly (readonly [number, number, number])[]): BayesNetwork {
  return {
    parents: chances.flatMap((_, k) => [[], [2 * k]]),
    cpt: chances.flatMap(([p, without, withIt]) => [Float64Array.of(p), Float64Array.of(without, withIt)])
  }
}

test('learnPairs(...) recovers the lifts of concepts from anchors with noise, given their rates', () => {
  const network = coupled([
    [0.1, 0.05, 0.4],
    [0.2, 0.1, 0.1],
    [0.1, 0.2, 0.03],
    [0.15, 0.1, 0.3]
  ])
  const rates = ratesOf(network, 0.6, 0.05)
  const {network: pairs, certificate} = learnPairs(countsOf(network, rates, 60000, 2), rates)
  const liftOf = (i: number, k: number) =>
    networkTable(network, [i, k])[3] / (rates.prevalence[i] * rates.prevalence[k])
  for (const [i, k] of [
    [0, 1],
    [4, 5],
    [6, 7]
  ]) {
    const at = i * 8 + k
    // With 300 to 1,700 documents that have both anchors, some of them by chance, a log lift is known to about .06 (.15
    // where concepts exclude each other); the grid has steps of .25.
    expect(Math.abs(pairs.couplings[at] - Math.log(liftOf(i, k)))).toBeLessThan(liftOf(i, k) > 1 ? 0.25 : 0.6)
    expect(pairs.low[at]).toBeLessThan(liftOf(i, k))
    expect(pairs.high[at]).toBeGreaterThan(liftOf(i, k))
    expect(pairs.low[at] > 1 || pairs.high[at] < 1).toBe(true)
  }
  expect(certificate.edges).toBe(3)
  // Anchors alone, read as if they had no noise, dilute the lift.
  const blind = {
    ...rates,
    truePositive: rates.truePositive.map(() => 1),
    falsePositive: rates.truePositive.map(() => 0)
  }
  const firing = rates.prevalence.map(p => 0.05 + 0.55 * p)
  const {network: diluted} = learnPairs(countsOf(network, rates, 60000, 2), {...blind, prevalence: firing})
  expect(diluted.couplings[1]).toBeLessThan(0.75 * pairs.couplings[1])
})

test('learnPairs(...) is symmetric, has 1 and 0 on the diagonal, and does not depend on the order of the concepts', () => {
  const network = coupled([
    [0.1, 0.05, 0.4],
    [0.2, 0.1, 0.1],
    [0.1, 0.2, 0.03]
  ])
  const rates = ratesOf(network, 0.8, 0.01)
  const first = learnPairs(countsOf(network, rates, 3000, 3), rates).network
  for (let i = 0; i < 6; i++) {
    expect([first.couplings[7 * i], first.low[7 * i], first.high[7 * i]]).toEqual([0, 1, 1])
    for (let k = 0; k < 6; k++) expect(first.couplings[i * 6 + k]).toBe(first.couplings[k * 6 + i])
  }
  const documents = countsOf(network, rates, 3000, 3)
  const mirrored = mirror(documents)
  const back = {...rates, prevalence: rates.prevalence.toReversed()}
  const second = learnPairs(mirrored, back).network
  for (const name of ['couplings', 'low', 'high'] as const)
    for (const [at, value] of first[name].entries()) expect(second[name][35 - at]).toBeCloseTo(value, 6)
})

/** The same documents with their concepts in reverse. */
function mirror(counts: Counts): Counts {
  const m = counts.lexicon.anchors.length
  const documents = Array.from(counts.patternDocuments, (count, p) => ({
    count,
    anchors: Array.from(
      counts.concepts.subarray(counts.conceptStarts[p], counts.conceptStarts[p + 1]),
      i => m - 1 - i
    ).sort((a, b) => a - b)
  }))
  return countCorpus({
    lexicon: lexicon(m),
    documents: documents.flatMap(({count, anchors}, p) =>
      Array.from({length: count}, (_, d) => ({
        key: `${p} ${d}`,
        words: [],
        anchors,
        members: anchors,
        labels: undefined
      }))
    )
  })
}

test('learnPairs(...) takes a single concept, and an anchor that never fires', () => {
  const one = alone(1, 0.2)
  const single = learnPairs(countsOf(one, ratesOf(one, 0.7, 0.01), 100, 4), ratesOf(one, 0.7, 0.01))
  expect(single.certificate).toMatchObject({couplings: 0, edges: 0, status: 'optimal'})
  const two = alone(2, 0.2)
  const silent = {
    ...ratesOf(two, 0.7, 0.01),
    truePositive: Float64Array.of(0.7, 0),
    falsePositive: Float64Array.of(0.01, 0)
  }
  const {network} = learnPairs(countsOf(two, silent, 100, 5), silent)
  // The prior alone, which is symmetric: but for rounding.
  expect(network.couplings[1]).toBeCloseTo(0, 12)
  expect(network.low[1]).toBeLessThan(1)
  expect(network.high[1]).toBeGreaterThan(1)
})
