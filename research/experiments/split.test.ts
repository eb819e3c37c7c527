import {describe, expect, test} from 'vitest'
import {fit} from '../../src/learn/fit.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import type {Material} from './material.ts'
import {firstOf, judge, MOST_TRAINING, predictionSplit, splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'

const {material} = testMaterial(400)
const keys = (documents: readonly {readonly key: string}[]) => documents.map(({key}) => key)

describe('splitMaterial', () => {
  test('splitMaterial(...) puts every document into one of the two parts', () => {
    const {training, heldOut} = splitMaterial(material, 3)
    expect([training.documents.length, trainingCount(material)]).toEqual([300, 300])
    expect([...keys(training.documents), ...keys(heldOut.documents)].toSorted()).toEqual(
      keys(material.documents).toSorted()
    )
  })

  test('splitMaterial(...) is another division for another seed, the same for the same, whatever the order', () => {
    const first = keys(splitMaterial(material, 0).training.documents)
    expect(
      keys(splitMaterial({...material, documents: material.documents.toReversed()}, 0).training.documents)
    ).toEqual(first)
    expect(keys(splitMaterial(material, 1).training.documents)).not.toEqual(first)
  })

  test('splitMaterial(...) holds out no more than the 10,000 documents of the paper', () => {
    const many = Array.from({length: 50_000}, (_, at) => ({...material.documents[at % 400], key: `d${at}`}))
    expect(splitMaterial({...material, documents: many}, 0).heldOut.documents).toHaveLength(10_000)
  })

  test('splitMaterial(...) gives anchors the rates that the tags of the training documents show', () => {
    const {training, heldOut} = splitMaterial(material, 0)
    const [{rates}] = training.lexicon.anchors
    let [hits, tagged, falsely] = [0, 0, 0]
    for (const {anchors, labels} of training.documents) {
      const [has, fires] = [labels?.[0] === 1, anchors.includes(0)]
      tagged += Number(has)
      hits += Number(has && fires)
      falsely += Number(!has && fires)
    }
    expect(rates).toEqual({
      kind: 'rates',
      truePositive: (hits + 0.5) / (tagged + 1),
      falsePositive: (falsely + 0.5) / (training.documents.length - tagged + 1)
    })
    expect(heldOut.lexicon).toEqual(training.lexicon)
  })

  test('firstOf(...) gives nested samples, and all where there are no more', () => {
    const {training} = splitMaterial(material, 0)
    expect(keys(firstOf(training, 10).documents)).toEqual(keys(firstOf(training, 20).documents).slice(0, 10))
    expect(firstOf(training, 1000).documents).toEqual(training.documents)
  })
})

const {material: larger} = testMaterial(600)

/** The same documents, but of those to learn from only `kept` have the tag of concept i, anchored ones first. */
function withFewTags(some: Material, i: number, kept = 0): Material {
  const learned = splitMaterial(some, 0).training.documents.filter(({labels}) => labels?.[i] === 1)
  const anchored = learned.filter(({anchors}) => anchors.includes(i))
  const cleared = [...anchored, ...learned.filter(document => !anchored.includes(document))].slice(kept)
  const keys = new Set(cleared.map(({key}) => key))
  const clear = (labels: Int8Array | undefined) => labels?.map((value, k) => (k === i ? 0 : value))
  return {
    ...some,
    documents: some.documents.map(document =>
      keys.has(document.key) ? {...document, labels: clear(document.labels)} : document
    )
  }
}

describe('predictionSplit', () => {
  test('predictionSplit(...) has the documents of the split, and rates that the tags of its training documents show', () => {
    const {training, heldOut, leftOut} = predictionSplit(larger, 3)
    const split = splitMaterial(larger, 3)
    expect(training.documents).toEqual(split.training.documents)
    expect(heldOut.documents).toEqual(split.heldOut.documents)
    expect(heldOut.lexicon).toEqual(training.lexicon)
    expect(leftOut).toEqual([])
    const tagged = training.documents.filter(({labels}) => labels?.[1] === 1)
    const hits = tagged.filter(({anchors}) => anchors.includes(1)).length
    expect(training.lexicon.anchors[1].rates).toMatchObject({truePositive: (hits + 0.5) / (tagged.length + 1)})
  })

  test('predictionSplit(...) learns from so many documents at most, with the rates of those alone', () => {
    const {documents} = testMaterial(60).material
    const many = Array.from({length: MOST_TRAINING + 3000}, (_, at) => ({
      ...documents[at % documents.length],
      key: `d${at}`
    }))
    const {training} = predictionSplit({...larger, documents: many}, 0)
    expect(training.documents).toHaveLength(MOST_TRAINING)
    const fired = training.documents.filter(({anchors, labels}) => labels?.[0] === 0 && anchors.includes(0))
    const absent = training.documents.filter(({labels}) => labels?.[0] === 0)
    expect(training.lexicon.anchors[0].rates).toMatchObject({
      falsePositive: (fired.length + 0.5) / (absent.length + 1)
    })
  })

  test.each([0, 1])(
    'predictionSplit(...) leaves out, on both sides, a concept that %i training documents have',
    kept => {
      const {training, heldOut, leftOut} = predictionSplit(withFewTags(larger, 2, kept), 0)
      const names = larger.lexicon.anchors.map(({concept}) => concept)
      expect(leftOut).toEqual([names[2]])
      expect(training.lexicon.anchors.map(({concept}) => concept)).toEqual(names.filter((_, i) => i !== 2))
      expect(heldOut.documents.every(({labels}) => labels?.length === 3)).toBe(true)
    }
  )

  test('predictionSplit(...) keeps a concept that two training documents have', () => {
    expect(predictionSplit(withFewTags(larger, 2, 2), 0).leftOut).toEqual([])
  })

  test('predictionSplit(...) refuses material with fewer than two concepts to learn', () => {
    const bare = [0, 1, 2].reduce((some, i) => withFewTags(some, i), larger)
    expect(() => predictionSplit(bare, 0)).toThrow(/generated, split 0: of 4 concepts, 1 have their tag/)
  })

  test('predictionSplit(...) refuses material where no held-out document has two concepts', () => {
    const first = (labels: Int8Array | undefined) => labels?.map((value, i) => (i === labels.indexOf(1) ? value : 0))
    const documents = larger.documents.map(document => ({...document, labels: first(document.labels)}))
    expect(() => predictionSplit({...larger, documents}, 0)).toThrow(/held-out documents that have 2 of them/)
  })
})

describe('judge', () => {
  test('judge(...) asks for the last tag of documents with two concepts or more, and for all else of every document', async () => {
    const {training, heldOut} = predictionSplit(larger, 0)
    const model = await fit(countCorpus(training), {preset: 'paper'})
    const several = heldOut.documents.filter(({labels}) => (labels?.filter(value => value === 1).length ?? 0) > 1)
    const [found, ofSeveral, ofAll] = [
      judge(model, heldOut),
      evaluate(model, {...heldOut, documents: several}),
      evaluate(model, heldOut)
    ]
    expect(several.length).toBeLessThan(ofAll.lastTag.documents)
    expect(found.lastTag).toEqual(ofSeveral.lastTag)
    expect([found.documents, found.tagLogLikelihood]).toEqual([ofAll.documents, ofAll.tagLogLikelihood])
    expect(found.tagging).toEqual(ofAll.tagging)
  })
})
