import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {topologicalOrder} from '../structure/index.ts'
import {type RandomModelOptions, randomModel, randomModelDefaults} from './random-model.ts'
import {sampleModel} from './sample.ts'

test('randomModel({}, ...) draws a tree and words within the ranges of the defaults', () => {
  const {latents, network, loadings, lexicon} = randomModel({}, rng(4))
  const {prevalence, truePositive, falsePositive, failure, leak, wordsPerConcept} = randomModelDefaults
  const within = (value: number, [low, high]: readonly [number, number]) =>
    value >= low - 1e-12 && value <= high + 1e-12
  expect(latents).toHaveLength(20)
  expect(network.parents.filter(list => list.length === 1)).toHaveLength(19)
  expect(topologicalOrder(network.parents)).toBeDefined()
  expect(latents.every(latent => within(latent.prevalence, prevalence))).toBe(true)
  expect(latents.every(latent => within(latent.truePositive, truePositive))).toBe(true)
  expect(latents.every(latent => within(latent.falsePositive, falsePositive))).toBe(true)
  expect(loadings.leak.every(l => within(l, leak))).toBe(true)
  for (let i = 0; i < 20; i++) {
    const row = loadings.failure.subarray(i * 500, (i + 1) * 500).filter(f => f < 1)
    expect(row).toHaveLength(wordsPerConcept)
    expect(row.every(f => within(f, failure))).toBe(true)
  }
  expect(lexicon.words.slice(0, 2)).toEqual(['word-0001', 'word-0002'])
  expect(lexicon.anchors[6]).toMatchObject({concept: 'concept-07', any: ['anchor-07']})
})

test('randomModel(...) gives edges the odds ratio asked for, negative strengths too', () => {
  for (const strength of [-2, 0, 1.5]) {
    const {network} = randomModel({latents: 8, edgeStrength: [strength, strength]}, rng(9))
    for (const [i, list] of network.parents.entries())
      if (list.length > 0) {
        const [none, one] = network.cpt[i]
        expect(Math.log((one * (1 - none)) / (none * (1 - one)))).toBeCloseTo(strength, 9)
      }
  }
})

test("randomModel({structure: 'independent'}, ...) has no edges and about the words a document that were asked for", () => {
  const options = {structure: 'independent', latents: 10, words: 300, wordsPerDocument: 40} as const
  const model = randomModel(options, rng(2))
  expect(model.network.parents.every(list => list.length === 0)).toBe(true)
  const lengths = [...sampleModel(model, 20_000, rng(3))].map(({evidence}) => evidence.words.length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length
  expect(Math.abs(mean - 40)).toBeLessThan(5 * Math.sqrt(variance / lengths.length))
})

test('randomModel(...) names more than a hundred concepts in ascending order', () => {
  const {lexicon} = randomModel({latents: 120, words: 12_000, wordsPerConcept: 1}, rng(2))
  const concepts = lexicon.anchors.map(anchor => anchor.concept)
  expect(concepts[0]).toBe('concept-001')
  expect([...concepts].sort()).toEqual(concepts)
  expect([...lexicon.words].sort()).toEqual(lexicon.words)
})

test('randomModel(...) repeats itself for a seed, and keeps its network when only the words change', () => {
  const used = rng(4)
  used.next()
  expect(randomModel({}, used)).toEqual(randomModel({}, rng(4)))
  expect(randomModel({}, rng(5)).network).not.toEqual(randomModel({}, rng(4)).network)
  const larger = randomModel({words: 900, wordsPerDocument: 50}, rng(4))
  expect(larger.network).toEqual(randomModel({}, rng(4)).network)
  expect(larger.latents).toEqual(randomModel({}, rng(4)).latents)
})

test.each<[Partial<Record<keyof RandomModelOptions, unknown>>, RegExp]>([
  [{latents: 0}, /latents must be a whole number above 0; got 0/],
  [{words: 2.5}, /words must be a whole number above 0; got 2.5/],
  [{structure: 'forest'}, /structure must be "tree" or "independent"; got "forest"/],
  [{prevalence: [0.3, 0.2]}, /prevalence must be \[low, high\] with 0 < low <= high < 1; got \[0.3, 0.2\]/],
  [{leak: [0, 0.1]}, /leak must be/],
  [{edgeStrength: [0, Number.POSITIVE_INFINITY]}, /edgeStrength must be/],
  [{truePositive: [0.01, 0.5]}, /truePositive must lie above falsePositive/],
  [{wordsPerConcept: 501}, /wordsPerConcept must be a whole number from 0 to words = 500; got 501/],
  [{wordsPerDocument: 500}, /wordsPerDocument must lie between 0 and words = 500/],
  [{wordsPerDocument: 1}, /1 words cannot be had by leaks alone.*ask for more/],
  [{wordsPerDocument: 499}, /499 words cannot be had by leaks alone.*ask for fewer/]
])('randomModel(%j, ...) is refused', (options, message) => {
  const call = () => randomModel(options as Partial<RandomModelOptions>, rng(1))
  expect(call).toThrow(message)
  expect(call).toThrow(expect.objectContaining({code: 'bad-option'}))
})

test('randomModel({latent: 3}, ...) is refused with the names of the options', () => {
  const options: Partial<RandomModelOptions> & {latent: number} = {latent: 3}
  expect(() => randomModel(options, rng(1))).toThrow(/unknown option "latent"; the options are latents, words/)
})
