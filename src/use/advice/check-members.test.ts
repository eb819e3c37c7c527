import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {checkMembers, checkRank} from './check-members.ts'
import {memberProfiles} from './member-profiles.ts'
import {countPlanted, generated, type Planted, withMembers} from './test-faults.ts'

const sound = (documents: number) =>
  generated(7, documents, {concepts: 5, words: 80, prevalence: [0.1, 0.2], memberCount: 2})
const swapped = (documents: number) =>
  withMembers(sound(documents), ({members}) => members.map(w => (w === 1 ? 3 : w === 3 ? 1 : w)))

function check(planted: Planted) {
  const counts = countPlanted(planted)
  return checkMembers(counts.lexicon, memberProfiles(counts))
}

test('checkMembers(lexicon, profiles) accuses both features of both anchors after a swap, each by its true mate', () => {
  const findings = check(swapped(3000))
  expect(findings.map(({concept, kind, severity}) => [concept, kind, severity])).toEqual(
    ['concept-01', 'concept-01', 'concept-02', 'concept-02'].map(concept => [concept, 'foreign-member', 'warning'])
  )
  expect(findings.map(({evidence}) => [evidence.feature, evidence.otherFeature])).toEqual([
    ['anchor-01-a', 'anchor-02-b'],
    ['anchor-01-b', 'anchor-02-a'],
    ['anchor-02-a', 'anchor-01-b'],
    ['anchor-02-b', 'anchor-01-a']
  ])
})

test('checkMembers(lexicon, profiles) has nothing against sound features', () => {
  expect(check(sound(3000))).toEqual([])
})

const soundPair = (memberCount: 1 | 2) =>
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
  expect(checkRank(countPlanted(soundPair(2)))).toEqual([])
})

test('checkRank(counts) warns of words that go with one feature more than the concept explains', () => {
  const findings = checkRank(countPlanted(withPhrase(soundPair(2))))
  expect(findings).toMatchObject([{concept: 'concept-01', severity: 'warning', kind: 'members-disagree'}])
  expect(findings[0].evidence.rejected).toEqual(expect.arrayContaining(['word-0001', 'word-0002', 'word-0003']))
})
