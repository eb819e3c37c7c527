import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {hashShare, rng} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../data/index.ts'
import {Counter, countCorpus} from './counter.ts'
import {unpackCounts} from './counts.ts'
import {countsToBytes} from './counts-file.ts'
import {anyCorpus, documentWith, largeCorpus, lexiconWith} from './test-corpora.ts'

/** Group documents by their list of members and add up, with plain maps and sorts. */
function slowPatterns({documents}: Corpus) {
  const nameOf = ({members}: CorpusDocument) => members.join(' ')
  const patterns = [...new Set(documents.map(nameOf))].map(name => {
    const group = documents.filter(document => nameOf(document) === name)
    const words = group.flatMap(({words}) => words)
    const wordIds = [...new Set(words)].sort((a, b) => a - b)
    const wordCounts = wordIds.map(j => words.filter(word => word === j).length)
    return {members: [...group[0].members], documents: group.length, wordIds, wordCounts}
  })
  const byMembers = (a: readonly number[], b: readonly number[]) => {
    const at = a.findIndex((member, index) => member !== b[index])
    return at < 0 ? a.length - b.length : at >= b.length ? 1 : a[at] - b[at]
  }
  return patterns.sort((a, b) => byMembers(a.members, b.members))
}

function expectPatterns(corpus: Corpus): void {
  const counts = countCorpus(corpus)
  const found = Array.from(unpackCounts(counts), ({wordIds, wordCounts, ...pattern}) => ({
    ...pattern,
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

  test('Counter gives the same bytes however many documents it packs at once', () => {
    fc.assert(
      fc.property(anyCorpus, fc.constantFrom(1, 10, 40), (corpus, bufferSize) => {
        const counter = new Counter({lexicon: corpus.lexicon, labelShare: 0, seed: 0}, bufferSize)
        for (const document of corpus.documents) counter.add(document)
        expect(countsToBytes(counter.finish())).toEqual(countsToBytes(countCorpus(corpus)))
      }),
      {seed: 3, numRuns: 200}
    )
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
})

/** Labelled documents by concept, truth and anchor, looking at each document. */
function slowLabelled({lexicon, documents}: Corpus, isDrawn: (key: string) => boolean): number[] {
  return lexicon.anchors.flatMap((_, i) =>
    [0, 1].flatMap(y =>
      [false, true].map(
        fired =>
          documents.filter(
            ({key, anchors, labels}) => isDrawn(key) && labels?.[i] === y && anchors.includes(i) === fired
          ).length
      )
    )
  )
}

test('Counter counts the labels of all, of none, or of the documents whose key is drawn', () => {
  fc.assert(
    fc.property(anyCorpus, fc.constantFrom(0, 0.1, 0.5, 0.9, 1), fc.integer(), (corpus, share, seed) => {
      const isDrawn = (key: string) => hashShare(key, seed) < share
      expect([...countCorpus(corpus, {labelShare: share, seed}).labelled]).toEqual(slowLabelled(corpus, isDrawn))
    }),
    {seed: 2, numRuns: 200}
  )
})

test('countCorpus(...) counts labels where asked to, records share and seed, and refuses an unknown option', () => {
  const corpus = largeCorpus(rng(4), 20)
  expect(countCorpus(corpus)).toMatchObject({labelShare: 0, seed: 0})
  expect(countCorpus(corpus).labelled.every(count => count === 0)).toBe(true)
  expect(countCorpus(corpus, {labelShare: 0.25, seed: 9})).toMatchObject({labelShare: 0.25, seed: 9})
  const misspelt: object = {labelsShare: 1}
  expect(() => countCorpus(corpus, misspelt)).toThrow(/countCorpus has no option "labelsShare".*"labelShare"/)
})
