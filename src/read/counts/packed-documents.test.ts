import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Counter, countCorpus, countPackedRange} from './counter.ts'

import {countsToBytes} from './counts-file.ts'
import {mergeCounts} from './merge-counts.ts'
import {packCorpus} from './packed-documents.ts'
import {anyCorpus} from './test-corpora.ts'

test('packCorpus(...) lays the words and members of documents out one after another', () => {
  fc.assert(
    fc.property(anyCorpus, fc.boolean(), (corpus, isShared) => {
      const {documentCount, words, wordStarts, members, memberStarts} = packCorpus(corpus, {isShared})
      expect(documentCount).toBe(corpus.documents.length)
      expect(words.buffer instanceof SharedArrayBuffer).toBe(isShared)
      corpus.documents.forEach((document, d) => {
        expect([...words.subarray(wordStarts[d], wordStarts[d + 1])]).toEqual(document.words)
        expect([...members.subarray(memberStarts[d], memberStarts[d + 1])]).toEqual(document.members)
      })
    })
  )
})

test('packCorpus(...) refuses options that make no sense', () => {
  const [corpus] = fc.sample(anyCorpus, 1)
  expect(() => packCorpus(corpus, {labelShare: 2})).toThrow(/`labelShare` must be a number from 0 to 1; got 2/)
})

test('countPackedRange(...) of ranges that follow on each other adds up to the whole', () => {
  fc.assert(
    fc.property(anyCorpus, fc.nat(30), (corpus, cut) => {
      const packed = packCorpus(corpus, {labelShare: 1})
      const middle = Math.min(cut, packed.documentCount)
      const merged = mergeCounts([
        countPackedRange(packed.header, packed, 0, middle),
        countPackedRange(packed.header, packed, middle)
      ])
      expect(countsToBytes({...merged, labelled: packed.labelled})).toEqual(
        countsToBytes(countCorpus(corpus, {labelShare: 1}))
      )
    })
  )
})

test('Counter gives the same counts whatever it holds before it adds up', () => {
  fc.assert(
    fc.property(anyCorpus, fc.constantFrom(1, 10, 25, 100), (corpus, bufferSize) => {
      const counter = new Counter({lexicon: corpus.lexicon, labelShare: 0.5, seed: 2}, bufferSize)
      for (const document of corpus.documents) counter.add(document, document.key, document.labels)
      const expected = countCorpus(corpus, {labelShare: 0.5, seed: 2})
      expect(countsToBytes(counter.finish())).toEqual(countsToBytes(expected))
    })
  )
})
