import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createBeliefs, type Network, networkSize, pairNetwork} from '../../base/network/index.ts'
import {log, rng, sigmoid} from '../../base/numeric/index.ts'
import type {NoiseRates} from '../noise/index.ts'
import {bestThreshold, type Calibration, calibrate, expectedF1At, matchMean} from './calibrate.ts'
import {anchorFacts, type SampleEvidence} from './evidence.ts'
import {mean} from './test-documents.ts'

const m = 5
const rates: NoiseRates = {
  truePositive: Float64Array.of(0.5, 0.7, 0.3, 0.9, 0.6),
  falsePositive: Float64Array.of(0.01, 0.05, 0.002, 0.1, 0.02),
  prevalence: Float64Array.of(0.1, 0.3, 0.05, 0.2, 0.15)
}
const facts = anchorFacts(rates)
const logit = (p: number) => log(p / (1 - p))

function pairsOf(spread: number): Network {
  const random = rng(7)
  const couplings = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let k = 0; k < i; k++) couplings[i * m + k] = couplings[k * m + i] = spread * (2 * random.next() - 1)
  const ones = couplings.map(() => 1)
  return pairNetwork({prevalence: rates.prevalence, couplings, low: ones, high: ones})
}

/** Anchors that fire at their rates, and words that tell more where they do and count 0.3 there. */
function sampleOf(documents: number, seed: number): SampleEvidence {
  const random = rng(seed)
  const isFired = Uint8Array.from({length: documents * m}, (_, at) => {
    const [t, e, p] = [rates.truePositive[at % m], rates.falsePositive[at % m], rates.prevalence[at % m]]
    return random.next() < e + (t - e) * p ? 1 : 0
  })
  const scores = Float64Array.from(isFired, on => 3 * random.next() - 1.5 + on)
  return {
    documents,
    isFired,
    silent: scores,
    fired: scores.map(score => 0.3 * score),
    hidden: scores,
    constants: {silent: facts.map(({silent}) => silent), fired: facts.map(({precision}) => logit(precision))},
    fixed: new Set()
  }
}

/** Probabilities of every document as the reader computes them; document d, concept i at `d*m + i`. */
function probabilitiesOf(network: Network, sample: SampleEvidence, found: Calibration, isHidden = false) {
  const beliefs = createBeliefs(network)
  const out = new Float64Array(networkSize(network))
  const all = new Float64Array(sample.documents * m)
  for (let d = 0; d < sample.documents; d++) {
    const isFired = isHidden ? new Uint8Array(m) : sample.isFired.slice(d * m, (d + 1) * m)
    const logOdds = Float64Array.from(isFired, (on, i) =>
      on
        ? found.fired[i] - beliefs.prior[i] + sample.fired[d * m + i]
        : (isHidden ? found.hidden : found.silent)[i] + sample.silent[d * m + i]
    )
    beliefs.run({logOdds, isFired, labels: new Int8Array(m).fill(-1)}, out)
    all.set(out.map(sigmoid), d * m)
  }
  return all
}

const column = (all: Float64Array, i: number, where: (at: number) => boolean = () => true) =>
  Array.from(all).filter((_, at) => at % m === i && where(at))

test('calibrate(...) leaves the constants of fixed concepts where they are', () => {
  const sample = sampleOf(800, 3)
  const found = calibrate({...sample, fixed: new Set([0, 1])}, pairsOf(0), facts)
  const plain = calibrate(sample, pairsOf(0), facts)
  for (const i of [0, 1]) {
    expect([found.silent[i], found.fired[i], found.hidden[i]]).toEqual([
      sample.constants.silent[i],
      sample.constants.fired[i],
      0
    ])
  }
  // Without couplings the other concepts do not depend on these.
  for (const i of [2, 3, 4]) expect(found.fired[i]).toBe(plain.fired[i])
})

test('calibrate(...) makes the mean probability of each concept the one of the rates, in all three states', () => {
  const network = pairsOf(1)
  const sample = sampleOf(1000, 3)
  const words = calibrate(sample, network, facts)
  const [used, hidden] = [probabilitiesOf(network, sample, words), probabilitiesOf(network, sample, words, true)]
  facts.forEach(({precision, missed, prevalence}, i) => {
    // One concept alone decides where its anchor fired: exact to the tolerance of matchMean, 1e-9 of the mean.
    expect(mean(column(used, i, at => sample.isFired[at] === 1))).toBeCloseTo(precision, 8)
    // Rounds stop when no constant moves by more than .05, which moves a mean p by at most .05 p (1 - p), about.
    const within = (p: number) => 0.06 * p * (1 - p)
    expect(Math.abs(mean(column(used, i, at => sample.isFired[at] === 0)) - missed)).toBeLessThan(within(missed))
    expect(Math.abs(mean(column(hidden, i)) - prevalence)).toBeLessThan(within(prevalence))
  })
  expect(words.rounds).toBeLessThan(6)
  expect(words.residual).toBeLessThan(0.01)
})

test('calibrate(...) needs one round, and is exact, where concepts are independent', () => {
  const network = pairsOf(0)
  const sample = sampleOf(800, 4)
  const words = calibrate(sample, network, facts)
  const used = probabilitiesOf(network, sample, words)
  facts.forEach(({missed}, i) => {
    expect(mean(column(used, i, at => sample.isFired[at] === 0))).toBeCloseTo(missed, 8)
  })
  expect(words.rounds).toBe(2)
  expect(words.residual).toBeLessThan(1e-8)
})

test('calibrate(...) without words or neighbours finds the constants of Bayes rule', () => {
  const none = new Float64Array(400 * m)
  const words = calibrate({...sampleOf(400, 5), silent: none, fired: none, hidden: none}, pairsOf(0), facts)
  facts.forEach(({precision, silent: constant}, i) => {
    expect(words.fired[i]).toBeCloseTo(Math.log(precision / (1 - precision)), 7)
    expect(words.silent[i]).toBeCloseTo(constant, 7)
    expect(words.hidden[i]).toBeCloseTo(0, 7)
  })
})

test('calibrate(...) converges along edges so strong that full steps overshoot', () => {
  const chain = {
    parents: Array.from({length: m}, (_, i) => (i === 0 ? [] : [i - 1])),
    cpt: Array.from(rates.prevalence, p =>
      p === rates.prevalence[0] ? Float64Array.of(p) : Float64Array.of(0.01, 0.97)
    )
  }
  const {residual} = calibrate(sampleOf(600, 9), chain, facts)
  // With full steps a mean remains 0.95 off.
  expect(residual).toBeLessThan(0.02)
})

test('calibrate(...) refuses rates that contradict the network', () => {
  const sure = {
    parents: Array.from({length: m}, (_, i) => (i === 0 ? [] : [i - 1])),
    cpt: Array.from({length: m}, (_, i) => (i === 0 ? Float64Array.of(0.5) : Float64Array.of(1e-9, 1 - 1e-9)))
  }
  const contradicted = () => calibrate({...sampleOf(600, 9), isFired: new Uint8Array(600 * m)}, sure, facts)
  expect(contradicted).toThrow(expect.objectContaining({code: 'bad-rates'}))
})

test('calibrate(...) keeps a sound constant for an anchor that never fires in the sample', () => {
  const sample = sampleOf(300, 8)
  const never = {...sample, isFired: sample.isFired.map((on, at) => (at % m === 2 ? 0 : on))}
  const words = calibrate(never, pairsOf(1), facts)
  const [, , {precision}] = facts
  expect(words.fired[2]).toBeCloseTo(Math.log(precision / (1 - precision)), 12)
  for (const list of [words.silent, words.fired, words.hidden]) expect(list.every(Number.isFinite)).toBe(true)
})

test('matchMean(...) finds the shift that gives the mean asked for, and 0 for an empty list', () => {
  const lists = fc.array(fc.double({min: -20, max: 20, noNaN: true}), {minLength: 1, maxLength: 30})
  fc.assert(
    fc.property(lists, fc.double({min: 1e-4, max: 0.999, noNaN: true}), (logOdds, target) => {
      const c = matchMean(logOdds, target)
      expect(Math.abs(mean(logOdds.map(z => sigmoid(z + c))) - target)).toBeLessThan(1e-7 * target)
    })
  )
  expect(matchMean([], 0.5)).toBe(0)
})

test('bestThreshold(...) is half of the highest expected F1, as found by trying every probability', () => {
  const chances = fc.array(fc.double({min: 0, max: 1, noNaN: true}), {minLength: 1, maxLength: 20})
  fc.assert(
    fc.property(chances, chances, (first, second) => {
      const tried = [...first, ...second].map(threshold => expectedF1At([first, second], threshold))
      expect(bestThreshold([first, second])).toBeCloseTo(Math.max(...tried) / 2, 10)
    })
  )
  expect(expectedF1At([[0.9, 0.4, 0.1]], 0.4)).toBeCloseTo((2 * 1.3) / (2 + 1.4), 14)
})
