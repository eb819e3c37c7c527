import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {crc32} from '../../base/numeric/index.ts'
import {countsFromBytes} from '../counts/index.ts'
import {releaseCounts} from './release-counts.ts'
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
      version: 2,
      maxOrder: 2,
      sites: [{name: 'Harbour', documents: 120, minCell: 10}]
    })
    expect(parsed[1].anchors).toEqual([])
    expect(parsed[1].documents).toBe(120)
    expect(parsed[2].anchors).toEqual(['__proto__'])
    expect(parsed[2].words.every(([word]: [string]) => site.lexicon.words.includes(word))).toBe(true)
    const pair = parsed.find(({anchors}) => anchors?.join() === 'concept-1,concept-2')
    expect(pair).toEqual({anchors: ['concept-1', 'concept-2'], documents: expect.anything()})
    expect(parsed.find(({labelled}) => labelled === 'concept-1')).toMatchObject({withheldBy: expect.any(Number)})
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
      expect(refusal(bytes.subarray(0, length))).toMatch(
        /x.tables: (not a release|a line is not a JSON object|the file is cut short)/
      )
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
    const newer = lines[0].replace('"version":2', '"version":3')
    expect(refusal(fileOf([newer]))).toMatch(/version 3 .*reads version 2; update adfa/)
    expect(refusal(new TextEncoder().encode(`${newer}\n`))).toMatch(/update adfa/)
    expect(refusal(fileOf([newer.replace('3', '1')]))).toMatch(/version 1 .*reads version 2; release the counts again/)
  })

  test('releaseFromBytes(...) refuses lines that make no sense though their check sum is right', () => {
    const strange = [
      '{"anchors":["stranger"],"documents":3,"words":[]}',
      '{"anchors":["concept-2","concept-1"],"documents":3}',
      '{"anchors":["concept-1","concept-1"],"documents":3}',
      '{"anchors":[],"documents":1.5,"words":[]}',
      '{"anchors":[],"documents":[9,1],"words":[]}',
      '{"anchors":[],"documents":9,"words":[["stranger",1]]}',
      '{"anchors":[],"documents":9}',
      '{"labelled":"concept-1","absent":{},"present":{},"withheldBy":0}',
      '{"labelled":"stranger","absent":{"silent":1,"fired":1},"present":{"silent":1,"fired":1},"withheldBy":0}'
    ]
    for (const line of strange) expect(refusal(fileOf([lines[0], line]))).toMatch(/line 2 is invalid: /)
    expect(refusal(fileOf([lines[0].replace('"maxOrder":2', '"maxOrder":7')]))).toMatch(/first line is invalid/)
    expect(refusal(fileOf([lines[0], '"text"']))).toMatch(/not a JSON object/)
  })
})

describe('releaseFromBytes, numbers and first lines that cannot be, behind a right check sum', () => {
  const body = lines.slice(0, -2)
  const first = JSON.parse(body[0])
  const told = body.slice(1).map(line => JSON.parse(line))
  const errorOf = (head: object, rest: readonly object[] = told) =>
    refusal(fileOf([head, ...rest].map(line => JSON.stringify(line))))
  const withSet = (at: number, change: object) =>
    told.map((line, place) => (place === at ? {...line, ...change} : line))

  test('releaseFromBytes(...) accepts the file that the others are variants of', () => {
    expect(errorOf(first)).toBe('read')
  })

  test.each<[string, object, RegExp]>([
    ['a table of four', {maxOrder: 4}, /its first line is invalid: maxOrder must be 1, 2 or 3/],
    ['no lexicon', {lexicon: undefined}, /lexicon must be an object, not nothing; ask its site/],
    ['a word twice', {lexicon: {...first.lexicon, words: Array(6).fill('a')}}, /lexicon\.words names "a" twice/],
    ['sites without a name', {sites: [{documents: 120, minCell: 10}]}, /sites\[0\]\.name must be text, not nothing/],
    [
      'a site whose name controls a terminal',
      {sites: [{...first.sites[0], name: 'A\u001b[2J'}]},
      /sites\[0\]\.name must be a name of 1 to 100 characters without control characters/
    ],
    ['a site twice', {sites: [...first.sites, ...first.sites]}, /sites names "Harbour" twice/],
    [
      'a fraction of a document',
      {sites: [{...first.sites[0], documents: 1.5}]},
      /documents must be a whole number.* 1\.5/
    ],
    [
      'noise, which is not withholding',
      {sites: [{...first.sites[0], noise: {mechanism: 'laplace'}}]},
      /noise is of an earlier adfa/
    ],
    ['other totals', {sites: [{...first.sites[0], documents: 119}]}, /its sites have 119 documents, its tables 120/],
    ['a share that is text', {labelShare: 'x'}, /labelShare must be a number/]
  ])('releaseFromBytes(...) refuses a first line with %s', (_, change, message) => {
    expect(errorOf({...first, ...change})).toMatch(message)
  })

  test('releaseFromBytes(...) refuses numbers that no documents have', () => {
    expect(errorOf(first, withSet(1, {documents: -1}))).toMatch(/fire in a negative number of documents/)
    expect(errorOf(first, withSet(1, {documents: 121}))).toMatch(/fire together more often than some of them/)
    const [[word]] = told[1].words
    expect(errorOf(first, withSet(1, {words: [[word, 121]]}))).toMatch(/with the word ".*" in 121 documents, which/)
    expect(errorOf(first, withSet(1, {words: [...told[1].words, told[1].words[0]]}))).toMatch(
      /line 3 is invalid: .* again/
    )
    expect(errorOf(first, [...told, told[1]])).toMatch(/has a line already/)
    expect(errorOf(first, withSet(1, {documents: [1, 1e9]}))).toMatch(/fire in up to 1000000000 of 120 documents/)
    expect(errorOf(first, withSet(1, {words: [[word, [1, 1e9]]]}))).toMatch(/in \[1,1000000000\] documents, which is/)
  })

  test('releaseFromBytes(...) refuses labels that no documents have', () => {
    const at = told.findIndex(({labelled}) => labelled === 'concept-1')
    for (const change of [
      {absent: {silent: -1, fired: 0}},
      {absent: {silent: 1e9, fired: 0}},
      {present: {silent: 0, fired: 121}},
      {withheldBy: 2}
    ])
      expect(errorOf(first, withSet(at, change))).toMatch(/of the concept "concept-1" more documents are labelled/)
    expect(errorOf(first, withSet(at, {withheldBy: -1}))).toMatch(/withheldBy must be a whole number, at least 0/)
  })
})
