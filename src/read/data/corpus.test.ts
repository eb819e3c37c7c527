import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {buildCorpus, type Corpus, encodeCorpus} from './corpus.ts'
import {textDefaults} from './lexicon.ts'
import {anchorsOf, anyDocument, rowOf} from './test-rows.ts'

/** Each document's words and concepts by name. */
const named = ({lexicon, documents}: Corpus) =>
  documents.map(({words, anchors}) => ({
    words: words.map(j => lexicon.words[j]),
    concepts: anchors.map(i => lexicon.anchors[i].concept)
  }))

describe('buildCorpus', () => {
  test('buildCorpus(...) learns the vocabulary from the rows, once, and reads them by it', () => {
    const rows = [
      {id: 'one', title: 'Python', text: 'a snake', tags: ['python']},
      {text: 'a moon', labels: {python: false}},
      {text: 'a'}
    ]
    const corpus = buildCorpus(rows[Symbol.iterator](), anchorsOf({python: 'title:python'}))
    expect([corpus.lexicon.words, corpus.lexicon.reading]).toEqual([['text:moon', 'text:snake'], textDefaults])
    expect(named(corpus)).toEqual([
      {words: ['text:snake'], concepts: ['python']},
      {words: ['text:moon'], concepts: []},
      {words: [], concepts: []}
    ])
    expect(corpus.documents.map(({labels}) => labels && [...labels])).toEqual([[1], [0], undefined])
    expect(corpus.documents[0].key).toBe('one')
  })

  test('buildCorpus(..., options) passes every option on, and names a bad row by its number', () => {
    const rows = [{body: 'X Big Data', other: 'no'}, {body: 'Y Big'}, {body: 'Y'}]
    const options = {text: ['body'], vocabulary: 5, maxShare: 0.4, keepCase: true, phrases: ['Big Data']}
    const {lexicon} = buildCorpus(rows, anchorsOf({a: 'X', b: 'never'}), {...options, skipBadAnchors: true})
    expect(lexicon.words).toEqual(['body:Big', 'body:Big Data'])
    expect(lexicon.skipped.map(({concept}) => concept)).toEqual(['b'])
    const tagged = [{text: 'x', tags: ['t']}, {text: 'y', tags: ['t']}, {text: 'z'}]
    expect(buildCorpus(tagged, anchorsOf({a: 'x'}), {minTags: 1}).documents).toHaveLength(2)
    expect(() => buildCorpus([{text: 'x'}, {text: 5}], anchorsOf({a: 'x'}))).toThrow(
      /^row 2: .*field "text" is not a string/
    )
  })
})

describe('encodeCorpus', () => {
  test('encodeCorpus(rows, lexicon) repeats what buildCorpus did to these rows', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, {maxLength: 10}), documents => {
        const rows = [{title: 'b', text: 'a c d'}, {text: 'c'}, ...documents]
        const corpus = buildCorpus(rows, anchorsOf({one: ['a', 'title:b'], two: 'q'}), {
          skipBadAnchors: true,
          phrases: ['c d']
        })
        const again = encodeCorpus(
          rows.map(row => rowOf(row)),
          corpus.lexicon
        )
        expect(again).toEqual(corpus)
      }),
      {seed: 1}
    )
  })
})
