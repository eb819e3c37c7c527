import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {crc32, rng} from '../../base/numeric/index.ts'
import {buildCorpus, parseAnchors} from '../data/index.ts'
import {countCorpus} from './counter.ts'
import type {Counts, PatternCount} from './counts.ts'
import {countsFromBytes, countsToBytes} from './counts-file.ts'
import {mergeCounts} from './merge-counts.ts'
import {anyCorpus, largeCorpus, lexiconWith, packCounts} from './test-corpora.ts'

const rows = [
  {text: 'etoh fall 🙂', tags: ['alcohol']},
  {text: 'wine __proto__ fall', tags: []},
  {text: 'no etoh, fall'},
  {features: ['', 'constructor', 'lone \ud800 half']},
  {text: 'cough'}
]
const anchors = parseAnchors(
  '{"alcohol": {"any": ["etoh", "wine"], "not": ["no etoh"], "truePositive": 0.6, "falsePositive": 0.01}, "__proto__": "/cou/"}',
  'a'
)
const counted = countCorpus(buildCorpus(rows, anchors, {maxShare: 1, phrases: ['big data']}), {labelShare: 1, seed: 4})
const small: Counts = {
  ...counted,
  lexicon: {
    ...counted.lexicon,
    filter: {minTags: 2, tags: ['a', 'b']},
    skipped: [{concept: 'gone', reason: 'never occurs'}]
  }
}
const smallBytes = countsToBytes(small)

/** The error that reading gives, or undefined when it succeeds. */
function refusal(bytes: Uint8Array): unknown {
  try {
    countsFromBytes(bytes, 'x.counts')
  } catch (error) {
    return error
  }
  return undefined
}

function expectRefused(bytes: Uint8Array): AdfaError {
  const error = refusal(bytes)
  if (!(error instanceof AdfaError)) throw new Error(`expected a refusal, got ${error}`)
  expect(error.code).toBe('bad-counts')
  expect(error.message).toMatch(/^x\.counts: .+; /)
  return error
}

/** The bytes with one changed and a check sum that fits. */
function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice()
  changed[at] = value
  new DataView(changed.buffer).setUint32(changed.length - 4, crc32(changed.subarray(0, -4)), true)
  return changed
}

describe('countsFromBytes(countsToBytes(...))', () => {
  test('countsFromBytes(countsToBytes(counts)) gives the counts back, hostile names and all', () => {
    const read = countsFromBytes(smallBytes, 'x.counts')
    expect(read).toEqual(small)
    expect(mergeCounts([small, read]).documentCount).toBe(2 * small.documentCount)
    expect(small.lexicon.words).toEqual(
      expect.arrayContaining(['', 'constructor', 'lone \ud800 half', 'text:__proto__'])
    )
  })

  const anyCounts = fc
    .tuple(anyCorpus, fc.double({min: 0, max: 1, noNaN: true}), fc.integer())
    .map(([corpus, labelShare, seed]) => countCorpus(corpus, {labelShare, seed}))

  test('countsFromBytes(countsToBytes(counts)) gives any counts back, and the same bytes again', () => {
    const expectSame = (counts: Counts) => {
      const bytes = countsToBytes(counts)
      const read = countsFromBytes(bytes, 'x.counts')
      expect(read).toEqual(counts)
      expect(countsToBytes(read)).toEqual(bytes)
    }
    fc.assert(fc.property(anyCounts, expectSame), {seed: 1})
    // Beyond the first 64 kB.
    expectSame(countCorpus(largeCorpus(rng(1), 6000), {labelShare: 1}))
  })

  test('countsFromBytes(countsToBytes(counts)) keeps documents up to 2^53 - 1, and words in up to 2^32 - 1 of them', () => {
    const numbers = [2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40 + 12_345, Number.MAX_SAFE_INTEGER]
    for (const big of [...numbers, 127, 128, 16_383, 16_384]) {
      const header = {lexicon: lexiconWith([1], 2), labelShare: 1, seed: 0}
      const most = Math.min(big, 2 ** 32 - 1)
      const pattern = {members: [0], documents: big, wordIds: [0, 1], wordCounts: [most, 1]}
      const counts = packCounts(header, [pattern], Float64Array.of(0, big - 2, 0, 2))
      expect(countsFromBytes(countsToBytes(counts), 'x.counts')).toEqual(counts)
    }
  })

  test('countsFromBytes(...) reads from the middle of a larger buffer', () => {
    const larger = new Uint8Array(smallBytes.length + 20).fill(255)
    larger.set(smallBytes, 7)
    expect(countsFromBytes(larger.subarray(7, 7 + smallBytes.length), 'x.counts')).toEqual(small)
  })
})

describe('countsFromBytes, damage', () => {
  test('countsFromBytes(...) refuses the file with any one bit or byte changed', () => {
    const changes = [1, 2, 4, 8, 16, 32, 64, 128, 255]
    for (let at = 0; at < smallBytes.length; at++)
      for (const change of changes) {
        const damaged = smallBytes.slice()
        damaged[at] ^= change
        const error = refusal(damaged)
        if (!(error instanceof AdfaError && error.code === 'bad-counts'))
          throw new Error(`byte ${at} changed by ${change} was not refused: ${error}`)
      }
  })

  test('countsFromBytes(...) refuses the file cut short at any length, and bytes added at the end', () => {
    for (let length = 0; length < smallBytes.length; length++) expectRefused(smallBytes.subarray(0, length))
    for (const more of [1, 4, 100]) expectRefused(Buffer.concat([smallBytes, Buffer.alloc(more)]))
  })

  test.each([0, 8])('countsFromBytes(...) refuses any bytes behind %i of the right ones', length => {
    const start = smallBytes.subarray(0, length)
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 60}), bytes => expectRefused(Buffer.concat([start, bytes])) !== undefined),
      {seed: 2}
    )
  })

  test('countsFromBytes(...) says what is wrong and what to do', () => {
    expect(expectRefused(new TextEncoder().encode('{"text": "x"}')).message).toMatch(/not a counts file; .*adfa count/)
    expect(expectRefused(smallBytes.subarray(0, 50)).message).toMatch(/cut short.*; make it again with adfa count/)
    expect(expectRefused(new Uint8Array(0)).message).toMatch(/not a counts file/)
  })

  test('countsFromBytes(...) refuses another version and says what to do, its check sum right or wrong', () => {
    expect(expectRefused(withByte(smallBytes, 8, 2)).message).toMatch(
      /version 2 .*reads version 3; count the documents/
    )
    const newer = withByte(smallBytes, 8, 4)
    expect(expectRefused(newer).message).toMatch(/version 4 .*reads version 3; update adfa/)
    newer[newer.length - 1] ^= 1
    expect(expectRefused(newer).message).toMatch(/update adfa/)
  })
})

describe('countsFromBytes, numbers and headers that cannot be, behind a right check sum', () => {
  const lexicon = lexiconWith([2, 1], 3)
  const good: PatternCount = {members: [0, 2], documents: 5, wordIds: [0, 2], wordCounts: [5, 1]}
  const none: PatternCount = {members: [], documents: 5, wordIds: [], wordCounts: []}
  const bytesOf = (patterns: readonly PatternCount[], labelled?: Float64Array) =>
    countsToBytes(packCounts({lexicon, labelShare: 1, seed: 0}, patterns, labelled))

  const open = openHeader(bytesOf([none, good]))
  test('countsFromBytes(...) reads the file that the others are variants of', () => {
    expect(countsFromBytes(bytesOf([none, good]), 'x.counts').documentCount).toBe(10)
  })

  test.each<[string, readonly PatternCount[], RegExp]>([
    ['a member that does not exist', [{...good, members: [0, 3]}], /pattern 1 must name some of the 3 anchor features/],
    ['a member twice', [{...good, members: [1, 1]}], /pattern 1 must name .* each once, in order/],
    ['a word that does not exist', [none, {...good, wordIds: [0, 3]}], /pattern 2 must name some of the 3 words/],
    ['a word twice', [{...good, wordIds: [1, 1]}], /pattern 1 must name .* words, each once/],
    [
      'a word in more documents than there are',
      [{...good, wordCounts: [6, 1]}],
      /pattern 1 has 5 documents.* not in 6/
    ],
    ['a word in no document', [{...good, wordCounts: [5, 0]}], /1 to 5 of them, not in 0/],
    ['a pattern without documents', [{...none, documents: 0}], /pattern 1 has no documents/],
    ['a pattern twice', [good, good], /pattern 2 must come after the one before it/],
    ['patterns out of order', [good, none], /pattern 2 must come after/],
    [
      'more documents than can be counted',
      [{...none, documents: Number.MAX_SAFE_INTEGER}, good],
      /too many to count exactly/
    ]
  ])('countsFromBytes(...) refuses %s', (_, patterns, message) => {
    expect(expectRefused(bytesOf(patterns)).message).toMatch(message)
  })

  test('countsFromBytes(...) refuses more labelled documents than an anchor has', () => {
    expectRefused(bytesOf([none, good], Float64Array.of(0, 3, 0, 3, 0, 0, 0, 0)))
    const {message} = expectRefused(bytesOf([none, good], Float64Array.of(6, 0, 0, 0, 0, 0, 0, 0)))
    expect(message).toMatch(
      /the anchor of ".*" does not fire in 5 documents, of which 6 cannot be labelled; make it again/
    )
  })

  test.each<[object, RegExp]>([
    [{labelShare: 2}, /labelShare must be a share from 0 to 1, not 2/],
    [{seed: 'x'}, /seed must be a whole number, not "x"/],
    [{protocol: {}}, /protocol\.name must be text, not nothing/],
    [{lexicon: null}, /lexicon must be an object, not null/],
    [{lexicon: {...open.header.lexicon, words: ['b', 'a', 'c']}}, /words must be in order/]
  ])('countsFromBytes(...) refuses a header with %j', (change, message) => {
    expect(expectRefused(withHeader(JSON.stringify({...open.header, ...change}), open.rest)).message).toMatch(message)
  })

  test.each<[string, BufferEncoding, RegExp]>([
    ['[1]', 'utf8', /its header must be an object/],
    ['{"lexicon": ', 'utf8', /its header is not valid JSON: .*; make it again/],
    ['"\xff"', 'latin1', /its header is not valid JSON/],
    ['['.repeat(1e5) + ']'.repeat(1e5), 'utf8', /nested more than 100 deep/]
  ])('countsFromBytes(...) refuses a header that is no JSON object: %#', (header, encoding, message) => {
    expect(expectRefused(withHeader(header, open.rest, encoding)).message).toMatch(message)
  })

  test('countsFromBytes(...) refuses more behind the last number', () => {
    const whole = bytesOf([none, good])
    expect(expectRefused(withSum(Buffer.concat([whole.subarray(0, -4), Buffer.of(0)]))).message).toMatch(/more behind/)
  })
})

/** The header of a counts file, and what follows it without the check sum. */
function openHeader(bytes: Uint8Array): {header: {lexicon: object}; rest: Uint8Array} {
  const text = Buffer.from(bytes).toString('latin1')
  const from = text.indexOf('{')
  const length = bytes[9] < 128 ? bytes[9] : (bytes[9] & 127) + 128 * bytes[10]
  return {header: JSON.parse(text.slice(from, from + length)), rest: bytes.subarray(from + length, -4)}
}

/** A counts file with this header and a right check sum. */
function withHeader(header: string, rest: Uint8Array, encoding: BufferEncoding = 'utf8'): Uint8Array {
  const bytes = Buffer.from(header, encoding)
  const size = [0, 7, 14].map(shift => (bytes.length >> shift) & 127)
  const length = Buffer.of(size[0] | 128, size[1] | 128, size[2])
  return withSum(Buffer.concat([smallBytes.subarray(0, 9), length, bytes, rest]))
}

function withSum(body: Uint8Array): Uint8Array {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(body))
  return Buffer.concat([body, sum])
}
