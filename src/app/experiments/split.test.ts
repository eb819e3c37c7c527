import {describe, expect, test} from 'vitest'
import {firstOf, splitMaterial, trainingCount} from './split.ts'
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
    for (const {evidence, truth} of training.documents) {
      const [has, fires] = [truth?.[0] === 1, evidence.anchors.includes(0)]
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
