import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from './counter.ts'
import type {Counts} from './counts.ts'
import {countsFromBytes, countsToBytes} from './counts-file.ts'
import {dropConcepts, mergeCounts} from './merge-counts.ts'
import {resampleCounts} from './resample-counts.ts'
import {missingShards, oneShard, requireComplete, shardList} from './shards.ts'
import {anyCorpus, documentWith, lexiconWith} from './test-corpora.ts'

const lexicon = lexiconWith([1, 2], 3)
const small = countCorpus({lexicon, documents: [documentWith(lexicon, 'a', [0], [0, 1])]})

/** Counts that say they are these shards. */
function shardOf(of: number, done: readonly number[], job = 'job'): Counts {
  return {...small, shards: {of, done, job}}
}

function refusalOf(work: () => unknown): AdfaError {
  try {
    work()
  } catch (error) {
    if (error instanceof AdfaError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('mergeCounts of shards', () => {
  test('mergeCounts(...) of all shards, in any order and nesting, is the counts of all documents, byte for byte', () => {
    const anyNumbers = fc.infiniteStream(fc.nat())
    fc.assert(
      fc.property(anyCorpus, fc.integer({min: 1, max: 7}), anyNumbers, (corpus, of, numbers) => {
        const next = (limit: number): number => numbers.next().value % limit
        const throughFile = (counts: Counts) => countsFromBytes(countsToBytes(counts), 'x')
        const homes = corpus.documents.map(() => next(of))
        let parts = Array.from({length: of}, (_, at): Counts => {
          const documents = corpus.documents.filter((_, place) => homes[place] === at)
          return throughFile({...countCorpus({...corpus, documents}), shards: oneShard(at + 1, of, 'job')})
        })
        while (parts.length > 1) {
          const size = 2 + next(parts.length - 1)
          const start = next(parts.length)
          const turned = [...parts.slice(start), ...parts.slice(0, start)]
          const sum = mergeCounts(turned.slice(0, size))
          expect(sum.shards === undefined).toBe(size === parts.length)
          parts = [...turned.slice(size), throughFile(sum)]
        }
        expect(countsToBytes(parts[0])).toEqual(countsToBytes(countCorpus(corpus)))
      }),
      {seed: 1, numRuns: 150}
    )
  })

  test('mergeCounts(...) knows what is missing, and notices every shard that comes twice', () => {
    const anyParts = fc.integer({min: 2, max: 12}).chain(of => {
      const all = Array.from({length: of}, (_, at) => at + 1)
      const some = fc.subarray(all, {minLength: 1, maxLength: of - 1})
      return fc.record({of: fc.constant(of), parts: fc.array(some, {minLength: 1, maxLength: 4})})
    })
    fc.assert(
      fc.property(anyParts, ({of, parts}) => {
        const held = parts.flat()
        const twice = held.some((shard, at) => held.indexOf(shard) !== at)
        const merge = () => mergeCounts(parts.map(done => shardOf(of, done)))
        if (twice) {
          const {message} = refusalOf(merge)
          const [, a, b, shard] = /^counts (\d+) and counts (\d+) both hold shard (\d+) of/.exec(message) ?? []
          expect(parts[Number(a) - 1]).toContain(Number(shard))
          expect(parts[Number(b) - 1]).toContain(Number(shard))
          expect(a).not.toBe(b)
          return
        }
        const {shards} = merge()
        expect(shards?.done ?? Array.from({length: of}, (_, at) => at + 1)).toEqual(held.toSorted((a, b) => a - b))
        expect(shards === undefined).toBe(held.length === of)
        if (shards) expect([...missingShards(shards), ...held].sort((a, b) => a - b)).toHaveLength(of)
      }),
      {seed: 2, numRuns: 300}
    )
  })

  test.each<[string, readonly Counts[], RegExp]>([
    [
      'one twice',
      [shardOf(4, [1]), shardOf(4, [2, 3]), shardOf(4, [3])],
      /^b and c both hold shard 3 of 4; .*leave one/
    ],
    ['a complete one', [shardOf(4, [1]), small], /^a holds shard 1 of 4, b is complete; .*merge those first/],
    ['a complete first', [small, shardOf(4, [1, 2])], /^b holds shards 1, 2 of 4, a is complete; /],
    ['another number', [shardOf(4, [1]), shardOf(5, [2])], /^a and b are shards of different jobs \(of 4: .* of 5: /],
    [
      'another job',
      [shardOf(4, [1]), shardOf(4, [2]), shardOf(4, [3], 'other')],
      /^a and c are shards of different jobs \(of 4: job, and of 4: other\); .*same DOCS/
    ]
  ])('mergeCounts(...) of shards refuses %s', (_, parts, message) => {
    const error = refusalOf(() => mergeCounts(parts, ['a', 'b', 'c']))
    expect(error.code).toBe('mismatch')
    expect(error.message).toMatch(message)
  })
})

describe('shards in the file', () => {
  const partial = shardOf(4, [1, 3])

  test('countsFromBytes(countsToBytes(counts)) keeps the shards, and complete counts have none', () => {
    const bytes = countsToBytes(partial)
    expect(countsFromBytes(bytes, 'x')).toEqual(partial)
    expect(new TextDecoder().decode(countsToBytes(small))).not.toContain('shards')
  })

  test.each<unknown>([
    {of: 4, done: [1, 5], job: 'x'},
    {of: 4, done: [3, 1], job: 'x'},
    {of: 4, done: [1, 1], job: 'x'},
    {of: 4, done: ['1'], job: 'x'},
    {of: 4, done: [], job: 'x'},
    {of: 4, job: 'x'},
    {of: 2, done: [1, 2], job: 'x'},
    {of: 2.5, done: [1], job: 'x'},
    {of: 2, done: [1], job: 7},
    // All but one would be listed as missing.
    {of: 2 ** 40, done: [1], job: 'x'},
    null,
    'shards'
  ])('countsFromBytes(...) refuses the record of shards %j', shards => {
    const bytes = countsToBytes({...small, shards} as Counts)
    expect(refusalOf(() => countsFromBytes(bytes, 'x.counts')).message).toMatch(
      /^x\.counts: .*shards.*; make it again with adfa count$/
    )
  })
})

describe('requireComplete', () => {
  test('requireComplete(...) refuses partial counts and says what is missing', () => {
    const error = refusalOf(() => requireComplete(shardOf(4, [1, 3])))
    expect(error.message).toBe(
      'these counts hold shards 1, 3 of 4; missing 2, 4; count them with adfa count --shard 2/4 ... and merge'
    )
    expect(error.details).toEqual({of: 4, done: [1, 3], missing: [2, 4]})
    expect(refusalOf(() => requireComplete(shardOf(2, [1]), 'x.counts')).message).toMatch(
      /^x\.counts: these counts hold shard 1 of 2/
    )
    expect(() => requireComplete(small)).not.toThrow()
  })

  test('resampleCounts(...) of partial counts is refused', () => {
    expect(refusalOf(() => resampleCounts(shardOf(4, [2]), rng(1))).message).toMatch(/hold shard 2 of 4/)
  })

  test('dropConcepts(...) of partial counts stays partial', () => {
    const dropped = dropConcepts(shardOf(4, [2]), [{concept: 'concept-0', reason: 'test'}])
    expect(dropped.shards).toEqual({of: 4, done: [2], job: 'job'})
  })
})

test('shardList(...) shortens runs', () => {
  expect(shardList([1, 3, 4, 5, 7, 8])).toBe('1, 3-5, 7, 8')
  expect(shardList(Array.from({length: 899}, (_, at) => at + 1))).toBe('1-899')
})
