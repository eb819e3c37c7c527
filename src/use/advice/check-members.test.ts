import {expect, test} from 'vitest'
import {checkMembers} from './check-members.ts'
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
    ['concept-01', 'concept-01', 'concept-02', 'concept-02'].map(concept => [concept, 'foreign-member', 'fault'])
  )
  expect(findings.map(({evidence}) => [evidence.feature, evidence.otherFeature])).toEqual([
    ['anchor-01-a', 'anchor-02-b'],
    ['anchor-01-b', 'anchor-02-a'],
    ['anchor-02-a', 'anchor-01-b'],
    ['anchor-02-b', 'anchor-01-a']
  ])
  expect(findings[0].message).toMatch(
    /^'anchor-01-a' keeps the company of 'anchor-02-b' of "concept-02" \(their words are \d+% alike\)/
  )
})

test('checkMembers(lexicon, profiles) has nothing against sound features', () => {
  expect(check(sound(3000))).toEqual([])
})

test('checkMembers(lexicon, profiles) does not judge by a handful of documents', () => {
  expect(check(swapped(150))).toEqual([])
})

test('checkMembers(lexicon, profiles) asks for a clear difference, however many documents there are', () => {
  const {lexicon} = countPlanted(generated(1, 10, {concepts: 2, words: 20, memberCount: 2}))
  /** Own mate and stranger at these cosines from the first feature. */
  const severities = (own: number, foreign: number) => {
    const at = (cosine: number, axis: number) => {
      const z = [100 * cosine, 0, 0, 0]
      z[axis] = 100 * Math.sqrt(1 - cosine * cosine)
      return z
    }
    const z = Float64Array.from([...at(1, 1), ...at(own, 1), ...at(foreign, 2), ...at(0, 3)])
    const each = (value: number) => new Float64Array(4).fill(value)
    const names = lexicon.anchors.flatMap(({any}) => any)
    const profiles = {
      names,
      concepts: [0, 0, 1, 1],
      documents: each(1000),
      wordCount: 4,
      z,
      signal: each(1e4),
      noise: each(4)
    }
    return checkMembers(lexicon, profiles)
      .filter(({evidence}) => evidence.feature === names[0])
      .map(({severity}) => severity)
  }
  expect(severities(0.9, 1)).toEqual([])
  expect(severities(0.8, 1)).toEqual(['warning'])
  expect(severities(0.6, 1)).toEqual(['fault'])
  expect(severities(0.3, 0.7)).toEqual(['warning'])
  expect(severities(0.1, 0.5)).toEqual([])
})
