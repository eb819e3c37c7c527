import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isSpellingVariant, nearestName, nearestNames} from './nearest-name.ts'

const known = ['vocabulary', 'labelShare', 'seed', 'shrinkage', 'polytope']

test.each([
  ['vocabulry', 'vocabulary'],
  ['labelshare', 'labelShare'],
  ['seeds', 'seed'],
  ['politop', 'polytope'],
  ['sede', 'seed'],
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

test('isSpellingVariant(...) holds for a long word with one inner letter dropped, doubled, changed or swapped', () => {
  const letters = fc.array(fc.constantFrom(...'abcdefgh'), {minLength: 7, maxLength: 12})
  fc.assert(
    fc.property(letters, fc.nat({max: 4}), (word, at) => {
      const text = word.join('')
      const edits = [
        text.slice(0, at + 1) + text.slice(at + 2),
        `${text.slice(0, at + 1)}z${text.slice(at + 1)}`,
        `${text.slice(0, at + 1)}z${text.slice(at + 2)}`,
        text.slice(0, at + 1) + text[at + 2] + text[at + 1] + text.slice(at + 3)
      ]
      for (const edit of edits) expect(isSpellingVariant(text, edit)).toBe(edit !== text)
      expect(isSpellingVariant(`${text.slice(0, 2)}zz${text.slice(2)}`, text)).toBe(false)
    })
  )
})

test('nearestNames(...) gives the nearest, equals in their order', () => {
  const words = ['alcoholic', 'alcohols', 'alcohol', 'alchol', 'fever']
  expect(nearestNames('alcahol', words, 3)).toEqual(['alcohol', 'alchol', 'alcohols'])
})
