import {describe, expect, test} from 'vitest'
import {assignment, goldenNames, populationCounts, readGolden, truthNetwork} from '../../test/golden.ts'
import {
  type BayesNetwork,
  createLogPrior,
  directedNetwork,
  isPairNetwork,
  logPrior,
  networkEdges
} from '../base/network/index.ts'
import {rng, shuffled} from '../base/numeric/index.ts'
import {type CountOptions, type Counts, countCorpus} from '../read/counts/index.ts'
import {type Anchors, buildCorpus, type Corpus, type VocabularyOptions} from '../read/data/index.ts'
import {poolReleases, type ReleaseRules, releaseCounts, releaseToCounts} from '../read/pooling/index.ts'
import {type GeneratedDocument, generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {bootstrap} from './bootstrap.ts'
import {type FitStage, fit} from './fit.ts'
import {infer} from './inference/index.ts'
import {learnFromCounts} from './learn.ts'
import {anchorsWithRates, loadModel, type Model, saveModel} from './model/index.ts'
import {estimateNoise, oneSidedRates} from './noise/index.ts'
import type {FitOptions} from './options.ts'
import type {WordWeights} from './robust/index.ts'
import {learnGatedLoadings, recoverWordRatios} from './robust/index.ts'

const truth = randomModel(
  {concepts: 6, words: 20, wordsPerConcept: 5, prevalence: [0.1, 0.35], failure: [0.3, 0.8], leak: [0.02, 0.2]},
  rng(11)
)
const anchors = anchorsWithRates(truth)
const rows = [...generateDocuments(truth, 3000, rng(12))]
const counts = countRows(rows, anchors)

function countRows(
  documents: readonly object[],
  given: Anchors,
  options: Partial<CountOptions> = {},
  reading: Partial<VocabularyOptions> = {}
): Counts {
  return countCorpus(buildCorpus(documents, given, {maxShare: 1, ...reading}), options)
}

describe('fit from exact counts', () => {
  test.each(goldenNames)(
    'fit(...) gives back the whole model of %s from the counts of infinitely many documents',
    async name => {
      const golden = readGolden(name)
      // Of tables alone, which are solved to the last digits; those of the local polytope are good to a gap of 1e-6.
      const model = await fit(populationCounts(golden), {
        preset: 'paper',
        network: 'indegree:1',
        shrinkage: 0,
        wordShrinkage: 0
      })
      const {network} = directed(model)
      // The root may differ; the distribution may not.
      for (let state = 0; state < 2 ** golden.m; state++) {
        const y = assignment(state, golden.m)
        expect(Math.abs(logPrior(network, y) - logPrior(truthNetwork(golden), y))).toBeLessThan(1e-6)
      }
      expectNear(model.loadings.failure, golden.truth.failures.flat(), 1e-6)
      expectNear(model.loadings.leak, golden.truth.leak, 1e-6)
      expect(model.concepts.map(({truePositive}) => truePositive)).toEqual(golden.truth.q1)
      expectNear(
        model.concepts.map(({prevalence}) => prevalence),
        golden.truth.q0.map((_, i) => golden.population.latentTables[i][1]),
        1e-9
      )
    }
  )
})

describe('fit with an anchor that is rarer with its concept', () => {
  const corpus = buildCorpus(rows, anchors, {maxShare: 1})
  const isThere = (list: readonly number[]) => list.includes(1)
  const toggled = (list: readonly number[]) => (isThere(list) ? list.filter(i => i !== 1) : [...list, 1].sort())
  /** The same documents with the silence of anchor 1 as its firing. */
  const silent: typeof corpus = {
    lexicon: {
      ...corpus.lexicon,
      anchors: corpus.lexicon.anchors.map((anchor, i) => {
        if (i !== 1 || anchor.rates?.kind !== 'rates') return anchor
        const {truePositive, falsePositive} = anchor.rates
        return {...anchor, rates: {kind: 'rates', truePositive: 1 - truePositive, falsePositive: 1 - falsePositive}}
      })
    },
    documents: corpus.documents.map(document => ({
      ...document,
      anchors: toggled(document.anchors),
      members: toggled(document.members)
    }))
  }

  test.each([
    {preset: 'paper'},
    {preset: 'paper', polytope: 'marginal'},
    {preset: 'paper', network: 'indegree:2'}
  ] as const)('fit(..., %j) learns the same from the silence of an anchor as from its firing', async options => {
    const [firing, silence] = await Promise.all(
      [corpus, silent].map(async each => directed(await fit(countCorpus(each), options)))
    )
    const gap = 1e-3
    expect(silence.certificate.noise.rarerWithConcept).toEqual([truth.concepts[1].name])
    expect(firing.certificate.noise).not.toHaveProperty('rarerWithConcept')
    silence.concepts.forEach(({prevalence}, i) => {
      expect(Math.abs(prevalence - firing.concepts[i].prevalence)).toBeLessThan(gap)
    })
    expect(silence.network.parents).toEqual(firing.network.parents)
    // Both are optimal to their certified gap, in probabilities far less than a hundredth.
    silence.network.cpt.forEach((table, i) => {
      expectNear(table, firing.network.cpt[i], 0.01)
    })
    expectNear(silence.loadings.failure, firing.loadings.failure, 0.01)
    const [ours, theirs] = [infer(silence, silent.documents[0]), infer(firing, corpus.documents[0])]
    expectNear(ours.probabilities, theirs.probabilities, 0.02)
  })

  test('fit(...) predicts with noisy-or links then, and refuses word weights', async () => {
    expect((await fit(countCorpus(silent))).wordModel.kind).toBe('noisy-or')
    await expect(() => fit(countCorpus(silent), {words: 'weights'})).rejects.toThrow(
      `that of "${truth.concepts[1].name}" is rarer with it than without; use \`words\` 'noisy-or'`
    )
  })

  test('learnFromCounts(...) warns of it once, by the number of such anchors', async () => {
    const told: string[] = []
    await learnFromCounts(countCorpus(silent), undefined, {preset: 'paper'}, {onWarning: message => told.push(message)})
    expect(told).toEqual([expect.stringContaining('one anchor is rarer with the concept than without')])
  })
})

describe('fit options', () => {
  test('fit(...) writes its options, documents and label share into the model', async () => {
    const labelled = countRows(rows, anchors, {labelShare: 0.25})
    const {options, seed, certificate} = await fit(labelled, {seed: 5, noise: 'labels'})
    expect(seed).toBe(5)
    expect(options).toMatchObject({
      noise: 'labels',
      seed: 5,
      documents: 3000,
      labelShare: 0.25,
      network: 'pairs'
    })
    expect(certificate.noise).toMatchObject({method: 'labels'})
    expect(certificate.noise.labelledCount).toBeGreaterThan(600)
    expect(certificate.noise.labelledCount).toBeLessThan(900)
  })

  test('fit(...) refuses counts that lack shards', async () => {
    const partial = {...counts, shards: {of: 4, done: [1, 3], job: 'x'}}
    await expect(() => fit(partial)).rejects.toThrow('these counts hold shards 1, 3 of 4; missing 2, 4')
  })

  test('fit(..., {network: "independent"}) has no edges and the direct loadings', async () => {
    const model = await fit(counts, {network: 'independent'})
    expect(networkEdges(model.network)).toEqual([])
    expect(model.certificate.loadings.estimator).toBe('gated')
    expect((await fit(counts, {network: 'independent', wordShrinkage: 1})).certificate.loadings.estimator).toBe(
      'direct'
    )
    expect(model.certificate.structure.method).toBe('known')
  })

  test('fit(..., {wordShrinkage}) gates links by their standard errors, or shrinks all of them', async () => {
    const spoken = async (given: FitOptions) => (await fit(counts, given)).loadings.failure.filter(f => f < 1).length
    expect(await spoken({})).toBeLessThan(await spoken({wordShrinkage: 0.1}))
    const {certificate} = await fit(counts)
    expect(certificate.loadings).toMatchObject({estimator: 'gated', gate: {sigmas: 3, ratios: 120}})
    const shrunk = await fit(counts, {wordShrinkage: 0.5})
    expect(shrunk.options).toMatchObject({wordShrinkage: 0.5})
    expect(shrunk.certificate).toMatchObject({loadings: {estimator: 'tree'}})
    expect((await fit(counts, {preset: 'paper'})).certificate.loadings.estimator).toBe('tree')
  })

  test('fit(..., {preset}) subtracts false anchors in the network and in gated words under `paper` alone', async () => {
    const given = {network: 'pairs', noise: 'given', words: 'noisy-or', wordShrinkage: 'gated'} as const
    const [noise, related] = [
      await fit(counts, {preset: 'paper', ...given}),
      await fit(counts, {preset: 'robust', ...given})
    ]
    expect(related.network).not.toEqual(noise.network)
    const rates = ({concepts}: Model) => concepts.map(({truePositive, falsePositive}) => [truePositive, falsePositive])
    expect(rates(related)).toEqual(rates(noise))
    const known = estimateNoise(counts, 'given')
    for (const [model, words, leakFloor] of [
      [noise, known, 0],
      [related, oneSidedRates(known), 0.3]
    ] as const) {
      const network = directedNetwork(model.network, 1)
      expect(model.loadings).toEqual(
        learnGatedLoadings(recoverWordRatios(counts, words), network, {leakFloor, seed: 0}).loadings
      )
    }
  })
})

describe('fit, what must not matter', () => {
  test('fit(...) of the same counts gives the same bytes, and a model that loads as it was', async () => {
    const text = saveModel(await fit(counts))
    expect(saveModel(await fit(countRows(rows, anchors)))).toBe(text)
    expect(saveModel(loadModel(text, 'm.json'))).toBe(text)
  })

  test('fit(...) does not mind the order of the rows, down to the bytes', async () => {
    const labelled = {labelShare: 0.5, seed: 3}
    const model = await fit(countRows(rows, anchors, labelled), {noise: 'labels'})
    const other = await fit(countRows(shuffled(rows, rng(1)), anchors, labelled), {noise: 'labels'})
    expect(saveModel(other)).toBe(saveModel(model))
  })

  test('fit(...) does not mind the names of concepts and words, nor the order of the words', async () => {
    const model = await fit(counts)
    // Ascending names become descending ones.
    const words = truth.lexicon.words
    const renamed = new Map(words.map((word, j) => [word, `z${String(words.length - j).padStart(3, '0')}`]))
    const others = rows.map(row => ({...row, features: row.features.map(name => renamed.get(name) ?? name)}))
    const newName = (name: string) => `the opposite of ${name}`
    const other = await fit(
      countRows(
        others,
        anchors.map(anchor => ({...anchor, concept: newName(anchor.concept)}))
      )
    )
    expect(other.concepts.map(({name}) => name)).toEqual(model.concepts.map(({name}) => newName(name)))
    expect(other.lexicon.words).toEqual(model.lexicon.words.map(word => renamed.get(word)).toReversed())
    expectNear(other.loadings.leak, model.loadings.leak.toReversed(), 1e-9)
    const n = words.length
    const row = ({loadings}: Model, i: number) => loadings.failure.slice(i * n, (i + 1) * n)
    for (let i = 0; i < 6; i++) expectNear(row(other, i), row(model, i).toReversed(), 1e-9)
    // Similarity is a sum over words, rounded in their order.
    if (!isPairNetwork(other.network) || !isPairNetwork(model.network)) return expect.unreachable()
    expectNear(other.network.couplings, model.network.couplings, 1e-9)
  })

  test.each<FitOptions>([{network: 'pairs'}, {network: 'indegree:1'}])(
    'fit(..., %j) does not mind the order of the concepts',
    async options => {
      const model = await fit(counts, options)
      for (let seed = 0; seed < 2; seed++) {
        const order = shuffled([0, 1, 2, 3, 4, 5], rng(seed))
        const reordered = countRows(
          rows,
          order.map(i => anchors[i])
        )
        // Newton's method ends within its gap of the same optimum, along another path.
        expectSameModel(await fit(reordered, options), model, order, options.network === 'pairs' ? 1e-5 : 1e-9)
      }
    }
  )
})

describe('fit and its channel', () => {
  const documents = buildCorpus(rows, anchors, {maxShare: 1})

  test('fit(..., {words}, {documents}) predicts by words in log-odds, from documents, or from counts alone', async () => {
    expect((await fit(counts)).wordModel).toMatchObject({kind: 'weights', certificate: {source: 'counts'}})
    const {wordModel} = await fit(counts, {}, {documents})
    expect(wordModel).toMatchObject({kind: 'weights', certificate: {source: 'documents', documents: 3000}})
    expect((await fit(counts, {words: 'noisy-or'}, {documents})).wordModel).toEqual({kind: 'noisy-or'})
    expect((await fit(counts, {preset: 'paper'})).wordModel).toEqual({kind: 'noisy-or'})
  })

  test('fit(..., {documents}) refuses documents that were read otherwise than those counted', async () => {
    const other = buildCorpus(rows, anchors, {maxShare: 1, vocabulary: 3})
    await expect(() => fit(counts, {}, {documents: other})).rejects.toThrow(
      /another lexicon \(3 words, not the same 20\); read them with encodeCorpus/
    )
  })
})

describe('fit control', () => {
  test('fit(...) stops between stages when its signal says so', async () => {
    const stages: FitStage[] = []
    const controller = new AbortController()
    const onStage = (stage: FitStage) => {
      stages.push(stage)
      if (stage === 'structure') controller.abort()
    }
    await expect(() => fit(counts, {}, {onStage, signal: controller.signal})).rejects.toThrow(
      expect.objectContaining({name: 'AdfaError', code: 'cancelled'})
    )
    expect(stages).toEqual(['noise', 'moments', 'structure'])
    await expect(() => fit(counts, {}, {signal: AbortSignal.abort()})).rejects.toThrow(
      expect.objectContaining({code: 'cancelled'})
    )
  })
})

describe('fit with bad anchors', () => {
  const [bad, ...good] = anchors
  const partly: Anchors = [good[0], {...bad, rates: undefined}, ...good.slice(1)]

  test('fit(..., {skipBadAnchors: true}) learns what a fit without them learns, and names them in the model', async () => {
    const documents = buildCorpus(rows, partly, {maxShare: 1})
    const model = await fit(countCorpus(documents), {noise: 'given', skipBadAnchors: true}, {documents})
    expect(model.lexicon.skipped).toEqual([{concept: bad.concept, reason: expect.stringMatching(/^no rates given/)}])
    expect(loadModel(saveModel(model), 'm.json').lexicon.skipped).toEqual(model.lexicon.skipped)
    const without = (row: GeneratedDocument) => ({
      ...row,
      features: row.features.filter(name => !bad.any.includes(name))
    })
    const other = await fit(countRows(rows.map(without), good))
    expect(model.network).toEqual(other.network)
    expect(model.loadings).toEqual(other.loadings)
    expect(model.concepts).toEqual(other.concepts)
    expect(model.wordModel).toMatchObject({kind: 'weights', certificate: {source: 'documents', documents: 3000}})
    expect((model.wordModel as WordWeights).silent).toHaveLength(5)
  })

  test('fit(..., {skipBadAnchors: true}) names the concepts when none is left', async () => {
    const none = anchors.map(anchor => ({...anchor, rates: undefined}))
    await expect(() => fit(countRows(rows, none), {noise: 'given', skipBadAnchors: true})).rejects.toThrow(
      expect.objectContaining({code: 'bad-anchors', message: expect.stringMatching(/concept-01.*no rates given/s)})
    )
  })
})

describe('fit at the edges', () => {
  test('fit(...) of a single concept works', async () => {
    const model = await fit(countRows(rows, anchors.slice(0, 1)))
    expect(model.network).toMatchObject({couplings: Float64Array.of(0)})
    expect(model.certificate.structure).toMatchObject({method: 'pairs', status: 'optimal', couplings: 0, edges: 0})
    expect(model.certificate.loadings.estimator).toBe('gated')
    const alone = await fit(countRows(rows, anchors.slice(0, 1)), {network: 'indegree:1'})
    expect(directed(alone).network.parents).toEqual([[]])
  })

  test('fit(...) of documents without words works', async () => {
    const wordless = rows.map(row => ({...row, features: row.features.filter(name => name.startsWith('anchor'))}))
    const model = await fit(countRows(wordless, anchors))
    expect(model.lexicon.words).toEqual([])
    expect(model.loadings).toMatchObject({wordCount: 0, conceptCount: 6})
    expect(undirected(model)).toEqual(undirected(await fit(counts)))
  })

  test('fit(...) of few documents gives a model all the same', async () => {
    const few = rows.slice(0, 60)
    for (const preset of ['paper', 'robust'] as const) {
      const model = await fit(countRows(few, anchors, {}, {skipBadAnchors: true}), {preset})
      expect(model.concepts.length).toBeGreaterThan(3)
      expect(loadModel(saveModel(model), 'm.json').loadings).toEqual(model.loadings)
    }
  })
})

describe('fit from released tables', () => {
  const corpus = buildCorpus(rows, anchors, {maxShare: 1})
  const sites = [0, 1, 2].map(site => ({...corpus, documents: corpus.documents.filter((_, at) => at % 3 === site)}))
  const count = (part: Corpus) => countCorpus(part, {labelShare: 0, seed: 0})
  const pooled = (rules: Partial<ReleaseRules>) =>
    releaseToCounts(poolReleases(sites.map((site, at) => releaseCounts(count(site), {...rules, site: `${at}`}))))
  /** The file of a model, without what it says of its tables. */
  const fileOf = ({certificate: {tables: _, ...certificate}, ...model}: Awaited<ReturnType<typeof fit>>) =>
    saveModel({...model, certificate})
  const noisyOr = {words: 'noisy-or'} as const

  test('fit(...) of pooled tables is, byte for byte, fit of the tables of all documents: words in log-odds too', async () => {
    const central = releaseToCounts(releaseCounts(count(corpus), {minCell: 0}))
    for (const options of [{}, noisyOr])
      expect(fileOf(await fit(pooled({minCell: 0}), options))).toBe(fileOf(await fit(central, options)))
  })

  test.each([
    ['the robust preset, tables of two', 2, noisyOr],
    ['no links', 2, {...noisyOr, network: 'independent'}],
    ['the paper, tables of three', 3, {preset: 'paper'}],
    ['two parents, tables of three', 3, {...noisyOr, network: 'indegree:2'}]
  ] satisfies [string, number, FitOptions][])(
    'fit(...) of pooled tables is, byte for byte, fit of all documents: %s',
    async (_, maxOrder, options) => {
      expect(fileOf(await fit(pooled({maxOrder, minCell: 0}), options))).toBe(fileOf(await fit(count(corpus), options)))
    }
  )

  test('fit(...) of tables with small cells withheld names its tables in the certificate', async () => {
    const model = await fit(pooled({minCell: 10}))
    const {tables} = model.certificate
    expect(tables).toMatchObject({maxOrder: 2, numbers: 1 + 6 + 15 + 7 * 20})
    expect(tables?.withheld).toBeGreaterThan(0)
    expect(tables?.sites.map(({name, documents, minCell}) => [name, documents, minCell])).toEqual([
      ['0', 1000, 10],
      ['1', 1000, 10],
      ['2', 1000, 10]
    ])
    expect((await fit(count(corpus))).certificate).not.toHaveProperty('tables')
    expect(JSON.parse(saveModel(model)).certificate.tables).toEqual(tables)
  })

  test('fit(...) of tables of three with small cells withheld gives numbers everywhere', async () => {
    const model = await fit(pooled({maxOrder: 3, minCell: 30}), {preset: 'paper'})
    expect(saveModel(model)).not.toMatch(/null|NaN/)
  })

  test('fit(...) and bootstrap(...) refuse what the tables do not tell, and name the way out', async () => {
    const two = pooled({minCell: 0})
    await expect(() => fit(two, {preset: 'paper'})).rejects.toThrow(
      /needs tables of 3 anchors or words; .*release with adfa count --max-order 3/
    )
    await expect(() => fit(pooled({maxOrder: 1, minCell: 0}))).rejects.toThrow(
      /needs tables of 2 .*release with adfa count --max-order 2/
    )
    await expect(() => fit(two, {noise: 'labels'})).rejects.toThrow(/released tables have no labels; give its rates/)
    await expect(async () => bootstrap(two, await fit(two))).rejects.toThrow(/drawing documents again needs/)
  })
})

/** Concept i of `other` is concept `order[i]` of `model`. */
function expectSameModel(other: Model, model: Model, order: readonly number[], tolerance: number): void {
  const m = order.length
  const n = model.loadings.wordCount
  const place = (i: number) => order.indexOf(i)
  expect(other.concepts.map(({name}) => name)).toEqual(order.map(i => model.concepts[i].name))
  expect(undirected(other)).toEqual(undirected(model))
  expectNear(other.loadings.leak, model.loadings.leak, tolerance)
  for (let i = 0; i < m; i++) {
    const row = (from: Model, concept: number) => from.loadings.failure.subarray(concept * n, (concept + 1) * n)
    expectNear(row(other, place(i)), row(model, i), tolerance)
  }
  const [first, second] = [createLogPrior(model.network), createLogPrior(other.network)]
  for (let state = 0; state < 2 ** m; state++) {
    const y = assignment(state, m)
    const renumbered = order.map(i => y[i])
    expect(Math.abs(Math.exp(second.of(renumbered)) - Math.exp(first.of(y)))).toBeLessThanOrEqual(tolerance)
  }
}

function directed<M extends Model>(model: M): M & {readonly network: BayesNetwork} {
  if (isPairNetwork(model.network)) throw new Error('a directed network was asked for')
  return {...model, network: model.network}
}

/** The edges by name, without direction. */
function undirected({network, concepts}: Pick<Model, 'network' | 'concepts'>): string[] {
  return networkEdges(network)
    .map(edge =>
      edge
        .map(i => concepts[i].name)
        .sort()
        .join(' - ')
    )
    .sort()
}

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found).toHaveLength(expected.length)
  Array.from(found).forEach((value, at) => {
    expect(Math.abs(value - expected[at])).toBeLessThanOrEqual(tolerance)
  })
}
