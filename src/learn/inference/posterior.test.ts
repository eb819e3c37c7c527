import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from './infer.ts'
import {describePosterior} from './posterior.contract.ts'
import {composeTestModel, largestDifference, plainPosterior, randomDocument, randomModel} from './test-models.ts'

// Sums in another order: 2^7 states, log weights of some tens of nats.
describePosterior({method: 'exact', accuracy: 1e-11, renumbering: 1e-11})
// The Bethe approximation: 0.07 is the worst of the suite's comparisons. Renumbering: both have converged to 1e-10.
describePosterior({
  method: 'message-passing',
  options: {tolerance: 1e-10},
  accuracy: 0.1,
  renumbering: 1e-8
})

describe('posterior(...) at the edge of the possible', () => {
  const methods = ['exact', 'message-passing'] as const
  const rates = {truePositive: 0.5, falsePositive: 0.01}
  const cpt = [[0.01], [0.01, 0.4], [0.02, 0.3, 0.2, 0.5]].map(row => Float64Array.from(row))
  const networks = {
    tree: {parents: [[], [0], [0]], cpt: [cpt[0], cpt[1], cpt[2].slice(0, 2)]},
    loop: {parents: [[], [0], [0, 1]], cpt}
  }
  const cases = (['tree', 'loop'] as const).flatMap(shape => methods.map(method => [method, shape] as const))
  // Word 0 has one cause and no leak, word 1 two causes and no leak, word 2 neither, words 3-202 speak against concept 0.
  const against = new Array<number>(200).fill(0.01)
  const modelOf = (shape: keyof typeof networks) =>
    composeTestModel([rates, rates, rates], networks[shape], {
      failure: [
        [0.5, 1, 1, ...against],
        [1, 1e-3, 1, ...against.map(() => 1)],
        [1, 0.9, 1, ...against.map(() => 1)]
      ],
      leak: [0, 0, 0, ...against.map(() => 0.5)]
    })

  it.each(cases)(
    'posterior(...) by %s on a %s lets a word with one cause and no leak force that cause',
    (method, shape) => {
      const model = modelOf(shape)
      // The absent words put concept 0 at odds of 1e-400: only a true force, no large number, overcomes that.
      // With 150 of those words present they are 1e-55, which is in the range of numbers and forced all the same.
      const many = Array.from({length: 150}, (_, at) => 3 + at)
      for (const words of [[0], [0, ...many]]) {
        const {probabilities} = infer(model, {words, anchors: [], members: []}, {method})
        expect(probabilities[0]).toBe(1)
      }
    }
  )

  it.each(cases)('posterior(...) by %s on a %s leaves out a word that nothing can explain', (method, shape) => {
    const model = modelOf(shape)
    const possible = infer(model, {words: [1], anchors: [], members: []}, {method})
    const impossible = infer(model, {words: [1, 2], anchors: [], members: []}, {method})
    expect(largestDifference(impossible.probabilities, possible.probabilities)).toBeLessThan(1e-11)
  })

  it.each(cases)(
    'posterior(..., known) by %s on a %s does so too when the only cause is known to be absent',
    (method, shape) => {
      const model = modelOf(shape)
      const known = [0, -1, 0]
      const {probabilities} = infer(model, {words: [0, 1], anchors: [0], members: []}, {method, known})
      expect([...probabilities]).toEqual([0, 1, 0])
    }
  )
})

describe('exactPosterior(...)', () => {
  it('exactPosterior(...) equals the plain sum, evidence included, on any small model', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(),
          conceptCount: fc.integer({min: 1, max: 6}),
          wordCount: fc.integer({min: 0, max: 10}),
          parentLimit: fc.integer({min: 0, max: 3}),
          density: fc.constantFrom(0, 0.2, 0.6, 1),
          knownShare: fc.constantFrom(0, 0.4, 1)
        }),
        ({seed, knownShare, ...shape}) => {
          const model = randomModel(rng(seed), shape)
          const random = rng(seed).stream('document')
          const {evidence, y} = randomDocument(model, random)
          const known = Array.from(y, tag => (random.next() < knownShare ? tag : -1))
          const posterior = infer(model, evidence, {method: 'exact', known})
          const plain = plainPosterior(model, evidence, {known})
          expect(posterior.logEvidence).toBeCloseTo(plain.logEvidence, 9)
          expect(largestDifference(posterior.probabilities, plain.probabilities)).toBeLessThan(1e-10)
        }
      ),
      {numRuns: 60}
    )
  })

  it('exactPosterior(...) refuses to enumerate more than 20 unknown concepts, and names the way out', () => {
    const nothing = {words: [], anchors: [], members: []}
    const large = randomModel(rng(1), {conceptCount: 23, wordCount: 2, parentLimit: 1, density: 0.5})
    expect(() => infer(large, nothing, {method: 'exact'})).toThrow(/at most 20 concepts without a label; got 23; use/)
    const known = Array.from({length: 23}, (_, i) => (i < 12 ? 0 : -1))
    expect(infer(large, nothing, {method: 'exact', known}).certificate.steps).toBe(2 ** 11)
  })
})
