import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from './infer.ts'
import {composeTestModel, largestDifference, plainPosterior, randomDocument, randomModel} from './test-models.ts'

describe('createMessagePassing(...)', () => {
  it('createMessagePassing(...) is exact on independent concepts with one word', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({min: 1, max: 7}), (seed, conceptCount) => {
        const model = randomModel(rng(seed), {conceptCount, wordCount: 6, parentLimit: 0, density: 0.6})
        const asked = {...randomDocument(model, rng(seed).stream('document')).evidence, words: [seed % 6]}
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
        fc.integer({min: 0, max: 3}),
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

  it.each([
    [30, 1, 8],
    [14, 2, 24]
  ])(
    'createMessagePassing(...) converges for %i concepts, at most %i parents, that compete for the same words',
    (conceptCount, parentLimit, seeds) => {
      // Measured without damping: none of the 8 converge, and 1 of the 24.
      const shape = {conceptCount, wordCount: 200, parentLimit, density: 0.4, strongest: 0.85, strongTies: true}
      const evidence = {words: Array.from({length: 40}, (_, at) => 5 * at), anchors: [], members: []}
      for (let seed = 0; seed < seeds; seed++) {
        const {certificate} = infer(randomModel(rng(seed), shape), evidence, {method: 'message-passing'})
        expect(certificate.status).toBe('converged')
      }
    }
  )

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
