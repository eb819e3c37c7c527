import fc from 'fast-check'
import {expect, test} from 'vitest'
import {countCorpus} from './count-corpus.ts'
import {memberFlags} from './member-flags.ts'
import {anyCorpus} from './test-corpora.ts'

test('memberFlags(...) marks in every pattern just the members of the concept that fired', () => {
  fc.assert(
    fc.property(anyCorpus, corpus => {
      const counts = countCorpus(corpus)
      const owned = corpus.lexicon.anchors.flatMap(({any}, concept) => any.map((_, w) => ({concept, w})))
      corpus.lexicon.anchors.forEach(({any}, concept) => {
        const flags = memberFlags(counts, concept)
        expect(flags.length).toBe(counts.patternCount * any.length)
        for (let p = 0; p < counts.patternCount; p++) {
          const fired = [...counts.members.subarray(counts.memberStarts[p], counts.memberStarts[p + 1])]
          const own = fired.map(member => owned[member]).filter(member => member.concept === concept)
          const expected = any.map((_, w) => (own.some(member => member.w === w) ? 1 : 0))
          expect([...flags.subarray(p * any.length, (p + 1) * any.length)]).toEqual(expected)
        }
      })
    })
  )
})
