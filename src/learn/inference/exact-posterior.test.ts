import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {infer} from './infer.ts'
import {largestDifference, plainPosterior, randomDocument, randomModel} from './test-models.ts'

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
