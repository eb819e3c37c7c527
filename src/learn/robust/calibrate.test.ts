import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createBeliefs, type Network, networkSize, pairNetwork} from '../../base/network/index.ts'
import {log, rng, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {anchorFacts, calibrateWeights, matchMean} from './calibrate.ts'
import {mean} from './test-documents.ts'
import type {WordSample} from './word-sample.ts'
import type {WordWeights} from './word-weights.ts'

const m = 5
const rates: NoiseRates = {
  truePositive: Float64Array.of(0.5, 0.7, 0.3, 0.9, 0.6),
  falsePositive: Float64Array.of(0.01, 0.05, 0.002, 0.1, 0.02),
  prevalence: Float64Array.of(0.1, 0.3, 0.05, 0.2, 0.15)
}
const learned = {
  weights: Array.from({length: m}, (_, i) => [i / 5, (i + 1) / 10]),
  scale: {idf: [1, 2], typical: 4, usualIdf: 2},
  classes: new Set<number>(),
  source: 'counts' as const,
  documents: 1000
}

function pairsOf(spread: number): Network {
  const random = rng(7)
  const couplings = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) couplings[i * m + k] = couplings[k * m + i] = spread * (2 * random.next() - 1)
  const ones = couplings.map(() => 1)
  return pairNetwork({prevalence: rates.prevalence, couplings, low: ones, high: ones})
}

/** Anchors that fire at their rates, and scores that are higher where they do. */
function sampleOf(documents: number, seed: number): WordSample {
  const random = rng(seed)
  const fired = Uint8Array.from({length: documents * m}, (_, at) => {
    const [t, e, p] = [rates.truePositive[at % m], rates.falsePositive[at % m], rates.prevalence[at % m]]
    return random.next() < e + (t - e) * p ? 1 : 0
  })
  return {documents, fired, scores: Float64Array.from(fired, on => 3 * random.next() - 1.5 + on)}
}

/** Probabilities of every document as the reader computes them; document d, concept i at `d*m + i`. */
function probabilitiesOf(
  network: Network,
  {documents, scores, fired}: WordSample,
  words: WordWeights,
  isHidden = false
) {
  const beliefs = createBeliefs(network)
  const out = new Float64Array(networkSize(network))
  const all = new Float64Array(documents * m)
  for (let d = 0; d < documents; d++) {
    const settled = isHidden ? new Uint8Array(m) : fired.slice(d * m, (d + 1) * m)
    const logOdds = Float64Array.from(settled, (on, i) => {
      const score = scores[d * m + i]
      if (on) return words.fired[i] - beliefs.prior[i] + words.firedShare * score
      return (isHidden ? words.hidden : words.silent)[i] + score
    })
    beliefs.run({logOdds, settled, labels: new Int8Array(m).fill(-1)}, out)
    all.set(out.map(sigmoid), d * m)
  }
  return all
}

const column = (all: Float64Array, i: number, where: (at: number) => boolean = () => true) =>
  Array.from(all).filter((_, at) => at % m === i && where(at))

test('calibrateWeights(...) gives classes the constants of Bayes rule, and words beyond their mean at 0.7', () => {
  const sample = sampleOf(800, 3)
  const found = calibrateWeights(sample, pairsOf(0), rates, {...learned, classes: new Set([0, 1])})
  const plain = calibrateWeights(sample, pairsOf(0), rates, learned)
  const facts = anchorFacts(rates)
  for (const i of [0, 1]) {
    const usual = 0.7 * mean(column(sample.scores, i))
    // Sums of 800 scores below 3 in another order.
    expect(found.silent[i]).toBeCloseTo(facts[i].silent - usual, 10)
    expect(found.fired[i]).toBeCloseTo(log(facts[i].precision / (1 - facts[i].precision)) - usual, 10)
    expect(found.hidden[i]).toBeCloseTo(-usual, 10)
    expect(found.weights[i]).toEqual(plain.weights[i].map(weight => 0.7 * weight))
  }
  // Without couplings the other concepts do not depend on classes.
  for (const i of [2, 3, 4]) expect(found.fired[i]).toBe(plain.fired[i])
  expect(found.weights.slice(2)).toEqual(plain.weights.slice(2))
})

test('anchorFacts(...) are what Bayes rule makes of the rates', () => {
  fc.assert(
    fc.property(fc.constantFrom(0.2, 0.9), fc.constantFrom(0.01, 0.1), fc.constantFrom(0.05, 0.4), (t, e, p) => {
      const [{prevalence, precision, missed, silent}] = anchorFacts({
        truePositive: Float64Array.of(t),
        falsePositive: Float64Array.of(e),
        prevalence: Float64Array.of(p)
      })
      const firing = t * p + e * (1 - p)
      expect(prevalence).toBe(p)
      expect(precision * firing + missed * (1 - firing)).toBeCloseTo(p, 14)
      expect(precision).toBeCloseTo((t * p) / firing, 14)
      expect(Math.log(missed / (1 - missed))).toBeCloseTo(Math.log(p / (1 - p)) + silent, 12)
    })
  )
})

test('calibrateWeights(...) makes the mean probability of each concept the one of the rates, in all three states', () => {
  const network = pairsOf(1)
  const sample = sampleOf(1000, 3)
  const words = calibrateWeights(sample, network, rates, learned)
  const [used, hidden] = [probabilitiesOf(network, sample, words), probabilitiesOf(network, sample, words, true)]
  anchorFacts(rates).forEach(({precision, missed, prevalence}, i) => {
    // One concept alone decides where its anchor fired: exact to the tolerance of matchMean, 1e-9 of the mean.
    expect(mean(column(used, i, at => sample.fired[at] === 1))).toBeCloseTo(precision, 8)
    // Rounds stop when no constant moves by more than .05, which moves a mean p by at most .05 p (1 - p), about.
    const within = (p: number) => 0.06 * p * (1 - p)
    expect(Math.abs(mean(column(used, i, at => sample.fired[at] === 0)) - missed)).toBeLessThan(within(missed))
    expect(Math.abs(mean(column(hidden, i)) - prevalence)).toBeLessThan(within(prevalence))
  })
  expect(words.certificate).toMatchObject({source: 'counts', documents: 1000})
  expect(words.certificate.rounds).toBeLessThan(6)
  expect(words.certificate.residual).toBeLessThan(0.01)
})

test('calibrateWeights(...) needs one round, and is exact, where concepts are independent', () => {
  const network = pairsOf(0)
  const sample = sampleOf(800, 4)
  const words = calibrateWeights(sample, network, rates, learned)
  const used = probabilitiesOf(network, sample, words)
  anchorFacts(rates).forEach(({missed}, i) => {
    expect(mean(column(used, i, at => sample.fired[at] === 0))).toBeCloseTo(missed, 8)
  })
  expect(words.certificate.rounds).toBe(2)
  expect(words.certificate.residual).toBeLessThan(1e-8)
})

test('calibrateWeights(...) without words or neighbours finds the constants of Bayes rule', () => {
  const silent = {...sampleOf(400, 5), scores: new Float64Array(400 * m)}
  const words = calibrateWeights(silent, pairsOf(0), rates, learned)
  anchorFacts(rates).forEach(({precision, silent: constant}, i) => {
    expect(words.fired[i]).toBeCloseTo(Math.log(precision / (1 - precision)), 7)
    expect(words.silent[i]).toBeCloseTo(constant, 7)
    expect(words.hidden[i]).toBeCloseTo(0, 7)
  })
})

test('calibrateWeights(...) settles along edges so strong that full steps overshoot', () => {
  const chain = {
    parents: Array.from({length: m}, (_, i) => (i === 0 ? [] : [i - 1])),
    cpt: Array.from(rates.prevalence, p =>
      p === rates.prevalence[0] ? Float64Array.of(p) : Float64Array.of(0.01, 0.97)
    )
  }
  const {isAlone, certificate} = calibrateWeights(sampleOf(600, 9), chain, rates, learned)
  // With full steps a mean remains 0.95 off.
  expect(certificate.residual).toBeLessThan(0.02)
  expect(isAlone).toBeUndefined()
})

test('calibrateWeights(...) leaves messages out and says so where the rates contradict the network', () => {
  const sure = {
    parents: Array.from({length: m}, (_, i) => (i === 0 ? [] : [i - 1])),
    cpt: Array.from({length: m}, (_, i) => (i === 0 ? Float64Array.of(0.5) : Float64Array.of(1e-9, 1 - 1e-9)))
  }
  const sample = {...sampleOf(600, 9), fired: new Uint8Array(600 * m)}
  const {isAlone, certificate} = calibrateWeights(sample, sure, rates, learned)
  expect(isAlone).toBe(true)
  expect(certificate.unsettled).toBeGreaterThan(0.02)
  expect(certificate.residual).toBeLessThan(1e-6)
})

test('calibrateWeights(...) keeps a sound constant for an anchor that never fires in the sample', () => {
  const sample = sampleOf(300, 8)
  const never = {...sample, fired: sample.fired.map((on, at) => (at % m === 2 ? 0 : on))}
  const words = calibrateWeights(never, pairsOf(1), rates, learned)
  const [, , {precision}] = anchorFacts(rates)
  expect(words.fired[2]).toBeCloseTo(Math.log(precision / (1 - precision)), 12)
  for (const list of [words.silent, words.fired, words.hidden]) expect(list.every(Number.isFinite)).toBe(true)
})

const entry = fc.record({z: fc.double({min: -20, max: 20, noNaN: true}), w: fc.integer({min: 1, max: 9})})

test('matchMean(...) finds the shift that gives the mean asked for', () => {
  fc.assert(
    fc.property(
      fc.array(entry, {minLength: 1, maxLength: 30}),
      fc.double({min: 1e-4, max: 0.999, noNaN: true}),
      (entries, target) => {
        const logOdds = Float64Array.from(entries, ({z}) => z)
        const weights = Float64Array.from(entries, ({w}) => w)
        const c = matchMean(logOdds, weights, target)
        const total = weights.reduce((sum, w) => sum + w, 0)
        const mean = logOdds.reduce((sum, z, d) => sum + weights[d] * sigmoid(z + c), 0) / total
        expect(Math.abs(mean - target)).toBeLessThan(1e-7 * target)
      }
    )
  )
})

test('matchMean(...) leaves entries of no weight out, and is 0 when nothing has weight', () => {
  expect(matchMean(Float64Array.of(0, 7), Float64Array.of(1, 0), 0.5)).toBeCloseTo(0, 7)
  expect(matchMean(Float64Array.of(3), Float64Array.of(0), 0.5)).toBe(0)
})
