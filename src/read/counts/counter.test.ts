import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {hashShare, rng} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../data/index.ts'
import {Counter} from './counter.ts'
import {type Counts, unpackCounts} from './counts.ts'
import {anyCorpus, documentWith, largeCorpus, lexiconWith} from './test-corpora.ts'

function count({lexicon, documents}: Corpus, labelShare = 0, seed = 0): Counts {
  const counter = new Counter({lexicon, labelShare, seed})
  for (const {evidence, key, truth} of documents) counter.add(evidence, key, truth)
  return counter.finish()
}

/** Group documents by their list of members and add up, with plain maps and sorts. */
function slowPatterns({documents}: Corpus) {
  const nameOf = ({evidence}: CorpusDocument) => evidence.members.join(' ')
  const patterns = [...new Set(documents.map(nameOf))].map(name => {
    const group = documents.filter(document => nameOf(document) === name)
    const words = group.flatMap(({evidence}) => evidence.words)
    const wordIds = [...new Set(words)].sort((a, b) => a - b)
    const wordCounts = wordIds.map(j => words.filter(word => word === j).length)
    return {members: [...group[0].evidence.members], documents: group.length, wordIds, wordCounts}
  })
  const byMembers = (a: readonly number[], b: readonly number[]) => {
    const at = a.findIndex((member, index) => member !== b[index])
    return at < 0 ? a.length - b.length : at >= b.length ? 1 : a[at] - b[at]
  }
  return patterns.sort((a, b) => byMembers(a.members, b.members))
}

function expectPatterns(corpus: Corpus): void {
  const counts = count(corpus)
  const found = [...unpackCounts(counts)].map(({members, documents, wordIds, wordCounts}) => ({
    members: [...members],
    documents,
    wordIds: Array.from(wordIds),
    wordCounts: Array.from(wordCounts)
  }))
  expect(found).toEqual(slowPatterns(corpus))
  expect(counts.documentCount).toBe(corpus.documents.length)
}

describe('Counter, patterns', () => {
  test('Counter groups documents by pattern, sorted, with sorted words', () => {
    fc.assert(fc.property(anyCorpus, expectPatterns), {seed: 1, numRuns: 300})
  })

  test('Counter groups documents of 100 concepts', () => {
    expectPatterns(largeCorpus(rng(5), 500))
  })

  test('Counter counts a pattern alike while it is rare, common or in between', () => {
    for (const wordCount of [1, 3, 40, 1000])
      for (const documentCount of [1, 2, 7, 200]) {
        const lexicon = lexiconWith([1, 1], wordCount)
        const random = rng(wordCount * 1000 + documentCount)
        const documents = Array.from({length: documentCount}, (_, at) =>
          documentWith(
            lexicon,
            `${at}`,
            at % 5 ? [0] : [],
            lexicon.words.flatMap((_, j) => (random.next() < 0.1 ? [j] : []))
          )
        )
        expectPatterns({lexicon, documents})
      }
  })

  test('Counter tells members 1 and 2 from member 12', () => {
    const lexicon = lexiconWith(new Array(13).fill(1), 0)
    const documents = [documentWith(lexicon, 'a', [1, 2], []), documentWith(lexicon, 'b', [12], [])]
    expect(count({lexicon, documents}).patternCount).toBe(2)
  })
})

/** Labelled documents by concept, truth and anchor, looking at each document. */
function slowLabelled({lexicon, documents}: Corpus, isDrawn: (key: string) => boolean): number[] {
  return lexicon.anchors.flatMap((_, i) =>
    [0, 1].flatMap(y =>
      [false, true].map(
        fired =>
          documents.filter(
            ({key, evidence, truth}) => isDrawn(key) && truth?.[i] === y && evidence.anchors.includes(i) === fired
          ).length
      )
    )
  )
}

describe('Counter, labels', () => {
  test('Counter counts the labels of all, of none, or of the documents whose key is drawn', () => {
    fc.assert(
      fc.property(anyCorpus, fc.constantFrom(0, 0.1, 0.5, 0.9, 1), fc.integer(), (corpus, share, seed) => {
        const isDrawn = (key: string) => hashShare(key, seed) < share
        expect([...count(corpus, share, seed).labelled]).toEqual(slowLabelled(corpus, isDrawn))
      }),
      {seed: 2, numRuns: 200}
    )
  })

  test('Counter draws about the share asked for, the same documents every time, others for another seed', () => {
    const lexicon = lexiconWith([1], 0)
    const documents = Array.from({length: 10_000}, (_, at) => documentWith(lexicon, `document-${at}`, [], [], [at % 2]))
    const drawn = (seed: number) => [...count({lexicon, documents}, 0.3, seed).labelled]
    // Binomial with 10,000 draws at 0.3: standard error sqrt(2100) = 46; 5 of them.
    const total = drawn(1).reduce((sum, cell) => sum + cell, 0)
    expect(Math.abs(total - 3000)).toBeLessThan(230)
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(1)).not.toEqual(drawn(2))
  })

  test('Counter draws a larger share as the smaller one and more', () => {
    const lexicon = lexiconWith([1], 0)
    const document = (at: number) => documentWith(lexicon, `document-${at}`, [], [], [1])
    for (let at = 0; at < 200; at++) {
      const [less, more] = [0.2, 0.6].map(share => count({lexicon, documents: [document(at)]}, share, 5).labelled[2])
      expect(more).toBeGreaterThanOrEqual(less)
    }
  })
})
