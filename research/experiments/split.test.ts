import {describe, expect, test} from 'vitest'
import {fit} from '../../src/learn/fit.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {parseAnchors, parseRow, type Row} from '../../src/read/data/index.ts'
import type {RowSource} from '../../src/read/engines/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {type Material, readMaterial} from './material.ts'
import {judge, MOST_TRAINING, predictionSplit, splitMaterial, trainingCount} from './split.ts'
import {testMaterial} from './test-material.ts'

describe('readMaterial', () => {
  /** Rows with a tag `a` that the word `a` announces, one `b` likewise, one `weak` that its word hardly announces. */
  function rows(count: number): Row[] {
    return Array.from({length: count}, (_, at) => {
      const tags = ['a', 'b', 'weak'].filter((_, i) => at % (2 + i) === 0)
      const said = [at % 5 > 0, at % 5 > 1].flatMap((isSaid, i) => (isSaid && tags.includes('ab'[i]) ? 'ab'[i] : []))
      const text = ['word', ...said, ...(at % 7 === 0 ? ['weak'] : [])].join(' ')
      return parseRow({id: `d${at}`, text, tags}, {text: ['text']}, `row ${at}`)
    })
  }

  const anchors = {
    kind: 'given',
    anchors: parseAnchors('{"a": "a", "b": "b", "weak": "weak", "never": "never"}', 'anchors.json')
  } as const
  const read = (all: readonly Row[], documents = 1000): Promise<Material> => {
    const source: RowSource = {
      async *batches() {
        yield all
      }
    }
    return readMaterial('notes', source, anchors, {documents, minTags: 0})
  }

  test('readMaterial(...) leaves out concepts whose anchor cannot work or tells too little, and says why', async () => {
    const {lexicon} = await read(rows(420))
    expect(lexicon.anchors.map(({concept}) => concept)).toEqual(['a', 'b'])
    const reasons = new Map(lexicon.skipped.map(({concept, reason}) => [concept, reason]))
    expect(reasons.get('weak')).toMatch(/14% .* more than 3 times as common with its concept/)
    expect(reasons.get('never')).toMatch(/never/)
  })

  test('readMaterial(...) reads tagged documents alone, or a random sample, the same whatever their order', async () => {
    const all = rows(60)
    const untagged = parseRow({id: 'x', text: 'a b'}, {text: ['text']}, 'row')
    const material = await read([untagged, ...all])
    expect(material.documents).toHaveLength(60)
    expect(await read([...all.toReversed(), untagged])).toEqual(material)
    expect((await read(rows(2000), 500)).documents).toHaveLength(500)
  })

  test('readMaterial(...) refuses data without tags or without anchors that work', async () => {
    const bare = rows(60).map(row => ({...row, tags: undefined}))
    await expect(read(bare)).rejects.toThrow(/notes: of 3 anchors, 3 are too weak/)
    await expect(read(rows(12))).rejects.toThrow(/notes: 12 documents with tags .* needs at least 20/)
  })
})

const {material} = testMaterial(600)
const keysOf = (documents: readonly {readonly key: string}[]) => documents.map(({key}) => key)

test('splitMaterial(...) puts every document into one of two parts, whatever the order, with rates by the tags of one', () => {
  const {training, heldOut} = splitMaterial(material, 3)
  expect([training.documents.length, trainingCount(material)]).toEqual([450, 450])
  const all = [...keysOf(training.documents), ...keysOf(heldOut.documents)]
  expect(all.toSorted()).toEqual(keysOf(material.documents).toSorted())
  const turned = {...material, documents: material.documents.toReversed()}
  expect(keysOf(splitMaterial(turned, 3).training.documents)).toEqual(keysOf(training.documents))
  expect(keysOf(splitMaterial(material, 1).training.documents)).not.toEqual(keysOf(training.documents))
  const count = (tagged: boolean, fired: boolean) =>
    training.documents.filter(({anchors, labels}) => (labels?.[0] === 1) === tagged && anchors.includes(0) === fired)
      .length
  const share = (hits: number, others: number) => (hits + 0.5) / (hits + others + 1)
  expect(training.lexicon.anchors[0].rates).toEqual({
    kind: 'rates',
    truePositive: share(count(true, true), count(true, false)),
    falsePositive: share(count(false, true), count(false, false))
  })
})

/** The same documents, but of those to learn from only `kept` have the tag of concept i, anchored ones first. */
function withFewTags(some: Material, i: number, kept = 0): Material {
  const learned = splitMaterial(some, 0).training.documents.filter(({labels}) => labels?.[i] === 1)
  const cleared = learned.toSorted((a, b) => Number(b.anchors.includes(i)) - Number(a.anchors.includes(i))).slice(kept)
  const documents = some.documents.map(document =>
    cleared.includes(document)
      ? {...document, labels: document.labels?.map((value, k) => (k === i ? 0 : value))}
      : document
  )
  return {...some, documents}
}

describe('predictionSplit', () => {
  test('predictionSplit(...) leaves out, on both sides, a concept that fewer than two training documents have', () => {
    const names = material.lexicon.anchors.map(({concept}) => concept)
    for (const kept of [0, 1]) {
      const {training, heldOut, leftOut} = predictionSplit(withFewTags(material, 2, kept), 0)
      expect(leftOut).toEqual([names[2]])
      expect(training.lexicon.anchors.map(({concept}) => concept)).toEqual(names.filter((_, i) => i !== 2))
      expect(heldOut.documents.every(({labels}) => labels?.length === 3)).toBe(true)
    }
    expect(predictionSplit(withFewTags(material, 2, 2), 0).leftOut).toEqual([])
  })

  test('predictionSplit(...) has at most so many documents, and refuses fewer than two concepts to learn', () => {
    const many = Array.from({length: MOST_TRAINING + 3000}, (_, d) => ({...material.documents[d % 60], key: `d${d}`}))
    expect(predictionSplit({...material, documents: many}, 0).training.documents).toHaveLength(MOST_TRAINING)
    const bare = [0, 1, 2].reduce((some, i) => withFewTags(some, i), material)
    expect(() => predictionSplit(bare, 0)).toThrow(/generated, split 0: of 4 concepts, 1 have their tag/)
  })
})

test('judge(...) asks for the last tag of documents with two concepts or more, and for all else of every document', async () => {
  const {training, heldOut} = predictionSplit(material, 0)
  const model = await fit(countCorpus(training), {preset: 'paper'})
  const several = heldOut.documents.filter(({labels}) => (labels?.filter(value => value === 1).length ?? 0) > 1)
  const [found, ofAll] = [judge(model, heldOut), evaluate(model, heldOut)]
  expect(several.length).toBeLessThan(ofAll.lastTag.documents)
  expect(found.lastTag).toEqual(evaluate(model, {...heldOut, documents: several}).lastTag)
  expect([found.tagLogLikelihood, found.tagging]).toEqual([ofAll.tagLogLikelihood, ofAll.tagging])
})
