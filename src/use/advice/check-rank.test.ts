import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {checkRank} from './check-rank.ts'
import {countPlanted, generated, type Planted} from './test-faults.ts'

const sound = (memberCount: 1 | 2) =>
  generated(6, 4000, {concepts: 5, words: 60, prevalence: [0.1, 0.25], failure: [0.4, 0.7], memberCount})

/** Words 0 to 3, a fixed phrase, stand in half of the documents with the first feature and in few others. */
function withPhrase({model, documents}: Planted): Planted {
  const random = rng(5)
  return {
    model,
    documents: documents.map(document => ({
      ...document,
      words: [
        ...new Set([
          ...document.words,
          ...(random.next() < (document.members.includes(0) ? 0.5 : 0.02) ? [0, 1, 2, 3] : [])
        ])
      ].sort((a, b) => a - b)
    }))
  }
}

test('checkRank(counts) has nothing against features that depend on the rest through their concept', () => {
  expect(checkRank(countPlanted(sound(2)))).toEqual([])
})

test('checkRank(counts) warns of words that go with one feature more than the concept explains', () => {
  const findings = checkRank(countPlanted(withPhrase(sound(2))))
  expect(findings).toMatchObject([{concept: 'concept-01', severity: 'warning', kind: 'members-disagree'}])
  expect(findings[0].evidence.rejected).toEqual(expect.arrayContaining(['word-0001', 'word-0002', 'word-0003']))
})

test('checkRank(counts) has nothing to say of anchors with one feature', () => {
  expect(checkRank(countPlanted(withPhrase(sound(1))))).toEqual([])
})
