import {describe, expect, it} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {createInference} from './infer.ts'
import type {InferenceMethod, InferenceOptions, Posterior} from './posterior.ts'
import {
  largestDifference,
  plainPosterior,
  type RandomModelOptions,
  randomDocument,
  randomModel,
  renameConcepts
} from './test-models.ts'

/** An inference method, and how accurate it must be. */
export interface PosteriorContract {
  readonly method: InferenceMethod
  readonly options?: Partial<InferenceOptions>
  /** The largest allowed error of a probability on the eight models of the suite. */
  readonly accuracy: number
  /** The largest allowed difference after concepts are renumbered. */
  readonly renumbering: number
}

const shapes: readonly RandomModelOptions[] = [0, 1, 2, 3].flatMap(parentLimit => [
  {conceptCount: 5, wordCount: 12, parentLimit, density: 0.3},
  {conceptCount: 7, wordCount: 25, parentLimit, density: 0.2, zeroLeaks: true}
])

/** Defines the tests that every method of inference must pass. */
export function describePosterior({method, options = {}, accuracy, renumbering}: PosteriorContract): void {
  const cases = shapes.map((shape, seed) => {
    const model = randomModel(rng(seed), shape)
    const {evidence, y} = randomDocument(model, rng(seed).stream('document'))
    return {model, evidence, y, ...shape}
  })

  describe.each(cases)(`posterior(...) by ${method}, $conceptCount concepts, at most $parentLimit parents`, given => {
    const {model, evidence, y} = given
    const expectAccurate = (posterior: Posterior, exact: readonly number[]) => {
      expect(largestDifference(posterior.probabilities, exact)).toBeLessThan(accuracy)
    }
    const ask = (extra: Partial<InferenceOptions> = {}) => createInference(model, {...options, method, ...extra})

    it('posterior(...) gives one probability in [0, 1] a concept, and a certificate of its method', () => {
      const {probabilities, certificate} = ask().posterior(evidence)
      expect(probabilities).toHaveLength(model.concepts.length)
      for (const p of probabilities) expect(p >= 0 && p <= 1).toBe(true)
      expect(certificate.method).toBe(method)
      expect(certificate.steps).toBeGreaterThan(0)
    })

    it('posterior(...) comes near the sum over all states', () => {
      expectAccurate(ask().posterior(evidence), plainPosterior(model, evidence).probabilities)
    })

    it('posterior(..., known) keeps known tags and conditions the others on them', () => {
      const known = Array.from(y, (tag, i) => (i % 2 === 0 ? tag : -1))
      const posterior = ask().posterior(evidence, known)
      known.forEach((tag, i) => {
        if (tag !== -1) expect(posterior.probabilities[i]).toBe(tag)
      })
      expectAccurate(posterior, plainPosterior(model, evidence, {known}).probabilities)
    })

    it('posterior(...) does not look at hidden anchors or words', () => {
      const noAnchors = ask({anchors: 'hidden'}).posterior(evidence)
      const noWords = ask({words: 'hidden'}).posterior(evidence)
      expect(ask({anchors: 'hidden'}).posterior({...evidence, anchors: [0, 1]})).toEqual(noAnchors)
      expect(ask({words: 'hidden'}).posterior({...evidence, words: [0, 1]})).toEqual(noWords)
      expectAccurate(noAnchors, plainPosterior(model, evidence, {anchors: false}).probabilities)
      expectAccurate(noWords, plainPosterior(model, evidence, {words: false}).probabilities)
    })

    it('posterior(...) does not depend on how concepts are numbered', () => {
      const places = model.concepts.map((_, i) => i)
      const to = shuffled(places, rng(7))
      const renamed = createInference(renameConcepts(model, to), {...options, method})
      const anchors = evidence.anchors.map(i => to[i]).sort((a, b) => a - b)
      const {probabilities} = renamed.posterior({...evidence, anchors})
      const back = to.map(place => probabilities[place])
      expect(largestDifference(back, ask().posterior(evidence).probabilities)).toBeLessThan(renumbering)
    })

    it('posterior(...) gives the same answer again, whatever was asked in between', () => {
      const inference = ask()
      const first = inference.posterior(evidence)
      inference.posterior({words: [0, 3, 5], anchors: [1], members: []}, new Int8Array(model.concepts.length).fill(1))
      inference.posterior({words: [], anchors: [], members: []})
      expect(inference.posterior(evidence)).toEqual(first)
    })
  })
}
