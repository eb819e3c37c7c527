import fc from 'fast-check'
import {expect, test} from 'vitest'
import {rng} from '../numeric/index.ts'
import {type LatentNetwork, logPrior, topologicalOrder} from '../structure/index.ts'
import {
  networkMarginals,
  networkTable,
  type RandomModelOptions,
  randomModel,
  randomModelDefaults
} from './random-model.ts'
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

/** Graphs without a cycle over up to 7 concepts, in an arbitrary order of names. */
const anyNetwork: fc.Arbitrary<LatentNetwork> = fc.integer({min: 1, max: 7}).chain(m =>
  fc
    .tuple(
      fc.shuffledSubarray(
        Array.from({length: m}, (_, i) => i),
        {minLength: m, maxLength: m}
      ),
      fc.array(fc.boolean(), {minLength: m * m, maxLength: m * m}),
      fc.integer()
    )
    .map(([order, edges, seed]) => {
      const random = rng(seed)
      const rank = order.map((_, i) => order.indexOf(i))
      const parents = order.map((_, i) => order.filter(k => rank[k] < rank[i] && edges[i * m + k]))
      return {parents, cpt: parents.map(list => Float64Array.from({length: 2 ** list.length}, () => random.next()))}
    })
)

function tableByEnumeration(network: LatentNetwork, variables: readonly number[]): number[] {
  const m = network.parents.length
  const table = new Array<number>(2 ** variables.length).fill(0)
  for (let s = 0; s < 2 ** m; s++) {
    const y = Array.from({length: m}, (_, i) => (s >> i) & 1)
    table[variables.reduce((cell, i) => 2 * cell + y[i], 0)] += Math.exp(logPrior(network, y))
  }
  return table
}

test('networkTable(...) equals enumeration on any network and any variables in any order', () => {
  const cases = anyNetwork.chain(network =>
    fc.tuple(fc.constant(network), fc.shuffledSubarray(network.parents.map((_, i) => i)))
  )
  fc.assert(
    fc.property(cases, ([network, variables]) => {
      const expected = tableByEnumeration(network, variables)
      networkTable(network, variables).forEach((value, cell) => {
        expect(value).toBeCloseTo(expected[cell], 12)
      })
      networkMarginals(network).forEach((value, i) => {
        expect(value).toBeCloseTo(tableByEnumeration(network, [i])[1], 12)
      })
    }),
    {seed: 1}
  )
})

test('networkMarginals(...) goes through a chain of 500 concepts, and refuses a cycle and a concept with 30 parents', () => {
  const chain = Array.from({length: 500}, (_, i) => (i === 0 ? [] : [i - 1]))
  const cpt = chain.map(list => (list.length === 0 ? Float64Array.of(0.2) : Float64Array.of(0.2, 0.2)))
  for (const value of networkMarginals({parents: chain, cpt})) expect(value).toBeCloseTo(0.2, 12)
  expect(() => networkMarginals({parents: [[1], [0]], cpt: cpt.slice(1, 3)})).toThrow(/cycle/)
  const wide = {parents: [Array.from({length: 30}, (_, i) => i + 1), ...chain.slice(1, 31).map(() => [])], cpt}
  expect(() => networkTable(wide, [0])).toThrow(/more than 20 concepts at once/)
})
