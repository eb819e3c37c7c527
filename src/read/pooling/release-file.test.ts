import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {crc32} from '../../base/numeric/index.ts'
import {countsFromBytes} from '../counts/index.ts'
import {releaseCounts} from './release.ts'
import {isReleaseFile, releaseFromBytes, releaseToBytes} from './release-file.ts'

import {anySite, countSite, drawSite} from './test-sites.ts'

const site = countSite(drawSite(1, 120, 3, 6))
const bytes = releaseToBytes(releaseCounts(site, {site: 'Harbour'}))
const lines = new TextDecoder().decode(bytes).split('\n')

/** A file of these lines, with the last line that they ask for. */
function fileOf(body: readonly string[]): Uint8Array {
  const text = body.map(line => `${line}\n`).join('')
  const sum = crc32(new TextEncoder().encode(text))
  return new TextEncoder().encode(`${text}${JSON.stringify({lines: body.length, crc32: sum})}\n`)
}

/** What is wrong with a file, as its reader says it. */
function refusal(damaged: Uint8Array): string {
  try {
    releaseFromBytes(damaged, 'x.tables')
  } catch (error) {
    expect(error).toMatchObject({code: 'bad-counts'})
    return (error as Error).message
  }
  return 'read'
}

describe('releaseToBytes', () => {
  test('releaseToBytes(release) and back is the release, with words and concepts of any name', () => {
    fc.assert(
      fc.property(anySite, fc.integer({min: 1, max: 3}), fc.nat(6), (corpus, maxOrder, minCell) => {
        fc.pre(corpus.documents.length >= minCell)
        const release = releaseCounts(countSite(corpus), {maxOrder, minCell})
        expect(releaseFromBytes(releaseToBytes(release), 'a file')).toEqual(release)
      }),
      {seed: 1, numRuns: 100}
    )
  })

  test('releaseToBytes(release) can be read by people: one line a set of anchors, by their names', () => {
    const parsed = lines.slice(0, -1).map(line => JSON.parse(line))
    expect(parsed[0]).toMatchObject({
      format: 'adfa-release',
      version: 3,
      maxOrder: 2,
      sites: [{name: 'Harbour', documents: 120, minCell: 10}]
    })
    expect(parsed[1].anchors).toEqual([])
    expect(parsed[1].documents).toBe(120)
    expect(parsed[2].anchors).toEqual(['__proto__'])
    expect(parsed[2].words.every(([word]: [string]) => site.lexicon.words.includes(word))).toBe(true)
    const pair = parsed.find(({anchors}) => anchors?.join() === 'concept-1,concept-2')
    expect(pair).toEqual({anchors: ['concept-1', 'concept-2'], documents: expect.anything()})
    expect(parsed.at(-1)).toEqual({lines: parsed.length - 1, crc32: expect.any(Number)})
  })

  test('isReleaseFile(bytes) tells releases from other files', () => {
    expect(isReleaseFile(bytes)).toBe(true)
    expect(isReleaseFile(bytes.subarray(0, 10))).toBe(false)
    expect(isReleaseFile(new TextEncoder().encode('{"id":1}\n'))).toBe(false)
    expect(() => countsFromBytes(bytes, 'x.counts')).toThrow(/x.counts: not a counts file/)
  })
})

describe('releaseFromBytes, damage', () => {
  test('releaseFromBytes(...) refuses a file cut short, wherever it is cut', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(refusal(bytes.subarray(0, length))).toMatch(/x.tables: (not a release|the file is cut short)/)
  })

  test('releaseFromBytes(...) refuses a line left out or doubled, and a number changed', () => {
    const file = (changed: readonly string[]) => refusal(new TextEncoder().encode(changed.join('\n')))
    expect(file(lines)).toBe('read')
    expect(file(lines.filter((_, at) => at !== 3))).toMatch(/changed after it was made, or damaged/)
    const right = JSON.parse(lines[lines.length - 2])
    expect(file([...lines.slice(0, -2), JSON.stringify({...right, lines: right.lines + 1}), ''])).toMatch(
      /changed after/
    )
    expect(file([...lines.slice(0, 3), ...lines.slice(2)])).toMatch(/changed after it was made/)
    expect(file(lines.map(line => line.replace('"documents":120,"words"', '"documents":121,"words"')))).toMatch(
      /check sum/
    )
  })

  test('releaseFromBytes(...) refuses another version and says what to do, even if it ends otherwise', () => {
    const newer = lines[0].replace('"version":3', '"version":4')
    expect(refusal(fileOf([newer]))).toMatch(/version 4 .*reads version 3; update adfa/)
    expect(refusal(new TextEncoder().encode(`${newer}\n`))).toMatch(/update adfa/)
    expect(refusal(fileOf([newer.replace('4', '1')]))).toMatch(/version 1 .*reads version 3; release the counts again/)
  })

  test('releaseFromBytes(...) refuses lines that make no sense though their check sum is right', () => {
    const strange = [
      '{"anchors":["stranger"],"documents":3,"words":[]}',
      '{"anchors":["concept-2","concept-1"],"documents":3}',
      '{"anchors":["concept-1","concept-1"],"documents":3}',
      '{"anchors":[],"documents":1.5,"words":[]}',
      '{"anchors":[],"documents":[9,1],"words":[]}',
      '{"anchors":[],"documents":9,"words":[["stranger",1]]}',
      '{"anchors":[],"documents":9}'
    ]
    for (const line of strange) expect(refusal(fileOf([lines[0], line]))).toMatch(/line 2 is invalid: /)
    expect(refusal(fileOf([lines[0].replace('"maxOrder":2', '"maxOrder":7')]))).toMatch(/first line is invalid/)
    expect(refusal(fileOf([lines[0], '"text"']))).toMatch(/line 2 is invalid: the line must be/)
  })
})

describe('releaseFromBytes, numbers and first lines that cannot be, behind a right check sum', () => {
  const body = lines.slice(0, -2)
  const first = JSON.parse(body[0])
  const told = body.slice(1).map(line => JSON.parse(line))
  const errorOf = (head: object, rest: readonly object[] = told) =>
    refusal(fileOf([head, ...rest].map(line => JSON.stringify(line))))
  const withSite = (change: object) => ({sites: [{...first.sites[0], ...change}]})
  const withSet = (at: number, change: object) =>
    told.map((line, place) => (place === at ? {...line, ...change} : line))

  test.each<[object, RegExp]>([
    [{maxOrder: 4}, /its first line is invalid: maxOrder must be 1, 2 or 3/],
    [{lexicon: undefined}, /lexicon must be an object, not nothing; ask its site/],
    [{lexicon: {...first.lexicon, words: Array(6).fill('a')}}, /lexicon\.words names "a" twice/],
    [{labelShare: 'x'}, /labelShare must be a number/],
    [{sites: []}, /sites must name at least one/],
    [{sites: [...first.sites, ...first.sites]}, /sites names "Harbour" twice/],
    [withSite({name: undefined}), /sites\[0\]\.name must be text, not nothing/],
    [
      withSite({name: 'A\u001b[2J'}),
      /sites\[0\]\.name must be a name of 1 to 100 characters without control characters/
    ],
    [withSite({documents: 1.5}), /documents must be a whole number.* 1\.5/],
    [withSite({documents: 119}), /its sites have 119 documents, its tables 120/]
  ])('releaseFromBytes(...) refuses a first line with %j', (change, message) => {
    expect(errorOf({...first, ...change})).toMatch(message)
  })

  test('releaseFromBytes(...) refuses numbers that no documents have, by name', () => {
    const [[word]] = told[1].words
    const faults: [readonly object[], RegExp][] = [
      [withSet(1, {documents: -1}), /"__proto__"\] cannot fire in -1 of 120 documents/],
      [withSet(1, {documents: 121}), /cannot fire in 121 of 120 documents/],
      [withSet(1, {documents: [1, 1e9]}), /cannot fire in \[1,1000000000\] of/],
      [withSet(1, {words: [[word, 121]]}), /cannot fire with the word ".*" in 121 of/],
      [withSet(1, {words: [[word, [1, 1e9]]]}), /cannot fire with the word ".*" in \[1,1000000000\] of/],
      [withSet(1, {words: [...told[1].words, told[1].words[0]]}), /line 3 is invalid: words names ".*" twice/],
      [[...told, told[1]], /has a line already/]
    ]
    for (const [lines, message] of faults) expect(errorOf(first, lines)).toMatch(message)
  })
})
