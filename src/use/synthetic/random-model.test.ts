import {describe, expect, test} from 'vitest'
import {networkMarginals, topologicalOrder} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {type RandomModelOptions, randomModel, randomModelDefaults} from './random-model.ts'
import {sampleModel} from './sample.ts'

test('randomModel({}, ...) draws a tree and words within the ranges of the defaults', () => {
  const {concepts, network, loadings, lexicon} = randomModel({}, rng(4))
  const {prevalence, truePositive, falsePositive, failure, leak, wordsPerConcept} = randomModelDefaults
  const within = (value: number, [low, high]: readonly [number, number]) =>
    value >= low - 1e-12 && value <= high + 1e-12
  expect(concepts).toHaveLength(20)
  expect(network.parents.filter(list => list.length === 1)).toHaveLength(19)
  expect(topologicalOrder(network.parents)).toBeDefined()
  expect(concepts.every(concept => within(concept.prevalence, prevalence))).toBe(true)
  expect(concepts.every(concept => within(concept.truePositive, truePositive))).toBe(true)
  expect(concepts.every(concept => within(concept.falsePositive, falsePositive))).toBe(true)
  expect(loadings.leak.every(l => within(l, leak))).toBe(true)
  for (let i = 0; i < 20; i++) {
    const row = loadings.failure.subarray(i * 500, (i + 1) * 500).filter(f => f < 1)
    expect(row).toHaveLength(wordsPerConcept)
    expect(row.every(f => within(f, failure))).toBe(true)
  }
  expect(lexicon.words.slice(0, 2)).toEqual(['word-0001', 'word-0002'])
  expect(lexicon.anchors[6]).toMatchObject({concept: 'concept-07', any: ['anchor-07']})
})

test('randomModel({}, ...) draws, digit for digit, what it always drew', () => {
  const {concepts, network, loadings} = randomModel({wordsPerDocument: 40}, rng(4))
  expect(concepts[19].prevalence).toBe(0.09490246367405525)
  expect([...network.cpt[19]]).toEqual([0.07456232353507518, 0.34088320527475385])
  expect(loadings.leak[499]).toBe(0.007980166312614742)
})

test('randomModel(...) gives edges the odds ratio asked for, negative strengths too', () => {
  for (const strength of [-2, 0, 1.5]) {
    const {network} = randomModel({concepts: 8, edgeStrength: [strength, strength]}, rng(9))
    for (const [i, list] of network.parents.entries())
      if (list.length > 0) {
        const [none, one] = network.cpt[i]
        expect(Math.log((one * (1 - none)) / (none * (1 - one)))).toBeCloseTo(strength, 9)
      }
  }
})

describe("randomModel({structure: 'indegree:K'}, ...)", () => {
  const strengths = (table: Float64Array) => table.map(p => Math.log((p / (1 - p)) * ((1 - table[0]) / table[0])))

  test('randomModel({structure: "indegree:K"}, ...) draws 1 to K earlier parents and keeps every prevalence in its range', () => {
    const prevalence = [0.03, 0.2] as const
    for (const limit of [2, 3] as const)
      for (const seed of [1, 2, 3]) {
        const {network, concepts} = randomModel({structure: `indegree:${limit}`, concepts: 30, prevalence}, rng(seed))
        const sizes = network.parents.map(list => list.length)
        expect(sizes.indexOf(0, 1)).toBe(-1)
        // Beyond the first, which have no more to choose from.
        expect(new Set(sizes.slice(limit))).toEqual(new Set(Array.from({length: limit}, (_, at) => at + 1)))
        network.parents.forEach((list, i) => {
          expect(new Set(list).size).toBe(list.length)
          expect(list.every(parent => parent < i)).toBe(true)
        })
        for (const concept of concepts) {
          expect(concept.prevalence).toBeGreaterThan(0.03 - 1e-12)
          expect(concept.prevalence).toBeLessThan(0.2 + 1e-12)
        }
      }
  })

  test('randomModel({structure: "indegree:K"}, ...) gives every concept the prevalence asked for, whatever its parents', () => {
    const asked = {structure: 'indegree:3', concepts: 15, prevalence: [0.1, 0.1], edgeStrength: [-2, 3]} as const
    const {network, concepts} = randomModel(asked, rng(5))
    for (const p of networkMarginals(network)) expect(p).toBeCloseTo(0.1, 12)
    for (const {prevalence} of concepts) expect(prevalence).toBe(0.1)
  })

  test('randomModel({structure: "indegree:K"}, ...) gives a parent alone an odds ratio of the range, several less than their product', () => {
    const edgeStrength = [1, 2.5] as const
    const {network} = randomModel({structure: 'indegree:2', concepts: 40, edgeStrength}, rng(6))
    const pairs = network.cpt.filter(table => table.length === 4).map(strengths)
    expect(pairs.length).toBeGreaterThan(10)
    for (const [, second, first, both] of pairs) {
      for (const alone of [first, second]) expect(alone >= 1 - 1e-9 && alone <= 2.5 + 1e-9).toBe(true)
      expect(both).toBeGreaterThan(Math.max(first, second))
      expect(both).toBeLessThan(first + second)
    }
  })

  test('randomModel({structure: "indegree:1"}, ...) is the tree, and only the network differs from it for larger K', () => {
    const tree = randomModel({}, rng(4))
    expect(randomModel({structure: 'indegree:1'}, rng(4)).network).toEqual(tree.network)
    const graph = randomModel({structure: 'indegree:2'}, rng(4))
    expect(graph.network).not.toEqual(tree.network)
    expect(graph.loadings).toEqual(tree.loadings)
    expect(randomModel({structure: 'indegree:2'}, rng(4))).toEqual(graph)
    expect(randomModel({structure: 'indegree:2', words: 900}, rng(4)).network).toEqual(graph.network)
  })

  test('randomModel({structure: "indegree:K"}, ...) refuses graphs too tangled for exact prevalences', () => {
    const call = () => randomModel({structure: 'indegree:8', concepts: 60}, rng(7))
    expect(call).toThrow(/up to 8 parents are too entangled .* number \d+ on; ask for fewer concepts/)
    expect(call).toThrow(expect.objectContaining({code: 'bad-option'}))
  })
})

test("randomModel({structure: 'independent'}, ...) has no edges and about the words a document that were asked for", () => {
  const options = {structure: 'independent', concepts: 10, words: 300, wordsPerDocument: 40} as const
  const model = randomModel(options, rng(2))
  expect(model.network.parents.every(list => list.length === 0)).toBe(true)
  const lengths = [...sampleModel(model, 20_000, rng(3))].map(({evidence}) => evidence.words.length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length
  expect(Math.abs(mean - 40)).toBeLessThan(5 * Math.sqrt(variance / lengths.length))
})

test('randomModel(...) repeats itself for a seed, and keeps its network when only the words change', () => {
  const used = rng(4)
  used.next()
  expect(randomModel({}, used)).toEqual(randomModel({}, rng(4)))
  expect(randomModel({}, rng(5)).network).not.toEqual(randomModel({}, rng(4)).network)
  const larger = randomModel({words: 900, wordsPerDocument: 50}, rng(4))
  expect(larger.network).toEqual(randomModel({}, rng(4)).network)
  expect(larger.concepts).toEqual(randomModel({}, rng(4)).concepts)
})

test.each<[Partial<Record<keyof RandomModelOptions, unknown>>, RegExp]>([
  [{concepts: 0}, /`concepts` must be a whole number from 1 to 10000; got 0/],
  [{words: 2.5}, /`words` must be a whole number from 1 to 100000000 \/ `concepts`; got 2.5/],
  [{structure: 'forest'}, /`structure` must be "independent", "tree" or "indegree:K" with K from 1 to 8; got "forest"/],
  [{structure: 'indegree:0'}, /`structure` must be .* got "indegree:0"/],
  [{structure: 'indegree:9'}, /`structure` must be .* got "indegree:9"/],
  [{structure: 'indegree:2.5'}, /`structure` must be .* got "indegree:2.5"/],
  [{structure: 2}, /`structure` must be .* got 2/],
  [{prevalence: [0.3, 0.2]}, /`prevalence` must be \[low, high\] with 0 < low <= high < 1; got \[0.3,0.2\]/],
  [{leak: [0, 0.1]}, /`leak` must be/],
  [{edgeStrength: [0, Number.POSITIVE_INFINITY]}, /`edgeStrength` must be/],
  [{truePositive: [0.01, 0.5]}, /`truePositive` must lie above `falsePositive`/],
  [{wordsPerConcept: 501}, /`wordsPerConcept` must be a whole number from 0 to `words` = 500; got 501/],
  [{wordsPerDocument: 500}, /`wordsPerDocument` must be a number between 0 and `words` = 500; got 500/],
  [{wordsPerDocument: 1}, /leaks alone cannot give documents of 1 words.*ask for more/],
  [{wordsPerDocument: 499}, /leaks alone cannot give documents of 499 words.*ask for fewer/]
])('randomModel(%j, ...) is refused', (options, message) => {
  const call = () => randomModel(options as Partial<RandomModelOptions>, rng(1))
  expect(call).toThrow(message)
  expect(call).toThrow(expect.objectContaining({code: 'bad-option'}))
})

test('randomModel({concept: 3}, ...) is refused with the option that was meant', () => {
  const options: Partial<RandomModelOptions> & {concept: number} = {concept: 3}
  expect(() => randomModel(options, rng(1))).toThrow(/has no option "concept"; did you mean "concepts"\?/)
})
