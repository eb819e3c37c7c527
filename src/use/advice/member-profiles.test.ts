import {expect, test} from 'vitest'
import {excessErrors} from './anchor-statistics.ts'
import {memberProfiles} from './member-profiles.ts'
import {countRows} from './test-faults.ts'

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
