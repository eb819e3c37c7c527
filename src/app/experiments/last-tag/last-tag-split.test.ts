import {describe, expect, test} from 'vitest'
import type {Material} from '../material.ts'
import {splitMaterial} from '../split.ts'
import {testMaterial} from '../test-material.ts'
import {lastTagSplit, MOST_TRAINING} from './last-tag-split.ts'

const {material} = testMaterial(600)

/** The same documents, but of those to learn from only `kept` have the tag of concept i, anchored ones first. */
function withFewTags(some: Material, i: number, kept = 0): Material {
  const learned = splitMaterial(some, 0).training.documents.filter(({truth}) => truth?.[i] === 1)
  const anchored = learned.filter(({evidence}) => evidence.anchors.includes(i))
  const cleared = [...anchored, ...learned.filter(document => !anchored.includes(document))].slice(kept)
  const keys = new Set(cleared.map(({key}) => key))
  const clear = (truth: Int8Array | undefined) => truth?.map((value, k) => (k === i ? 0 : value))
  return {
    ...some,
    documents: some.documents.map(document =>
      keys.has(document.key) ? {...document, truth: clear(document.truth)} : document
    )
  }
}

describe('lastTagSplit', () => {
  test('lastTagSplit(...) has the documents of the split, and rates that the tags of its training documents show', () => {
    const {training, heldOut, leftOut} = lastTagSplit(material, 3)
    const split = splitMaterial(material, 3)
    expect(training.documents).toEqual(split.training.documents)
    expect(heldOut.documents).toEqual(split.heldOut.documents)
    expect(heldOut.lexicon).toEqual(training.lexicon)
    expect(leftOut).toEqual([])
    const tagged = training.documents.filter(({truth}) => truth?.[1] === 1)
    const hits = tagged.filter(({evidence}) => evidence.anchors.includes(1)).length
    expect(training.lexicon.anchors[1].rates).toMatchObject({truePositive: (hits + 0.5) / (tagged.length + 1)})
  })

  test('lastTagSplit(...) learns from so many documents at most, with the rates of those alone', () => {
    const {documents} = testMaterial(20).material
    const many = Array.from({length: MOST_TRAINING + 3000}, (_, at) => ({
      ...documents[at % documents.length],
      key: `d${at}`
    }))
    const {training} = lastTagSplit({...material, documents: many}, 0)
    expect(training.documents).toHaveLength(MOST_TRAINING)
    const fired = training.documents.filter(({evidence, truth}) => truth?.[0] === 0 && evidence.anchors.includes(0))
    const absent = training.documents.filter(({truth}) => truth?.[0] === 0)
    expect(training.lexicon.anchors[0].rates).toMatchObject({
      falsePositive: (fired.length + 0.5) / (absent.length + 1)
    })
  })

  test.each([0, 1])('lastTagSplit(...) leaves out, on both sides, a concept that %i training documents have', kept => {
    const {training, heldOut, leftOut} = lastTagSplit(withFewTags(material, 2, kept), 0)
    const names = material.lexicon.anchors.map(({concept}) => concept)
    expect(leftOut).toEqual([names[2]])
    expect(training.lexicon.anchors.map(({concept}) => concept)).toEqual(names.filter((_, i) => i !== 2))
    expect(heldOut.documents.every(({truth}) => truth?.length === 3)).toBe(true)
  })

  test('lastTagSplit(...) keeps a concept that two training documents have', () => {
    expect(lastTagSplit(withFewTags(material, 2, 2), 0).leftOut).toEqual([])
  })

  test('lastTagSplit(...) refuses material with fewer than two concepts to learn', () => {
    const bare = [0, 1, 2].reduce((some, i) => withFewTags(some, i), material)
    expect(() => lastTagSplit(bare, 0)).toThrow(/generated, split 0: of 4 concepts, 1 have their tag/)
  })
})
