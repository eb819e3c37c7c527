import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {emergencyModel} from './emergency-model.ts'
import {generateDocuments} from './generate-documents.ts'
import {randomModel} from './random-model.ts'
import {sampleModel} from './sample.ts'

test('generateDocuments(...) writes what sampleModel(...) drew: anchor features and words, and the truth as tags', () => {
  const model = emergencyModel()
  const members = model.lexicon.anchors.flatMap(anchor => anchor.any)
  const documents = [...generateDocuments(model, 500, rng(3))]
  const samples = [...sampleModel(model, 500, rng(3))]
  expect(documents).toHaveLength(500)
  documents.forEach(({features, tags}, at) => {
    const {y, evidence} = samples[at]
    expect(features).toEqual([
      ...evidence.members.map(member => members[member]),
      ...evidence.words.map(j => model.lexicon.words[j])
    ])
    expect(new Set(features).size).toBe(features.length)
    expect(tags).toEqual(model.concepts.map(concept => concept.name).filter((_, i) => y[i] === 1))
  })
})

test('generateDocuments(...) numbers documents from 1, begins ids with the generator, and goes on from `first`', () => {
  const emergency = emergencyModel()
  const all = [...generateDocuments(emergency, 12, rng(3))]
  expect(all.map(document => document.id).slice(0, 2)).toEqual(['emergency-000001', 'emergency-000002'])
  expect([...generateDocuments(emergency, 5, rng(3), {first: 7})]).toEqual(all.slice(7))
  const [random] = generateDocuments(randomModel({}, rng(1)), 1, rng(3))
  expect(random.id).toBe('random-000001')
  const [other] = generateDocuments({...emergency, options: {}}, 1, rng(3))
  expect(other.id).toBe('document-000001')
})

test('generateDocuments(...) refuses anchors that would be read back differently', () => {
  const model = randomModel({concepts: 2, words: 30}, rng(1))
  const generate = (any: readonly string[], not: readonly string[] = []) => {
    const anchors = model.lexicon.anchors.map((anchor, i) => (i === 0 ? {...anchor, any, not} : anchor))
    return generateDocuments({...model, lexicon: {...model.lexicon, anchors}}, 1, rng(1))
  }
  expect(() => generate(['plain', 'two words', 'title:a/b'], ['veto'])).not.toThrow()
  expect(() => generate(['/etoh|alcohol/i'])).toThrow(/"concept-01": .*"\/etoh\|alcohol\/i" is a regular expression/)
  expect(() => generate(['title:/a/'])).toThrow(/is a regular expression/)
  expect(() => generate(['word-0003'])).toThrow(/is also a word/)
  expect(() => generate(['anchor-02'])).toThrow(/"concept-02": .*is also an anchor of "concept-01"/)
  expect(() => generate(['plain'], ['word-0003'])).toThrow(/is a veto and also a word/)
})
