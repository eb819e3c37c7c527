import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type BayesNetwork, logPrior} from './bayes-network.ts'
import {createBeliefs} from './create-beliefs.ts'
import {createLogPrior} from './log-prior.ts'
import type {ConceptEvidence} from './pair-beliefs.ts'
import {type Network, networkSize, type PairNetwork} from './pair-network.ts'
import {drawNetwork} from './test-networks.ts'
import {anyPairs, drawPairs, marginalsOf, pairsOf, pairWeights} from './test-pairs.ts'

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

function evidenceOf(m: number, change: Partial<ConceptEvidence> = {}): ConceptEvidence {
  return {logOdds: new Float64Array(m), isFired: new Uint8Array(m), labels: new Int8Array(m).fill(-1), ...change}
}

/** Evidence between -3 and 1, as words give it; now and then a concept whose anchor fired or a label. */
function drawEvidence(m: number, seed: number, {fired = 0, labelled = 0} = {}): ConceptEvidence {
  const random = rng(seed)
  return {
    logOdds: Float64Array.from({length: m}, () => 4 * random.next() - 3),
    isFired: Uint8Array.from({length: m}, () => (random.next() < fired ? 1 : 0)),
    labels: Int8Array.from({length: m}, () => (random.next() < labelled ? (random.next() < 0.5 ? 1 : 0) : -1))
  }
}

/** P(Y_i = 1 | evidence) from the weights of all states. */
function byEnumeration(weights: Float64Array, {logOdds, labels}: ConceptEvidence): Float64Array {
  const m = logOdds.length
  const weighed = weights.map((weight, state) => {
    let total = 0
    for (let i = 0; i < m; i++) {
      const isOn = (state >> i) & 1
      if (labels[i] !== -1 && labels[i] !== isOn) return 0
      if (isOn && labels[i] === -1) total += logOdds[i]
    }
    return weight * Math.exp(total)
  })
  return marginalsOf(weighed, m)
}

function networkWeights(network: BayesNetwork): Float64Array {
  const m = network.parents.length
  return Float64Array.from({length: 2 ** m}, (_, state) =>
    Math.exp(
      logPrior(
        network,
        Uint8Array.from({length: m}, (_, i) => (state >> i) & 1)
      )
    )
  )
}

function run(network: Network, evidence: ConceptEvidence, share?: number): Float64Array {
  const out = new Float64Array(networkSize(network))
  createBeliefs(network, share).run(evidence, out)
  return out
}

function errorsOn(network: PairNetwork, evidence: ConceptEvidence): number[] {
  const slow = byEnumeration(pairWeights(network), evidence)
  return Array.from(run(network, evidence, 1), (value, i) =>
    evidence.labels[i] === -1 ? Math.abs(sigmoid(value) - slow[i]) : 0
  )
}

describe('createBeliefs(...) of pairs', () => {
  test('prior is the prevalences, and no evidence leaves it', () => {
    fc.assert(
      fc.property(anyPairs, fc.constantFrom(0.7, 1), (network, share) => {
        const {prior} = createBeliefs(network, share)
        const out = run(network, evidenceOf(prior.length), share)
        prior.forEach((value, i) => {
          expect(sigmoid(value)).toBeCloseTo(network.prevalence[i], 14)
          expect(out[i]).toBeCloseTo(value, 11)
        })
      })
    )
  })

  test('run(...) with the whole couplings is near enumeration of 14 concepts, in the mean and at worst', () => {
    // Couplings up to 1; measured .0003 and .005.
    const errors = Array.from({length: 8}, (_, seed) => {
      const network = drawPairs(14, seed, {prevalence: [0.01, 0.2]})
      return [0, 1, 2].flatMap(d => errorsOn(network, drawEvidence(14, 10 * seed + d)))
    }).flat()
    expect(sum(errors) / errors.length).toBeLessThan(0.0005)
    expect(Math.max(...errors)).toBeLessThan(0.008)
  })

  test('run(...) is exact on a star, which has no path longer than two rounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({min: 2, max: 8}), fc.constantFrom(0, 0.3), (seed, m, labelled) => {
        const {prevalence, couplings} = drawPairs(m, seed, {spread: 3})
        const edges = Array.from({length: m - 1}, (_, at) => [0, at + 1, couplings[at + 1]] as const)
        const evidence = drawEvidence(m, seed, {labelled})
        for (const error of errorsOn(pairsOf([...prevalence], edges), evidence)) expect(error).toBeLessThan(1e-10)
      })
    )
  })

  test('run(...) with labels on all others has the log-odds of P(y), whatever share is passed on', () => {
    fc.assert(
      fc.property(anyPairs, fc.constantFrom(0.3, 0.7, 1), fc.integer(), (network, share, seed) => {
        const m = network.prevalence.length
        const random = rng(seed)
        const prior = createLogPrior(network)
        const y = Uint8Array.from({length: m}, () => (random.next() < 0.5 ? 1 : 0))
        for (let i = 0; i < m; i++) {
          const labels = Int8Array.from(y).with(i, -1)
          const out = run(network, evidenceOf(m, {labels, logOdds: new Float64Array(m).fill(0.7)}), share)
          expect(out[i]).toBeCloseTo(0.7 + prior.of(y.with(i, 1)) - prior.of(y.with(i, 0)), 9)
        }
      })
    )
  })

  test('run(...) leaves a concept whose anchor fired at its own evidence and passes that on', () => {
    fc.assert(
      fc.property(anyPairs, fc.integer(), (network, seed) => {
        const m = network.prevalence.length
        const evidence = drawEvidence(m, seed, {fired: 0.4, labelled: 0.2})
        const out = run(network, evidence)
        const {prior} = createBeliefs(network)
        for (let i = 0; i < m; i++)
          if (evidence.isFired[i] && evidence.labels[i] === -1) expect(out[i]).toBe(prior[i] + evidence.logOdds[i])
      })
    )
    const network = pairsOf([0.2, 0.1], [[0, 1, 1.5]])
    const sure = evidenceOf(2, {isFired: Uint8Array.of(1, 0), logOdds: Float64Array.of(60, 0)})
    const labelled = evidenceOf(2, {labels: Int8Array.of(1, -1)})
    expect(run(network, sure, 1)[1]).toBeCloseTo(run(network, labelled, 1)[1], 12)
    expect(run(network, sure)[1]).toBeLessThan(run(network, labelled)[1])
    expect(run(network, sure)[1]).toBeGreaterThan(createBeliefs(network).prior[1])
  })

  test('parts(...) add up to what the document changed beyond its own evidence', () => {
    fc.assert(
      fc.property(anyPairs, fc.integer(), (network, seed) => {
        const m = network.prevalence.length
        const evidence = drawEvidence(m, seed, {fired: 0.2, labelled: 0.2})
        const beliefs = createBeliefs(network)
        const out = new Float64Array(m)
        beliefs.run(evidence, out)
        for (let i = 0; i < m; i++) {
          if (evidence.labels[i] !== -1) continue
          const parts = beliefs.parts(i)
          expect(parts[i]).toBe(0)
          expect(beliefs.prior[i] + evidence.logOdds[i] + sum(parts)).toBeCloseTo(out[i], 10)
        }
      })
    )
  })

  test('run(...) stays finite with many concepts, strong couplings and certain evidence, and parts(...) still add up', () => {
    for (const coupling of [-3.9, 4]) {
      const m = 400
      const pairs = Array.from({length: m * m}, (_, at) => [Math.floor(at / m), at % m, coupling] as const)
      const network = pairsOf(
        new Array(m).fill(0.02),
        pairs.filter(([i, k]) => i < k)
      )
      for (const shown of [-300, 0, 300]) {
        const logOdds = Float64Array.from({length: m}, (_, i) => (i < 40 ? shown : 0))
        const beliefs = createBeliefs(network)
        const out = new Float64Array(m)
        beliefs.run(evidenceOf(m, {logOdds}), out)
        expect(out.every(Number.isFinite)).toBe(true)
        for (const i of [0, 399]) expect(beliefs.prior[i] + logOdds[i] + sum(beliefs.parts(i))).toBeCloseTo(out[i], 6)
      }
    }
  })
})

const anyGraph = fc
  .record({m: fc.integer({min: 1, max: 8}), seed: fc.integer()})
  .map(({m, seed}) => drawNetwork(m, seed, {certain: 0}))
const anyForest = anyGraph.map(({parents, cpt}) => ({
  parents: parents.map(list => list.slice(0, 1)),
  cpt: cpt.map((table, i) => table.slice(0, parents[i].length > 0 ? 2 : 1))
}))

describe('createBeliefs(...) of a Bayesian network', () => {
  test('run(...) equals enumeration on forests and graphs, with labels or without', () => {
    fc.assert(
      fc.property(fc.oneof(anyForest, anyGraph), fc.integer(), fc.constantFrom(0, 0.3), (network, seed, labelled) => {
        const m = network.parents.length
        const evidence = drawEvidence(m, seed, {labelled})
        const slow = byEnumeration(networkWeights(network), evidence)
        const out = run(network, evidence)
        for (let i = 0; i < m; i++)
          if (evidence.labels[i] === -1) expect(Math.abs(sigmoid(out[i]) - slow[i])).toBeLessThan(1e-9)
      })
    )
  })

  test('prior is the marginals, and no evidence leaves it', () => {
    fc.assert(
      fc.property(fc.oneof(anyForest, anyGraph), network => {
        const {prior} = createBeliefs(network)
        const slow = marginalsOf(networkWeights(network), prior.length)
        prior.forEach((value, i) => {
          expect(sigmoid(value)).toBeCloseTo(slow[i], 12)
        })
        expect(run(network, evidenceOf(prior.length))).toEqual(prior)
      })
    )
  })

  test('run(...) leaves a concept whose anchor fired at its own evidence; parts(...) add up', () => {
    fc.assert(
      fc.property(anyGraph, fc.integer(), (network, seed) => {
        const m = network.parents.length
        const evidence = drawEvidence(m, seed, {fired: 0.3, labelled: 0.2})
        const beliefs = createBeliefs(network)
        const out = new Float64Array(m)
        beliefs.run(evidence, out)
        for (let i = 0; i < m; i++) {
          if (evidence.labels[i] !== -1) continue
          const own = beliefs.prior[i] + evidence.logOdds[i]
          if (evidence.isFired[i]) expect(out[i]).toBe(own)
          expect(own + sum(beliefs.parts(i))).toBeCloseTo(out[i], 10)
        }
      })
    )
  })
})

test('conditionalLogOdds(...) is the difference of log P(y) with and without the concept, for both kinds', () => {
  fc.assert(
    fc.property(fc.oneof(anyPairs, anyForest, anyGraph), fc.integer(), (network: Network, seed) => {
      const m = networkSize(network)
      const random = rng(seed)
      const given = Array.from({length: m}, (_, i) => i).filter(() => random.next() < 0.4)
      const y = Uint8Array.from({length: m}, (_, i) => (given.includes(i) ? 1 : 0))
      const prior = createLogPrior(network)
      const out = new Float64Array(m)
      createBeliefs(network).conditionalLogOdds(given, out)
      for (let i = 0; i < m; i++) expect(out[i]).toBeCloseTo(prior.of(y.with(i, 1)) - prior.of(y.with(i, 0)), 9)
    })
  )
})
