import {expect, test} from 'vitest'
import {nearestName} from './nearest-name.ts'

const known = ['vocabulary', 'labelShare', 'seed', 'shrinkage', 'polytope']

test.each([
  ['vocabulry', 'vocabulary'],
  ['vocabularys', 'vocabulary'],
  ['labelshare', 'labelShare'],
  ['sed', 'seed'],
  ['seeds', 'seed'],
  ['skrinkage', 'shrinkage'],
  ['politop', 'polytope'],
  ['structure', undefined],
  ['__proto__', undefined]
])('nearestName("%s", ...) is %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test('nearestName(...) takes the name itself, then the fewest edits, then the first', () => {
  expect(nearestName('seed', ['seeds', 'seed'])).toBe('seed')
  expect(nearestName('merges', ['mergers', 'merge', 'xerxes'])).toBe('mergers')
  expect(nearestName('counts', ['countries', 'count'])).toBe('count')
  expect(nearestName('anything', [])).toBeUndefined()
})

test('nearestName(...) counts insertions, deletions and replacements as one edit each, up to a third of the name', () => {
  expect(nearestName('abcdef', ['bcdefg'])).toBe('bcdefg')
  expect(nearestName('abcdef', ['xbcdxf'])).toBe('xbcdxf')
  expect(nearestName('abcdef', ['xbxdxf'])).toBeUndefined()
  expect(nearestName('abcdef', ['fedcba'])).toBeUndefined()
})
