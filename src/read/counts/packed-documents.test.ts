import fc from 'fast-check'
import {expect, test} from 'vitest'
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
