import {describe, expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {anchorsToJson, buildCorpus, type Corpus, encodeCorpus, parseRow} from '../read/data/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {bootstrap} from './bootstrap.ts'
import {fit} from './fit.ts'
import {learn, learnFromCounts} from './learn.ts'
import {anchorsWithRates, saveModel, trainingCheck, trainingMarks} from './model/index.ts'
import {estimateNoise, scoreAnchors} from './noise/index.ts'

const truth = randomModel({concepts: 4, words: 30, wordsPerConcept: 8, prevalence: [0.2, 0.4]}, rng(1))
const rows = [...generateDocuments(truth, 300, rng(2))]
const lexicon = {...truth.lexicon, anchors: anchorsWithRates(truth)}
const corpus: Corpus = encodeCorpus(
  rows.map(row => parseRow(row, {text: []}, row.id)),
  lexicon
)
const counts = countCorpus(corpus)
const byKey = (documents: Corpus['documents']) => documents.toSorted((a, b) => (a.key < b.key ? -1 : 1))

/** The model with marks of the documents it was learned from, as `learn` adds them. */
function marked(model: Awaited<ReturnType<typeof fit>>, documents: Corpus, seed = 0) {
  return {...model, certificate: {...model.certificate, training: trainingMarks(documents, 0, seed)}}
}

describe('learn(rows, anchors, options)', () => {
  test('learn(...) equals counting and fitting by hand, with the documents as sample', async () => {
    const anchors = anchorsWithRates(truth)
    const built = buildCorpus(rows, anchors)
    const documents = byKey(built.documents.map(document => ({...document, labels: undefined})))
    const expected = marked(await fit(countCorpus(built), {}, {documents: {...built, documents}}), {
      ...built,
      documents
    })
    expect(saveModel(await learn(rows, anchors))).toBe(saveModel(expected))
    expect(saveModel(await learn(rows, anchorsToJson(anchors)))).toBe(saveModel(expected))
  })

  test('learn(...) estimates the rates of anchors that have none, by scores of the documents', async () => {
    const anchors = lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
    const built = buildCorpus(rows, anchors)
    const documents = {...built, documents: byKey(built.documents.map(each => ({...each, labels: undefined})))}
    const expected = marked(await fit(countCorpus(built), {}, {documents}), documents)
    const {concepts} = estimateNoise(countCorpus(built), 'auto', {scores: scoreAnchors(documents)}).certificate
    expect(expected.certificate.noise.concepts).toEqual(concepts)
    const stages: string[] = []
    const found = await learn(rows, anchors, {}, {onStage: stage => stages.push(stage)})
    expect(saveModel(found)).toBe(saveModel(expected))
    expect(stages).toEqual(['noise', 'moments', 'structure', 'loadings', 'words'])
  })

  test('learn(...) uses tags only where they are asked for', async () => {
    const anchors = lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
    const untagged = rows.map(({tags: _, ...row}) => row)
    expect(saveModel(await learn(untagged, anchors))).toBe(saveModel(await learn(rows, anchors)))
    const labelled = await learn(rows, anchors, {noise: 'labels'})
    expect(labelled.certificate.noise).toMatchObject({method: 'labels', labelledCount: 300})
    const labels = new Map(
      rows.slice(0, 50).map(({id, tags}) => [id, new Map(truth.concepts.map(({name}) => [name, tags.includes(name)]))])
    )
    const few = await learn(untagged, anchors, {noise: 'labels', labels})
    expect(few.certificate.noise).toMatchObject({method: 'labels', labelledCount: 50})
  })

  test('learn(rows, undefined, {anchorsFromTags}) follows the rule of the paper', async () => {
    const texts = rows.map(({id, features, tags}) => ({id, text: [...features, ...tags].join(' '), tags}))
    const options = {anchorsFromTags: ['text'], topTags: 3, minTags: 1, noise: 'labels', skipBadAnchors: true} as const
    const model = await learn(texts, undefined, options)
    expect(model.lexicon.filter?.minTags).toBe(1)
    expect(model.concepts.length + model.lexicon.skipped.length).toBe(3)
  })

  test.each([
    [{shrinkag: 1}, /has no option "shrinkag"; did you mean "shrinkage"/],
    [{minTags: -1}, /^learn: `minTags` must be a whole number, at least 0; got -1/],
    [{anchorsFromTags: ['text']}, /^learn: give anchors, or `anchorsFromTags` without anchors/]
  ])('learn(..., %j) is refused', async (options, message) => {
    await expect(learn(rows, lexicon.anchors, options as object)).rejects.toThrow(message)
  })

  test('learn(...) names the row that cannot be read, and refuses no anchors', async () => {
    await expect(learn([...rows, 7], lexicon.anchors)).rejects.toThrow(/^row 301: /)
    await expect(learn(rows, undefined)).rejects.toThrow(/no anchors given, and no document has votes/)
    await expect(learn(rows, {})).rejects.toThrow(/anchors: no concepts defined/)
  })
})

describe('learnFromCounts(counts, documents, options)', () => {
  const asked = {words: 'noisy-or', seed: 3} as const

  test('learnFromCounts(..., {intervals}) keeps what a bootstrap finds, and warns of resamplings left out', async () => {
    const warnings: string[] = []
    const control = {onWarning: (text: string) => warnings.push(text)}
    const model = await learnFromCounts(counts, undefined, {...asked, intervals: 5}, control)
    expect(model.certificate.intervals).toEqual(await bootstrap(counts, model, asked, {replicates: 5}))
    expect(warnings).toEqual([])
    const labelled = Float64Array.from(lexicon.anchors.flatMap(() => [9, 0, 0, 1]))
    const few = {...countCorpus(corpus, {labelShare: 1}), labelled}
    await learnFromCounts(few, undefined, {...asked, noise: 'labels', intervals: 20}, control)
    expect(warnings).toEqual([expect.stringMatching(/^intervals: \d+ of 20 resamplings could not be fitted/)])
  })
})

describe('labels', () => {
  const bare = lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
  /** Tags as labels of the first `count` documents. */
  const labelsOf = (count: number) =>
    new Map(
      rows.slice(0, count).map(({id, tags = []}) => {
        return [String(id), new Map(bare.map(({concept}) => [concept, tags.includes(concept)]))]
      })
    )

  test('learn(..., {labels}) marks the labelled documents, and no others', async () => {
    const model = await learn(rows, bare, {labels: labelsOf(120), skipBadAnchors: true})
    const {wasLabelled, wasRead} = trainingCheck(model)
    const documents = encodeCorpus(
      rows.map((row, at) => parseRow(row, model.lexicon.reading, `row ${at}`)),
      model.lexicon
    ).documents
    expect(documents.map(wasLabelled)).toEqual(documents.map((_, at) => at < 120))
    const read = documents.map(wasRead).filter(known => known !== undefined)
    expect(read.length).toBeGreaterThan(200)
    expect(read.every(Boolean)).toBe(true)
    const others = documents.map(({key, words}) => ({key, words: words.map(word => (word + 7) % 30)}))
    // Two words stand for all: another document of the same id shares both of them rarely.
    expect(others.filter(wasRead).length).toBeLessThan(0.2 * others.length)
  })
})
