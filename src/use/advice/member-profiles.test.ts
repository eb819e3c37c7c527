import {expect, test} from 'vitest'
import {excessErrors} from './anchor-statistics.ts'
import {memberProfiles, similarity} from './member-profiles.ts'
import {countPlanted, countRows, generated} from './test-faults.ts'

test('memberProfiles(counts) holds the excess of every word beside every feature in standard errors', () => {
  const counts = countRows({one: ['a', 'b'], two: ['c']}, [
    [6, 'a x y'],
    [5, 'b x'],
    [4, 'a c z'],
    [25, 'y z']
  ])
  const {names, concepts, documents, wordCount: n, z, noise, signal} = memberProfiles(counts)
  expect(names).toEqual(['a', 'b', 'c'])
  expect(concepts).toEqual([0, 0, 1])
  expect([...documents]).toEqual([10, 5, 4])
  const x = counts.lexicon.words.indexOf('x')
  expect(z[x]).toBeCloseTo(excessErrors(6, 10, 11, 40), 12)
  expect(z[n + x]).toBeCloseTo(excessErrors(5, 5, 11, 40), 12)
  expect([...noise]).toEqual([3, 3, 3])
  expect(signal[0]).toBeCloseTo(
    z.subarray(0, n).reduce((sum, value) => sum + value * value - 1, 0),
    12
  )
})

test('similarity(profiles, a, b) is near 1 for features of one concept and near 0 for those of independent ones', () => {
  const structure = {concepts: 6, words: 200, structure: 'independent', wordsPerConcept: 10, memberCount: 2} as const
  const profiles = memberProfiles(countPlanted(generated(4, 5000, {...structure, prevalence: [0.1, 0.2]})))
  for (let i = 0; i < 6; i++) {
    // Noise of a cosine is about 1 / |z|, both profiles together sqrt(2) of that; 5 of them.
    const error = 5 * Math.sqrt(1 / profiles.signal[2 * i] + 1 / profiles.signal[2 * i + 1])
    expect(Math.abs(similarity(profiles, 2 * i, 2 * i + 1) - 1)).toBeLessThan(error)
    const other = 2 * ((i + 1) % 6)
    expect(Math.abs(similarity(profiles, 2 * i, other))).toBeLessThan(0.35)
  }
})

test('memberProfiles(counts) leaves out words that are too rare to be missed', () => {
  const counts = countRows({one: ['a']}, [
    [10, 'a x'],
    [89, 'x'],
    [1, 'y']
  ])
  const {z, noise} = memberProfiles(counts)
  expect(noise[0]).toBe(1)
  expect(z[counts.lexicon.words.indexOf('y')]).toBe(0)
})
