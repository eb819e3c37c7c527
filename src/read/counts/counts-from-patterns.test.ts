import {expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {countCorpus} from './count-corpus.ts'
import {unpackCounts} from './counts.ts'
import {countsToBytes} from './counts-file.ts'
import {countsFromPatterns} from './counts-from-patterns.ts'
import {mergeCounts} from './merge-counts.ts'
import {largeCorpus} from './test-corpora.ts'

test('countsFromPatterns(...) sorts patterns and adds equal ones up', () => {
  const counts = countCorpus(largeCorpus(rng(3), 300), {labelShare: 1})
  const patterns = [...unpackCounts(counts)]
  expect(patterns.length).toBeGreaterThan(3)
  const mixed = shuffled([...patterns, ...patterns], rng(1))
  const twice = countsFromPatterns(
    counts,
    mixed,
    counts.labelled.map(count => 2 * count)
  )
  expect(countsToBytes(twice)).toEqual(countsToBytes(mergeCounts([counts, counts])))
})

test('countsFromPatterns(...) has no labels unless they are given, and leaves its input as it was', () => {
  const counts = countCorpus(largeCorpus(rng(4), 300), {labelShare: 1})
  const patterns = [...unpackCounts(counts)].reverse()
  const before = patterns.map(({members}) => members)
  expect(countsFromPatterns(counts, patterns).labelled.every(count => count === 0)).toBe(true)
  expect(patterns.map(({members}) => members)).toEqual(before)
})
