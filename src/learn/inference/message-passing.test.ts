import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {emptyFactors} from './document-factors.ts'
import {infer} from './infer.ts'
import {isForcing, sweepWords} from './message-passing.ts'
import {composeTestModel, largestDifference, plainPosterior, randomDocument, randomModel} from './test-models.ts'

describe('createMessagePassing(...)', () => {
  it('createMessagePassing(...) is exact on a forest without words, and on independent concepts with one word', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 1, max: 7}), fc.boolean(), (seed, conceptCount, tree) => {
        const shape = {conceptCount, wordCount: 6, parentLimit: tree ? 1 : 0, density: 0.6}
        const model = randomModel(rng(seed), shape)
        const {evidence} = randomDocument(model, rng(seed).stream('document'))
        const asked = {...evidence, words: tree ? [] : [seed % 6]}
        const {probabilities} = infer(model, asked, {method: 'message-passing'})
        expect(largestDifference(probabilities, plainPosterior(model, asked).probabilities)).toBeLessThan(1e-9)
      })
    )
  })

  it('createMessagePassing(...) is exact without words on any small network, whatever is known', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({min: 1, max: 9}),
        fc.integer({min: 2, max: 3}),
        fc.boolean(),
        (seed, conceptCount, parentLimit, strongTies) => {
          const shape = {conceptCount, wordCount: 6, parentLimit, density: 0.6, strongTies}
          const model = randomModel(rng(seed), shape)
          const random = rng(seed).stream('document')
          const {evidence, y} = randomDocument(model, random)
          const known = Array.from(y, tag => (random.next() < 0.3 ? tag : -1))
          const {probabilities} = infer(model, evidence, {method: 'message-passing', words: 'hidden', known})
          const plain = plainPosterior(model, evidence, {known, words: false})
          expect(largestDifference(probabilities, plain.probabilities)).toBeLessThan(1e-9)
        }
      )
    )
  })

  it('createMessagePassing(...) says in its certificate how it treats the network', () => {
    const kinds = [0, 1, 2, 8].map(parentLimit => {
      const model = randomModel(rng(2), {conceptCount: 17, wordCount: 20, parentLimit, density: 0.3})
      const {evidence} = randomDocument(model, rng(2).stream('document'))
      const {certificate} = infer(model, evidence, {method: 'message-passing'})
      return certificate.method === 'message-passing' && certificate.network
    })
    expect(kinds).toEqual(['forest', 'forest', 'junction-tree', 'loopy'])
  })

  it('createMessagePassing(...) is near enumeration on a network too tangled for a junction tree', () => {
    // Measured: 0.006 in the mean, 0.056 at most.
    const shape = {conceptCount: 14, wordCount: 60, parentLimit: 6, density: 0.3, strongest: 0.75}
    const errors = [0, 5].flatMap(seed => {
      const model = randomModel(rng(seed), shape)
      const {evidence} = randomDocument(model, rng(seed).stream('d'))
      const {probabilities, certificate} = infer(model, evidence, {method: 'message-passing'})
      expect(certificate).toMatchObject({network: 'loopy', status: 'converged'})
      return [...infer(model, evidence, {method: 'exact'}).probabilities].map((p, i) => Math.abs(p - probabilities[i]))
    })
    expect(mean(errors)).toBeLessThan(0.015)
    expect(Math.max(...errors)).toBeLessThan(0.1)
  })

  it.each([
    [30, 1, 8],
    [14, 2, 24]
  ])(
    'createMessagePassing(...) settles %i concepts, at most %i parents, that compete for the same words',
    (conceptCount, parentLimit, seeds) => {
      // Measured without damping: none of the 8 settle, and 1 of the 24.
      const shape = {conceptCount, wordCount: 200, parentLimit, density: 0.4, strongest: 0.85, strongTies: true}
      const evidence = {words: Array.from({length: 40}, (_, at) => 5 * at), anchors: [], members: []}
      for (let seed = 0; seed < seeds; seed++) {
        const {certificate} = infer(randomModel(rng(seed), shape), evidence, {method: 'message-passing'})
        expect(certificate.status).toBe('converged')
      }
    }
  )

  it('createMessagePassing(...) stays exact where evidence of hundreds of nats nearly balances', () => {
    const rates = {truePositive: 0.5, falsePositive: 0.01}
    const causes = new Array<number>(150).fill(1e-3)
    const leak = new Array<number>(300).fill(1e-3)
    const far = composeTestModel(
      [rates],
      {parents: [[]], cpt: [Float64Array.of(0.3)]},
      {failure: [[...causes, ...causes]], leak}
    )
    for (const present of [149, 150, 151, 152]) {
      const evidence = {words: Array.from({length: present}, (_, j) => j), anchors: [], members: []}
      const exact = infer(far, evidence, {method: 'exact'}).probabilities[0]
      expect(infer(far, evidence, {method: 'message-passing'}).probabilities[0]).toBeCloseTo(exact, 9)
    }
  })

  it('createMessagePassing(...) stays exact where evidence of hundreds of nats meets several parents', () => {
    // Two causes of one effect. 300 words are evidence for or against cause 0 alone; the effect is sure to 1e-9, or known.
    const words = new Array<number>(300).fill(1)
    const model = composeTestModel(
      [0, 1, 2].map(i =>
        i === 2 ? {truePositive: 1 - 1e-9, falsePositive: 1e-9} : {truePositive: 0.6, falsePositive: 0.4}
      ),
      {parents: [[], [], [0, 1]], cpt: [[0.3], [0.01], [1e-6, 0.9, 0.9, 0.95]].map(row => Float64Array.from(row))},
      {failure: [words.map(() => 1e-3), words, words], leak: words.map(() => 1e-3)}
    )
    for (const present of [0, 149, 150, 151, 152, 300])
      for (const known of [
        [-1, -1, -1],
        [-1, -1, 1],
        [-1, 0, -1]
      ]) {
        const evidence = {words: Array.from({length: present}, (_, j) => j), anchors: [2], members: []}
        const exact = infer(model, evidence, {method: 'exact', known}).probabilities
        const {probabilities} = infer(model, evidence, {method: 'message-passing', known, tolerance: 1e-12})
        expect(largestDifference(probabilities, exact)).toBeLessThan(1e-11)
      }
  })

  it('createMessagePassing(...) weighs messages whose products leave the range of numbers', () => {
    // 81 children, each sure of itself to 1e-9 and tied to its parent to 1e-12: the parent hears 1e9 or 1e-9 from each,
    // and the majority decides for all.
    const children = Array.from({length: 81}, () => [0])
    const sure = {truePositive: 1 - 1e-9, falsePositive: 1e-9}
    const cpt = [[0.5], ...children.map(() => [1e-12, 1 - 1e-12])].map(row => Float64Array.from(row))
    const star = composeTestModel(
      [{truePositive: 0.6, falsePositive: 0.4}, ...children.map(() => sure)],
      {parents: [[], ...children], cpt},
      {failure: [[0.5], ...children.map(() => [1])], leak: [0.5]}
    )
    const anchors = Array.from({length: 81}, (_, i) => i + 1)
    for (const [fired, parent] of [
      [anchors, 1],
      [[], 0],
      [anchors.slice(0, 41), 1],
      [anchors.slice(40), 1],
      [anchors.slice(0, 40), 0],
      [anchors.slice(41), 0]
    ] as const) {
      const {probabilities} = infer(star, {words: [0], anchors: fired, members: []}, {method: 'message-passing'})
      for (const p of probabilities) expect(p).toBeCloseTo(parent, 2)
    }
  })
})

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** One word with the given leak and weights, concept i on edge i. */
function oneWord(leak: number, weights: readonly number[], odds: readonly number[]) {
  const factors = {...emptyFactors(weights.length), wordCount: 1}
  factors.start.set([0, weights.length])
  factors.leak[0] = leak
  factors.concept.set(weights.map((_, i) => i))
  factors.weight.set(weights)
  const message = new Float64Array(weights.length).fill(1)
  const buffers = {odds: Float64Array.from(odds), message, heard: message.slice(), before: message.slice()}
  return {factors, buffers}
}

describe('sweepWords(...)', () => {
  it('sweepWords(...) tells each concept the ratio of the word with and without it, the others as believed', () => {
    const weights = [0.3, 0.9, 0.05]
    const believed = [0.5, 2, 0.1]
    const {factors, buffers} = oneWord(0.02, weights, believed)
    expect(sweepWords(factors, buffers, 0)).toBe(false)
    weights.forEach((w, i) => {
      const off = weights.reduce((product, other, k) => {
        const q = believed[k] / (1 + believed[k])
        return k === i ? product : product * (1 - q * other)
      }, 1 - 0.02)
      const ratio = (1 - off * (1 - w)) / (1 - off)
      expect(buffers.message[i]).toBeCloseTo(ratio, 12)
      expect(buffers.odds[i]).toBeCloseTo(believed[i] * ratio, 12)
    })
  })

  it('sweepWords(...) moves the logarithm of a message by 1 - damping, a small one along the line', () => {
    const free = oneWord(0.02, [0.1, 0.9], [0.5, 0.2])
    const slow = oneWord(0.02, [0.1, 0.9], [0.5, 0.2])
    sweepWords(free.factors, free.buffers, 0)
    sweepWords(slow.factors, slow.buffers, 0.75)
    const [small, large] = free.buffers.message
    expect(small).toBeLessThan(2)
    expect(large).toBeGreaterThan(2)
    expect(slow.buffers.message[0]).toBeCloseTo(1 + 0.25 * (small - 1), 12)
    expect(slow.buffers.message[1]).toBeCloseTo(large ** 0.25, 12)
    expect(slow.buffers.odds[1]).toBeCloseTo(0.2 * large ** 0.25, 12)
  })

  it('sweepWords(...) forces the only cause of a word without leak, and says when odds were cut off', () => {
    const only = oneWord(0, [0.3], [1e-100])
    expect(sweepWords(only.factors, only.buffers, 0)).toBe(false)
    expect(isForcing(only.buffers.message[0])).toBe(true)
    expect(only.buffers.odds[0]).toBeGreaterThan(1e100)
    const far = oneWord(1e-30, [0.3], [1e270])
    expect(sweepWords(far.factors, far.buffers, 0)).toBe(true)
    expect(isForcing(far.buffers.message[0])).toBe(false)
    expect(Number.isFinite(far.buffers.odds[0])).toBe(true)
  })
})
