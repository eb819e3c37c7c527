import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {Corpus} from '../data/index.ts'
import {countsOfRun, expandCounts} from './compact-counts.ts'
import {Counter, countCorpus, countPackedRange} from './counter.ts'
import {type Counts, comparePatterns, unpackCounts} from './counts.ts'
import {compactFromBytes, countsFileParts, countsToBytes} from './counts-file.ts'
import {mergeRuns, piecesIn, splitRuns} from './merge-runs.ts'
import {packCorpus} from './packed-documents.ts'
import {sizesOf} from './pattern-bytes.ts'
import {ownMemory, type Run, type RunSpace} from './runs.ts'
import {anyCorpus, largeCorpus} from './test-corpora.ts'
import {anySpace, testStore} from './test-runs.ts'

/** The obvious program: a map from the members and the word to a number. */
function countByMap({documents}: Corpus): Map<string, number> {
  const counts = new Map<string, number>()
  for (const {members, words} of documents)
    for (const word of ['', ...words]) {
      const cell = `${members.join()}|${word}`
      counts.set(cell, (counts.get(cell) ?? 0) + 1)
    }
  return counts
}

function mapOf(counts: Counts): Map<string, number> {
  const cells = new Map<string, number>()
  for (const {members, documents, wordIds, wordCounts} of unpackCounts(counts)) {
    cells.set(`${members.join()}|`, documents)
    for (let at = 0; at < wordIds.length; at++) cells.set(`${members.join()}|${wordIds[at]}`, wordCounts[at])
  }
  return cells
}

/** The documents in runs, cut at these places. */
function runsOf(corpus: Corpus, cuts: readonly number[], space: RunSpace): Run[] {
  const packed = packCorpus(corpus)
  const edges = [0, ...cuts.map(cut => cut % (packed.documentCount + 1)).sort((a, b) => a - b), packed.documentCount]
  return edges.slice(1).map((to, at) => countPackedRange(packed.header, packed, space, edges[at], to))
}

const anyCuts = fc.array(fc.nat(30), {maxLength: 6})

describe('mergeRuns', () => {
  test('mergeRuns(...) of any runs, in any space, by any number of ranges, counts as a map does', () => {
    fc.assert(
      fc.property(anyCorpus, anyCuts, anySpace, fc.integer({min: 1, max: 6}), (corpus, cuts, space, count) => {
        const {lexicon} = corpus
        const runs = runsOf(corpus, cuts, space)
        const ranges = splitRuns(runs, count)
        const parts = ranges.map(range =>
          mergeRuns(
            sizesOf(lexicon),
            runs.map(run => piecesIn(run, range)),
            space,
            range
          )
        )
        const header = {lexicon, labelShare: 0, seed: 0}
        const compact = countsOfRun(header, parts.flat(), new Float64Array(4 * lexicon.anchors.length), space.store)
        const counts = expandCounts(compact)
        expect(mapOf(counts)).toEqual(countByMap(corpus))
        expect([compact.documentCount, compact.patternCount]).toEqual([counts.documentCount, counts.patternCount])
        expect(Buffer.concat([...countsFileParts(compact)])).toEqual(Buffer.from(countsToBytes(countCorpus(corpus))))
      }),
      {seed: 1, numRuns: 500}
    )
  })

  test('mergeRuns(...) of what it merged before is the same again', () => {
    fc.assert(
      fc.property(anyCorpus, anyCuts, anySpace, (corpus, cuts, space) => {
        const sizes = sizesOf(corpus.lexicon)
        const runs = runsOf(corpus, cuts, ownMemory)
        const once = mergeRuns(sizes, runs, ownMemory)
        const [first, ...rest] = runs
        const again = mergeRuns(sizes, [mergeRuns(sizes, rest, space), mergeRuns(sizes, [first], space)], {
          ...ownMemory,
          store: space.store
        })
        expect(again).toEqual(once)
      }),
      {seed: 2, numRuns: 200}
    )
  })
})

describe('splitRuns', () => {
  test('splitRuns(...) covers all patterns once, in order, in at most as many ranges as asked for', () => {
    fc.assert(
      fc.property(anyCorpus, anyCuts, anySpace, fc.integer({min: 1, max: 6}), (corpus, cuts, space, count) => {
        const ranges = splitRuns(runsOf(corpus, cuts, space), count)
        expect(ranges.length).toBeLessThanOrEqual(count)
        expect([ranges[0].from, ranges.at(-1)?.to]).toEqual([undefined, undefined])
        ranges.slice(1).forEach(({from}, at) => {
          expect(from).toEqual(ranges[at].to)
          const next = ranges[at + 1].to
          if (from !== undefined && next !== undefined) expect(comparePatterns(from, next)).toBeLessThan(0)
        })
      }),
      {seed: 3, numRuns: 200}
    )
  })

  test('splitRuns(...) cuts pieces of equal length into equal parts', () => {
    const run = Array.from({length: 100}, (_, at) => ({
      first: [at],
      patternCount: 1,
      documentCount: 1,
      length: 10,
      content: new Uint8Array(10)
    }))
    expect(splitRuns([run], 4).map(({from}) => from)).toEqual([undefined, [25], [50], [75]])
  })
})

describe('Counter, runs', () => {
  test('Counter gives the same counts whatever it holds before it adds up, and wherever', () => {
    fc.assert(
      fc.property(anyCorpus, anySpace, fc.constantFrom(1, 10, 25, 100), (corpus, space, bufferSize) => {
        const counter = new Counter({lexicon: corpus.lexicon, labelShare: 0.5, seed: 2}, space, bufferSize)
        for (const document of corpus.documents) counter.add(document, document.key, document.labels)
        expect(counter.finish()).toEqual(countCorpus(corpus, {labelShare: 0.5, seed: 2}))
      }),
      {seed: 4, numRuns: 300}
    )
  })

  test('Counter puts in its store what exceeds the limit, and nothing below it', () => {
    const corpus = largeCorpus(rng(1), 200)
    const putWith = (limit: number) => {
      const store = testStore()
      const counter = new Counter({lexicon: corpus.lexicon, labelShare: 0, seed: 0}, {...ownMemory, limit, store}, 10)
      for (const document of corpus.documents) counter.add(document, document.key, document.labels)
      expect(counter.finish()).toEqual(countCorpus(corpus))
      return store.size
    }
    expect(putWith(100_000)).toBe(0)
    expect(putWith(1000)).toBeGreaterThan(0)
  })

  test('Counter merges what is in its store when there is much of it', () => {
    const corpus = largeCorpus(rng(2), 200)
    const space = {...ownMemory, limit: 0, store: testStore()}
    const counter = new Counter({lexicon: corpus.lexicon, labelShare: 0, seed: 0}, space, 1)
    for (const document of corpus.documents) counter.add(document, document.key, document.labels)
    expect(counter.finishRuns().runs.length).toBeLessThanOrEqual(65)
    expect(counter.finish()).toEqual(countCorpus(corpus))
  })
})

test('compactFromBytes(...) keeps the patterns as they are in the file', () => {
  fc.assert(
    fc.property(anyCorpus, corpus => {
      const counts = countCorpus(corpus, {labelShare: 1})
      const compact = compactFromBytes(countsToBytes(counts), 'x')
      expect(expandCounts(compact)).toEqual(counts)
      expect(Buffer.concat([...countsFileParts(compact)])).toEqual(Buffer.from(countsToBytes(counts)))
    }),
    {seed: 5}
  )
})
