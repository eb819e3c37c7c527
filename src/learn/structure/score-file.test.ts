import {existsSync, readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {pruneFamilies} from './family-scores.ts'
import {readScores, writeScores} from './score-file.ts'
import {searchExact} from './search-graph.ts'
import {anyScores} from './test-scores.ts'

const small = `2
rain 2
-10.5 1 wet
-12 0
wet 2
-9 0
-7.25 1 rain
`

/** Score files where they lie in a folder beside the checkout. */
const library = new URL('../../../../shared/data/networks/scores/', import.meta.url)

describe('readScores(...)', () => {
  test('readScores(...) reads names and families, best first, whichever order the lines have', () => {
    expect(readScores(small, 'small.jkl')).toEqual({
      names: ['rain', 'wet'],
      scores: [
        [
          {parents: [1], score: -10.5},
          {parents: [], score: -12}
        ],
        [
          {parents: [0], score: -7.25},
          {parents: [], score: -9}
        ]
      ]
    })
  })

  test('readScores(...) takes blank lines, line ends of Windows and a file without concepts', () => {
    expect(readScores(`\n${small.replaceAll('\n', '\r\n\r\n')}`, 's')).toEqual(readScores(small, 's'))
    expect(readScores('0\n', 's')).toEqual({names: [], scores: []})
  })

  test.each([
    ['a file that is cut short', small.slice(0, -13), 'small.jkl: ends where score'],
    ['an empty file', '', 'small.jkl: ends where the number of concepts'],
    ['more lines than announced', `${small}-3 0\n`, 'small.jkl, line 8: more lines'],
    ['a count that is not whole', small.replace('wet 2', 'wet 2.5'), 'line 5: "2.5"'],
    ['a score that is not a number', small.replace('-12 0', 'x 0'), 'line 4: score "x"'],
    ['an infinite score', small.replace('-12 0', '-Infinity 0'), 'line 4: score "-Infinity"'],
    ['an unknown parent', small.replace('-7.25 1 rain', '-7.25 1 snow'), 'line 7: parent "snow"'],
    ['a concept as its own parent', small.replace('-7.25 1 rain', '-7.25 1 wet'), 'line 7: "wet" is named as its own'],
    ['a wrong number of parents', small.replace('-12 0', '-12 1'), 'line 4: 1 parents are announced, 0 follow'],
    ['a parent twice', small.replace('-12 0', '-12 2 wet wet'), 'line 4: a parent is named twice'],
    ['a family twice', small.replace('-12 0', '-12 1 wet'), 'line 4: the same parents as in line 3'],
    ['a concept twice', small.replace('wet 2', 'rain 2').replaceAll('1 wet', '0'), 'concept "rain" has a second list'],
    ['a line of one word', small.replace('-12 0', '-12'), 'line 4: "-12" stands where score']
  ])('readScores(...) refuses %s, and says where', (_, text, message) => {
    expect(() => readScores(text, 'small.jkl')).toThrow(
      expect.objectContaining({code: 'bad-file', message: expect.stringContaining(message)})
    )
  })

  test.skipIf(!existsSync(library)).each([
    ['asia_10000.dat.3.jkl', 8],
    ['wine.BIC.3', 14]
  ])('readScores(...) reads %s, and pruning leaves its best graph as good', (name, count) => {
    const {names, scores} = readScores(readFileSync(new URL(name, library), 'utf8'), name)
    expect(names).toHaveLength(count)
    const pruned = pruneFamilies(scores)
    expect(searchExact(pruned).score).toBeCloseTo(searchExact(scores).score, 8)
  })
})

describe('writeScores(...)', () => {
  test('writeScores(...) is read back as the same scores', () => {
    fc.assert(
      fc.property(anyScores(5), scores => {
        const named = {names: scores.map((_, i) => `c${i}`), scores}
        expect(readScores(writeScores(named), 'again')).toEqual(named)
      }),
      {numRuns: 50}
    )
  })

  test('writeScores(...) escapes what the format cannot hold, and any name is read back', () => {
    const odd = fc.string({unit: fc.constantFrom(...'a%20 \t\n\u00a0\u2028C2A0é'), minLength: 1, maxLength: 8})
    fc.assert(
      fc.property(fc.uniqueArray(odd, {minLength: 1, maxLength: 4}), names => {
        const named = {names, scores: names.map(() => [{parents: [], score: -1}])}
        const text = writeScores(named)
        expect(text.split('\n')).toHaveLength(2 * names.length + 2)
        expect(readScores(text, 'again')).toEqual(named)
      })
    )
    expect(writeScores({names: ['chest pain'], scores: [[{parents: [], score: -1}]]})).toBe('1\nchest%20pain 1\n-1 0\n')
    expect(readScores('1\n100%41 1\n-1 0\n', 'other').names).toEqual(['100%41'])
  })

  test('writeScores(...) refuses names that could not be read back', () => {
    const refused = expect.objectContaining({code: 'cannot-write'})
    expect(() => writeScores({names: [''], scores: [[]]})).toThrow(refused)
    expect(() => writeScores({names: ['a', 'a'], scores: [[], []]})).toThrow(refused)
    expect(() => writeScores({names: ['a'], scores: [[], []]})).toThrow(refused)
  })
})
